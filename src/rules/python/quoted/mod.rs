//! Names of `PyTorch`'s in strings: `getattr(torch, "cuda")`, quoted annotations, `mock.patch`.

mod code;
mod edits;
mod name_arguments;
mod names;
mod programs;

pub use name_arguments::{only_reads_member, takes_dotted_name, takes_member_name};

use super::PythonUnit;
use super::devices::both_names::{BothNames, compare_with_both};
use super::inference::{StringRole, is_imported_by_own_function, string_role};
use super::reserved::alternatives::Alternatives;
use super::reserved::alternatives_beside::alternatives_to;
use super::torch::names::{Verdict, verdict};
use crate::Outcome;
use edits::{change, is_of_name, shown};
use name_arguments::{NameArgument, gives_type, is_one_of};
pub use programs::is_python;
use torchada_diagnostic::KeptReason;
use torchada_mapping::has;
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use};

/// Names in strings.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    for literal in unit.literals_with_words() {
        if unit.is_claimed(out, literal.node) {
            continue;
        }
        let of = unit.module.use_of(literal.node);
        if is_python(unit, literal.value()) {
            code::program(unit, out, &literal, &of);
        } else if literal.is_plain() {
            check_literal(unit, out, &literal, &of);
        } else if let Consumer::Argument { call, position } = of.consumer {
            match NameArgument::of(unit, call, position) {
                NameArgument::Code => code::part(unit, out, &literal),
                NameArgument::DottedName => names::end_of_name(unit, out, &literal),
                _ => {}
            }
        }
    }
    code::pieces(unit, out);
}

/// Translate the name in a string, by the code that uses the string.
fn check_literal(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, of: &Use) {
    let known = &unit.context.knowledge.python_strings.quoted;
    let tree = &unit.module.tree;
    let is_key = |node| has(&known.keys, unit.module.last_name(node));
    match of.consumer {
        Consumer::Argument { call, position } => match NameArgument::of(unit, call, position) {
            NameArgument::Member => names::member(unit, out, literal, call),
            NameArgument::DottedName => names::dotted_name(unit, out, literal, true),
            NameArgument::Module => names::module(unit, out, literal),
            NameArgument::Type => names::tensor_type(unit, out, literal, call),
            NameArgument::Code => code::part(unit, out, literal),
            NameArgument::Unknown
                if names::may_be_module(unit, literal) && is_imported_by_own_function(unit, of) =>
            {
                names::module_if_there(unit, out, literal);
            }
            NameArgument::Unknown => check_unknown_use(unit, out, literal, of),
        },
        Consumer::Annotation => code::annotation(unit, out, literal),
        Consumer::Item { of } if is_one_of(unit, of, &known.tables) => {
            names::module(unit, out, literal);
        }
        // `versions["torch.cuda"] = torch.version.cuda`: a label of the project's own.
        Consumer::Item { .. } if is_set_label(unit, literal) => {
            out.keep(tree.range(literal.node), KeptReason::Prose);
        }
        Consumer::DictValue { pair } if tree.child(pair, Field::Key).is_some_and(is_key) => {
            names::dotted_name(unit, out, literal, true);
        }
        Consumer::Target { target } if is_key(target) => {
            names::dotted_name(unit, out, literal, true);
        }
        Consumer::Comparison { other, .. } if gives_type(unit, other) => {
            check_type_comparison(unit, out, literal, of);
        }
        Consumer::Docstring | Consumer::Statement | Consumer::Message => {}
        _ => check_unknown_use(unit, out, literal, of),
    }
}

/// Whether a dotted name is the key of an item that gets a value here by which it is a label: a text, a number, what has
/// the name, or what a call gives of the module with the name, or of the one around it.
fn is_set_label(unit: &PythonUnit<'_>, key: &Literal) -> bool {
    let tree = &unit.module.tree;
    let item = tree.parent_if(key.node, Kind::Subscript);
    let Some(value) = item.and_then(|item| tree.assigned_value(item)) else {
        return false;
    };
    let text = key.text();
    let Some((module, _)) = text.rsplit_once('.') else {
        return false;
    };
    // A call of anything of torch's says nothing about `torch.cuda`.
    let module = if module.contains('.') { module } else { &*text };
    let is_inside = |node: NodeId, module: &str| {
        let name = unit.resolve(node);
        let rest = name.as_ref().and_then(|one| one.name.strip_prefix(module));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    match tree.kind(value) {
        Kind::Str | Kind::Integer | Kind::Float => true,
        Kind::Call => {
            let callee = tree.callee(value);
            callee.is_some_and(|callee| is_inside(callee, module))
        }
        _ => is_inside(value, &text),
    }
}

/// Report a dotted name or an expression in a string if no table says whether the code looks the name up or evaluates the
/// expression.
fn check_unknown_use(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, of: &Use) {
    let value = shown(literal);
    let is_name = value.chars().all(is_of_name);
    // What the code makes of a string is asked last, because the answer leads through other modules.
    let may_be_code = if is_name {
        value.contains('.')
    } else {
        code::may_be_expression(unit, &value)
    };
    if may_be_code
        && string_role(unit, of) != StringRole::Text
        && alternatives_to(unit, of) == Alternatives::None
    {
        if is_name {
            names::dotted_name(unit, out, literal, false);
        } else {
            code::part(unit, out, literal);
        }
    }
}

/// Translate a type that is compared with another: `x.type() == "torch.cuda.FloatTensor"`.
fn check_type_comparison(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, of: &Use) {
    if unit.is_musa() {
        names::dotted_name(unit, out, literal, true);
        return;
    }
    let value = shown(literal);
    let near = unit.module.sibling_literals(of);
    if let Verdict::Becomes(to, _) = verdict(unit, &value)
        && near.iter().all(|one| one.value() != to.as_bytes())
    {
        let names = BothNames {
            cuda: &value,
            musa: &to,
        };
        compare_with_both(unit, out, literal, of, names);
    }
}
