//! Keywords of calls that have another name on MUSA: `torch.cuda.graph(cuda_graph=…)`.

use super::inference::options::has;
use super::unit::Change;
use super::{ModuleView, PythonUnit};
use crate::diagnostic::{Applicability, Code};
use crate::mapping::Evidence;
use crate::rules::{Outcome, Rule};
use crate::syntax::python::{Dotted, Field, Kind, NodeId};

/// Keywords that have another name.
pub struct Keywords;

impl Rule<PythonUnit<'_>> for Keywords {
    fn name(&self) -> &'static str {
        "python-keywords"
    }

    fn codes(&self) -> &'static [Code] {
        &[]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        if !unit.is_musa() {
            return;
        }
        let tree = &unit.module.tree;
        for node in tree.of(Kind::KeywordArgument) {
            let Some(name) = tree.child(node, Field::Name) else {
                continue;
            };
            let word = tree.word(name);
            let known = || unit.python_values().keywords.iter();
            if known().all(|one| one.cuda.as_bytes() != word) {
                continue;
            }
            let call = tree.parent(node).and_then(|list| tree.parent(list));
            let callee = call.and_then(|call| unit.module.callee(call));
            let Some(callee) = callee.filter(Dotted::is_sure) else {
                continue;
            };
            let mut rows = known();
            let row = rows.find(|one| one.cuda.as_bytes() == word && one.callee == callee.name);
            if let Some(keyword) = row {
                let change = Change {
                    range: tree.range(name),
                    to: &keyword.musa,
                    rule: self.name(),
                    applicability: Applicability::Safe,
                    evidence: Some(Evidence::Confirmed),
                };
                unit.change(out, &change);
            }
        }
    }
}

/// The keyword of a call that its counterpart does not take.
pub fn too_much(unit: &ModuleView<'_>, callee: NodeId, name: &str) -> Option<String> {
    let tree = &unit.module.tree;
    let mut known = unit.python_values().narrower.iter();
    let known = known.find(|one| one.callee == name)?;
    let call = tree
        .parent(callee)
        .filter(|&call| tree.kind(call) == Kind::Call && tree.field(callee) == Field::Function)?;
    let mut keywords = tree
        .arguments(call)
        .filter_map(|argument| tree.child(argument, Field::Name))
        .filter(|&name| {
            let up = tree.parent(name);
            up.is_some_and(|up| tree.kind(up) == Kind::KeywordArgument)
        });
    keywords
        .find(|&name| !has(&known.keywords, tree.word(name)))
        .map(|name| unit.shown(tree.range(name)))
}
