//! The findings of a file, indexed by code and line.

use std::collections::{BTreeMap, BTreeSet};

use super::marked::LineRange;
use torchada_diagnostic::Finding;

/// Findings that markers may hide.
pub(super) struct ByCode {
    all: Vec<Option<Finding>>,
    /// Of each code the lines with the findings' numbers.
    places: BTreeMap<&'static str, BTreeSet<(usize, usize)>>,
    hidden: Vec<Finding>,
}

impl ByCode {
    /// Orders findings by their codes. `hidden` has those that a comment hides already.
    pub(super) fn of(findings: Vec<Finding>, hidden: Vec<Finding>) -> Self {
        let mut places: BTreeMap<&'static str, BTreeSet<(usize, usize)>> = BTreeMap::new();
        for (number, finding) in findings.iter().enumerate() {
            if !finding.is_whole() {
                let lines = places.entry(finding.code.id).or_default();
                lines.insert((finding.start.line, number));
            }
        }
        Self {
            all: findings.into_iter().map(Some).collect(),
            places,
            hidden,
        }
    }

    /// Hide the findings of some lines whose codes start with a pattern. Returns whether there were any.
    pub(super) fn hide(&mut self, pattern: &str, lines: &LineRange) -> bool {
        let mut taken = Vec::new();
        for (code, places) in &mut self.places {
            if code.starts_with(pattern) {
                let here = (*lines.start(), 0)..=(*lines.end(), usize::MAX);
                let first = taken.len();
                taken.extend(places.range(here).copied());
                for place in taken.iter().skip(first) {
                    places.remove(place);
                }
            }
        }
        taken.sort_unstable_by_key(|&(_, number)| number);
        let found = taken.iter();
        self.hidden
            .extend(found.filter_map(|&(_, number)| self.all.get_mut(number)?.take()));
        !taken.is_empty()
    }

    /// The findings that nothing hides, and those that are hidden.
    pub(super) fn finish(self) -> (Vec<Finding>, Vec<Finding>) {
        (self.all.into_iter().flatten().collect(), self.hidden)
    }
}
