//! Prints the results.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;

use super::rows::Checked;
use super::verdict::Verdict;

/// Print what came out for each row that has a translation, and how many rows came out how; `all` to name each statement
/// that is not the same.
///
/// # Errors
/// Where nothing can be written.
pub fn print(out: &mut dyn Write, checked: &[Checked], all: bool) -> Result<()> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let translated = checked.iter().filter(|row| row.row.none.is_none());
    for row in translated.clone() {
        let class = row.class();
        *counts.entry(class).or_default() += 1;
        writeln!(out, "{class:<8} {}", row.row.forms.join(" "))?;
        if row.is_proved() {
            continue;
        }
        writeln!(out, "         {}", row.why_not())?;
        let others = row.statements.iter();
        for (opcode, verdict) in others.filter(|(_, verdict)| all && *verdict != Verdict::Same) {
            writeln!(out, "         {:<8} {opcode}", verdict.as_str())?;
        }
    }
    let counts: Vec<String> = counts
        .iter()
        .map(|(class, count)| format!("{count} {class}"))
        .collect();
    writeln!(out, "{} rows: {}", translated.count(), counts.join(", "))?;
    Ok(())
}

impl Checked {
    /// The row in a word.
    fn class(&self) -> &'static str {
        if self.is_proved() {
            return "proved";
        }
        let has =
            |is_it: fn(&Verdict) -> bool| self.statements.iter().any(|(_, verdict)| is_it(verdict));
        if has(|one| matches!(one, Verdict::Fails(_))) {
            "fails"
        } else if has(|one| matches!(one, Verdict::Kept)) {
            "kept"
        } else if !has(|one| matches!(one, Verdict::Differs)) {
            "lacking"
        } else if has(|one| matches!(one, Verdict::Same)) {
            "in part"
        } else {
            "differs"
        }
    }

    /// Why the row is not proved, as part of a sentence.
    pub(super) fn why_not(&self) -> String {
        let mut parts = Vec::new();
        let all = self.statements.len();
        let mut list = |what: &str, messages: fn(&Verdict) -> Option<&str>| {
            let mut messages = self
                .statements
                .iter()
                .filter_map(|(opcode, verdict)| Some((opcode, messages(verdict)?)));
            let Some((first, message)) = messages.clone().next() else {
                return;
            };
            let colon = if message.is_empty() { "" } else { ": " };
            let first = format!("{first}{colon}{message}");
            let rest: Vec<_> = messages.by_ref().skip(1).collect();
            parts.push(format!(
                "{} of {all} {what} ({first}{})",
                rest.len() + 1,
                if rest.is_empty() { "" } else { ", …" }
            ));
        };
        list("differ", |one| {
            matches!(one, Verdict::Differs).then_some("")
        });
        list("are kept", |one| matches!(one, Verdict::Kept).then_some(""));
        list("fail", |one| match one {
            Verdict::Fails(messages) => Some(messages),
            _ => None,
        });
        list("are lacking", |one| match one {
            Verdict::Lacking(messages) => Some(messages),
            _ => None,
        });
        if all == 0 {
            return "no statement stands for it".to_owned();
        }
        parts.join("; ")
    }
}
