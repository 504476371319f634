//! The text of `mappings/ptx.toml`: what it claims, and where.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::rows::Checked;

/// What a row begins with, and what it claims where it is proved.
const ROW: &str = "[[instruction]]";
const CLAIM: &str = "proof = \"sass\"";

/// The file with the table.
pub fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("mappings/ptx.toml")
}

/// The text with a claim in each row that is proved, and in no other.
///
/// # Errors
/// Where the text has other rows than were checked.
pub fn with_proofs(text: &str, checked: &[Checked]) -> Result<String> {
    let starts = starts(text, checked)?;
    let mut rows = starts.iter().zip(checked).peekable();
    let mut new = String::new();
    let mut open: Option<&Checked> = None;
    for (number, line) in text.lines().enumerate() {
        if let Some((_, row)) = rows.next_if(|(start, _)| **start == number) {
            open = Some(row);
        }
        // A row ends with an empty line, and a claim is its last line.
        if let Some(row) = open.take_if(|_| line.is_empty())
            && row.is_proved()
        {
            new.extend([CLAIM, "\n"]);
        }
        if open.is_none() || line != CLAIM {
            new.extend([line, "\n"]);
        }
    }
    Ok(new)
}

/// The claims that don't hold, each with its place.
///
/// # Errors
/// Where the text has other rows than were checked.
pub fn faults(text: &str, checked: &[Checked]) -> Result<Vec<String>> {
    let rows = starts(text, checked)?.into_iter().zip(checked);
    let broken = rows.filter(|(_, row)| row.is_claimed() && !row.is_proved());
    let faults = broken.map(|(start, row)| {
        format!(
            "mappings/ptx.toml:{}: `{}` claims `{CLAIM}`, and {}: mend the row, or run this with `--update`",
            start + 1,
            row.row.forms.join("`, `"),
            row.why_not()
        )
    });
    Ok(faults.collect())
}

/// The lines on which the rows begin, counted from zero.
fn starts(text: &str, checked: &[Checked]) -> Result<Vec<usize>> {
    let lines = text.lines().enumerate().filter(|(_, line)| *line == ROW);
    let starts: Vec<usize> = lines.map(|(number, _)| number).collect();
    if starts.len() != checked.len() {
        bail!("mappings/ptx.toml changed since this program was built: run it again");
    }
    Ok(starts)
}
