//! Patterns of lines and messages: text with slots.

use std::collections::BTreeMap;

use aho_corasick::AhoCorasick;
use fixedbitset::FixedBitSet;
use regex::{Captures, Regex};

use crate::mapping::build_log::{BuildLogTable, WEIGHT, Weights, slots_of};

/// Patterns of which the first that fits is looked for, each with what it stands for. A pattern is only tried where its
/// own words stand.
#[derive(Debug)]
pub(super) struct PatternSet<T> {
    patterns: Vec<(Regex, T)>,
    finder: Option<AhoCorasick>,
    /// For each word of the finder the patterns that it is needed for.
    needed: Vec<Vec<usize>>,
}

/// One pattern of a set, before it is compiled.
pub(super) struct Pattern<'p, T> {
    /// The text with slots.
    pub(super) says: &'p str,
    /// Whether it is a whole line.
    pub(super) is_whole: bool,
    /// Words of which one has to stand there, where its own text is not enough.
    pub(super) words: &'p [&'p str],
    /// What it stands for.
    pub(super) means: T,
}

impl<T> PatternSet<T> {
    /// Compile patterns, in their order.
    pub(super) fn new<'p>(
        patterns: impl IntoIterator<Item = Pattern<'p, T>>,
        table: &BuildLogTable,
    ) -> Self {
        let mut compiled = Vec::new();
        let mut needed: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for pattern in patterns {
            let expression = expression(pattern.says, pattern.is_whole, table);
            // Each pattern of the table compiles, as a test says.
            let Ok(regex) = Regex::new(&expression) else {
                continue;
            };
            let own: Vec<&str> = if !pattern.words.is_empty() {
                pattern.words.to_vec()
            } else if slots_of(pattern.says).any(|slot| slot == WEIGHT) {
                all(&table.weights).collect()
            } else {
                vec![longest(pattern.says)]
            };
            for word in own {
                needed.entry(word).or_default().push(compiled.len());
            }
            compiled.push((regex, pattern.means));
        }
        Self {
            patterns: compiled,
            finder: AhoCorasick::new(needed.keys()).ok(),
            needed: needed.into_values().collect(),
        }
    }

    /// What the first pattern that fits stands for, with what stands in its slots.
    pub(super) fn first<'t>(&self, text: &'t str) -> Option<(&T, Captures<'t>)> {
        self.first_of(text, |_, _| true)
    }

    /// The first pattern that fits and that `is_wanted`.
    pub(super) fn first_of<'t>(
        &self,
        text: &'t str,
        is_wanted: impl Fn(&T, &Captures<'t>) -> bool,
    ) -> Option<(&T, Captures<'t>)> {
        let mut near: Option<FixedBitSet> = None;
        for word in self.finder.as_ref()?.find_overlapping_iter(text) {
            let near = near.get_or_insert_with(|| FixedBitSet::with_capacity(self.patterns.len()));
            let needed = self.needed.get(word.pattern().as_usize());
            near.extend(needed.into_iter().flatten().copied());
        }
        near?.ones().find_map(|at| {
            let (pattern, means) = self.patterns.get(at)?;
            let found = pattern.captures(text)?;
            is_wanted(means, &found).then_some((means, found))
        })
    }
}

/// All words for weights.
fn all(weights: &Weights) -> impl Iterator<Item = &str> {
    let lists = [&weights.error, &weights.warning, &weights.note];
    lists.into_iter().flatten().map(String::as_str)
}

/// The longest stretch of a pattern outside of its slots.
pub(super) fn longest(says: &str) -> &str {
    let parts = says.split(['{', '}']).step_by(2);
    parts.max_by_key(|part| part.len()).unwrap_or_default()
}

/// The regular expression of a pattern.
fn expression(says: &str, is_whole: bool, table: &BuildLogTable) -> String {
    let mut out = String::new();
    for (at, part) in says.split(['{', '}']).enumerate() {
        if at % 2 == 0 {
            out.push_str(&regex::escape(part));
        } else if let Some(unread) = table.unread_slots.get(part) {
            out.extend(["(?:", unread, ")"]);
        } else if part == WEIGHT {
            let words: Vec<String> = all(&table.weights).map(regex::escape).collect();
            out.extend(["(?P<", part, ">", &words.join("|"), ")"]);
        } else if let Some(slot) = table.slots.get(part) {
            out.extend(["(?P<", part, ">", slot, ")"]);
        }
    }
    if is_whole {
        format!("^{out}$")
    } else if says.ends_with('}') && out.ends_with("+?)") {
        // A name at the end goes as far as it can.
        format!("{}+)", out.trim_end_matches("+?)"))
    } else {
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pattern_of_the_table_compiles() {
        let table = BuildLogTable::builtin();
        let expressions = table.patterns().flat_map(|says| {
            let expressions = [true, false].map(|is_whole| expression(says, is_whole, table));
            expressions.map(|one| (says, one))
        });
        for (says, expression) in expressions {
            Regex::new(&expression).unwrap_or_else(|error| panic!("{says}: {error}"));
        }
        for prefix in &table.prefixes {
            Regex::new(prefix).unwrap_or_else(|error| panic!("{prefix}: {error}"));
        }
    }
}
