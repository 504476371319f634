//! The row of a check's summary that says what to do first.

use std::cmp::Reverse;
use std::io::{self, Write};

use super::findings::part;
use super::optional::is_optional;
use super::outside_packages::before_run;
use super::start::is_left_to_host;
use crate::diagnostic::{Finding, Severity};
use crate::mapping::effort::Effort;
use crate::report::format::row::{place, row};
use crate::report::format::style::PATH;
use crate::report::part::Part;
use crate::report::{Cause, OptionalCode, Report};

/// What takes less is seen when somebody comes to it.
const WORTH_A_LOOK: usize = 5;

/// Why nothing was ported of what builds for MUSA already.
pub(in crate::report) const BUILT_ALREADY: &str =
    "nothing to port: PRJ050 in the report says how the project builds for MUSA";

/// Why a port is of no use.
const NOTHING_TO_PORT: &str =
    "nothing to port: none of the files has anything of CUDA's to translate";

/// Why C++ stays as it is in the portable dialect.
pub(in crate::report) const LEFT_TO_BUILD: &str = "left-to-build";

/// Why nothing was ported, by the reason for which files were left.
const NOTHING_PORTED: [(&str, &str); 3] = [
    ("musa-build", BUILT_ALREADY),
    (
        "musa-twin",
        "nothing to port: each file that is CUDA's has a MUSA twin beside it, which builds take; `torchada explain PRJ004` \
         says how to go on without the twin",
    ),
    (
        LEFT_TO_BUILD,
        "nothing to port: C++ stays CUDA's in the portable dialect, and is ported where it is built (`import \
         torchada.build` in setup.py, `find_package(torchada)` in CMake); without `--dialect portable` it is ported",
    ),
];

/// Why nothing was ported, and what to do; `None` where something was, or nothing stands in the way.
pub(in crate::report) fn nothing_ported(report: &Report) -> Option<&'static str> {
    if report.files.ported + report.files.renamed > 0 {
        return None;
    }
    let mut reasons = NOTHING_PORTED.iter();
    let found =
        reasons.find(|(reason, _)| report.kept_paths.iter().any(|kept| kept.reason == *reason));
    found.map(|(_, text)| *text)
}

/// How a port comes into use: C++ is built first.
pub(in crate::report) fn in_use(report: &Report) -> &'static str {
    match (report.files.cpp, report.files.python) {
        (0, 0) => "build or run it on MUSA",
        (0, _) => "run it on MUSA",
        (_, _) => "build and run it on MUSA",
    }
}

/// What to do first: to see to what stops the start or the build; where nothing does, to port and to run.
///
/// `variables` are those that leave parts of the input out.
pub(in crate::report) fn next(
    report: &Report,
    variables: &[&OptionalCode],
    out: &mut dyn Write,
) -> io::Result<()> {
    let port = if report.is_port { "" } else { "port it, " };
    step(report, variables, port).map_or(Ok(()), |text| {
        row(out, "next", text.strip_prefix("and ").unwrap_or(&text))
    })
}

/// The first thing to do, in words; `None` where nothing was found. `port` says that a port comes first, where none was made.
pub(in crate::report) fn step(
    report: &Report,
    variables: &[&OptionalCode],
    port: &str,
) -> Option<String> {
    let work: Vec<(&Cause, &Finding)> = report
        .causes
        .iter()
        .filter(|cause| !cause.is_auxiliary() && !is_optional(cause, variables, report))
        .filter_map(|cause| Some((cause, worst(cause, report)?)))
        .collect();
    let errors = work
        .iter()
        .filter(|(cause, _)| cause.severity == Severity::Error);
    // Kernels come last: a program may do without one, and the build and Python tell whether it does.
    let is_kernel = |cause: &Cause| part(cause, report) == Some(Part::Cpp);
    let mut of_program = errors.clone().filter(|(cause, _)| !is_kernel(cause));
    let is_early = |work: &&(&Cause, &Finding)| !Effort::builtin().is_late(&work.1.path);
    let starts = !report.starts.is_empty();
    let stops = |cause: &Cause, finding: &Finding| {
        let is_of_build = part(cause, report) == Some(Part::Build);
        cause.at_start || is_of_build || is_left_to_host(finding.code.id)
    };
    let mut stopping = of_program.clone();
    let first = stopping.find(|work| is_early(work) && (!starts || stops(work.0, work.1)));
    if let Some((_, finding)) = first {
        return Some(look(finding));
    }
    let packages = before_run(report);
    let kernel = errors.clone().find(is_early);
    if work.is_empty()
        && let Some(text) = nothing_ported(report)
    {
        return Some(text.to_owned());
    }
    let files = &report.files;
    let is_nothing = files.ported + files.renamed + files.python + files.cpp == 0;
    if is_nothing && work.is_empty() && !starts && !port.is_empty() {
        return (!report.findings.is_empty()).then(|| NOTHING_TO_PORT.to_owned());
    }
    let in_use = in_use(report);
    if starts {
        return Some(match (of_program.find(is_early), kernel) {
            (Some((_, finding)), _) => {
                format!("{packages}{port}{}, and {in_use}", pointer(finding))
            }
            (None, Some((_, finding))) => {
                format!("{packages}{port}and {in_use}; then {}", pointer(finding))
            }
            (None, None) => format!("{packages}{port}and {in_use}"),
        });
    }
    if let Some((_, finding)) = kernel.or_else(|| errors.clone().next()) {
        return Some(look(finding));
    }
    let mut others = work.iter().filter(|(cause, _)| !cause.packages);
    let first = others.find(|work| is_early(work) && work.0.points >= WORTH_A_LOOK);
    match first {
        _ if report.findings.is_empty() => None,
        Some((_, finding)) => Some(format!(
            "{packages}{port}{}, and {in_use}",
            pointer(finding)
        )),
        None => Some(format!("{packages}{port}and {in_use}")),
    }
}

/// The weightiest finding of a cause, where somebody has to do something about it.
fn worst<'r>(cause: &Cause, report: &'r Report) -> Option<&'r Finding> {
    let findings = cause
        .members
        .iter()
        .filter_map(|&at| report.findings.get(at));
    let own = findings.filter(|one| !one.auxiliary && one.code.severity > Severity::Note);
    own.max_by_key(|one| {
        let place = (&one.path, one.start.line);
        let is_early = !Effort::builtin().is_late(&one.path);
        (one.at_start, one.code.severity, is_early, Reverse(place))
    })
}

fn look(finding: &Finding) -> String {
    let (place, code) = (place(finding), finding.code.id);
    format!("look at {PATH}{place}{PATH:#} first; `torchada explain {code}` says more about it")
}

fn pointer(finding: &Finding) -> String {
    let (place, code) = (place(finding), finding.code.id);
    format!("look at {PATH}{place}{PATH:#} (`torchada explain {code}`)")
}
