//! Machine code as `nvdisasm` lists it.

use std::collections::{BTreeMap, HashMap};

/// The machine code of a kernel: its instructions and labels in their order, without addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Code {
    lines: Vec<String>,
}

impl Code {
    /// Whether it reads constants that are no parameters, or names variables: what these hold stands elsewhere, so that
    /// equal lines don't mean the same.
    pub(super) fn reads_elsewhere(&self) -> bool {
        self.lines.iter().any(|line| {
            let mut banks = line.split("c[").skip(1);
            banks.any(|bank| !bank.starts_with("0x0]"))
                || line.contains("@lo(")
                || line.contains("@hi(")
        })
    }
}

/// The code of each kernel of a listing.
pub(super) fn kernels(text: &str) -> BTreeMap<String, Code> {
    let mut kernels: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut open = None;
    for line in text.lines().map(str::trim) {
        if line.starts_with("//----") {
            open = None;
        } else if let Some(section) = line.strip_prefix(".section\t") {
            let name = section.trim().split(',').next();
            open = name.and_then(|name| name.strip_prefix(".text."));
        } else if let (Some(name), Some(part)) = (open, part(line)) {
            kernels.entry(name.to_owned()).or_default().push(part);
        }
    }
    let kernels = kernels.into_iter();
    kernels
        .map(|(name, lines)| {
            (
                name,
                Code {
                    lines: with_own_labels(&lines),
                },
            )
        })
        .collect()
}

/// An instruction without its address, or a label; `None` for what only tells the loader something.
fn part(line: &str) -> Option<&str> {
    match line.strip_prefix("/*") {
        Some(rest) => rest
            .split_once("*/")
            .map(|(_, instruction)| instruction.trim()),
        None => (line.ends_with(':') && (line.starts_with(".L") || line.starts_with('$')))
            .then_some(line),
    }
}

/// The lines with labels by their order, because `nvdisasm` counts those of all kernels.
fn with_own_labels(lines: &[&str]) -> Vec<String> {
    let labels = lines.iter().filter_map(|line| line.strip_suffix(':'));
    let labels: HashMap<&str, usize> = labels.enumerate().map(|(at, label)| (label, at)).collect();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '$');
    let own = |line: &&str| {
        let mut text = String::new();
        let mut rest = *line;
        while !rest.is_empty() {
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len()).max(1);
            let (word, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            match labels.get(word) {
                Some(at) => text.extend(["label ", &at.to_string()]),
                None => text.push_str(word),
            }
            rest = behind;
        }
        text
    };
    lines.iter().map(own).collect()
}
