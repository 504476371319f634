//! `.cuda()`, `.is_cuda`, `.cuda_stream`, on whatever object.

use super::unit::Change;
use super::{PythonRule, PythonUnit};
use crate::diagnostic::{Applicability, Code, Severity};
use crate::mapping::Section;
use crate::rules::Outcome;
use crate::syntax::python::{Field, Kind, NodeId};

/// A member that may be the project's own.
pub const OWN_MEMBER: Code = Code {
    id: "PY016",
    severity: Severity::Note,
    title: "may be a member that the project defines itself",
};

/// Members of tensors, modules, streams and events.
pub struct Members;

impl PythonRule for Members {
    fn name(&self) -> &'static str {
        "python-members"
    }

    fn codes(&self) -> &'static [Code] {
        const CODES: [Code; 1] = [OWN_MEMBER];
        &CODES
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        if !unit.is_musa() {
            return;
        }
        let tree = &unit.module.tree;
        let own = defined(unit);
        for node in tree.nodes() {
            if tree.kind(node) == Kind::Attribute && !tree.is_broken(node) {
                self.settle(unit, out, node, &own);
            }
        }
    }
}

impl Members {
    fn settle(&self, unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId, own: &[&[u8]]) {
        let tree = &unit.module.tree;
        let (Some(object), Some(name)) = (
            tree.child(node, Field::Object),
            tree.child(node, Field::Attribute),
        ) else {
            return;
        };
        let word = tree.word(name);
        let called = tree.field(node) == Field::Function;
        let members = &unit.positions().members;
        let Some(member) = members
            .iter()
            .find(|one| one.cuda.as_bytes() == word && one.call == called)
        else {
            return;
        };
        // `torch.cuda` is no tensor's.
        let of_module = unit
            .module
            .resolve(object)
            .is_some_and(|one| one.name == "torch");
        let row = unit.lore.tables.get(Section::Python, member.row.as_bytes());
        let Some((row, to)) = row.and_then(|row| Some((row, row.to.as_deref()?))) else {
            return;
        };
        let to = to.rsplit('.').next().unwrap_or(to);
        if of_module {
            return;
        }
        let own = own.contains(&word);
        let applicability = if own {
            let range = tree.range(name);
            let message = format!(
                "`.{}` stays: a class of this module defines a member of that name",
                member.cuda
            );
            let finding = unit.finding(OWN_MEMBER, range, message);
            out.findings.push(finding.help(format!(
                "where the object is PyTorch's, write `.{to}`; `--unsafe` does so everywhere"
            )));
            Applicability::Unsafe
        } else {
            Applicability::Safe
        };
        let change = Change {
            range: tree.range(name),
            to,
            rule: self.name(),
            applicability,
            evidence: row.evidence,
        };
        unit.change(out, &change);
    }
}

/// The members of the tables that classes of the module define themselves.
fn defined<'a>(unit: &PythonUnit<'a>) -> Vec<&'a [u8]> {
    let tree = &unit.module.tree;
    let members = &unit.positions().members;
    tree.nodes()
        .filter(|&node| tree.kind(node) == Kind::Function)
        .filter_map(|node| Some((node, tree.word(tree.child(node, Field::Name)?))))
        .filter(|(node, word)| {
            let known = members.iter().any(|one| one.cuda.as_bytes() == *word);
            known && in_class(unit, *node)
        })
        .map(|(_, word)| word)
        .collect()
}

fn in_class(unit: &PythonUnit<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let mut around = tree.ancestors(node);
    around
        .find(|&one| matches!(tree.kind(one), Kind::Class | Kind::Function))
        .is_some_and(|one| tree.kind(one) == Kind::Class)
}
