//! Whether the edits of a file did what they were meant to, and nothing else.

use crate::diagnostic::{Code, Severity};
use crate::edit::{Applied, Edit, EditKind, EditSet, GroupId};
use crate::syntax::{LexOptions, Token, lex, syntax_errors};
use crate::text::TextRange;

/// An edit was taken back.
pub const WITHDRAWN: Code = Code {
    id: "CPP040",
    severity: Severity::Error,
    title: "edit withdrawn because it would break the file",
};

/// All codes of this room.
pub const CODES: &[Code] = &[WITHDRAWN];

/// An edit group that broke the file and was taken out.
#[derive(Debug)]
pub struct Withdrawn {
    /// The edits of the group.
    pub edits: Vec<Edit>,
    /// What was wrong.
    pub why: &'static str,
}

/// Apply the edits, taking out the groups whose edits change more than they should.
pub fn apply_verified(
    text: &[u8],
    edits: &mut EditSet,
    template: bool,
) -> (Applied, Vec<Withdrawn>) {
    let mut withdrawn = Vec::new();
    let before = lex(text, LexOptions { template }).tokens;
    let mut applied = edits.apply(text);
    while let Some(group) = broken_group(text, &before, edits, &applied, template) {
        withdrawn.push(Withdrawn {
            edits: edits.withdraw(group),
            why: "the text around it would be read otherwise",
        });
        applied = edits.apply(text);
    }
    // The tree keeps a directive's condition as it is written: there the tokens say enough.
    let in_directive = |edit: &Edit| {
        let at = before.partition_point(|token| token.range().end <= edit.range.start);
        before.get(at).is_some_and(|token| token.in_directive)
    };
    let groups: Vec<GroupId> = edits
        .iter()
        .filter(|edit| edit.kind == EditKind::Rewrite && !in_directive(edit))
        .map(|edit| edit.group)
        .collect();
    if !groups.is_empty() {
        let wanted = syntax_errors(text).unwrap_or_default();
        let mut now = syntax_errors(&applied.text).unwrap_or_default();
        for group in groups {
            if now <= wanted {
                break;
            }
            let mut without = edits.clone();
            without.withdraw(group);
            let better = without.apply(text);
            let errors = syntax_errors(&better.text).unwrap_or_default();
            if errors < now {
                now = errors;
                withdrawn.push(Withdrawn {
                    edits: edits.withdraw(group),
                    why: "the code around it would no longer parse",
                });
                applied = better;
            }
        }
    }
    (applied, withdrawn)
}

/// The group of the first edit after which the two token streams part ways.
fn broken_group(
    text: &[u8],
    before: &[Token],
    edits: &EditSet,
    applied: &Applied,
    template: bool,
) -> Option<GroupId> {
    let after = lex(&applied.text, LexOptions { template }).tokens;
    let rewritten: Vec<TextRange> = edits
        .iter()
        .filter(|edit| edit.kind == EditKind::Rewrite)
        .map(|edit| edit.range)
        .collect();
    let outside = |range: TextRange| !rewritten.iter().any(|edit| edit.overlaps(range));
    let mut new = after.iter();
    let mut edits_behind = edits.iter().peekable();
    let mut last = None;
    for old in before.iter().filter(|token| outside(token.range())) {
        let range = old.range();
        let mut touched = false;
        while let Some(edit) = edits_behind.next_if(|edit| edit.range.start < range.end) {
            last = Some(edit.group);
            touched |= edit.range.start >= range.start;
        }
        let want = applied.map.to_output(range.start);
        let same = new
            .find(|token| token.range().start >= want)
            .is_some_and(|token| {
                token.kind == old.kind
                    && token.in_directive == old.in_directive
                    && (touched || token.text(&applied.text) == old.text(text))
                    && (token.range().start == want || touched)
            });
        if !same {
            return last.or_else(|| edits.iter().next().map(|edit| edit.group));
        }
    }
    let complete = rewritten.is_empty() && after.len() != before.len();
    if complete { last } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Applicability;

    fn edit(start: usize, end: usize, to: &str, group: u32) -> Edit {
        Edit {
            range: TextRange::new(start, end),
            replacement: to.as_bytes().to_vec(),
            applicability: Applicability::Safe,
            kind: EditKind::Rename,
            group: GroupId(group),
            rule: "test",
            evidence: None,
        }
    }

    #[test]
    fn an_edit_that_swallows_code_is_withdrawn_and_the_others_stay() {
        let text = b"a = cudaX; b = cudaY;";
        let mut edits = EditSet::default();
        edits.insert(edit(4, 9, "musaX", 1)).expect("free");
        edits.insert(edit(15, 20, "/* musaY", 2)).expect("free");
        let (applied, withdrawn) = apply_verified(text, &mut edits, false);
        assert_eq!(applied.text, b"a = musaX; b = cudaY;");
        assert_eq!(withdrawn.len(), 1);
    }

    #[test]
    fn a_name_split_in_two_tokens_is_withdrawn() {
        let mut edits = EditSet::default();
        edits.insert(edit(0, 5, "mu sa", 1)).expect("free");
        let (applied, withdrawn) = apply_verified(b"cudaX();", &mut edits, false);
        assert_eq!(applied.text, b"cudaX();");
        assert_eq!(withdrawn.len(), 1);
    }
}
