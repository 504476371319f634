//! Names of the project's own that a macro pastes from CUDA's.

use std::borrow::Cow;

use super::build::build;
use crate::cpp::CppUnit;
use rustc_hash::FxHashSet;
use torchada_mapping::Section;
use torchada_project::{Invocation, Paster, Project};
use torchada_text::TextRange;

/// The macro that pastes the argument at `range` into a name of the project's own, and that
/// name. A name that nothing but the macro speaks of may change with the argument.
pub(in crate::cpp) fn makes_own_name(
    unit: &CppUnit<'_>,
    range: TextRange,
) -> Option<(String, String)> {
    if unit.fragment.is_some() {
        return None;
    }
    for (one, parameter) in unit.project.uses_of(unit.index, range) {
        let seen = files_seen(unit, one);
        let files = || seen.iter().filter_map(|&file| unit.project.files.get(file));
        let pasters = files().flat_map(|file| Paster::named(&file.facts.pasters, &one.name));
        for paster in pasters {
            for name in &paster.names {
                if !name.iter().any(|piece| piece.parameter == Some(parameter)) {
                    continue;
                }
                let Some(built) = build(name, one) else {
                    continue;
                };
                let known = unit.context.row(Section::Names, built.as_bytes()).is_some();
                if !known && files().any(|file| file.has_word(built.as_bytes())) {
                    let macro_name = String::from_utf8_lossy(&one.name).into_owned();
                    return Some((macro_name, built));
                }
            }
        }
    }
    None
}

/// How many names that macros paste together are known. Beyond: a name is taken for one that no macro makes.
const MADE_NAMES: usize = 1 << 18;

/// Whether a use of one of the project's macros pastes a name together, which the project so declares: `MAKE(cudaFree)` with
/// `name##_ptr`.
pub(in crate::cpp) fn is_made_by_macro(unit: &CppUnit<'_>, name: &[u8]) -> bool {
    let made = unit.pasting_plans.made_names(|| made_names(unit.project));
    std::str::from_utf8(name).is_ok_and(|name| made.contains(name))
}

fn made_names(project: &Project) -> FxHashSet<String> {
    let pasters = project.files.iter().flat_map(|file| &file.facts.pasters);
    let made = pasters.flat_map(|paster| {
        let uses = project.invocations.get(&paster.name);
        let uses = uses.into_iter().flatten();
        uses.flat_map(|one| {
            let names = paster.names.iter();
            names.filter_map(|pieces| build(pieces, one))
        })
    });
    made.take(MADE_NAMES).collect()
}

/// The files that are visible where a macro is used: in the unit's own file, or in the one whose list passes the macro
/// its arguments.
pub(super) fn files_seen<'a>(unit: &'a CppUnit<'_>, one: &Invocation) -> Cow<'a, [usize]> {
    if one.used_in == unit.index {
        Cow::Borrowed(&unit.visible.files)
    } else {
        Cow::Owned(unit.project.visible(one.used_in).files)
    }
}
