//! Expressions.

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{DictItem, Expr, Number, Parameters};

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
        if let Some(kind) = self.leaf_kind(one) {
            self.leaf(kind, field, start, end);
            return Ok(());
        }
        match one {
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
                let low = self.operator(self.outer_end(start, &*one.left))?;
                self.expression(&one.right, Field::Right, low)?;
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
                self.comparisons(&one.comparators, self.outer_end(start, &*one.left))?;
            }
            Expr::Named(one) => {
                self.open(Kind::Named, field, start, end);
                self.expression(&one.target, Field::Name, start)?;
                self.expression(&one.value, Field::Value, end_of(&*one.target))?;
            }
            Expr::Lambda(one) => {
                self.open(Kind::Lambda, field, start, end);
                let low = match &one.parameters {
                    Some(parameters) => self.lambda_parameters(parameters)?,
                    None => start,
                };
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
                self.items(&one.items, start + 1)?;
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

    /// The kind of an expression without parts.
    fn leaf_kind(&self, one: &Expr) -> Option<Kind> {
        Some(match one {
            Expr::Name(_) => Kind::Identifier,
            Expr::NumberLiteral(one) => {
                let text = self.text.get(start_of(one)..end_of(one));
                // The grammar takes `2j` for an integer, and `2.0j` for a float.
                let is_float = match one.value {
                    Number::Int(_) => false,
                    Number::Float(_) => true,
                    Number::Complex { .. } => {
                        let mut text = text.unwrap_or_default().iter();
                        text.any(|byte| matches!(byte, b'.' | b'e' | b'E'))
                    }
                };
                if is_float { Kind::Float } else { Kind::Integer }
            }
            Expr::BooleanLiteral(one) if one.value => Kind::True,
            Expr::BooleanLiteral(_) => Kind::False,
            Expr::NoneLiteral(_) => Kind::None,
            Expr::EllipsisLiteral(_) => Kind::Other,
            _ => return None,
        })
    }

    /// Add the parameters of a `lambda`. Returns their end.
    fn lambda_parameters(&mut self, parameters: &Parameters) -> Lowering<usize> {
        let end = end_of(parameters);
        self.open(
            Kind::LambdaParameters,
            Field::Parameters,
            start_of(parameters),
            end,
        );
        self.parameters(parameters)?;
        self.close();
        Ok(end)
    }

    /// Add the pairs of a dictionary, and the dictionaries that it unpacks.
    fn items(&mut self, items: &[DictItem], low: usize) -> Lowering {
        let mut low = low;
        for item in items {
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
