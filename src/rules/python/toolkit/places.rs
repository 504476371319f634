//! Places in CUDA's toolkit: `"/usr/local/cuda/lib64"`, `os.path.join(CUDA_HOME, "lib64")`.

use crate::build::toolkit::{self, ADVICE, OPEN, PathRewrite, ToolkitPath};
use crate::python::inference::{StringRole, string_role};
use crate::python::run_texts::{begins_with_export, is_called_command, is_run};
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_diagnostic::codes::python::PLACE;
use torchada_mapping::{Evidence, has};
use torchada_syntax::python::{Field, Kind, Literal, NodeId};
use torchada_text::{TextRange, contains};

/// Places in the toolkit.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let known = &unit.context.knowledge.builds.scripts.toolkit;
    for literal in unit.literals(&[known.root.as_str()]) {
        if unit.is_edited(out, literal.node) {
            continue;
        }
        if !names_file(unit, literal.value()) {
            written(unit, out, &literal);
        } else if has_words(literal.value()) && is_command(unit, &literal) {
            report(unit, out, literal.node, ADVICE);
        }
    }
    if known.homes.iter().any(|home| unit.contains(home)) {
        in_texts(unit, out);
        let tree = &unit.module.tree;
        for node in tree.nodes().filter(|&node| !tree.is_broken(node)) {
            below_home(unit, out, node);
        }
    }
}

/// Whether a text is the path of a program or a library, which other rules report.
fn names_file(unit: &ModuleView<'_>, text: &[u8]) -> bool {
    let commands = &unit.context.knowledge.commands.known;
    let mut endings = unit
        .context
        .knowledge
        .python_strings
        .libraries
        .suffixes
        .iter();
    let last = text.rsplit(|&byte| byte == b'/').next().unwrap_or(text);
    endings.any(|ending| contains(last, ending))
        || commands.iter().any(|one| one.name.as_bytes() == last)
}

/// Whether a text has several words.
fn has_words(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_whitespace)
}

/// `"/usr/local/cuda-12.4/lib64"`
fn written(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal) {
    let text = literal.value();
    // A path in a message for people has words around it, one behind an option a blank: `"-I /usr/local/cuda/include"`.
    let is_option = matches!(text, [b'-', first, ..] if first.is_ascii_alphabetic());
    if !is_option && has_words(text) && !is_command(unit, literal) {
        return;
    }
    for (_, path) in toolkit::written(unit.context, text, false) {
        match path {
            ToolkitPath::Open => report(unit, out, literal.node, OPEN),
            ToolkitPath::Unknown(_) => report(unit, out, literal.node, ADVICE),
            ToolkitPath::Known(edits) if ends_in_library(unit, text, &edits) => {
                report(unit, out, literal.node, ADVICE);
            }
            ToolkitPath::Known(edits) => replace(unit, out, literal, &edits),
        }
    }
}

/// Whether the path that edits change ends in the name of a library: `/usr/local/cuda/lib/libcudnn*`. MUSA's library has
/// another name.
fn ends_in_library(unit: &ModuleView<'_>, text: &[u8], edits: &[(TextRange, String)]) -> bool {
    let prefix = &unit.context.knowledge.python_strings.libraries.prefix;
    let first = edits.first().and_then(|(range, _)| text.get(range.start..));
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"':;".contains(byte);
    let path = first.and_then(|path| path.split(is_end).next());
    let last = path.and_then(|path| path.rsplit(|&byte| byte == b'/').next());
    let name = last.and_then(|last| last.strip_prefix(prefix.as_bytes()));
    name.is_some_and(|name| name.first().is_some_and(u8::is_ascii_alphabetic))
}

/// Whether a text is a command: `"export PATH=$PATH:/usr/local/cuda/bin && ./train.sh"`.
fn is_command(unit: &ModuleView<'_>, literal: &Literal) -> bool {
    let of = unit.module.use_of(literal.node);
    is_run(unit, &of)
        || is_called_command(unit, &of)
        || begins_with_export(literal.value()) && string_role(unit, &of) != StringRole::Text
}

/// `"-L$cuda_home/lib64"`, in the text of another build.
fn in_texts(unit: &PythonUnit<'_>, out: &mut Outcome) {
    for literal in unit.literals(&["$"]) {
        let text = literal.value();
        if unit.is_edited(out, literal.node) || names_file(unit, text) {
            continue;
        }
        for rewrite in toolkit::behind_variables(unit.context, text) {
            match rewrite {
                PathRewrite::Known(edits) => replace(unit, out, &literal, &edits),
                PathRewrite::Unknown(_) => report(unit, out, literal.node, ADVICE),
            }
        }
    }
}

