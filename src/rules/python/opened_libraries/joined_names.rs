//! Names of libraries that become a part of a file's name at run time: `f"lib{name}.so"`, `"lib" + name + ".so"`.

use crate::Outcome;
use crate::python::inference::written_values;
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::codes::python::LIBRARY_FILE;
use torchada_mapping::{Relation, Section};
use torchada_syntax::HOLE;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};

/// The method by which Python fills the places of a text.
const FILLS: &[u8] = b"format";

/// Report the names of CUDA's libraries that the code makes a file's name of.
pub fn report_joined_names(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let known = &unit.context.knowledge.python_strings.libraries;
    for literal in unit.literals(&[known.prefix.as_str()]) {
        let Some(name) = name_in(unit, &literal) else {
            continue;
        };
        for value in written_values(unit, name) {
            report(unit, out, value);
        }
    }
}

fn report(unit: &PythonUnit<'_>, out: &mut Outcome, value: NodeId) {
    let literal = Literal::plain(&unit.module.tree, value);
    let Some(literal) = literal.filter(|one| !unit.is_claimed(out, one.node)) else {
        return;
    };
    let row = unit.context.row(Section::Libraries, literal.value());
    let Some(row) = row.filter(|row| row.relation != Relation::Same) else {
        return;
    };
    let range = unit.claim(out, literal.node);
    let message = format!(
        "{} stays: it becomes a part of the name of a library's file",
        unit.shown(range)
    );
    let finding = unit.finding(LIBRARY_FILE, range, message);
    out.report(match (&row.to, &row.advice) {
        (Some(to), _) => finding.help(format!("MUSA's library is called `{to}`")),
        (None, Some(advice)) => finding.help(advice.clone()),
        (None, None) => finding,
    });
}

/// The variable that the code puts between the prefix and the ending of a library's file.
fn name_in(unit: &ModuleView<'_>, literal: &Literal) -> Option<NodeId> {
    let known = &unit.context.knowledge.python_strings.libraries;
    let tree = &unit.module.tree;
    let text = std::str::from_utf8(literal.value()).ok()?;
    let file = text.rsplit(['/', '\\']).next()?;
    let rest = file.strip_prefix(known.prefix.as_str())?;
    let ends = |rest: &str| {
        known
            .suffixes
            .iter()
            .any(|one| rest.starts_with(one.as_str()))
    };
    let is_name = |&node: &NodeId| tree.kind(node) == Kind::Identifier;
    // `f"lib{name}.so"`
    if rest.strip_prefix(HOLE).is_some_and(ends) {
        let before = text.strip_suffix(file).unwrap_or_default();
        let mut holes = tree
            .below(literal.node)
            .filter(|&node| tree.kind(node) == Kind::Interpolation);
        let hole = holes.nth(before.matches(HOLE).count())?;
        return tree.child(hole, Field::Expression).filter(is_name);
    }
    let up = tree.parent(literal.node)?;
    // `"lib{}.so".format(name)`
    if tree.kind(up) == Kind::Attribute && rest.strip_prefix("{}").is_some_and(ends) {
        let call = tree
            .parent(up)
            .filter(|&call| tree.kind(call) == Kind::Call)?;
        let is_filled = tree.word(tree.child(up, Field::Attribute)?) == FILLS;
        let before = text.strip_suffix(file).unwrap_or_default();
        let name = tree.argument(call, before.matches("{}").count());
        return name.filter(is_name).filter(|_| is_filled);
    }
    if tree.kind(up) != Kind::Binary || tree.field(literal.node) != Field::Left {
        return None;
    }
    let right = tree.child(up, Field::Right)?;
    // `"lib%s.so" % name`, `"lib%s.so.%d" % (name, version)`
    if rest.strip_prefix("%s").is_some_and(ends) {
        let before = text.strip_suffix(file).unwrap_or_default();
        let name = match tree.kind(right) {
            Kind::Tuple => tree.nth(right, before.matches('%').count())?,
            _ => right,
        };
        return Some(name).filter(is_name);
    }
    let name = Some(right).filter(is_name)?;
    // `"lib" + name + ".so"`
    let whole = tree.parent(up).filter(|&one| {
        rest.is_empty() && tree.kind(one) == Kind::Binary && tree.field(up) == Field::Left
    })?;
    let end = Literal::read(tree, tree.child(whole, Field::Right)?)?;
    let end = std::str::from_utf8(end.value()).ok()?;
    ends(end).then_some(name)
}
