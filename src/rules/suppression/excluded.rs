//! Stretches of a file that a marker protects from edits.

use std::collections::{BTreeMap, BTreeSet};

use super::marked::{LineRange, Marked};
use crate::Outcome;
use torchada_diagnostic::{Finding, Kept, KeptReason};
use torchada_edit::GroupId;
use torchada_text::TextRange;

/// Take back the edits of each of some stretches, one after the other, and hide their findings. Returns for each
/// whether there were any.
pub(super) fn exclude(
    unit: &Marked<'_>,
    stretches: &[LineRange],
    out: &mut Outcome,
    hidden: &mut Vec<Finding>,
) -> Vec<bool> {
    // Edits that are not made, by place, each with the stretch that took it back. They are disjoint.
    let mut gone: BTreeMap<TextRange, usize> = BTreeMap::new();
    let mut had_any = Vec::with_capacity(stretches.len());
    for (number, lines) in stretches.iter().enumerate() {
        let touched = out.edits.touching(unit.bytes_of(lines));
        let groups: BTreeSet<GroupId> = touched.map(|edit| edit.group).collect();
        let mut left: BTreeSet<TextRange> = BTreeSet::new();
        for group in &groups {
            left.extend(out.edits.withdraw(*group).iter().map(|edit| edit.range));
        }
        out.kept.extend(left.iter().map(|&range| Kept {
            range,
            reason: KeptReason::Marker,
        }));
        had_any.push(!left.is_empty());
        gone.extend(left.into_iter().map(|range| (range, number)));
    }
    if stretches.is_empty() {
        return had_any;
    }
    let gone: Vec<(TextRange, usize)> = gone.into_iter().collect();
    let last_line = *unit
        .lines_of(TextRange::new(unit.text.len(), unit.text.len()))
        .end();
    let first = first_of_lines(stretches, last_line);
    let mut taken: Vec<(usize, Finding)> = Vec::new();
    out.findings.retain(|finding| {
        let here = first.get(finding.start.line).copied().flatten();
        let here = here.filter(|_| !finding.is_whole());
        // What a finding says of an edit is no longer true where the edit is not made.
        let before = gone.partition_point(|(range, _)| range.end < finding.range.start);
        let untrue = gone
            .iter()
            .skip(before)
            .take_while(|(range, _)| range.start <= finding.range.end)
            .filter(|(range, _)| range.overlaps(finding.range))
            .map(|&(_, number)| number)
            .min();
        if let Some(number) = here.filter(|&here| untrue.is_none_or(|untrue| here < untrue)) {
            taken.push((number, finding.clone()));
        }
        here.is_none() && untrue.is_none()
    });
    // In the order of the stretches, and of the findings in each.
    taken.sort_by_key(|&(number, _)| number);
    for (number, finding) in taken {
        if let Some(had_any) = had_any.get_mut(number) {
            *had_any = true;
        }
        hidden.push(finding);
    }
    had_any
}

/// For each line the first stretch that has it.
fn first_of_lines(stretches: &[LineRange], last: usize) -> Vec<Option<usize>> {
    let mut first = vec![None; last + 1];
    let mut before: Option<&LineRange> = None;
    for (number, lines) in stretches.iter().enumerate() {
        // All markers of one comment have the same lines.
        if before == Some(lines) {
            continue;
        }
        before = Some(lines);
        for line in *lines.start()..=(*lines.end()).min(last) {
            if let Some(slot @ None) = first.get_mut(line) {
                *slot = Some(number);
            }
        }
    }
    first
}
