//! Which files are translated, and which are left as a whole.

use std::collections::BTreeMap;

use super::vendored;
use super::vendored::CarriedLibrary;
use crate::{Context, Disposition, Input, ProjectOptions};
use torchada_classify::{FileClass, FileKind};
use torchada_diagnostic::codes::project::{CARRIED_LIBRARY, MUSA_TWIN};
use torchada_diagnostic::{Finding, KeptReason};

/// Decide which files are translated, and which are left as a whole.
pub(crate) fn dispositions(
    inputs: &[Input],
    listing: &[(String, FileClass)],
    carried: &[CarriedLibrary<'_>],
    options: &ProjectOptions,
    context: Context<'_>,
    findings: &mut Vec<Finding>,
) -> Vec<Disposition> {
    let python_values = &context.knowledge.python_values;
    let is_translated = |input: &Input| match input.class.kind {
        FileKind::Python => !input.class.template && python_values.translates(&input.path),
        // What builds C++ is translated together with it.
        FileKind::Build => input
            .class
            .language
            .is_some_and(|language| options.translate_cpp || language.lists_packages()),
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
        let is_modules = carried.library.modules;
        let mut left = 0;
        for ((path, class), disposition) in listing.iter().zip(&mut dispositions) {
            if carried.holds(path) && *disposition == Disposition::Ported {
                *disposition = Disposition::Left(KeptReason::Vendored);
                left += usize::from(class.kind.is_cpp() || is_modules);
            }
        }
        let Some(folder) = carried.folders.first().filter(|_| left > 0) else {
            continue;
        };
        let name = &carried.library.name;
        let what = if is_modules { "modules" } else { "sources" };
        findings.push(
            Finding::whole(
                CARRIED_LIBRARY,
                folder.trim_end_matches('/'),
                format!("{name} is carried along in `{folder}` and was left whole ({left} {what})"),
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
            .help(
                "carry changes over to the twin by hand; where `torchada port FILE` wrote it, remove it or name it in \
                 `exclude`, and the file is ported with the tree",
            ),
        );
    }
    dispositions
}
