//! Names that no table lists, of families that are CUDA's by how they start.

use super::verdict::UNKNOWN_NAME;
use crate::mapping::Section;
use crate::rules::{Outcome, Unit};
use crate::syntax::Token;

/// A name that no table lists, of a family that is CUDA's by how its names start.
pub(super) fn by_family(unit: &Unit<'_>, out: &mut Outcome, token: Token) {
    let text = token.text(unit.text);
    if unit.lore.tables.get(Section::Names, text).is_some() {
        return;
    }
    let Some(family) = unit.lore.knowledge.family_of(text) else {
        return;
    };
    let own = std::str::from_utf8(text).is_ok_and(|name| unit.settings.own_names.contains(name));
    let range = token.range();
    if own || !unit.visible.has_named(&family.headers) || unit.foreign(range).is_some() {
        return;
    }
    let shown = String::from_utf8_lossy(text).into_owned();
    let message = format!("`{shown}` ({}) has no known MUSA counterpart", family.name);
    out.findings.push(
        unit.finding(UNKNOWN_NAME, range, message)
            .help(family.advice.clone()),
    );
}
