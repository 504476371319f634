//! Annotations, where the grammar tells a generic type from a subscript.

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{Expr, ExprBinOp, Operator};

use super::{Lowering, Reader, Unsupported, end_of, start_of};
use crate::python::kind::{Field, Kind};

impl Reader<'_> {
    /// Add an annotation; no parenthesis around it opens before `low`.
    pub(super) fn annotation(&mut self, one: &Expr, field: Field, low: usize) -> Lowering {
        let start = self.outer_start(low, one);
        let end = self.outer_end(low, one);
        if matches!(one, Expr::Tuple(tuple) if !tuple.parenthesized) {
            return Err(Unsupported);
        }
        self.open(Kind::Type, field, start, end);
        if start == start_of(one) && is_type(one) {
            self.written(one)?;
        } else {
            self.expression(one, Field::Other, low)?;
        }
        self.close();
        Ok(())
    }

    /// Add what only a type can be.
    fn written(&mut self, one: &Expr) -> Lowering {
        let (start, end) = (start_of(one), end_of(one));
        match one {
            Expr::Subscript(one) => {
                self.open(Kind::GenericType, Field::Other, start, end);
                self.expression(&one.value, Field::Other, start)?;
                let open = self.find(end_of(&*one.value), TokenKind::Lsqb)?;
                self.open(Kind::TypeParameter, Field::Other, open.start, end);
                let mut low = open.end;
                let alone = std::slice::from_ref(&*one.slice);
                let parts = match &*one.slice {
                    Expr::Tuple(tuple) if !tuple.parenthesized => &tuple.elts,
                    _ => alone,
                };
                for part in parts {
                    if matches!(part, Expr::Slice(_) | Expr::Starred(_)) {
                        return Err(Unsupported);
                    }
                    self.annotation(part, Field::Other, low)?;
                    low = end_of(part);
                }
                self.close();
            }
            Expr::BinOp(one) => {
                let mut operands = Vec::new();
                let first = operands_of(one, &mut operands);
                self.union(first, &operands, start, end)?;
            }
            Expr::Attribute(one) => {
                self.open(Kind::MemberType, Field::Other, start, end);
                self.annotation(&one.value, Field::Other, start)?;
                self.identifier(Field::Other, &one.attr);
            }
            _ => return Err(Unsupported),
        }
        self.close();
        Ok(())
    }

    /// Add a union: to the grammar the generic types at its front join one by one, and all that is behind them is an
    /// expression.
    fn union(&mut self, first: &Expr, others: &[&Expr], start: usize, end: usize) -> Lowering {
        let mut low = end_of(first);
        let mut types = 0;
        for one in others {
            if self.outer_start(low, *one) != start_of(*one) || !is_type(one) {
                break;
            }
            if !matches!(one, Expr::Subscript(_)) {
                return Err(Unsupported);
            }
            low = end_of(*one);
            types += 1;
        }
        let (generic, others) = others.split_at(types);
        let mut ends: Vec<usize> = generic.iter().map(|one| end_of(*one)).collect();
        if others.is_empty() {
            ends.pop();
        }
        self.open(Kind::UnionType, Field::Other, start, end);
        for &end in ends.iter().rev() {
            self.open(Kind::Type, Field::Other, start, end);
            self.open(Kind::UnionType, Field::Other, start, end);
        }
        self.annotation(first, Field::Other, start)?;
        let mut low = end_of(first);
        for (at, one) in generic.iter().enumerate() {
            self.annotation(one, Field::Other, low)?;
            low = end_of(*one);
            if at < ends.len() {
                self.close();
                self.close();
            }
        }
        match others {
            [] => Ok(()),
            [only] => self.annotation(only, Field::Other, low),
            [next, others @ ..] => self.joined(next, others, low),
        }
    }

    /// Add the operands behind the generic types of a union: to the grammar they are an expression.
    fn joined(&mut self, first: &Expr, others: &[&Expr], low: usize) -> Lowering {
        let start = self.outer_start(low, first);
        let mut ends = Vec::with_capacity(others.len());
        let mut at = self.outer_end(low, first);
        for one in others {
            at = self.outer_end(at, *one);
            ends.push(at);
        }
        self.open(Kind::Type, Field::Other, start, at);
        let mut field = Field::Other;
        for end in ends.iter().rev() {
            self.open(Kind::Binary, field, start, *end);
            field = Field::Left;
        }
        self.expression(first, field, low)?;
        let mut at = self.outer_end(low, first);
        for (one, end) in others.iter().zip(&ends) {
            let operator = self.token(self.token_from(at)).ok_or(Unsupported)?;
            self.leaf(
                Kind::Operator,
                Field::Operator,
                operator.start,
                operator.end,
            );
            self.expression(one, Field::Right, operator.end)?;
            self.close();
            at = *end;
        }
        self.close();
        Ok(())
    }
}

/// The operands of `a | b | c`: the first one, and the others in `rest`.
fn operands_of<'a>(one: &'a ExprBinOp, rest: &mut Vec<&'a Expr>) -> &'a Expr {
    let first = match &*one.left {
        Expr::BinOp(left) if left.op == Operator::BitOr => operands_of(left, rest),
        left => left,
    };
    rest.push(&one.right);
    first
}

/// Whether an annotation starts with a generic type: the grammar has a rule for types only, which
/// it takes then.
fn is_type(one: &Expr) -> bool {
    match one {
        Expr::Subscript(one) => matches!(&*one.value, Expr::Name(_)),
        Expr::BinOp(one) => one.op == Operator::BitOr && is_type(&one.left),
        Expr::Attribute(one) => is_type(&one.value),
        _ => false,
    }
}
