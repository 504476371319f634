//! What a project's own build for MUSA lacks: names that its header of aliases does not have.

use crate::diagnostic::Finding;
use crate::project::Context;
use crate::project::{Parsed, Project};
use crate::rules::Outcome;
use crate::rules::cpp;

/// Keep of the findings about a file those that such a build runs into: not what it leaves out, and not what a condition
/// asks for.
pub(super) fn keep_lacking(
    text: &[u8],
    parsed: &Parsed,
    project: &Project,
    context: Context<'_>,
    out: &mut Outcome,
) {
    let (_, codes) = cpp::LACKING;
    let left_out = project.macros_off.left_out(text, parsed, context);
    let counts = |finding: &Finding| {
        let at = finding.range.start;
        codes.contains(&finding.code) && !left_out.contains(at) && !is_condition(parsed, at)
    };
    out.findings.retain(counts);
}

/// Whether the byte at `offset` stands in a condition.
fn is_condition(parsed: &Parsed, offset: usize) -> bool {
    let directives = &parsed.tokens.directives;
    let behind = directives.partition_point(|one| one.range.start <= offset);
    let last = behind.checked_sub(1).and_then(|last| directives.get(last));
    last.is_some_and(|one| one.range.contains(offset) && one.kind.has_condition())
}
