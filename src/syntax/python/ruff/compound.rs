//! Statements with suites.

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{
    Decorator, ElifElseClause, ExceptHandler, Expr, Stmt, StmtFunctionDef, StmtTry, StmtWith,
    WithItem,
};

use super::{Lowering, Reader, Unsupported, end_of, start_of};
use crate::python::kind::{Field, Kind};

impl Reader<'_> {
    pub(super) fn decorated(
        &mut self,
        decorators: &[Decorator],
        start: usize,
        definition: impl FnOnce(&mut Self, Field, usize) -> Lowering<usize>,
    ) -> Lowering<usize> {
        let Some(last) = decorators.last() else {
            return definition(self, Field::Other, start);
        };
        self.open(Kind::Decorated, Field::Other, start, start);
        for one in decorators {
            // The grammar takes in the comment behind it.
            let end = self.with_comment(end_of(one));
            self.open(Kind::Decorator, Field::Other, start_of(one), end);
            self.expression(&one.expression, Field::Other, start_of(one))?;
            self.close();
        }
        let first = self
            .token(self.token_from(end_of(last)))
            .ok_or(Unsupported)?;
        let end = definition(self, Field::Other, first.start)?;
        self.records.close_at(end);
        Ok(end)
    }

    pub(super) fn function(
        &mut self,
        def: &StmtFunctionDef,
        field: Field,
        start: usize,
    ) -> Lowering<usize> {
        if def.type_params.is_some() {
            return Err(Unsupported);
        }
        self.open(Kind::Function, field, start, end_of(def));
        self.identifier(Field::Name, &def.name);
        let parameters = &*def.parameters;
        self.open(
            Kind::Parameters,
            Field::Parameters,
            start_of(parameters),
            end_of(parameters),
        );
        self.parameters(parameters)?;
        self.close();
        if let Some(returns) = &def.returns {
            self.annotation(returns, Field::ReturnType, end_of(parameters))?;
        }
        let end = self.block(Field::Body, &def.body)?;
        self.records.close_at(end);
        Ok(end)
    }

    /// `if`, `for` and `while`.
    pub(super) fn branching(&mut self, one: &Stmt) -> Lowering<usize> {
        let (start, end) = (start_of(one), end_of(one));
        let end = match one {
            Stmt::If(one) => {
                self.open(Kind::If, Field::Other, start, end);
                self.expression(&one.test, Field::Condition, start)?;
                let mut end = self.block(Field::Consequence, &one.body)?;
                for clause in &one.elif_else_clauses {
                    end = self.clause(clause)?;
                }
                end
            }
            Stmt::While(one) => {
                self.open(Kind::While, Field::Other, start, end);
                self.expression(&one.test, Field::Condition, start)?;
                let end = self.block(Field::Body, &one.body)?;
                self.otherwise(&one.orelse, end, Field::Alternative)?
            }
            Stmt::For(one) => {
                self.open(Kind::For, Field::Other, start, end);
                self.target(&one.target, Field::Left, start)?;
                let low = self
                    .find(self.outer_end(start, &*one.target), TokenKind::In)?
                    .end;
                self.expressions(&one.iter, Field::Right, low)?;
                let end = self.block(Field::Body, &one.body)?;
                self.otherwise(&one.orelse, end, Field::Alternative)?
            }
            _ => return Err(Unsupported),
        };
        self.records.close_at(end);
        Ok(end)
    }

    fn clause(&mut self, one: &ElifElseClause) -> Lowering<usize> {
        let start = start_of(one);
        let body = if let Some(test) = &one.test {
            self.open(Kind::Elif, Field::Alternative, start, end_of(one));
            self.expression(test, Field::Condition, start)?;
            Field::Consequence
        } else {
            self.open(Kind::Else, Field::Alternative, start, end_of(one));
            Field::Body
        };
        let end = self.block(body, &one.body)?;
        self.records.close_at(end);
        Ok(end)
    }

    /// The `else` of a loop or of `try`, where there is one.
    fn otherwise(&mut self, body: &[Stmt], end: usize, field: Field) -> Lowering<usize> {
        if body.is_empty() {
            return Ok(end);
        }
        let word = self.find(end, TokenKind::Else)?;
        self.open(Kind::Else, field, word.start, word.end);
        let end = self.block(Field::Body, body)?;
        self.records.close_at(end);
        Ok(end)
    }

    pub(super) fn attempt(&mut self, one: &StmtTry) -> Lowering<usize> {
        if one.is_star {
            return Err(Unsupported);
        }
        self.open(Kind::Try, Field::Other, start_of(one), end_of(one));
        let mut end = self.block(Field::Body, &one.body)?;
        for handler in &one.handlers {
            let ExceptHandler::ExceptHandler(handler) = handler;
            let start = start_of(handler);
            self.open(Kind::Except, Field::Other, start, end_of(handler));
            if let Some(caught) = &handler.type_ {
                let from = self.outer_start(start, &**caught);
                match &handler.name {
                    Some(name) => {
                        self.open(Kind::AsPattern, Field::Value, from, end_of(name));
                        self.expression(caught, Field::Other, start)?;
                        self.open(
                            Kind::AsPatternTarget,
                            Field::Alias,
                            start_of(name),
                            end_of(name),
                        );
                        self.identifier(Field::Other, name);
                        self.close();
                        self.close();
                    }
                    // `except A, B:` without parentheses.
                    None if matches!(&**caught, Expr::Tuple(tuple) if !tuple.parenthesized) => {
                        return Err(Unsupported);
                    }
                    None => self.expression(caught, Field::Value, start)?,
                }
            }
            end = self.block(Field::Other, &handler.body)?;
            self.records.close_at(end);
        }
        end = self.otherwise(&one.orelse, end, Field::Other)?;
        if !one.finalbody.is_empty() {
            let word = self.find(end, TokenKind::Finally)?;
            self.open(Kind::Other, Field::Other, word.start, word.end);
            end = self.block(Field::Other, &one.finalbody)?;
            self.records.close_at(end);
        }
        self.records.close_at(end);
        Ok(end)
    }

    pub(super) fn with(&mut self, one: &StmtWith) -> Lowering<usize> {
        let (start, end) = (start_of(one), end_of(one));
        let word = self.find(start, TokenKind::With)?;
        let (Some(first), Some(last)) = (one.items.first(), one.items.last()) else {
            return Err(Unsupported);
        };
        self.open(Kind::With, Field::Other, start, end);
        let next = self.token(self.token_from(word.end)).ok_or(Unsupported)?;
        // The start of the first item decides whether the parentheses belong to it.
        let grouped = next.kind == TokenKind::Lpar && start_of(first) > next.start;
        let behind = self.token(self.token_from(end_of(last)));
        let ends_in_comma = behind.is_some_and(|token| token.kind == TokenKind::Comma);
        if grouped && one.items.len() > 1 {
            if one
                .items
                .iter()
                .any(|item| start_of(&item.context_expr) != start_of(item))
            {
                return Err(Unsupported);
            }
            let end = self.find(end_of(last), TokenKind::Rpar)?.end;
            self.open(Kind::Other, Field::Other, next.start, end);
            let mut low = next.end;
            for item in &one.items {
                self.item(item, low)?;
                low = end_of(item);
            }
            self.close();
        } else if grouped && (first.optional_vars.is_some() || ends_in_comma) {
            // The grammar takes the parentheses around a single item for those of an expression.
            let end = self.find(end_of(last), TokenKind::Rpar)?.end;
            let kind = if ends_in_comma {
                Kind::Tuple
            } else {
                Kind::Parenthesized
            };
            self.open(Kind::Other, Field::Other, next.start, end);
            self.open(Kind::WithItem, Field::Other, next.start, end);
            self.open(kind, Field::Value, next.start, end);
            self.value_of_item(first, Field::Other, next.end)?;
            for _ in 0..3 {
                self.close();
            }
        } else {
            let before_last = one.items.iter().rev().nth(1);
            let low = before_last.map_or(word.end, end_of);
            let from = self.outer_start(word.end, &first.context_expr);
            let end = self.item_places(last, low).2;
            self.open(Kind::Other, Field::Other, from, end);
            let mut low = word.end;
            for item in &one.items {
                self.item(item, low)?;
                low = end_of(item);
            }
            self.close();
        }
        let end = self.block(Field::Body, &one.body)?;
        self.records.close_at(end);
        Ok(end)
    }

    /// Where an item starts, its value ends and itself ends, with their parentheses.
    fn item_places(&self, item: &WithItem, low: usize) -> (usize, usize, usize) {
        let value = &item.context_expr;
        let value_end = self.outer_end(low, value);
        let target = item.optional_vars.as_deref();
        let end = target.map_or(value_end, |target| self.outer_end(value_end, target));
        (self.outer_start(low, value), value_end, end)
    }

    fn item(&mut self, item: &WithItem, low: usize) -> Lowering {
        let (start, _, end) = self.item_places(item, low);
        self.open(Kind::WithItem, Field::Other, start, end);
        self.value_of_item(item, Field::Value, low)?;
        self.close();
        Ok(())
    }

    /// Add the value of an item, with the name that it gets: `value as name`.
    fn value_of_item(&mut self, item: &WithItem, field: Field, low: usize) -> Lowering {
        let (start, value_end, end) = self.item_places(item, low);
        match &item.optional_vars {
            None => self.expression(&item.context_expr, field, low)?,
            // The grammar takes `b as c` in `a if x else b as c` for the last operand.
            Some(_) if item.context_expr.is_if_expr() => return Err(Unsupported),
            Some(target) => {
                let to = self.outer_start(value_end, &**target);
                self.open(Kind::AsPattern, field, start, end);
                self.expression(&item.context_expr, Field::Other, low)?;
                self.open(Kind::AsPatternTarget, Field::Alias, to, end);
                self.expression(target, Field::Other, value_end)?;
                self.close();
                self.close();
            }
        }
        Ok(())
    }
}
