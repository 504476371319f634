//! Expressions.

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{
    DictItem, Expr, ExprAwait, ExprGenerator, ExprList, ExprListComp, ExprSet, ExprSetComp,
    ExprTuple, ExprYieldFrom, Number, Parameters, UnaryOp,
};

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
    pub(super) fn each(&mut self, all: &[Expr], low: usize) -> Lowering {
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

    /// Add an expression without the parentheses around it.
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
            _ => {}
        }
        let kind = kind_of(one)?;
        self.open(kind, field, start, end);
        self.parts(one, start)?;
        self.close();
        Ok(())
    }

    /// Add the parts of an expression.
    fn parts(&mut self, one: &Expr, start: usize) -> Lowering {
        match one {
            Expr::Attribute(one) => {
                self.expression(&one.value, Field::Object, start)?;
                self.identifier(Field::Attribute, &one.attr);
            }
            Expr::Call(one) => {
                self.expression(&one.func, Field::Function, start)?;
                self.arguments(Field::Arguments, &one.arguments)?;
            }
            Expr::Subscript(one) => {
                self.expression(&one.value, Field::Value, start)?;
                let behind = self.outer_end(start, &*one.value);
                let low = self.find(behind, TokenKind::Lsqb)?.end;
                self.subscripts(&one.slice, low)?;
            }
            Expr::BinOp(one) => {
                self.expression(&one.left, Field::Left, start)?;
                let low = self.operator(self.outer_end(start, &*one.left))?;
                self.expression(&one.right, Field::Right, low)?;
            }
            Expr::UnaryOp(one) if one.op == UnaryOp::Not => {
                self.expression(&one.operand, Field::Argument, start)?;
            }
            Expr::UnaryOp(one) => {
                let low = self.operator(start)?;
                self.expression(&one.operand, Field::Argument, low)?;
            }
            Expr::Compare(one) => {
                self.expression(&one.left, Field::Other, start)?;
                self.comparisons(&one.comparators, self.outer_end(start, &*one.left))?;
            }
            Expr::Named(one) => {
                self.expression(&one.target, Field::Name, start)?;
                self.expression(&one.value, Field::Value, end_of(&*one.target))?;
            }
            Expr::Lambda(one) => {
                let low = match &one.parameters {
                    Some(parameters) => self.lambda_parameters(parameters)?,
                    None => start,
                };
                self.expression(&one.body, Field::Body, low)?;
            }
            Expr::If(one) => {
                self.expression(&one.body, Field::Other, start)?;
                self.expression(&one.test, Field::Other, end_of(&*one.body))?;
                self.expression(&one.orelse, Field::Other, end_of(&*one.test))?;
            }
            Expr::Yield(one) => {
                if let Some(value) = &one.value {
                    self.expressions(value, Field::Other, start)?;
                }
            }
            Expr::Await(ExprAwait { value, .. }) | Expr::YieldFrom(ExprYieldFrom { value, .. }) => {
                self.expression(value, Field::Other, start)?;
            }
            Expr::Starred(one) => self.expression(&one.value, Field::Other, start + 1)?,
            _ => self.contents(one, start + 1)?,
        }
        Ok(())
    }

    /// Add what stands in the brackets of a collection or a comprehension.
    fn contents(&mut self, one: &Expr, low: usize) -> Lowering {
        match one {
            Expr::Dict(one) => self.items(&one.items, low),
            Expr::Set(ExprSet { elts, .. })
            | Expr::List(ExprList { elts, .. })
            | Expr::Tuple(ExprTuple { elts, .. }) => self.each(elts, low),
            Expr::ListComp(ExprListComp {
                elt, generators, ..
            })
            | Expr::SetComp(ExprSetComp {
                elt, generators, ..
            })
            | Expr::Generator(ExprGenerator {
                elt, generators, ..
            }) => {
                self.expression(elt, Field::Body, low)?;
                self.generators(generators, end_of(&**elt))
            }
            Expr::DictComp(one) => {
                let key = one.key.as_ref().ok_or(Unsupported)?;
                self.pair(key, &one.value, Field::Body, low)?;
                self.generators(&one.generators, end_of(&*one.value))
            }
            _ => Err(Unsupported),
        }
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

/// The kind of an expression with parts.
fn kind_of(one: &Expr) -> Lowering<Kind> {
    Ok(match one {
        Expr::Attribute(_) => Kind::Attribute,
        Expr::Call(_) => Kind::Call,
        Expr::Subscript(_) => Kind::Subscript,
        Expr::BinOp(_) => Kind::Binary,
        Expr::UnaryOp(one) if one.op == UnaryOp::Not => Kind::Not,
        Expr::UnaryOp(_) => Kind::Unary,
        Expr::Compare(_) => Kind::Comparison,
        Expr::Named(_) => Kind::Named,
        Expr::Lambda(_) => Kind::Lambda,
        Expr::If(_) => Kind::Conditional,
        Expr::Dict(_) => Kind::Dictionary,
        Expr::Set(_) => Kind::Set,
        Expr::List(_) => Kind::List,
        Expr::Tuple(one) if one.parenthesized => Kind::Tuple,
        Expr::Starred(_) => Kind::ListSplat,
        Expr::ListComp(_) => Kind::ListComprehension,
        Expr::SetComp(_) => Kind::SetComprehension,
        Expr::DictComp(_) => Kind::DictionaryComprehension,
        Expr::Generator(one) if one.parenthesized => Kind::Generator,
        Expr::Await(_) => Kind::Await,
        Expr::Yield(_) | Expr::YieldFrom(_) => Kind::Yield,
        _ => return Err(Unsupported),
    })
}
