//! Files that are for other platforms, and those that only such files and branches for other platforms include.

use std::collections::BTreeMap;

use super::regions::Region;
use super::vendor_builds::BuildSources;
use super::vendor_folders::{is_for_cuda, rest_of_folders};
use crate::facts::{Include, VendorMark};
use crate::tree::path_index::PathIndex;
use crate::tree::paths;
use crate::tree::scanned_tree::ScannedTree;
use crate::tree::source::Disposition;
use torchada_classify::FileKind;
use torchada_diagnostic::codes::project::OTHER_PLATFORM;
use torchada_diagnostic::{Finding, KeptReason};

/// Why no build for MUSA compiles a file.
#[derive(Clone, PartialEq, Eq, Debug)]
struct LeftToVendor {
    reason: KeptReason,
    why: Proof,
}

/// The evidence that a file is for another vendor.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Proof {
    /// The file itself.
    Itself,
    /// Only such code includes it, first this file.
    IncludedBy(usize),
    /// It includes this file, which is for another vendor.
    Includes(usize),
    /// A build gives it to another vendor's compiler only, at this place.
    Built(String),
    /// The folder is the vendor's.
    Folder,
}

/// Leave files that are another vendor's from end to end, and those that only such files and
/// branches for other platforms include.
pub(crate) fn leave_other_platforms(
    tree: ScannedTree<'_>,
    dispositions: &mut [Disposition],
    findings: &mut Vec<Finding>,
) {
    let places = tree.places;
    let away = elsewhere(tree);
    let mut left: BTreeMap<&str, Vec<(&str, String)>> = BTreeMap::new();
    let files = tree.inputs.iter().zip(tree.facts).zip(away);
    let files = files.zip(dispositions);
    for (((input, facts), away), disposition) in files {
        // A file without a name of CUDA's goes over as it is in any case.
        let is_cudas = matches!(input.class.kind, FileKind::Cuda | FileKind::CudaHeader);
        let matters = facts.has_hits || is_cudas;
        let Some(away) = away.filter(|_| matters && *disposition == Disposition::Ported) else {
            continue;
        };
        *disposition = Disposition::Left(away.reason);
        let why = match (&away.why, &facts.foreign) {
            (Proof::IncludedBy(file), _) => {
                let includer = places.path(*file);
                format!("only code for other platforms includes it (`{includer}`)")
            }
            (Proof::Includes(file), _) => {
                let included = places.path(*file);
                format!("it includes `{included}`, which is written for another platform")
            }
            (Proof::Built(place), _) => {
                format!("only builds for other platforms take it ({place})")
            }
            (Proof::Folder, _) => "its folder is for another platform".to_owned(),
            (Proof::Itself, Some(VendorMark::Header(header))) => {
                format!("it is written for another platform, whose `{header}` it includes")
            }
            (Proof::Itself, Some(VendorMark::Namespace(name))) => {
                format!("it is written for another platform, whose `{name}::` it uses")
            }
            (Proof::Itself, Some(VendorMark::Name(name))) => {
                format!("it is written for another platform, whose `{name}` it uses")
            }
            (Proof::Itself, Some(VendorMark::Ending(ending))) => {
                format!("it is written for another platform, whose files end in `{ending}`")
            }
            (Proof::Itself, None) => "it is written for another platform".to_owned(),
        };
        let folder = left.entry(paths::folder(&input.path)).or_default();
        folder.push((&input.path, why));
    }
    findings.extend(
        left.into_iter()
            .flat_map(|(folder, files)| findings_of_folder(folder, &files)),
    );
}

/// Findings about the files of one folder that were left: one finding for a single file, or one for all of
/// several.
fn findings_of_folder(folder: &str, files: &[(&str, String)]) -> Vec<Finding> {
    let help = "nothing to do where builds for MUSA leave this out or take a branch of their own";
    let about =
        |path: &str, message: String| Finding::whole(OTHER_PLATFORM, path, message).help(help);
    match files {
        [(first, why), _, ..] if !folder.is_empty() => {
            let count = files.len();
            vec![about(
                folder,
                format!("{count} files in `{folder}` were left, such as `{first}`: {why}"),
            )]
        }
        _ => files
            .iter()
            .map(|(path, why)| about(path, format!("`{path}` was left: {why}")))
            .collect(),
    }
}

