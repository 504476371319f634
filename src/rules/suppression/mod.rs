//! Markers in comments: `torchada: ignore[CODE]` hides findings, and the vendor tool's
//! `MUSIFY_EXCL_…` keep lines as they are.
//!
//! A marker counts only inside a comment, never in a string. What it takes away is counted, and
//! one that takes nothing away is reported, so that nothing disappears without a word.

mod by_code;
mod excluded;
mod marked;
mod markers;

use super::{Outcome, Unit};
use by_code::ByCode;
use excluded::exclude;
pub use marked::Commented;
use marked::{LineRange, Marked};
use markers::{Exclusion, Ignore, Marker, MarkerKind};
use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::project::{UNCLOSED, UNOPENED, UNREADABLE_MARKER, UNUSED};
use torchada_mapping::codes::Explanations;

/// Whether a text may hold a marker: a quick look, for files in which nothing else is to do.
pub fn may_have_markers(text: &[u8]) -> bool {
    markers::may_be_in(text)
}

/// Take away what the markers of the unit's file ask for. Returns the findings that they hide.
/// `unit` must be the whole file.
pub fn apply<C: Commented>(unit: &Unit<'_, C>, out: &mut Outcome) -> Vec<Finding> {
    if !may_have_markers(unit.file_text) {
        return Vec::new();
    }
    let unit = &Marked::of(unit);
    let markers: Vec<Marker> = unit
        .comments
        .iter()
        .flat_map(|&comment| markers::of_comment(unit.text, comment))
        .collect();
    let mut hidden = Vec::new();
    let mut faults = Vec::new();
    let stretches = exclusions(unit, &markers, &mut faults);
    let lines: Vec<LineRange> = stretches.iter().map(|(lines, _)| lines.clone()).collect();
    let had_any = exclude(unit, &lines, out, &mut hidden);
    for ((_, marker), _) in stretches
        .iter()
        .zip(had_any)
        .filter(|(_, had_any)| !had_any)
    {
        faults.push(unused(
            unit,
            marker,
            "no line that it excludes has a name to translate or a finding",
        ));
    }
    let mut findings = ByCode::of(std::mem::take(&mut out.findings), hidden);
    for marker in &markers {
        match &marker.what {
            MarkerKind::Ignore(ignore) => faults.extend(hide(unit, marker, ignore, &mut findings)),
            MarkerKind::Fault { message, help } => faults.push(
                unit.finding(UNREADABLE_MARKER, marker.range, message.clone())
                    .help(help.clone()),
            ),
            MarkerKind::Exclusion(_) => {}
        }
    }
    let (left, hidden) = findings.finish();
    out.findings.extend(left);
    out.findings.extend(faults);
    hidden
}

fn unused(unit: &Marked<'_>, marker: &Marker, why: &str) -> Finding {
    let shown = String::from_utf8_lossy(marker.range.of(unit.text)).into_owned();
    unit.finding(
        UNUSED,
        marker.range,
        format!("`{shown}` has no effect: {why}"),
    )
    .help("remove the marker, or move it to the line that it is meant for")
}

/// The stretches that `MUSIFY_EXCL_…` markers exclude, each with the marker that opens it.
fn exclusions<'m>(
    unit: &Marked<'_>,
    markers: &'m [Marker],
    faults: &mut Vec<Finding>,
) -> Vec<(LineRange, &'m Marker)> {
    let mut found = Vec::new();
    let mut open: Option<&Marker> = None;
    for marker in markers {
        let MarkerKind::Exclusion(exclusion) = &marker.what else {
            continue;
        };
        match (exclusion, open) {
            (Exclusion::Line, _) => found.push((unit.lines_of(marker.comment), marker)),
            (Exclusion::Start, None) => open = Some(marker),
            (Exclusion::Start, Some(first)) => faults.push(
                unit.finding(
                    UNCLOSED,
                    marker.range,
                    format!(
                        "this stretch starts inside the one of line {}, which has no `MUSIFY_EXCL_STOP` before it",
                        *unit.lines_of(first.range).start()
                    ),
                )
                .help("end the first stretch with a comment `MUSIFY_EXCL_STOP`"),
            ),
            (Exclusion::Stop, Some(start)) => {
                let first = *unit.lines_of(start.range).start();
                found.push((first..=*unit.lines_of(marker.range).end(), start));
                open = None;
            }
            (Exclusion::Stop, None) => faults.push(
                unit.finding(UNOPENED, marker.range, "no `MUSIFY_EXCL_START` before this `MUSIFY_EXCL_STOP`")
                    .help("remove it, or mark where the stretch starts"),
            ),
        }
    }
    if let Some(start) = open {
        let first = *unit.lines_of(start.range).start();
        found.push((first..=usize::MAX, start));
        faults.push(
            unit.finding(UNCLOSED, start.range, "no `MUSIFY_EXCL_STOP` follows: everything to the end of the file was left as it is")
                .help("end the stretch with a comment `MUSIFY_EXCL_STOP`"),
        );
    }
    found
}

/// How many codes that nobody has are reported of one marker.
const MOST_UNKNOWN: usize = 16;

/// Hide the findings that an ignore marker names. Returns what is wrong with the marker.
fn hide(
    unit: &Marked<'_>,
    marker: &Marker,
    ignore: &Ignore,
    findings: &mut ByCode,
) -> Vec<Finding> {
    let lines = unit.covered(marker.comment);
    let mut faults = Vec::new();
    if ignore.codes.is_empty() && !findings.hide("", &lines) {
        faults.push(unused(unit, marker, "there is no finding on its line"));
    }
    let mut unknown = 0;
    for pattern in &ignore.codes {
        let known = Explanations::builtin();
        if !known.has(pattern) {
            unknown += 1;
            if unknown > MOST_UNKNOWN {
                continue;
            }
            faults.push(
                unit.finding(
                    UNREADABLE_MARKER,
                    marker.range,
                    format!("no code of a finding starts with `{pattern}`"),
                )
                .help(known.suggestion(pattern)),
            );
            continue;
        }
        if !findings.hide(pattern, &lines) {
            let why = format!("there is no finding {pattern} on its line");
            faults.push(unused(unit, marker, &why));
        }
    }
    faults
}
