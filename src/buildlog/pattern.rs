//! Patterns of lines and messages: text with slots.

use aho_corasick::AhoCorasick;
use fixedbitset::FixedBitSet;
use regex::{Captures, Regex};

use crate::mapping::build_log::Weights;

/// Patterns of which the first that fits is looked for. A pattern is only tried where its own words stand.
#[derive(Debug)]
pub(super) struct PatternSet {
    patterns: Vec<Regex>,
    finder: Option<AhoCorasick>,
    /// For each word of the finder the patterns that it is needed for.
    needed: Vec<Vec<usize>>,
}

/// One pattern of a set, before it is compiled.
pub(super) struct Pattern<'p> {
    /// The text with slots.
    pub(super) says: &'p str,
    /// Whether it is a whole line.
    pub(super) is_whole: bool,
    /// Words of which one has to stand there, where its own text is not enough.
    pub(super) words: &'p [&'p str],
}

impl PatternSet {
    /// Compile patterns, in their order.
    pub(super) fn new<'p>(
        patterns: impl IntoIterator<Item = Pattern<'p>>,
        weights: &Weights,
    ) -> Self {
        let mut compiled = Vec::new();
        let mut words: Vec<String> = Vec::new();
        let mut needed: Vec<Vec<usize>> = Vec::new();
        for pattern in patterns {
            let Ok(regex) = Regex::new(&expression(&pattern, weights)) else {
                continue;
            };
            let own: Vec<String> = if !pattern.words.is_empty() {
                pattern.words.iter().map(|&word| word.to_owned()).collect()
            } else if pattern.says.contains("{weight}") {
                all(weights).map(str::to_owned).collect()
            } else {
                vec![longest(pattern.says).to_owned()]
            };
            for word in own {
                let at = words.iter().position(|one| *one == word);
                let at = at.unwrap_or_else(|| {
                    words.push(word);
                    needed.push(Vec::new());
                    words.len() - 1
                });
                needed.extend((needed.len()..=at).map(|_| Vec::new()));
                if let Some(slot) = needed.get_mut(at) {
                    slot.push(compiled.len());
                }
            }
            compiled.push(regex);
        }
        Self {
            patterns: compiled,
            finder: AhoCorasick::new(&words).ok(),
            needed,
        }
    }

    /// The number of the first pattern that fits, with what stands in its slots.
    pub(super) fn first<'t>(&self, text: &'t str) -> Option<(usize, Captures<'t>)> {
        self.first_of(text, |_, _| true)
    }

    /// The first pattern that fits and that `is_wanted`.
    pub(super) fn first_of<'t>(
        &self,
        text: &'t str,
        is_wanted: impl Fn(usize, &Captures<'t>) -> bool,
    ) -> Option<(usize, Captures<'t>)> {
        let mut near: Option<FixedBitSet> = None;
        for word in self.finder.as_ref()?.find_overlapping_iter(text) {
            let near = near.get_or_insert_with(|| FixedBitSet::with_capacity(self.patterns.len()));
            let needed = self.needed.get(word.pattern().as_usize());
            near.extend(needed.into_iter().flatten().copied());
        }
        near?.ones().find_map(|at| {
            let found = self.patterns.get(at)?.captures(text)?;
            is_wanted(at, &found).then_some((at, found))
        })
    }
}

/// All words for weights, the longest first.
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
fn expression(pattern: &Pattern<'_>, weights: &Weights) -> String {
    let mut out = String::new();
    for (at, part) in pattern.says.split(['{', '}']).enumerate() {
        if at % 2 == 0 {
            out.push_str(&regex::escape(part));
            continue;
        }
        let inside = match part {
            "path" => r"[^\s:'()<>*][^:'()]*?".to_owned(),
            "line" | "column" | "number" => r"\d{1,9}".to_owned(),
            "weight" => {
                let words: Vec<String> = all(weights).map(regex::escape).collect();
                words.join("|")
            }
            "word" => r"[\w.+/-]+".to_owned(),
            "lib" => r"[\w+-][\w.+-]*(?::[\w.+-]+)*".to_owned(),
            "name" | "other" | "near" | "file" => "[^']+?".to_owned(),
            "text" => ".*".to_owned(),
            _ => ".*?".to_owned(),
        };
        out.push('(');
        if part == "_" || part == "number" {
            out.push_str("?:");
        } else {
            out.extend(["?P<", part, ">"]);
        }
        out.push_str(&inside);
        out.push(')');
    }
    if pattern.is_whole {
        format!("^{out}$")
    } else if pattern.says.ends_with('}') && out.ends_with("+?)") {
        // A name at the end goes as far as it can.
        format!("{}+)", out.trim_end_matches("+?)"))
    } else {
        out
    }
}
