//! One file of Python: its rules, its edits, its verification.

use rustc_hash::FxHashSet;

use super::translate::{Translated, finish};
use crate::project::{Lore, Source};
use crate::rules::python::{self, PythonUnit};
use crate::rules::{Outcome, RuleSettings, suppression};
use crate::syntax::python::Module;
use crate::text::LineIndex;
use crate::verify::apply_verified_python;

/// Translate a module.
pub(super) fn translate(
    file: &Source,
    text: &[u8],
    lore: Lore<'_>,
    own_members: &FxHashSet<String>,
    settings: &RuleSettings,
) -> Translated {
    // A file may be here for the sources that it names alone.
    let matters = lore.knowledge.positions.may_matter(text);
    if !matters && !suppression::may_have_markers(text) {
        return Translated::default();
    }
    let Some(module) = Module::new(text) else {
        return Translated::default();
    };
    let lines = LineIndex::new(text);
    let unit = PythonUnit {
        path: &file.path,
        text,
        lines: &lines,
        module: &module,
        lore,
        own_members,
        settings,
    };
    let mut out = Outcome::default();
    python::check(&unit, &mut out);
    let suppressed = suppression::apply_python(&unit, &mut out);
    Translated {
        suppressed,
        ..finish(file, text, &lines, out, settings, apply_verified_python)
    }
}
