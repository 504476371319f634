//! The rows of a summary that show causes: the first ones with what to do, the kinds of others, and those that ask for nothing.

use std::collections::BTreeSet;
use std::io::{self, Write};

use rustc_hash::FxHashSet;

use super::key::quoted;
use crate::diagnostic::{Finding, Severity};
use crate::mapping::causes::CauseTable;
use crate::report::format::plain::one_line;
use crate::report::format::row::{effort, listed, place, row, shortened, work};
use crate::report::format::style;
use crate::report::format::style::DIM;
use crate::report::{Cause, FindingsPlace, Report};
use crate::text::counted;

/// How many kinds of other causes are named, and of notes that leave nothing to do.
const KINDS: usize = 6;

/// How many names of causes of one kind are shown.
const NAMES: usize = 6;

/// How many letters of a title are shown.
const TITLE: usize = 240;

/// The first causes of a list, and what kinds of others there are.
pub(in crate::report) fn list(
    name: &str,
    causes: &[&Cause],
    most: usize,
    report: &Report,
    out: &mut dyn Write,
) -> io::Result<()> {
    // One more takes no more room than the row that counts it.
    let most = if causes.len() == most + 1 {
        most + 1
    } else {
        most
    };
    let (shown, others) = causes.split_at(most.min(causes.len()));
    for (at, cause) in shown.iter().enumerate() {
        self::cause(if at == 0 { name } else { "" }, cause, report, out)?;
    }
    if others.is_empty() {
        return Ok(());
    }
    let more = counted(others.len(), "more cause");
    let work = work(others.iter().map(|cause| cause.points).sum());
    let where_all = where_all(report);
    row(
        out,
        "",
        &format!("{DIM}and {more}{work}; {where_all}{DIM:#}"),
    )?;
    let kinds = kinds(others);
    for kind in kinds.iter().take(KINDS) {
        row(out, "", &head(kind, report))?;
    }
    let rest: Vec<String> = kinds.iter().skip(KINDS).map(|kind| count(kind)).collect();
    if rest.is_empty() {
        return Ok(());
    }
    let more = counted(rest.len(), "more kind");
    let rest = rest.join(", ");
    row(out, "", &format!("{DIM}       and {more}: {rest}{DIM:#}"))
}

/// How many findings some causes with the same codes have, with the codes: `12 PY020`.
fn count(kind: &[&Cause]) -> String {
    let codes = kind.first().map(|one| one.codes.join(", "));
    format!("{} {}", own_count(kind), codes.unwrap_or_default())
}

/// Where all findings are, in words that end a row.
pub(in crate::report) fn where_all(report: &Report) -> &'static str {
    match report.all_findings {
        FindingsPlace::Above => "all are above",
        FindingsPlace::Nowhere => "`--report FILE` keeps them",
        FindingsPlace::Report if report.output.is_some() => "the report has them",
        FindingsPlace::Report => "`torchada check --format full` has them",
    }
}

/// The first row of causes with the same codes: how many findings they have, what is the matter, and where the first is.
fn head(causes: &[&Cause], report: &Report) -> String {
    let Some((weightiest, others)) = causes.split_first() else {
        return String::new();
    };
    let color = style::severity(weightiest.severity);
    let codes = weightiest.codes.join(", ");
    let count = own_count(causes);
    let first = first(weightiest, report);
    let title = match first {
        Some(first) if !others.is_empty() => {
            let title = first.code.title;
            match names(causes, report) {
                names if names.is_empty() => title.to_owned(),
                names => format!("{title}: {}", listed(&names, NAMES, ", ")),
            }
        }
        _ => weightiest.title.clone(),
    };
    let title = shortened(&one_line(&title), TITLE);
    let text = format!("{count:>5}  {color}{codes}{color:#}  {title}");
    let Some(first) = first else {
        return text;
    };
    let members = causes.iter().flat_map(|cause| &cause.members);
    let findings = members.filter_map(|&at| report.findings.get(at));
    let files: BTreeSet<&str> = findings
        .filter(|one| !one.auxiliary)
        .map(|one| &*one.path)
        .collect();
    let more = match files.len().saturating_sub(1) {
        0 => String::new(),
        more => format!(" and {}", counted(more, "more file")),
    };
    format!("{text} {DIM}({}{more}){DIM:#}", place(first))
}

