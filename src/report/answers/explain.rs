//! The explanations of codes, for people and for programs.

use std::io::{self, Write};
use std::ops::RangeInclusive;

use serde_json::json;

use crate::diagnostic::Code;
use crate::mapping::codes::Explanation;
use crate::report::format::style;
use crate::report::format::style::{BOLD, PATH};
use crate::text::wrapped;

/// The version of the JSON's shape.
const SCHEMA_VERSION: u32 = 1;

/// The widths that lines have at least and at most, indent included.
const WIDTHS: RangeInclusive<usize> = 30..=100;

/// Write everything about one code. `printed` is what the program says of the example, and `width` is that of the
/// terminal.
///
/// # Errors
/// When `out` can't take it.
pub fn one(
    code: &Code,
    text: &Explanation,
    printed: Option<&str>,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let weight = style::severity(code.severity);
    let severity = code.severity.as_str();
    writeln!(
        out,
        "{weight}{severity}[{}]{weight:#}{BOLD}: {}{BOLD:#}",
        code.id, code.title
    )?;
    part("What it means", &text.what, width, out)?;
    part("Why it matters", &text.why, width, out)?;
    writeln!(out, "\n{BOLD}Example{BOLD:#}")?;
    for (path, source) in &text.example.files {
        writeln!(out, "  {PATH}{path}{PATH:#}")?;
        indented(source, 6, out)?;
    }
    for line in text.example.commands() {
        writeln!(out, "  $ {line}")?;
    }
    indented(printed.unwrap_or_default(), 6, out)?;
    if let Some(why) = &text.example.not_run {
        writeln!(out, "  ({})", why.trim())?;
    }
    part("How to fix it", &text.fix, width, out)?;
    part("How sure it is", &text.evidence, width, out)
}

pub(in crate::report) fn part(
    title: &str,
    text: &str,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "\n{BOLD}{title}{BOLD:#}")?;
    let width = width.clamp(*WIDTHS.start(), *WIDTHS.end());
    let lines = unbroken(text);
    let lines: Vec<String> = lines
        .lines()
        .flat_map(|line| wrapped(line, width - 2))
        .collect();
    indented(&lines.join("\n"), 2, out)
}

/// A text with a line for each paragraph and each item of a list, however its source breaks them.
fn unbroken(text: &str) -> String {
    let mut result = String::new();
    for line in text.trim().lines() {
        let begins = line.trim().is_empty() || line.starts_with("- ");
        if !result.is_empty() {
            result.push(if begins || result.ends_with('\n') {
                '\n'
            } else {
                ' '
            });
        }
        result.push_str(line);
    }
    result
}

fn indented(text: &str, by: usize, out: &mut dyn Write) -> io::Result<()> {
    for line in text.trim_end().lines() {
        let by = if line.is_empty() { 0 } else { by };
        writeln!(out, "{:by$}{line}", "")?;
    }
    Ok(())
}

/// Write a line for each code: code, severity, title.
///
/// # Errors
/// When `out` can't take it.
pub fn list(codes: &[Code], out: &mut dyn Write) -> io::Result<()> {
    for code in codes {
        let weight = style::severity(code.severity);
        let severity = code.severity.as_str();
        writeln!(
            out,
            "{:<7} {weight}{severity:<8}{weight:#} {}",
            code.id, code.title
        )?;
    }
    Ok(())
}

/// The codes as one JSON document, with a line end.
pub fn list_json(codes: &[Code]) -> Vec<u8> {
    let rules: Vec<_> = codes
        .iter()
        .map(|code| json!({ "code": code.id, "severity": code.severity, "title": code.title }))
        .collect();
    let document = json!({ "schema_version": SCHEMA_VERSION, "rules": rules });
    format!("{document:#}\n").into_bytes()
}
