//! Expressions by which MUSA takes what no build for CUDA runs: `cutlass.Op if torch.version.cuda else ck.Op`.

use super::answers::{answer, gives_none};
use super::review::Review;
use super::wording::short;
use crate::Outcome;
use torchada_diagnostic::codes::python::TELLS_PLATFORM;
use torchada_diagnostic::{Code, Severity};
use torchada_mapping::effort::Effort;
use torchada_project::python::Definition;
use torchada_syntax::python::NodeId;

/// Report a conditional expression that asks for the version of CUDA and gives MUSA other code of the tree than CUDA.
pub(super) fn check(review: &Review<'_>, out: &mut Outcome, node: NodeId) {
    let unit = review.unit;
    let tree = &unit.module.tree;
    let parts = [0, 1, 2].map(|place| tree.nth(node, place));
    let [Some(yes), Some(condition), Some(no)] = parts else {
        return;
    };
    let mut asking = tree.with_below(condition);
    let Some(version) = asking.find(|&one| gives_none(review, one)) else {
        return;
    };
    let Some(holds) = answer(review, condition) else {
        return;
    };
    let taken = if holds { yes } else { no };
    let picks_code = is_code(review, yes) && is_code(review, no);
    if !picks_code
        || Effort::builtin().is_auxiliary(review.unit.path)
        || unit.is_claimed(out, version)
    {
        return;
    }
    let code = Code {
        severity: Severity::Error,
        ..TELLS_PLATFORM
    };
    let message = format!(
        "`{}` is None on MUSA, which takes `{}` here, and CUDA never does",
        tree.shown(version),
        short(&tree.shown(taken))
    );
    unit.report(
        out,
        code,
        tree.range(version),
        message,
        unit.platform_advice(),
    );
    unit.claim(out, version);
}

/// Whether an expression is a function or a class of the tree's.
fn is_code(review: &Review<'_>, expression: NodeId) -> bool {
    let unit = review.unit;
    let name = unit.module.resolve(expression);
    let found = name.and_then(|name| unit.modules.lookup(unit.index, &name.name));
    matches!(
        found,
        Some(Definition::Class(..) | Definition::Function(..))
    )
}
