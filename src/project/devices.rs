//! Whether the device name `"cuda"` means `PyTorch`'s device in a part of a tree, or one of the project's own.
//!
//! A tree may hold an engine with devices of its own beside an extension of `PyTorch`. So the innermost folder around a
//! place decides whose C++ knows the name, or includes anything of `PyTorch`'s.

use rustc_hash::FxHashMap;

use super::tree::paths;
use super::tree::source::{Disposition, Source};
use torchada_diagnostic::KeptReason;
use torchada_mapping::has;

/// What the C++ in a folder and below has to do with devices.
#[derive(Clone, Copy, Default, Debug)]
struct Folder {
    /// The first file that knows CUDA's device by the name that it has in `PyTorch`.
    home: Option<usize>,
    /// Whether a file includes a header of `PyTorch`'s.
    includes_torch: bool,
}

/// The folders of a tree whose C++ has anything to do with devices.
#[derive(Clone, Default, Debug)]
pub(super) struct DeviceFolders(FxHashMap<String, Folder>);

impl DeviceFolders {
    /// The folders of all files that have to do with devices. `torch` are the folders of `PyTorch`'s headers.
    pub(super) fn new(files: &[Source], torch: &[String]) -> Self {
        let mut found: FxHashMap<String, Folder> = FxHashMap::default();
        for (index, file) in files.iter().enumerate() {
            let is_home =
                file.facts.names_device && file.disposition == Disposition::Ported && !file.carried;
            let includes_torch = includes_torch(files, file, torch);
            if !is_home && !includes_torch {
                continue;
            }
            for folder in paths::folders(&file.path) {
                let known = found.entry(folder.to_owned()).or_default();
                known.includes_torch |= includes_torch;
                known.home = known.home.or(is_home.then_some(index));
            }
        }
        Self(found)
    }

    /// A file whose C++ has the name of a device that the file `from` may mean: the project's own.
    pub(super) fn home(&self, from: &str) -> Option<usize> {
        let known = paths::folders(from).find_map(|folder| self.0.get(folder))?;
        known.home.filter(|_| !known.includes_torch)
    }
}

/// Whether a file includes a header from one of some folders that is not of the tree, or is of a library that the tree
/// carries along.
fn includes_torch(files: &[Source], file: &Source, torch: &[String]) -> bool {
    let mut includes = file.facts.includes.iter().zip(&file.resolved);
    includes.any(|(include, target)| {
        let target = target.and_then(|target| files.get(target));
        let is_outside = target
            .is_none_or(|target| target.disposition == Disposition::Left(KeptReason::Vendored));
        let folder = include.path.split_once('/').map(|(folder, _)| folder);
        is_outside && folder.is_some_and(|folder| has(torch, folder))
    })
}
