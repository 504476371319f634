//! Decides what becomes of one item of a list of flags: an option of nvcc's, a macro, or a library.

use super::flag_edits::text;
use super::flag_lists::{FlagListKind, plain};
use crate::flags::{FlagAction, Obstacle, Receiver, Translation, Translator};
use crate::python::ModuleView;
use torchada_syntax::python::NodeId;

/// The action for an item of a list, together with the next item where that is the value of this one.
pub(super) fn item(
    unit: &ModuleView<'_>,
    item: NodeId,
    next: Option<NodeId>,
    holds: FlagListKind,
) -> Translation {
    let Some(value) = text(unit, item) else {
        return Translation::stays(&[""]);
    };
    if holds == FlagListKind::Libraries {
        return Translator::new(unit.context, unit.settings).translate_library(&value, &value);
    }
    let written = next.map(|next| text(unit, next).unwrap_or_else(|| unit.module.tree.shown(next)));
    let mut found = option(unit, &value, written.as_deref(), holds);
    if found.receiver == Receiver::Compiler {
        return found;
    }
    let is_known = |node: NodeId| plain(unit, node).is_some();
    match &found.action {
        FlagAction::Becomes(to) if !to.is_empty() => {
            let is_same = matches!(to.as_slice(), [one] if Some(one) == written.as_ref());
            if found.words == 1 && !is_known(item) {
                // What a program puts in can't be taken apart.
                found.action = FlagAction::Remains(Obstacle::WithoutValue);
            } else if found.words == 2 && (is_same || !next.is_some_and(is_known)) {
                // The value follows as it is.
                found.words = 1;
                found.action = FlagAction::Becomes(Vec::new());
                found.left_out.clear();
            }
        }
        _ => {}
    }
    found
}

/// The action for an option, and whether the next word is its value.
pub(super) fn option(
    unit: &ModuleView<'_>,
    value: &str,
    next: Option<&str>,
    holds: FlagListKind,
) -> Translation {
    let words: Vec<&str> = std::iter::once(value).chain(next).collect();
    let alone = Translation::stays(&[value]);
    let translator = Translator::new(unit.context, unit.settings);
    let found = translator.translate(&words);
    let is_nvccs = found.action != FlagAction::Stays;
    let builders = &unit.context.knowledge.builds.extensions;
    match value.strip_prefix("-l") {
        Some(name) if !is_nvccs => translator.translate_library(value, name),
        _ if holds == FlagListKind::Linked => alone,
        _ if holds == FlagListKind::DeviceLink && value == builders.device_link => alone,
        _ => found,
    }
}
