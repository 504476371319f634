//! Prints the results.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

use crate::case::Case;
use crate::check::Outcome;
use crate::hex::encode;

/// A result as JSON has it.
#[derive(Serialize)]
struct Line<'a> {
    name: &'a str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    codes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    got: Option<String>,
}

/// Print the result of each case, and their numbers at the end of the text.
///
/// # Errors
/// Where nothing can be written.
pub(crate) fn all(
    out: &mut dyn Write,
    cases: &[Case],
    results: &[Outcome],
    json: bool,
) -> Result<()> {
    let mut counts = [0_usize; 3];
    for (case, result) in cases.iter().zip(results) {
        let line = line(case, result);
        let order = ["same", "differs", "kept"];
        for (count, verdict) in counts.iter_mut().zip(order) {
            *count += usize::from(verdict == line.verdict);
        }
        if json {
            serde_json::to_writer(&mut *out, &line)?;
            writeln!(out)?;
        } else {
            text(out, &line)?;
        }
    }
    if !json {
        let [same, differs, kept] = counts;
        writeln!(
            out,
            "{} cases: {same} same, {differs} differ, {kept} kept",
            cases.len()
        )?;
    }
    Ok(())
}

fn line<'a>(case: &'a Case, result: &'a Outcome) -> Line<'a> {
    let mut line = Line {
        name: &case.name,
        verdict: "same",
        codes: &[],
        why: None,
        expected: None,
        got: None,
    };
    match result {
        Outcome::Same => {}
        Outcome::Kept { codes } => {
            line.verdict = "kept";
            line.codes = codes;
        }
        Outcome::Differs { why, got } => {
            line.verdict = "differs";
            line.why = Some(why);
            line.expected = Some(encode(&case.output));
            line.got = got.as_deref().map(encode);
        }
    }
    line
}

fn text(out: &mut dyn Write, line: &Line<'_>) -> Result<()> {
    write!(out, "{:<8} {}", line.verdict, line.name)?;
    if !line.codes.is_empty() {
        write!(out, "  {}", line.codes.join(", "))?;
    }
    writeln!(out)?;
    for reason in line.why.iter().flat_map(|why| why.lines()) {
        writeln!(out, "         {reason}")?;
    }
    for (label, bytes) in [("expected", &line.expected), ("got", &line.got)] {
        if let Some(bytes) = bytes {
            writeln!(out, "         {label:<8} {bytes}")?;
        }
    }
    Ok(())
}
