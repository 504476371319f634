//! Expressions.

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{Expr, Number};

use super::{Lowering, Reader, Unsupported, end_of, start_of};
use crate::python::kind::{Field, Kind};

impl Reader<'_> {
    /// Add one expression, or several with commas between them and no brackets around them.
    pub(super) fn expressions(&mut self, all: &Expr, field: Field, low: usize) -> Lowering {
        match all {
            Expr::Tuple(tuple) if !tuple.parenthesized => {
                self.open(Kind::ExpressionList, field, start_of(tuple), end_of(tuple));
                self.each(&tuple.elts, start_of(tuple))?;
                self.close();
                Ok(())
            }
            _ => self.expression(all, field, low),
        }
    }

    /// Add expressions that stand behind each other.
    fn each(&mut self, all: &[Expr], low: usize) -> Lowering {
        let mut low = low;
        for one in all {
            self.expression(one, Field::Other, low)?;
            low = end_of(one);
        }
        Ok(())
    }

    /// Add an expression with the parentheses around it, none of which opens before `low`.
    pub(super) fn expression(&mut self, one: &Expr, field: Field, low: usize) -> Lowering {
        if self.records.is_too_deep() {
            return Err(Unsupported);
        }
        let around = self.parentheses(low, start_of(one), end_of(one));
        let mut field = field;
        for &(start, end) in &around {
            self.open(Kind::Parenthesized, field, start, end);
            field = Field::Other;
        }
        self.bare(one, field)?;
        for _ in around {
            self.close();
        }
        Ok(())
    }

    fn bare(&mut self, one: &Expr, field: Field) -> Lowering {
        let (start, end) = (start_of(one), end_of(one));
        match one {
            Expr::Name(_) => {
                self.leaf(Kind::Identifier, field, start, end);
                return Ok(());
            }
            Expr::NumberLiteral(one) => {
                let text = self.text.get(start..end).unwrap_or_default();
                // The grammar takes `2j` for an integer, and `2.0j` for a float.
                let is_float = match one.value {
                    Number::Int(_) => false,
                    Number::Float(_) => true,
                    Number::Complex { .. } => {
                        text.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'))
                    }
                };
                let kind = if is_float { Kind::Float } else { Kind::Integer };
                self.leaf(kind, field, start, end);
                return Ok(());
            }
            Expr::BooleanLiteral(one) => {
                let kind = if one.value { Kind::True } else { Kind::False };
                self.leaf(kind, field, start, end);
                return Ok(());
            }
            Expr::NoneLiteral(_) => {
                self.leaf(Kind::None, field, start, end);
                return Ok(());
            }
            Expr::EllipsisLiteral(_) => {
                self.leaf(Kind::Other, field, start, end);
                return Ok(());
            }
            Expr::StringLiteral(_) | Expr::BytesLiteral(_) | Expr::FString(_) => {
                return self.string(one, field);
            }
            Expr::BoolOp(one) => return self.boolean(&one.values, start, field),
            Expr::Attribute(one) => {
                self.open(Kind::Attribute, field, start, end);
                self.expression(&one.value, Field::Object, start)?;
                self.identifier(Field::Attribute, &one.attr);
            }
            Expr::Call(one) => {
                self.open(Kind::Call, field, start, end);
                self.expression(&one.func, Field::Function, start)?;
                self.arguments(Field::Arguments, &one.arguments)?;
            }
            Expr::Subscript(one) => {
                self.open(Kind::Subscript, field, start, end);
                self.expression(&one.value, Field::Value, start)?;
                let low = self
                    .find(self.outer_end(start, &*one.value), TokenKind::Lsqb)?
                    .end;
                self.subscripts(&one.slice, low)?;
            }
            Expr::BinOp(one) => {
                self.open(Kind::Binary, field, start, end);
                self.expression(&one.left, Field::Left, start)?;
                let low = self.outer_end(start, &*one.left);
                let operator = self.token(self.token_from(low)).ok_or(Unsupported)?;
                self.leaf(
                    Kind::Operator,
                    Field::Operator,
                    operator.start,
                    operator.end,
                );
                self.expression(&one.right, Field::Right, operator.end)?;
            }
            Expr::UnaryOp(one) => {
                let word = self.token(self.token_from(start)).ok_or(Unsupported)?;
                if word.kind == TokenKind::Not {
                    self.open(Kind::Not, field, start, end);
                } else {
                    self.open(Kind::Unary, field, start, end);
                    self.leaf(Kind::Operator, Field::Operator, word.start, word.end);
                }
                self.expression(&one.operand, Field::Argument, word.end)?;
            }
            Expr::Compare(one) => {
                self.open(Kind::Comparison, field, start, end);
                self.expression(&one.left, Field::Other, start)?;
                let mut low = self.outer_end(start, &*one.left);
                for right in &one.comparators {
                    let at = self.token_from(low);
                    let first = self.token(at).ok_or(Unsupported)?;
                    let two = matches!(
                        (first.kind, self.token(at + 1).map(|token| token.kind)),
                        (TokenKind::Is, Some(TokenKind::Not))
                            | (TokenKind::Not, Some(TokenKind::In))
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
            }
            Expr::Named(one) => {
                self.open(Kind::Named, field, start, end);
                self.expression(&one.target, Field::Name, start)?;
                self.expression(&one.value, Field::Value, end_of(&*one.target))?;
            }
            Expr::Lambda(one) => {
                self.open(Kind::Lambda, field, start, end);
                let mut low = start;
                if let Some(parameters) = &one.parameters {
                    self.open(
                        Kind::LambdaParameters,
                        Field::Parameters,
                        start_of(&**parameters),
                        end_of(&**parameters),
                    );
                    self.parameters(parameters)?;
                    self.close();
                    low = end_of(&**parameters);
                }
                self.expression(&one.body, Field::Body, low)?;
            }
            Expr::If(one) => {
                self.open(Kind::Conditional, field, start, end);
                self.expression(&one.body, Field::Other, start)?;
                self.expression(&one.test, Field::Other, end_of(&*one.body))?;
                self.expression(&one.orelse, Field::Other, end_of(&*one.test))?;
            }
            Expr::Dict(one) => {
                self.open(Kind::Dictionary, field, start, end);
                let mut low = start + 1;
                for item in &one.items {
                    if let Some(key) = &item.key {
                        self.pair(key, &item.value, Field::Other, low)?;
                    } else {
                        let stars = self.find(low, TokenKind::DoubleStar)?;
                        let end = self.outer_end(stars.end, &item.value);
                        self.open(Kind::DictionarySplat, Field::Other, stars.start, end);
                        self.expression(&item.value, Field::Other, stars.end)?;
                        self.close();
                    }
                    low = end_of(&item.value);
                }
            }
            Expr::Set(one) => {
                self.open(Kind::Set, field, start, end);
                self.each(&one.elts, start + 1)?;
            }
            Expr::List(one) => {
                self.open(Kind::List, field, start, end);
                self.each(&one.elts, start + 1)?;
            }
            Expr::Tuple(one) if one.parenthesized => {
                self.open(Kind::Tuple, field, start, end);
                self.each(&one.elts, start + 1)?;
            }
            Expr::Starred(one) => {
                self.open(Kind::ListSplat, field, start, end);
                self.expression(&one.value, Field::Other, start + 1)?;
            }
            Expr::ListComp(one) => {
                self.open(Kind::ListComprehension, field, start, end);
                self.expression(&one.elt, Field::Body, start + 1)?;
                self.generators(&one.generators, end_of(&*one.elt))?;
            }
            Expr::SetComp(one) => {
                self.open(Kind::SetComprehension, field, start, end);
                self.expression(&one.elt, Field::Body, start + 1)?;
                self.generators(&one.generators, end_of(&*one.elt))?;
            }
            Expr::DictComp(one) => {
                let key = one.key.as_ref().ok_or(Unsupported)?;
                self.open(Kind::DictionaryComprehension, field, start, end);
                self.pair(key, &one.value, Field::Body, start + 1)?;
                self.generators(&one.generators, end_of(&*one.value))?;
            }
            Expr::Generator(one) if one.parenthesized => {
                self.open(Kind::Generator, field, start, end);
                self.expression(&one.elt, Field::Body, start + 1)?;
                self.generators(&one.generators, end_of(&*one.elt))?;
            }
            Expr::Await(one) => {
                self.open(Kind::Await, field, start, end);
                self.expression(&one.value, Field::Other, start)?;
            }
            Expr::Yield(one) => {
                self.open(Kind::Yield, field, start, end);
                if let Some(value) = &one.value {
                    self.expressions(value, Field::Other, start)?;
                }
            }
            Expr::YieldFrom(one) => {
                self.open(Kind::Yield, field, start, end);
                self.expression(&one.value, Field::Other, start)?;
            }
            _ => return Err(Unsupported),
        }
        self.close();
        Ok(())
    }

    /// `a and b and c`: the grammar has a node for each operator, the first innermost.
    fn boolean(&mut self, values: &[Expr], start: usize, field: Field) -> Lowering {
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
                let operator = self.token(self.token_from(low)).ok_or(Unsupported)?;
                self.leaf(
                    Kind::Operator,
                    Field::Operator,
                    operator.start,
                    operator.end,
                );
                self.expression(value, Field::Right, operator.end)?;
                self.close();
            }
            low = ends.get(at).copied().ok_or(Unsupported)?;
        }
        Ok(())
    }

    fn pair(&mut self, key: &Expr, value: &Expr, field: Field, low: usize) -> Lowering {
        let start = self.outer_start(low, key);
        let key_end = self.outer_end(low, key);
        let end = self.outer_end(key_end, value);
        self.open(Kind::Pair, field, start, end);
        self.expression(key, Field::Key, low)?;
        self.expression(value, Field::Value, key_end)?;
        self.close();
        Ok(())
    }

    fn subscripts(&mut self, slice: &Expr, low: usize) -> Lowering {
        match slice {
            Expr::Tuple(tuple) if !tuple.parenthesized => {
                let mut low = low;
                for one in &tuple.elts {
                    self.index(one, low)?;
                    low = end_of(one);
                }
                Ok(())
            }
            one => self.index(one, low),
        }
    }

    fn index(&mut self, one: &Expr, low: usize) -> Lowering {
        let Expr::Slice(slice) = one else {
            return self.expression(one, Field::Subscript, low);
        };
        self.open(
            Kind::Slice,
            Field::Subscript,
            start_of(slice),
            end_of(slice),
        );
        let mut low = low;
        for part in [&slice.lower, &slice.upper, &slice.step]
            .into_iter()
            .flatten()
        {
            self.expression(part, Field::Other, low)?;
            low = end_of(&**part);
        }
        self.close();
        Ok(())
    }
}
