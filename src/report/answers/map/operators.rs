//! The answer of `torchada map` for an operator of `PyTorch`'s.

use std::io::{self, Write};

use crate::mapping::kernels::Support;
use crate::mapping::{OperatorAnswer, OperatorRow};
use crate::report::one_line;

/// Write the answer: what there is of each operator, those alike together.
///
/// # Errors
/// When `out` can't take it.
pub(super) fn answer(name: &str, answer: &OperatorAnswer, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", one_line(name))?;
    let mut source = answer.source.as_str();
    for (what, rows) in [("ends in", &answer.ends), ("", &answer.operators)] {
        for group in grouped_alike(rows) {
            let names: Vec<&str> = group.iter().map(|row| row.name.as_str()).collect();
            let names = names.join(", ");
            let Some(row) = group.first() else { continue };
            let named = group.len() == 1 && row.name == name;
            match (what, named) {
                ("", true) => writeln!(out, "  {}", sentence(row, answer))?,
                ("", false) => writeln!(out, "  {names}: {}", sentence(row, answer))?,
                _ => writeln!(out, "  {what} {names}: {}", sentence(row, answer))?,
            }
            if let Some(instead) = row.instead {
                writeln!(out, "    instead: {instead}")?;
            }
            if let Some(own) = row.source {
                writeln!(out, "    source:  {own}")?;
            }
            if answer.seen && row.support != Support::Composite {
                source = "the facts of this machine's torch_musa, and the lists";
            }
        }
    }
    writeln!(out, "  source:  {source}")
}

/// Rows that say the same, together, in the order of the first of each.
fn grouped_alike(rows: &[OperatorRow]) -> Vec<Vec<&OperatorRow>> {
    let mut groups: Vec<Vec<&OperatorRow>> = Vec::new();
    for row in rows {
        let same = |group: &&mut Vec<&OperatorRow>| {
            group.first().is_some_and(|first| {
                (
                    first.support,
                    first.since,
                    first.newer,
                    first.when,
                    first.instead,
                    first.source,
                ) == (
                    row.support,
                    row.since,
                    row.newer,
                    row.when,
                    row.instead,
                    row.source,
                )
            })
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}

/// What there is of an operator, in words.
fn sentence(row: &OperatorRow, answer: &OperatorAnswer) -> String {
    let release = &answer.release;
    let since = row
        .since
        .map_or(String::new(), |since| format!(" since torch_musa {since}"));
    match row.support {
        Support::Kernel => {
            let partly = row
                .when
                .map_or(String::new(), |when| format!("; on the CPU: {when}"));
            format!("a kernel{since}{partly}")
        }
        Support::Host => {
            format!("a kernel{since} that copies to the CPU and back: it works and is slow")
        }
        Support::Composite if row.since.is_some() => {
            format!("made of other operators, with a kernel of its own{since}")
        }
        Support::Composite => "made of other operators: it works if these do".to_owned(),
        Support::Refused => format!("only an error in torch_musa {release}"),
        Support::Missing => match row.since {
            Some(first) => {
                format!("no kernel in torch_musa {release}; torch_musa {first} has one")
            }
            None => format!("no kernel in torch_musa {release}"),
        },
        Support::CpuOnly => "a kernel for the CPU only, on CUDA as well".to_owned(),
        Support::Foreign => "for another device than CUDA or the CPU".to_owned(),
        Support::Newer => match row.newer {
            Some(version) => {
                format!("not known: it came with PyTorch {version} or shortly before")
            }
            None => "not known".to_owned(),
        },
    }
}