/// `os.path.join(CUDA_HOME, "lib64")`, `CUDA_HOME + "/lib64"`, `cuda_home / "lib64"`, `f"{CUDA_HOME}/lib64"`
fn below_home(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    let joins = &unit.context.knowledge.builds.scripts.toolkit.joins;
    match tree.kind(node) {
        Kind::Call => {
            let word = unit.module.callee_word(node);
            if !has(joins, word) {
                return;
            }
            let of = tree.receiver(node);
            let mut arguments = tree.arguments(node);
            let home_first = !of.is_some_and(|of| is_home(unit, of));
            if home_first && !arguments.next().is_some_and(|first| is_home(unit, first)) {
                return;
            }
            if let Some(next) = arguments.next() {
                part(unit, out, next, "/");
            }
        }
        Kind::Binary => {
            let (Some(left), Some(right)) = (
                tree.child(node, Field::Left),
                tree.child(node, Field::Right),
            ) else {
                return;
            };
            if is_home(unit, left) {
                let between = TextRange::new(tree.range(left).end, tree.range(right).start);
                let divides = between.of(unit.text).trim_ascii() == b"/";
                part(unit, out, right, if divides { "/" } else { "" });
            }
        }
        Kind::Interpolation => {
            let behind = tree.parent(node).and_then(|text| {
                tree.children(text)
                    .find(|&one| tree.range(one).start == tree.range(node).end)
            });
            let is_home = tree.nth(node, 0).is_some_and(|value| is_home(unit, value));
            if let Some(behind) = behind.filter(|_| is_home)
                && tree.kind(behind) == Kind::StringContent
            {
                let range = tree.range(behind);
                if names_file(unit, range.of(unit.text)) {
                    return;
                }
                match toolkit::below(unit.context, range.of(unit.text), 0) {
                    PathRewrite::Known(edits) => {
                        for (at, to) in edits {
                            change(unit, out, at.shifted(range.start), &to);
                        }
                    }
                    PathRewrite::Unknown(_) => report(unit, out, behind, ADVICE),
                }
            }
        }
        _ => {}
    }
}

/// A part of a path below the toolkit's folder, with what stands in front of it when it is joined.
fn part(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId, slash: &str) {
    let Some(literal) = Literal::plain(&unit.module.tree, node) else {
        return;
    };
    if unit.is_edited(out, node) || names_file(unit, literal.value()) {
        return;
    }
    let text = [slash.as_bytes(), literal.value()].concat();
    match toolkit::below(unit.context, &text, 0) {
        PathRewrite::Known(edits) => {
            let edits: Vec<(TextRange, String)> = edits
                .into_iter()
                .map(|(at, to)| {
                    let back = slash.len();
                    (TextRange::new(at.start - back, at.end - back), to)
                })
                .collect();
            replace(unit, out, &literal, &edits);
        }
        PathRewrite::Unknown(_) => report(unit, out, node, ADVICE),
    }
}

/// Whether an expression is the toolkit's folder: by its name, or by the variable that it is read from.
fn is_home(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let is_name_of_home = |name: &[u8]| toolkit::is_home(unit.context, &name.to_ascii_uppercase());
    let is_text = |node: NodeId| {
        Literal::read(tree, node)
            .is_some_and(|text| text.is_plain() && is_name_of_home(text.value()))
    };
    match tree.kind(node) {
        Kind::Identifier | Kind::Attribute => is_name_of_home(&unit.module.last_name(node)),
        Kind::Subscript => tree.child(node, Field::Subscript).is_some_and(is_text),
        // `os.getenv("CUDA_HOME")`, `Path(CUDA_HOME)`
        Kind::Call => tree
            .arguments(node)
            .next()
            .is_some_and(|first| is_text(first) || is_home(unit, first)),
        _ => false,
    }
}

fn report(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId, advice: &str) {
    let range = unit.module.tree.range(node);
    let message = format!(
        "{} leads into CUDA's toolkit, and no counterpart is known",
        unit.shown(range)
    );
    unit.report(out, PLACE, range, message, advice);
}

fn replace(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    edits: &[(TextRange, String)],
) {
    for (range, to) in edits {
        if let Some(range) = literal.in_file(*range) {
            change(unit, out, range, to);
        }
    }
}

fn change(unit: &PythonUnit<'_>, out: &mut Outcome, range: TextRange, to: &str) {
    unit.rewrite(out, Change::new(range, to).evidence(Evidence::Confirmed));
}
