//! The contents of the brackets of calls, definitions and comprehensions.

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{ArgOrKeyword, Arguments, Comprehension, Expr, Parameter, Parameters};

use super::{Lowering, Reader, Unsupported, end_of, start_of};
use crate::python::kind::{Field, Kind};

impl Reader<'_> {
    pub(super) fn arguments(&mut self, field: Field, list: &Arguments) -> Lowering {
        let (start, end) = (start_of(list), end_of(list));
        if let ([Expr::Generator(one)], true) = (&*list.args, list.keywords.is_empty())
            && !one.parenthesized
        {
            self.open(Kind::Generator, field, start, end);
            self.expression(&one.elt, Field::Body, start + 1)?;
            self.generators(&one.generators, end_of(&*one.elt))?;
            self.close();
            return Ok(());
        }
        self.open(Kind::ArgumentList, field, start, end);
        let mut low = start + 1;
        for one in list.iter_source_order() {
            match one {
                ArgOrKeyword::Arg(value) => {
                    self.expression(value, Field::Other, low)?;
                    low = end_of(value);
                }
                ArgOrKeyword::Keyword(one) => {
                    let end;
                    if let Some(name) = &one.arg {
                        let from = end_of(name);
                        end = self.outer_end(from, &one.value);
                        self.open(Kind::KeywordArgument, Field::Other, start_of(one), end);
                        self.identifier(Field::Name, name);
                        self.expression(&one.value, Field::Value, from)?;
                    } else {
                        let from = start_of(one) + 2;
                        end = self.outer_end(from, &one.value);
                        self.open(Kind::DictionarySplat, Field::Other, start_of(one), end);
                        self.expression(&one.value, Field::Other, from)?;
                    }
                    self.close();
                    low = end;
                }
            }
        }
        self.close();
        Ok(())
    }

    pub(super) fn generators(&mut self, all: &[Comprehension], low: usize) -> Lowering {
        let mut low = low;
        for one in all {
            let start = start_of(one);
            let word = self.find(start, TokenKind::For)?;
            let target_end = self.outer_end(word.end, &one.target);
            let within = self.find(target_end, TokenKind::In)?;
            let end = self.outer_end(within.end, &one.iter);
            self.open(Kind::ForIn, Field::Other, start, end);
            self.target(&one.target, Field::Left, word.end)?;
            if matches!(&one.iter, Expr::Tuple(tuple) if !tuple.parenthesized) {
                return Err(Unsupported);
            }
            self.expression(&one.iter, Field::Right, within.end)?;
            self.close();
            low = low.max(end);
            for test in &one.ifs {
                let word = self.find(low, TokenKind::If)?;
                let end = self.outer_end(word.end, test);
                self.open(Kind::IfClause, Field::Other, word.start, end);
                self.expression(test, Field::Other, word.end)?;
                self.close();
                low = end;
            }
        }
        Ok(())
    }

    pub(super) fn parameters(&mut self, all: &Parameters) -> Lowering {
        let mut low = start_of(all);
        for one in &all.posonlyargs {
            low = self.parameter(&one.parameter, one.default.as_deref())?;
        }
        if !all.posonlyargs.is_empty() {
            let slash = self.find(low, TokenKind::Slash)?;
            self.leaf(Kind::Other, Field::Other, slash.start, slash.end);
            low = slash.end;
        }
        for one in &all.args {
            low = self.parameter(&one.parameter, one.default.as_deref())?;
        }
        if let Some(one) = &all.vararg {
            self.splat(one, Kind::ListSplatPattern)?;
        } else if !all.kwonlyargs.is_empty() {
            let star = self.find(low, TokenKind::Star)?;
            self.leaf(Kind::Other, Field::Other, star.start, star.end);
        }
        for one in &all.kwonlyargs {
            self.parameter(&one.parameter, one.default.as_deref())?;
        }
        if let Some(one) = &all.kwarg {
            self.splat(one, Kind::DictionarySplatPattern)?;
        }
        Ok(())
    }

    /// Add a parameter. Returns where it ends.
    fn parameter(&mut self, one: &Parameter, default: Option<&Expr>) -> Lowering<usize> {
        let start = start_of(one);
        let name_end = end_of(&one.name);
        let typed_end = match &one.annotation {
            Some(annotation) => self.outer_end(name_end, &**annotation),
            None => name_end,
        };
        let end = default.map_or(typed_end, |value| self.outer_end(typed_end, value));
        match (&one.annotation, default) {
            (None, None) => {
                self.identifier(Field::Other, &one.name);
                return Ok(end);
            }
            (None, Some(value)) => {
                self.open(Kind::DefaultParameter, Field::Other, start, end);
                self.identifier(Field::Name, &one.name);
                self.expression(value, Field::Value, typed_end)?;
            }
            (Some(annotation), None) => {
                self.open(Kind::TypedParameter, Field::Other, start, end);
                self.identifier(Field::Other, &one.name);
                self.annotation(annotation, Field::Type, name_end)?;
            }
            (Some(annotation), Some(value)) => {
                self.open(Kind::TypedDefaultParameter, Field::Other, start, end);
                self.identifier(Field::Name, &one.name);
                self.annotation(annotation, Field::Type, name_end)?;
                self.expression(value, Field::Value, typed_end)?;
            }
        }
        self.close();
        Ok(end)
    }

    /// Add `*args` or `**kwargs`.
    fn splat(&mut self, one: &Parameter, kind: Kind) -> Lowering {
        let (start, name_end) = (start_of(one), end_of(&one.name));
        if let Some(annotation) = &one.annotation {
            let end = self.outer_end(name_end, &**annotation);
            self.open(Kind::TypedParameter, Field::Other, start, end);
        }
        self.open(kind, Field::Other, start, name_end);
        self.identifier(Field::Other, &one.name);
        self.close();
        if let Some(annotation) = &one.annotation {
            self.annotation(annotation, Field::Type, name_end)?;
            self.close();
        }
        Ok(())
    }
}