/// A cause whose weight comes from a few of its findings is shown by one of these.
pub(in crate::report) fn first<'r>(cause: &Cause, report: &'r Report) -> Option<&'r Finding> {
    let findings = cause
        .members
        .iter()
        .filter_map(|&at| report.findings.get(at));
    let mut own = findings.filter(|one| !one.auxiliary);
    own.find(|one| one.code.severity == cause.severity)
}

/// The names that the causes are about.
fn names(causes: &[&Cause], report: &Report) -> Vec<String> {
    let names = causes.iter().filter_map(|cause| {
        let name = quoted(&first(cause, report)?.message)?;
        Some(format!("`{name}`"))
    });
    let mut known = FxHashSet::default();
    names.filter(|name| known.insert(name.clone())).collect()
}

/// Whether a cause leaves nothing to do.
pub(in crate::report) fn is_idle(cause: &Cause) -> bool {
    let table = CauseTable::builtin();
    let mut codes = cause.codes.iter();
    cause.severity == Severity::Note && codes.all(|code| table.is_idle(code))
}

/// The row that counts the notes of which nobody has to do anything.
pub(in crate::report) fn idle_row(
    causes: &[&Cause],
    report: &Report,
    out: &mut dyn Write,
) -> io::Result<()> {
    if causes.is_empty() {
        return Ok(());
    }
    let kinds: Vec<String> = kinds(causes)
        .iter()
        .filter_map(|kind| {
            let (count, first) = (own_count(kind), first(kind.first()?, report)?);
            Some(format!("{count} {} ({})", first.code.id, first.code.title))
        })
        .collect();
    let kinds = listed(&kinds, KINDS, ", ");
    // What a tree's port brings besides the file, such as the package for run time, one of a file does not.
    let of = if report.is_file {
        ", in a port of its whole tree"
    } else {
        ""
    };
    row(
        out,
        "no work",
        &format!("{DIM}nothing is to be done about {kinds}{of}{DIM:#}"),
    )
}

/// Causes by their codes, in the order of the first cause of each kind.
fn kinds<'c>(causes: &[&'c Cause]) -> Vec<Vec<&'c Cause>> {
    let mut kinds: Vec<Vec<&Cause>> = Vec::new();
    for cause in causes {
        let is_of = |kind: &&mut Vec<&Cause>| {
            let mut own = kind.first().into_iter();
            own.any(|one| one.codes == cause.codes)
        };
        match kinds.iter_mut().find(is_of) {
            Some(kind) => kind.push(cause),
            None => kinds.push(vec![cause]),
        }
    }
    kinds
}

/// How many findings some causes have outside of auxiliary code.
fn own_count(causes: &[&Cause]) -> usize {
    let counts = causes.iter().map(|one| one.members.len() - one.auxiliary);
    counts.sum()
}

/// A cause: its findings and their effort, what is the matter, where it is first, what to do, and what would settle it.
fn cause(name: &str, cause: &Cause, report: &Report, out: &mut dyn Write) -> io::Result<()> {
    row(out, name, &head(&[cause], report))?;
    let mut advice = Vec::new();
    if cause.points > 0 {
        advice.push(effort(cause.points));
    }
    let help = cause.help.as_deref().map(one_line);
    advice.extend(help.map(|help| help.trim_end_matches('.').to_owned()));
    if let Some(remedy) = &cause.remedy {
        advice.push(format!("settled by `{remedy}`"));
    }
    if advice.is_empty() {
        return Ok(());
    }
    row(
        out,
        "",
        &format!("       {DIM}{}{DIM:#}", advice.join(". ")),
    )
}
