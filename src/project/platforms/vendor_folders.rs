//! Folders that are another vendor's as a whole.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::path_index::PathIndex;
use crate::tree::paths;
use crate::tree::scanned_tree::ScannedTree;
use crate::{Context, Disposition, Source};
use torchada_classify::FileKind;
use torchada_diagnostic::KeptReason;
use torchada_mapping::has;

/// The folders that are called after another vendor and whose CUDA sources are all left for it: a build file in one is
/// for that vendor's build.
pub(crate) fn vendor_folders(files: &[Source], context: Context<'_>) -> BTreeSet<String> {
    let mut folders: BTreeMap<&str, bool> = BTreeMap::new();
    for file in files
        .iter()
        .filter(|file| file.class.kind == FileKind::Cuda)
    {
        let is_left = file.disposition == Disposition::Left(KeptReason::VendorBranch);
        *folders.entry(paths::folder(&file.path)).or_insert(true) &= is_left;
    }
    let left = folders.into_iter().filter(|(folder, is_left)| {
        *is_left && is_called_after_vendor(paths::file_name(folder), context)
    });
    left.map(|(folder, _)| folder.to_owned()).collect()
}

/// The other files of folders that are called after a vendor and of whose CUDA sources at least half are the vendor's, or
/// have a namesake in a folder for CUDA beside theirs (`hip/unpack.cu`, `cuda/unpack.cu`). What code outside of the folder
/// includes stays.
pub(super) fn rest_of_folders(
    tree: ScannedTree<'_>,
    is_away: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let ScannedTree {
        inputs,
        places,
        context,
        ..
    } = tree;
    let mut folders: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (file, input) in inputs.iter().enumerate() {
        let folder = paths::folder(&input.path);
        let is_cudas = matches!(input.class.kind, FileKind::Cuda | FileKind::CudaHeader);
        if is_cudas && is_called_after_vendor(paths::file_name(folder), context) {
            let [of_vendor, all] = folders.entry(folder).or_default();
            *of_vendor += usize::from(is_away(file) || has_namesake(&input.path, places, context));
            *all += 1;
        }
    }
    folders.retain(|_, [of_vendor, all]| *of_vendor * 2 >= *all);
    if folders.is_empty() {
        return Vec::new();
    }
    let mut needed = vec![false; inputs.len()];
    for (from, (facts, targets)) in tree.facts.iter().zip(tree.resolved).enumerate() {
        let folder = inputs
            .get(from)
            .map_or("", |input| paths::folder(&input.path));
        if is_away(from) || folders.contains_key(folder) {
            continue;
        }
        for (include, target) in facts.includes.iter().zip(targets) {
            if let Some(slot) = target.and_then(|target| needed.get_mut(target)) {
                *slot |= include.is_for_musa();
            }
        }
    }
    let files = inputs.iter().zip(needed).enumerate();
    let rest = files.filter(|(file, (input, is_needed))| {
        let is_inside = folders.contains_key(paths::folder(&input.path));
        is_inside && input.class.kind.is_cpp() && !is_needed && !is_away(*file)
    });
    rest.map(|(file, _)| file).collect()
}

/// Whether a folder for CUDA beside that of a file has a file of the same name, which a port may have given MUSA's ending.
fn has_namesake(path: &str, places: &PathIndex, context: Context<'_>) -> bool {
    let folder = paths::folder(path);
    let (above, name) = (paths::folder(folder), paths::file_name(path));
    let endings = context.knowledge.files.rename.iter();
    let ported = endings.filter_map(|(old, new)| Some(format!("{}{new}", name.strip_suffix(old)?)));
    let names: Vec<String> = ported.chain([name.to_owned()]).collect();
    let words = context.knowledge.twins.words.iter();
    let mut beside = words.flat_map(|(cuda, _)| {
        let paths = names.iter().map(move |name| format!("{cuda}/{name}"));
        paths.filter_map(|path| paths::join(above, &path))
    });
    beside.any(|path| places.file_at(&path).is_some())
}

/// Whether a path says that what lies there is for CUDA, and for no other vendor: `runtime/cuda/queue.hpp`.
pub(super) fn is_for_cuda(path: &str, context: Context<'_>) -> bool {
    let pairs = &context.knowledge.twins.words;
    let is_cudas = |word: &str| pairs.iter().any(|(cudas, _)| cudas == word);
    let mut parts = path.split('/');
    let mut words = path.split(['/', '_', '-', '.']);
    words.any(is_cudas) && !parts.any(|part| is_called_after_vendor(part, context))
}

/// Whether a folder's name has a word of another vendor's.
fn is_called_after_vendor(name: &str, context: Context<'_>) -> bool {
    let mut words = name.split(['_', '-', '.']);
    let others = || {
        let all = context.knowledge.vendors.iter();
        all.filter(|vendor| !vendor.is_target())
    };
    words.any(|word| others().any(|vendor| has(&vendor.folders, word)))
}
