//! Texts of which the code says that they are commands.

use super::ModuleView;
use torchada_syntax::python::{Consumer, Field, Use};

/// Whether a value is handed to a function that runs programs.
pub fn is_run(view: &ModuleView<'_>, of: &Use) -> bool {
    let known = &view.context.knowledge.commands;
    let call = of.consumer.call();
    call.is_some_and(|call| known.runs(view.module.callee_word(call)))
}

/// Whether the name or the key that a value is assigned to is one for commands.
pub fn is_called_command(view: &ModuleView<'_>, of: &Use) -> bool {
    let known = &view.context.knowledge.commands;
    let name = match of.consumer {
        Consumer::Target { target } => Some(target),
        Consumer::DictValue { pair } => view.module.tree.child(pair, Field::Key),
        _ => None,
    };
    name.is_some_and(|name| known.holds(&view.module.last_name(name)))
}

/// The word by which a shell exports a variable.
pub const EXPORT: &str = "export";

/// Whether the first word of a text exports a variable in a shell: `export PATH=$PATH:/opt/bin`.
pub fn begins_with_export(text: &[u8]) -> bool {
    let behind = text.trim_ascii_start().strip_prefix(EXPORT.as_bytes());
    behind.is_some_and(|behind| behind.first().is_some_and(u8::is_ascii_whitespace))
}
