//! Names of the project's own that a macro pastes from CUDA's.

use std::borrow::Cow;

use aho_corasick::AhoCorasick;

use super::build::{argument, build};
use crate::mapping::Section;
use crate::project::Invocation;
use crate::rules::Unit;
use crate::text::TextRange;

/// The macro that pastes the argument at `range` into a name of the project's own, and that
/// name. A name that nothing but the macro speaks of may change with the argument.
pub(in crate::rules::cpp) fn makes_own_name(
    unit: &Unit<'_>,
    range: TextRange,
) -> Option<(String, String)> {
    if unit.fragment.is_some() {
        return None;
    }
    for one in unit.project.uses_in(unit.index) {
        let Some(parameter) = one.arguments.iter().position(|(place, _)| *place == range) else {
            continue;
        };
        let seen = files_seen(unit, one);
        let files = || seen.iter().filter_map(|&file| unit.project.files.get(file));
        let pasters = files().flat_map(|file| &file.facts.pasters);
        for paster in pasters.filter(|paster| paster.name == one.name) {
            for name in &paster.names {
                if !name.iter().any(|piece| piece.parameter == Some(parameter)) {
                    continue;
                }
                let Some(built) = build(name, &|piece| argument(piece, one)) else {
                    continue;
                };
                let known = unit
                    .lore
                    .tables
                    .get(Section::Names, built.as_bytes())
                    .is_some();
                let spoken_of = || {
                    AhoCorasick::new([&built]).is_ok_and(|built| {
                        files()
                            .filter_map(|file| file.text.as_deref())
                            .any(|text| built.is_match(text))
                    })
                };
                if !known && spoken_of() {
                    let macro_name = String::from_utf8_lossy(&one.name).into_owned();
                    return Some((macro_name, built));
                }
            }
        }
    }
    None
}

/// What is seen where a macro is used: by the unit's own file, or by the one whose list hands the
/// macro its arguments.
pub(super) fn files_seen<'a>(unit: &'a Unit<'_>, one: &Invocation) -> Cow<'a, [usize]> {
    if one.used_in == unit.index {
        Cow::Borrowed(&unit.visible.files)
    } else {
        Cow::Owned(unit.project.visible(one.used_in).files)
    }
}
