//! The results of `torchada doctor` and `torchada info`, for people and for programs.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde_json::{Map, Value, json};

use crate::doctor::{Checked, InfoRow, State};
use crate::mapping::Tables;
use crate::mapping::doctor::CheckText;
use crate::report::format::style::{BOLD, DIM};
use crate::report::one_line;
use crate::text::wrapped;

/// The version of the JSON's shape.
const SCHEMA_VERSION: u32 = 1;

/// How wide the texts are that say what to do, without their indent.
const FIX_WIDTH: usize = 90;

/// All states, as the last line counts them.
const STATES: [State; 4] = [State::Ok, State::Warning, State::Failed, State::Skipped];

fn style(state: State) -> Style {
    match state {
        State::Ok => AnsiColor::Green.on_default(),
        State::Warning => AnsiColor::Yellow.on_default().bold(),
        State::Failed => AnsiColor::Red.on_default().bold(),
        State::Skipped => DIM,
    }
}

/// A line for each check and each thing that was found, what to do below, and a count in the end.
///
/// # Errors
/// When `out` can't take it.
pub fn screen(checks: &[Checked], out: &mut dyn Write) -> io::Result<()> {
    let width = checks.iter().map(|one| one.check.title.chars().count());
    let width = width.max().unwrap_or(0);
    let mut group = None;
    for one in checks {
        let CheckText {
            code,
            title,
            group: own,
            ..
        } = one.check;
        if group.is_some_and(|group| group != own) {
            writeln!(out)?;
        }
        group = Some(own);
        let (look, word) = (style(one.state), one.state.as_str());
        write!(
            out,
            "{look}{word:<8}{look:#}{DIM}{code}{DIM:#}  {title:<width$}"
        )?;
        let indent = 8 + code.len() + 2 + width;
        let mut says = one.says.iter();
        let first = says.next().map(|line| one_line(line)).unwrap_or_default();
        writeln!(out, "  {first}")?;
        for line in says {
            writeln!(out, "{:indent$}  {}", "", one_line(line))?;
        }
        for fix in &one.fixes {
            for (index, line) in wrapped(&one_line(fix), FIX_WIDTH).iter().enumerate() {
                let sign = if index == 0 { "→" } else { " " };
                writeln!(out, "{:8}{BOLD}{sign}{BOLD:#} {line}", "")?;
            }
        }
    }
    writeln!(out)?;
    let counts = STATES.iter().filter_map(|&state| {
        let count = counted(checks, state);
        let plural = if state == State::Warning && count > 1 {
            "s"
        } else {
            ""
        };
        (count > 0).then(|| format!("{count} {}{plural}", state.as_str()))
    });
    writeln!(out, "{}", counts.collect::<Vec<_>>().join(", "))
}

fn counted(checks: &[Checked], state: State) -> usize {
    checks.iter().filter(|one| one.state == state).count()
}

/// The checks as JSON, as `docs/doctor.md` describes it.
pub fn json(checks: &[Checked]) -> Vec<u8> {
    let counts: Map<String, Value> = STATES
        .iter()
        .map(|&state| (state.as_str().to_owned(), counted(checks, state).into()))
        .collect();
    let rows = checks.iter().map(|one| {
        json!({
            "code": one.check.code,
            "name": one.check.name,
            "group": one.check.group,
            "title": one.check.title,
            "state": one.state.as_str(),
            "says": one.says,
            "fixes": one.fixes,
        })
    });
    document(&json!({
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "torchada", "version": env!("CARGO_PKG_VERSION"), "tables": Tables::version()},
        "counts": counts,
        "checks": rows.collect::<Vec<_>>(),
    }))
}

/// A line for each version and path.
///
/// # Errors
/// When `out` can't take it.
pub fn info(rows: &[InfoRow], out: &mut dyn Write) -> io::Result<()> {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in rows {
        let value = value.as_deref().map_or_else(|| "-".to_owned(), one_line);
        writeln!(out, "{BOLD}{name:<width$}{BOLD:#}  {value}")?;
    }
    Ok(())
}

/// The versions and paths as JSON, with `null` for what is not there.
pub fn info_json(rows: &[InfoRow]) -> Vec<u8> {
    let mut object = Map::new();
    object.insert("schema_version".to_owned(), SCHEMA_VERSION.into());
    for (name, value) in rows {
        object.insert(name.replace('-', "_"), value.clone().into());
    }
    document(&Value::Object(object))
}

/// Everything about one check.
///
/// # Errors
/// When `out` can't take it.
pub fn explained(check: &CheckText, width: usize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{BOLD}{}: {}{BOLD:#}", check.code, check.title)?;
    super::explain::part("What is looked at", &check.what, width, out)?;
    super::explain::part("What to do where it is not so", &check.fix, width, out)
}

fn document(value: &Value) -> Vec<u8> {
    // Strings, numbers, lists and maps of strings always serialize.
    let mut bytes = serde_json::to_vec_pretty(value).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}
