//! Suites, and the comments that the grammar takes into them.

use ruff_python_ast::Stmt;
use ruff_python_ast::token::TokenKind;

use super::{Lowering, Reader, end_of, start_of};
use crate::python::kind::{Field, Kind};

impl Reader<'_> {
    /// Add a suite. Returns where it ends.
    pub(super) fn block(&mut self, field: Field, body: &[Stmt]) -> Lowering<usize> {
        let (Some(first), Some(last)) = (body.first(), body.last()) else {
            return Err(super::Unsupported);
        };
        let start = start_of(first);
        self.open(Kind::Block, field, start, end_of(last));
        let end = self.statements(body)?;
        let end = self.with_trailing(start, end);
        self.records.close_at(end);
        Ok(end)
    }

    /// Where a block ends whose statements end at `end`: the grammar ends it behind a `;`, and
    /// behind the comments whose indentation is not less than its own.
    fn with_trailing(&mut self, start: usize, end: usize) -> usize {
        let mut end = end;
        let next = self.token(self.token_from(end));
        if let Some(next) = next.filter(|next| next.kind == TokenKind::Semi)
            && self.column(next.start).is_none()
        {
            end = next.end;
        }
        let next = self.token(self.token_from(end)).map(|token| token.start);
        // An earlier comment stands inside of a statement.
        while self
            .comments
            .get(self.comment)
            .is_some_and(|comment| comment.start < end)
        {
            self.comment += 1;
        }
        let own = self.column(start);
        while let Some(comment) = self.comments.get(self.comment)
            && next.is_none_or(|next| comment.start < next)
        {
            let takes = match (self.column(comment.start), own) {
                // On the statement's line.
                (None, _) => true,
                (Some(column), Some(own)) => column >= own,
                // The block stands on the line of what opens it.
                (Some(_), None) => false,
            };
            if !takes {
                break;
            }
            end = comment.end;
            self.comment += 1;
        }
        end
    }

    /// Where a line ends that code ends at `end`, with the comment on it.
    pub(super) fn with_comment(&self, end: usize) -> usize {
        let at = self.comments.partition_point(|comment| comment.start < end);
        let comment = self.comments.get(at).filter(|comment| {
            let between = self.text.get(end..comment.start).unwrap_or_default();
            between.iter().all(|byte| matches!(byte, b' ' | b'\t'))
        });
        comment.map_or(end, |comment| comment.end)
    }

    /// The column of what stands first on its line, as the grammar counts it.
    fn column(&self, at: usize) -> Option<usize> {
        let before = self.text.get(..at).unwrap_or_default();
        let line = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
        let mut column = 0;
        for &byte in before.get(line..).unwrap_or_default() {
            match byte {
                b' ' => column += 1,
                b'\t' => column += 8,
                0x0c => column = 0,
                _ => return None,
            }
        }
        Some(column)
    }
}
