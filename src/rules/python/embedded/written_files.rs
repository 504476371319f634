//! Names of the files to which programs write source.

use crate::Outcome;
use crate::python::inference::{StringRole, string_role};
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::codes::python::WRITTEN_NAME;
use torchada_mapping::has;
use torchada_syntax::HOLE;
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId};

/// Report the names of files that the module writes. `has_source`: some string of the module is source.
pub(super) fn check(unit: &PythonUnit<'_>, has_source: bool, out: &mut Outcome) {
    let endings = &unit.context.knowledge.files.rename;
    let words: Vec<&str> = endings.keys().map(String::as_str).collect();
    let renamed = unit.modules.renamed_mentions();
    for literal in unit.literals(&words) {
        let value = literal.text().into_owned();
        let Some((ending, to)) = endings.iter().find(|(ending, _)| value.ends_with(*ending)) else {
            continue;
        };
        let name = value.rsplit('/').next().unwrap_or_default();
        // A bare ending or a pattern says which files the program reads. A file of the tree keeps its name because the
        // code has that name in a string, and is reported at the file.
        let pattern = name.contains(['*', '?', '\n', ' ']) || name.len() == ending.len();
        if pattern || unit.is_claimed(out, literal.node) || is_of_tree(unit, &value) {
            continue;
        }
        let range = unit.module.tree.range(literal.node);
        // The name follows files of the tree.
        if renamed.iter().any(|(place, _)| range.covers(*place)) {
            continue;
        }
        let of = unit.module.use_of(literal.node);
        let searched = matches!(of.consumer, Consumer::Comparison { .. });
        let built =
            has_source && (!literal.is_plain() || value.contains('%') || value.contains('{'));
        if searched || string_role(unit, &of) == StringRole::Text {
            continue;
        }
        if !built && !is_written(unit, &literal) {
            continue;
        }
        let shown = name.replace(HOLE, "…");
        let message =
            format!("`{shown}` is written with CUDA's ending, which MUSA's builds don't take");
        let help = format!(
            "end it with `{to}`, together with every list and pattern by which the file is read back"
        );
        unit.report(out, WRITTEN_NAME, range, message, help);
    }
}

/// Whether a name may be that of a file of the tree.
fn is_of_tree(unit: &ModuleView<'_>, value: &str) -> bool {
    let value = value.trim_start_matches("./").trim_start_matches("../");
    !value.contains(HOLE) && unit.modules.is_end_of_path(value)
}

/// Whether the program writes to the file that a string names: `open("k.cu", "w")`, `(folder / "k.cu").write_text(…)`.
fn is_written(unit: &ModuleView<'_>, literal: &Literal) -> bool {
    let tree = &unit.module.tree;
    let written = &unit.context.knowledge.embedded.written;
    let mut below = literal.node;
    for node in tree.ancestors(literal.node).take(8) {
        match tree.kind(node) {
            Kind::Attribute => {
                let name = tree.child(node, Field::Attribute);
                let name = name.map_or(&b""[..], |name| tree.word(name));
                if has(&written.methods, name) {
                    return true;
                }
            }
            Kind::Call => {
                let arguments = tree.child(node, Field::Arguments);
                let callee = unit.module.callee_name(node).map(|callee| callee.name);
                let named = callee.is_some_and(|callee| written.openers.contains(&callee));
                let opens = named || has(&written.opener_methods, unit.module.callee_word(node));
                if opens && arguments == Some(below) {
                    return is_writing_mode(unit, below);
                }
            }
            Kind::Block | Kind::Function => return false,
            _ => {}
        }
        below = node;
    }
    false
}

/// Whether the arguments of a call have a mode for writing among them.
fn is_writing_mode(unit: &ModuleView<'_>, arguments: NodeId) -> bool {
    let tree = &unit.module.tree;
    let written = &unit.context.knowledge.embedded.written;
    tree.children(arguments).enumerate().any(|(at, argument)| {
        let value = match tree.child(argument, Field::Name) {
            Some(name) if tree.word(name) == written.mode_keyword.as_bytes() => {
                tree.child(argument, Field::Value)
            }
            None if at <= 1 => Some(argument),
            _ => None,
        };
        let mode = value.and_then(|value| Literal::read(tree, value));
        mode.is_some_and(|mode| {
            let text = mode.value();
            text.len() <= 3 && written.modes.iter().any(|&one| text.contains(&(one as u8)))
        })
    })
}
