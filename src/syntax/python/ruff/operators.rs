//! Operators with what stands at their sides.

use ruff_python_ast::Expr;
use ruff_python_ast::token::TokenKind;

use super::{Lowering, Reader, Unsupported};
use crate::python::kind::{Field, Kind};

impl Reader<'_> {
    /// Add the first token from `low` on as an operator. Returns its end.
    pub(super) fn operator(&mut self, low: usize) -> Lowering<usize> {
        let operator = self.token(self.token_from(low)).ok_or(Unsupported)?;
        self.leaf(
            Kind::Operator,
            Field::Operator,
            operator.start,
            operator.end,
        );
        Ok(operator.end)
    }

    /// Add the operators of a comparison, which may be two words, and what stands to the right of each.
    pub(super) fn comparisons(&mut self, comparators: &[Expr], low: usize) -> Lowering {
        let mut low = low;
        for right in comparators {
            let at = self.token_from(low);
            let first = self.token(at).ok_or(Unsupported)?;
            let two = matches!(
                (first.kind, self.token(at + 1).map(|token| token.kind)),
                (TokenKind::Is, Some(TokenKind::Not)) | (TokenKind::Not, Some(TokenKind::In))
            );
            let last = if two {
                self.token(at + 1).ok_or(Unsupported)?
            } else {
                first
            };
            self.leaf(Kind::Operator, Field::Operators, first.start, last.end);
            self.expression(right, Field::Other, last.end)?;
            low = self.outer_end(last.end, right);
        }
        Ok(())
    }

    /// `a and b and c`: the grammar has a node for each operator, the first innermost.
    pub(super) fn boolean(&mut self, values: &[Expr], start: usize, field: Field) -> Lowering {
        let mut low = start;
        let mut ends = Vec::with_capacity(values.len());
        for value in values {
            let end = self.outer_end(low, value);
            ends.push(end);
            low = end;
        }
        let mut field = field;
        for end in ends.iter().skip(1).rev() {
            self.open(Kind::Boolean, field, start, *end);
            field = Field::Left;
        }
        let mut low = start;
        for (at, value) in values.iter().enumerate() {
            if at == 0 {
                self.expression(value, Field::Left, low)?;
            } else {
                let low = self.operator(low)?;
                self.expression(value, Field::Right, low)?;
                self.close();
            }
            low = ends.get(at).copied().ok_or(Unsupported)?;
        }
        Ok(())
    }
}