/// For each file that no build for MUSA compiles why that is.
fn elsewhere(tree: ScannedTree<'_>) -> Vec<Option<LeftToVendor>> {
    let ScannedTree {
        inputs,
        facts,
        context,
        ..
    } = tree;
    let vendors = |why: Proof| LeftToVendor {
        reason: KeptReason::VendorBranch,
        why,
    };
    // A backend for CUDA has CUDA's names, whatever library it is a part of.
    let is_backend = |file: usize| {
        let (input, facts) = (inputs.get(file), facts.get(file));
        facts.is_some_and(|facts| facts.has_hits)
            && input.is_some_and(|input| is_for_cuda(&input.path, context))
    };
    let foreign = facts.iter().map(|facts| facts.foreign.as_ref());
    let foreign = foreign.enumerate().map(|(file, foreign)| {
        let by_name = matches!(foreign, Some(VendorMark::Namespace(_)));
        foreign.filter(|_| !by_name || !is_backend(file))
    });
    let mut away: Vec<Option<LeftToVendor>> = foreign
        .map(|foreign| foreign.map(|_| vendors(Proof::Itself)))
        .collect();
    let builds = BuildSources::of(inputs, context);
    for (file, place) in builds.built_by_others() {
        if let Some(slot) = away.get_mut(file) {
            slot.get_or_insert(vendors(Proof::Built(place)));
        }
    }
    including(tree, is_backend, &mut away);
    included(tree, &builds, is_backend, &mut away);
    let is_away = |file: usize| away.get(file).is_some_and(Option::is_some);
    for file in rest_of_folders(tree, is_away) {
        if let Some(slot) = away.get_mut(file) {
            slot.get_or_insert(vendors(Proof::Folder));
        }
    }
    included(tree, &builds, is_backend, &mut away);
    away
}

/// Add the files that include one which is written for another vendor, whatever the platform, and no header of CUDA's.
fn including(
    tree: ScannedTree<'_>,
    is_backend: impl Fn(usize) -> bool,
    away: &mut [Option<LeftToVendor>],
) {
    loop {
        let files = tree.facts.iter().zip(tree.resolved).enumerate();
        let found: Vec<(usize, usize)> = files
            .filter(|(from, (facts, _))| {
                away.get(*from).is_some_and(Option::is_none)
                    && !facts.platforms.cuda
                    && !is_backend(*from)
            })
            .filter_map(|(from, (facts, targets))| {
                let always = facts.includes.iter().zip(targets);
                let is_others = |target: usize| {
                    let why = away.get(target).and_then(Option::as_ref);
                    why.is_some_and(|one| matches!(one.why, Proof::Itself | Proof::Includes(_)))
                };
                let mut always = always.filter_map(|(one, target)| {
                    let target = target.filter(|&target| one.always && is_others(target))?;
                    let from = tree.places.path(from);
                    means_one(tree.places, (from, one), target, is_others).then_some(target)
                });
                Some((from, always.next()?))
            })
            .collect();
        if found.is_empty() {
            return;
        }
        for (from, target) in found {
            if let Some(slot) = away.get_mut(from) {
                *slot = Some(LeftToVendor {
                    reason: KeptReason::VendorBranch,
                    why: Proof::Includes(target),
                });
            }
        }
    }
}

/// Whether an include in the file `from` can mean no other file than `target`, or only others of the same kind: folders of
/// several platforms may have headers of one name, and a build says which of them is meant.
fn means_one(
    places: &PathIndex,
    (from, include): (&str, &Include),
    target: usize,
    is_others: impl Fn(usize) -> bool,
) -> bool {
    let beside = paths::join(paths::folder(from), &include.path);
    beside.and_then(|path| places.file_at(&path)) == Some(target)
        || places.ending_with(include.suffix()).all(is_others)
}

/// Add the files that only such files and branches for other platforms include, and that no build compiles by themselves.
fn included(
    tree: ScannedTree<'_>,
    builds: &BuildSources<'_>,
    is_backend: impl Fn(usize) -> bool,
    away: &mut [Option<LeftToVendor>],
) {
    let is_source = |file: &usize| {
        let input = tree.inputs.get(*file);
        input.is_some_and(|input| input.class.kind == FileKind::Cuda)
    };
    let mut given: BTreeMap<usize, bool> = BTreeMap::new();
    loop {
        let mut included: BTreeMap<usize, Option<(KeptReason, usize)>> = BTreeMap::new();
        for (from, (facts, resolved)) in tree.facts.iter().zip(tree.resolved).enumerate() {
            for (include, target) in facts.includes.iter().zip(resolved) {
                let Some(target) = *target else { continue };
                let reason = match include.region {
                    Region::OtherVendor => Some(KeptReason::VendorBranch),
                    Region::NotMusa => Some(KeptReason::MusaBranch),
                    Region::Plain | Region::Musa => {
                        let from = away.get(from).and_then(Option::as_ref);
                        from.map(|one| one.reason)
                    }
                };
                let here = reason.map(|reason| (reason, from));
                let so_far = included.entry(target).or_insert(here);
                *so_far = so_far.filter(|_| reason.is_some());
            }
        }
        let open = included.iter().filter(|(file, found)| {
            let is_open = away.get(**file).is_some_and(Option::is_none);
            is_open && found.is_some() && is_source(file) && !given.contains_key(file)
        });
        let open: Vec<usize> = open.map(|(&file, _)| file).collect();
        let compiled = builds.built_outside_branches(open.iter().copied());
        given.extend(open.iter().map(|file| (*file, compiled.contains(file))));
        let mut any = false;
        for (file, found) in included {
            if let Some(slot) = away.get_mut(file)
                && slot.is_none()
                && !is_backend(file)
                && given.get(&file) != Some(&true)
                && let Some((reason, from)) = found
            {
                let why = Proof::IncludedBy(from);
                *slot = Some(LeftToVendor { reason, why });
                any = true;
            }
        }
        if !any {
            return;
        }
    }
}
