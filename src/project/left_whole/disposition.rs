//! Which files are translated, and which are left as a whole.

use std::collections::BTreeMap;
use std::iter;

use rustc_hash::FxHashSet;

use super::twins::twins;
use super::vendored::CarriedLibrary;
use crate::tree::paths;
use crate::{Context, Disposition, Input, ProjectOptions};
use torchada_classify::FileKind;
use torchada_diagnostic::codes::project::{CARRIED_LIBRARY, MUSA_TWIN};
use torchada_diagnostic::{Finding, KeptReason};

/// Decide which files are translated, and which are left as a whole, and report the latter.
pub(crate) fn dispositions(
    inputs: &[Input],
    carried: &[CarriedLibrary<'_>],
    options: &ProjectOptions,
    context: Context<'_>,
) -> (Vec<Disposition>, Vec<Finding>) {
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
    let mut findings = leave_carried(inputs, carried, &mut dispositions);
    findings.extend(leave_twins(inputs, context, &mut dispositions));
    (dispositions, findings)
}

/// Leave the libraries that the tree carries along whole, and say so.
fn leave_carried(
    inputs: &[Input],
    carried: &[CarriedLibrary<'_>],
    dispositions: &mut [Disposition],
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for carried in carried {
        let is_modules = carried.library.modules;
        let mut left = 0;
        for (input, disposition) in inputs.iter().zip(&mut *dispositions) {
            if carried.holds(&input.path) && *disposition == Disposition::Ported {
                *disposition = Disposition::Left(KeptReason::Vendored);
                left += usize::from(input.class.kind.is_cpp() || is_modules);
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
    findings
}

/// Leave files that have a MUSA twin, and the twins, and say so.
fn leave_twins(
    inputs: &[Input],
    context: Context<'_>,
    dispositions: &mut [Disposition],
) -> impl Iterator<Item = Finding> {
    let mut findings_of_folder: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for (index, (left, twin)) in twins(inputs, context.knowledge) {
        let moves = inputs.get(index).is_some_and(|input| input.moved.is_some());
        if let Some(disposition) = dispositions.get_mut(index)
            && *disposition == Disposition::Ported
            && !moves
        {
            *disposition = Disposition::Left(KeptReason::MusaTwin);
            findings_of_folder.entry(left).or_insert((twin, 0)).1 += 1;
        }
    }
    let of_musa = findings_of_folder.values().map(|(twin, _)| twin.as_str());
    let of_musa: FxHashSet<&str> = of_musa.collect();
    for (input, disposition) in inputs.iter().zip(dispositions) {
        let mut whole = iter::once(&*input.path).chain(paths::folders(&input.path));
        let is_twin = whole.any(|path| of_musa.contains(path));
        if is_twin && *disposition == Disposition::Ported {
            *disposition = Disposition::Left(KeptReason::MusaTwin);
        }
    }
    findings_of_folder
        .into_iter()
        .map(|(left, (twin, count))| {
            let files = if count == 1 { "file" } else { "files" };
            let message = format!("`{left}` was left ({count} {files}): `{twin}` stands beside it");
            Finding::whole(MUSA_TWIN, &left, message).help(
                "carry changes over to the twin by hand; where `torchada port FILE` wrote it, remove it or name it in \
                 `exclude`, and the file is ported with the tree",
            )
        })
}
