//! `.cuda()`, `.is_cuda`, `.cuda_stream`, on whatever object.

use super::unit::Change;
use super::{PythonRule, PythonUnit};
use crate::diagnostic::{Applicability, Code, Severity};
use crate::mapping::Section;
use crate::rules::Outcome;
use crate::syntax::python::{Field, Kind, NodeId, What};

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
        for node in tree.nodes() {
            if tree.kind(node) == Kind::Attribute && !tree.is_broken(node) {
                self.settle(unit, out, node);
            }
        }
    }
}

impl Members {
    fn settle(&self, unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId) {
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
        let own = unit.own_members.contains(&member.cuda) && !is_torchs(unit, object);
        let applicability = if own {
            let range = tree.range(name);
            let message = format!(
                "`.{}` stays: a class of the project defines a member of that name",
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

/// How many steps lead from an object to what made it.
const REACH: usize = 16;

/// Whether an object surely is `PyTorch`'s: what made it is a call of one of its functions.
fn is_torchs(unit: &PythonUnit<'_>, object: NodeId) -> bool {
    let tree = &unit.module.tree;
    let mut at = object;
    for _ in 0..REACH {
        let next = match tree.kind(at) {
            Kind::Call => {
                let Some(callee) = tree.child(at, Field::Function) else {
                    return false;
                };
                let name = unit.module.resolve(callee);
                if name.is_some_and(|one| one.name.starts_with("torch.")) {
                    return true;
                }
                (tree.kind(callee) == Kind::Attribute).then_some(callee)
            }
            Kind::Attribute => tree.child(at, Field::Object),
            Kind::Parenthesized => tree.nth(at, 0),
            Kind::Identifier => match unit.module.bindings(at, tree.word(at)).1 {
                [one] => match one.what {
                    What::Value(value) => Some(value),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        match next {
            Some(next) => at = next,
            None => return false,
        }
    }
    false
}
