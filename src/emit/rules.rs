//! Groups the edits of a run by rule, for `--by-rule`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::mapping::Evidence;
use crate::text::{counted, shortened};

/// One edit, with the line that it is on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct EditLine {
    /// The rule's name.
    pub rule: &'static str,
    /// The evidence of the mapping behind it.
    pub evidence: Option<Evidence>,
    /// The file, as reports show it.
    pub path: String,
    /// The 1-based line.
    pub line: usize,
    /// The whole line before, without its line end.
    pub before: Vec<u8>,
    /// The line after.
    pub after: Vec<u8>,
}

/// Write the edits grouped by rule and evidence: counts, and up to `examples` lines each. The
/// largest groups come first; examples are taken from as many files as there are.
///
/// # Errors
/// When `out` can't take it.
pub fn by_rule(edits: &[EditLine], examples: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut groups: BTreeMap<(&str, Option<Evidence>), Vec<&EditLine>> = BTreeMap::new();
    for edit in edits {
        let group = groups.entry((edit.rule, edit.evidence)).or_default();
        group.push(edit);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.len()));
    for (at, ((rule, evidence), mut group)) in groups.into_iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        group.sort_by_key(|edit| (&edit.path, edit.line));
        let mut files: Vec<&str> = group.iter().map(|edit| edit.path.as_str()).collect();
        files.dedup();
        write!(out, "{rule}")?;
        if let Some(evidence) = evidence {
            write!(out, " ({})", evidence.as_str())?;
        }
        let edits = counted(group.len(), "edit");
        writeln!(out, ": {edits} in {}", counted(files.len(), "file"))?;
        for edit in examples_across_files(&group, examples) {
            writeln!(out, "  {}:{}", edit.path, edit.line)?;
            example(out, b"-", &edit.before)?;
            example(out, b"+", &edit.after)?;
        }
        if group.len() > examples {
            writeln!(out, "  and {} more", group.len() - examples)?;
        }
    }
    Ok(())
}

/// The first edit of each file, then the second of each, until there are enough; by place.
fn examples_across_files<'a>(group: &[&'a EditLine], examples: usize) -> Vec<&'a EditLine> {
    let mut rounds: Vec<(usize, &EditLine)> = Vec::with_capacity(group.len());
    let mut round = 0;
    let mut last: Option<&str> = None;
    for edit in group {
        round = if last == Some(&edit.path) {
            round + 1
        } else {
            0
        };
        last = Some(&edit.path);
        rounds.push((round, edit));
    }
    rounds.sort_by_key(|(round, _)| *round);
    let mut chosen: Vec<&EditLine> = rounds
        .into_iter()
        .take(examples)
        .map(|(_, edit)| edit)
        .collect();
    chosen.sort_by_key(|edit| (&edit.path, edit.line));
    chosen
}

/// A line without its indentation, and no longer than a screen is wide.
fn example(out: &mut dyn Write, sign: &[u8], text: &[u8]) -> io::Result<()> {
    const WIDTH: usize = 160;
    let text = text.trim_ascii();
    out.write_all(b"    ")?;
    out.write_all(sign)?;
    out.write_all(b" ")?;
    let shown = String::from_utf8_lossy(text);
    writeln!(out, "{}", shortened(&shown, WIDTH))
}
