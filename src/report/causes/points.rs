//! How much work findings are.

use std::collections::BTreeSet;

use super::key::{Symptom, package};
use crate::mapping::causes::{CauseTable, CommonPart};
use crate::mapping::effort::{Effort, Occurrence};

/// The points of effort of each finding. What was understood once costs little again, and the same line in another
/// place costs nothing more: one replacement does for all of them. Auxiliary code comes last.
pub(super) fn points(symptoms: &[Symptom<'_>], scale: &Effort) -> Vec<usize> {
    let mut understood: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut replaced: BTreeSet<(&str, &str, &str)> = BTreeSet::new();
    let mut order: Vec<(usize, &Symptom<'_>)> = symptoms.iter().enumerate().collect();
    order.sort_by_key(|(_, one)| one.auxiliary);
    let mut points = vec![0; symptoms.len()];
    for (at, one) in order {
        let line = one.source.map_or(one.path, |(line, _)| line.trim());
        let is_new_line = replaced.insert((one.code, one.message, line));
        // What one advice does for, or what one name is quoted for, is one thing, whatever else the messages say.
        let row = CauseTable::builtin().row(one.code);
        let at_once = scale.has_one_fix(one.code);
        let by = row.filter(|row| !row.work_apart).map(|row| row.by);
        let thing = match (by, one.help) {
            (_, Some(help)) if at_once => help,
            (Some(CommonPart::Advice), Some(help)) => help,
            (Some(CommonPart::Package), help) => package(one.message, help),
            _ => one.message,
        };
        let occurrence = if understood.insert((one.code, thing)) {
            Occurrence::First
        } else if is_new_line && !at_once {
            Occurrence::Further
        } else {
            Occurrence::SameLine
        };
        if let Some(points) = points.get_mut(at) {
            *points = scale.points(one.code, one.severity.as_str(), occurrence);
        }
    }
    points
}
