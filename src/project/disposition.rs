//! Which files are translated, and which are left as a whole.

use std::collections::BTreeMap;

use super::facts::{FileFacts, Foreign};
use super::regions::Region;
use super::vendored::Carried;
use super::{Context, Disposition, Input, ProjectOptions, paths, vendored};
use crate::classify::{FileClass, FileKind};
use crate::diagnostic::{Code, Finding, KeptReason, Severity};

/// A library that the tree carries along is left whole.
pub const CARRIED_LIBRARY: Code = Code {
    id: "PRJ001",
    severity: Severity::Warning,
    title: "library carried along, left whole",
};

/// A file or folder has a MUSA twin.
pub const MUSA_TWIN: Code = Code {
    id: "PRJ004",
    severity: Severity::Note,
    title: "left because a MUSA twin stands beside it",
};

/// A file for other platforms, or one that only code for them includes.
pub const OTHER_PLATFORM: Code = Code {
    id: "PRJ005",
    severity: Severity::Note,
    title: "left because it is for other platforms only",
};

/// Decide which files are translated, and which are left as a whole.
pub(super) fn dispositions(
    inputs: &[Input],
    listing: &[(String, FileClass)],
    carried: &[Carried<'_>],
    options: &ProjectOptions,
    context: Context<'_>,
    findings: &mut Vec<Finding>,
) -> Vec<Disposition> {
    let python_values = &context.knowledge.python_values;
    let is_translated = |input: &Input| match input.class.kind {
        FileKind::Python => !input.class.template && python_values.translates(&input.path),
        // What builds C++ is translated together with it.
        FileKind::Build => input.class.language.is_some() && options.translate_cpp,
        kind => kind.is_cpp() && options.translate_cpp,
    };
    let mut dispositions: Vec<Disposition> = inputs
        .iter()
        .map(|input| {
            if input.selected && input.text.is_some() && is_translated(input) {
                Disposition::Ported
            } else {
                Disposition::Copied
            }
        })
        .collect();
    for carried in carried {
        let mut cpp_files = 0;
        for ((path, class), disposition) in listing.iter().zip(&mut dispositions) {
            if carried.holds(path) && *disposition == Disposition::Ported {
                *disposition = Disposition::Left(KeptReason::Vendored);
                cpp_files += usize::from(class.kind.is_cpp());
            }
        }
        let Some(folder) = carried.folders.first().filter(|_| cpp_files > 0) else {
            continue;
        };
        let name = &carried.library.name;
        findings.push(
            Finding::whole(
                CARRIED_LIBRARY,
                folder.trim_end_matches('/'),
                format!(
                    "{name} is carried along in `{folder}` and was left whole ({cpp_files} sources)"
                ),
            )
            .help(carried.library.advice.clone()),
        );
    }
    let mut findings_of_folder: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for (index, (left, twin)) in vendored::twins(listing, context.knowledge) {
        let moves = inputs.get(index).is_some_and(|input| input.moved.is_some());
        if let Some(disposition) = dispositions.get_mut(index)
            && *disposition == Disposition::Ported
            && !moves
        {
            *disposition = Disposition::Left(KeptReason::MusaTwin);
            findings_of_folder.entry(left).or_insert((twin, 0)).1 += 1;
        }
    }
    for ((path, _), disposition) in listing.iter().zip(&mut dispositions) {
        let is_twin = findings_of_folder.values().any(|(twin, _)| {
            path == twin
                || path
                    .strip_prefix(twin.as_str())
                    .is_some_and(|rest| rest.starts_with('/'))
        });
        if is_twin && *disposition == Disposition::Ported {
            *disposition = Disposition::Left(KeptReason::MusaTwin);
        }
    }
    for (left, (twin, count)) in findings_of_folder {
        let files = if count == 1 {
            "1 file".to_owned()
        } else {
            format!("{count} files")
        };
        findings.push(
            Finding::whole(
                MUSA_TWIN,
                &left,
                format!("`{left}` was left ({files}): `{twin}` stands beside it"),
            )
            .help("carry changes over to the twin by hand, or port a tree without it"),
        );
    }
    dispositions
}

/// Leave files that are another vendor's from end to end, and those that only such files and
/// branches for other platforms include.
pub(super) fn leave_other_platforms(
    facts: &[FileFacts],
    resolved: &[Vec<Option<usize>>],
    listing: &[(String, FileClass)],
    dispositions: &mut [Disposition],
    findings: &mut Vec<Finding>,
) {
    let away = elsewhere(facts, resolved);
    let mut left: BTreeMap<&str, Vec<(&str, String)>> = BTreeMap::new();
    let files = listing.iter().zip(facts).zip(away).zip(dispositions);
    for ((((path, class), facts), away), disposition) in files {
        // A file without a name of CUDA's goes over as it is in any case.
        let matters = facts.has_hits || matches!(class.kind, FileKind::Cuda | FileKind::CudaHeader);
        let Some((reason, from)) = away.filter(|_| matters && *disposition == Disposition::Ported)
        else {
            continue;
        };
        *disposition = Disposition::Left(reason);
        let includer = listing.get(from).map_or("", |(path, _)| path.as_str());
        let why = match &facts.foreign {
            Some(Foreign::Header(header)) => {
                format!("it is written for another platform, whose `{header}` it includes")
            }
            Some(Foreign::Namespace(name)) => {
                format!("it is written for another platform, whose `{name}::` it uses")
            }
            None => format!("only code for other platforms includes it (`{includer}`)"),
        };
        let folder = left.entry(paths::folder(path)).or_default();
        folder.push((path, why));
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

/// For each file that no build for MUSA compiles why that is, and the first file that includes it.
fn elsewhere(
    facts: &[FileFacts],
    resolved: &[Vec<Option<usize>>],
) -> Vec<Option<(KeptReason, usize)>> {
    let foreign = |(file, facts): (usize, &FileFacts)| {
        let foreign = facts.foreign.as_ref();
        foreign.map(|_| (KeptReason::VendorBranch, file))
    };
    let mut away: Vec<Option<(KeptReason, usize)>> =
        facts.iter().enumerate().map(foreign).collect();
    loop {
        let mut included: BTreeMap<usize, Option<(KeptReason, usize)>> = BTreeMap::new();
        for (from, (facts, resolved)) in facts.iter().zip(resolved).enumerate() {
            for (include, target) in facts.includes.iter().zip(resolved) {
                let Some(target) = *target else { continue };
                let reason = match include.region {
                    Region::OtherVendor => Some(KeptReason::VendorBranch),
                    Region::NotMusa => Some(KeptReason::MusaBranch),
                    Region::Plain | Region::Musa => {
                        away.get(from).copied().flatten().map(|(reason, _)| reason)
                    }
                };
                let here = reason.map(|reason| (reason, from));
                let so_far = included.entry(target).or_insert(here);
                *so_far = so_far.filter(|_| reason.is_some());
            }
        }
        let mut any = false;
        for (file, reason) in included {
            if let Some(slot) = away.get_mut(file)
                && slot.is_none()
                && reason.is_some()
            {
                *slot = reason;
                any = true;
            }
        }
        if !any {
            return away;
        }
    }
}
