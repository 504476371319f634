//! Statements.

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{Expr, Identifier, Stmt, StmtAssign, StmtClassDef};

use super::{Lowering, Reader, Unsupported, end_of, start_of};
use crate::python::kind::{Field, Kind};

impl Reader<'_> {
    /// Add statements. Returns where the last one ends.
    pub(super) fn statements(&mut self, all: &[Stmt]) -> Lowering<usize> {
        let mut end = 0;
        for one in all {
            end = self.statement(one)?;
        }
        Ok(end)
    }

    /// Add a statement. Returns where it ends, which is behind the comments at the end of its
    /// last block.
    fn statement(&mut self, one: &Stmt) -> Lowering<usize> {
        if self.records.is_too_deep() {
            return Err(Unsupported);
        }
        let (start, end) = (start_of(one), end_of(one));
        let plain = |reader: &mut Self, kind| {
            reader.open(kind, Field::Other, start, end);
        };
        match one {
            Stmt::Expr(_) | Stmt::Assign(_) | Stmt::AnnAssign(_) | Stmt::AugAssign(_) => {
                return self.expression_statement(one);
            }
            Stmt::FunctionDef(def) => {
                return self.decorated(&def.decorator_list, start, |reader, field, start| {
                    reader.function(def, field, start)
                });
            }
            Stmt::ClassDef(def) => {
                return self.decorated(&def.decorator_list, start, |reader, field, start| {
                    reader.class(def, field, start)
                });
            }
            Stmt::If(_) | Stmt::For(_) | Stmt::While(_) => return self.branching(one),
            Stmt::Try(one) => return self.attempt(one),
            Stmt::With(one) => return self.with(one),
            Stmt::Return(one) => {
                plain(self, Kind::Return);
                if let Some(value) = &one.value {
                    self.expressions(value, Field::Other, start)?;
                }
            }
            Stmt::Delete(one) => {
                plain(self, Kind::Delete);
                self.deleted(&one.targets, start, end)?;
            }
            Stmt::Raise(one) => {
                plain(self, Kind::Raise);
                let mut low = start;
                if let Some(value) = &one.exc {
                    self.expressions(value, Field::Other, start)?;
                    low = end_of(&**value);
                }
                if let Some(cause) = &one.cause {
                    self.expression(cause, Field::Other, low)?;
                }
            }
            Stmt::Assert(one) => {
                plain(self, Kind::Assert);
                self.expression(&one.test, Field::Other, start)?;
                if let Some(message) = &one.msg {
                    self.expression(message, Field::Other, end_of(&*one.test))?;
                }
            }
            Stmt::Import(one) if !one.is_lazy => {
                plain(self, Kind::Import);
                for name in &one.names {
                    self.alias(name)?;
                }
            }
            Stmt::ImportFrom(one) if !one.is_lazy => self.import_from(one)?,
            Stmt::Global(one) => {
                plain(self, Kind::Global);
                self.identifiers(&one.names);
            }
            Stmt::Nonlocal(one) => {
                plain(self, Kind::Nonlocal);
                self.identifiers(&one.names);
            }
            Stmt::TypeAlias(one) if one.type_params.is_none() => {
                plain(self, Kind::TypeAlias);
                self.annotation(&one.name, Field::Left, start)?;
                self.annotation(&one.value, Field::Right, end_of(&*one.name))?;
            }
            Stmt::Pass(_) | Stmt::Break(_) | Stmt::Continue(_) => plain(self, Kind::Other),
            _ => return Err(Unsupported),
        }
        self.close();
        Ok(end)
    }

    /// Add a class behind its decorators. Returns where it ends.
    fn class(&mut self, def: &StmtClassDef, field: Field, start: usize) -> Lowering<usize> {
        if def.type_params.is_some() {
            return Err(Unsupported);
        }
        self.open(Kind::Class, field, start, end_of(def));
        self.identifier(Field::Name, &def.name);
        if let Some(arguments) = &def.arguments {
            self.arguments(Field::Superclasses, arguments)?;
        }
        let end = self.block(Field::Body, &def.body)?;
        self.records.close_at(end);
        Ok(end)
    }

    fn identifiers(&mut self, names: &[Identifier]) {
        for name in names {
            self.identifier(Field::Other, name);
        }
    }

    pub(super) fn identifier(&mut self, field: Field, name: &Identifier) {
        self.leaf(Kind::Identifier, field, start_of(name), end_of(name));
    }

    /// Add a statement that is an expression or gives names values. Returns where it ends.
    fn expression_statement(&mut self, one: &Stmt) -> Lowering<usize> {
        let (start, end) = (start_of(one), end_of(one));
        self.open(Kind::ExpressionStatement, Field::Other, start, end);
        match one {
            Stmt::Expr(one) => match &*one.value {
                // The statement of the grammar takes in a comma at its end, and parentheses.
                Expr::Tuple(tuple) if !tuple.parenthesized => self.each(&tuple.elts, start)?,
                Expr::Starred(_) => return Err(Unsupported),
                value => self.expression(value, Field::Other, start)?,
            },
            Stmt::Assign(one) => self.assignment(one)?,
            Stmt::AnnAssign(one) => {
                self.open(Kind::Assignment, Field::Other, start, end);
                self.target(&one.target, Field::Left, start)?;
                let low = end_of(&*one.target);
                self.annotation(&one.annotation, Field::Type, low)?;
                if let Some(value) = &one.value {
                    self.expressions(value, Field::Right, end_of(&*one.annotation))?;
                }
                self.close();
            }
            Stmt::AugAssign(one) => {
                self.open(Kind::Augmented, Field::Other, start, end);
                self.target(&one.target, Field::Left, start)?;
                let low = self.operator(end_of(&*one.target))?;
                self.expressions(&one.value, Field::Right, low)?;
                self.close();
            }
            _ => return Err(Unsupported),
        }
        self.close();
        Ok(end)
    }

    /// Add `a = b = value`: an assignment in the place of another one's value.
    fn assignment(&mut self, one: &StmtAssign) -> Lowering {
        let (start, end) = (start_of(one), end_of(one));
        let mut low = start;
        for target in &one.targets {
            let from = self.outer_start(low, target);
            let is_first = from == start;
            let field = if is_first { Field::Other } else { Field::Right };
            self.open(Kind::Assignment, field, from, end);
            self.target(target, Field::Left, low)?;
            let behind = self.outer_end(low, target);
            low = self.find(behind, TokenKind::Equal)?.end;
        }
        self.expressions(&one.value, Field::Right, low)?;
        for _ in &one.targets {
            self.close();
        }
        Ok(())
    }

    fn deleted(&mut self, targets: &[Expr], start: usize, end: usize) -> Lowering {
        let (Some(first), Some(last)) = (targets.first(), targets.last()) else {
            return Err(Unsupported);
        };
        let comma = self.token(self.token_from(self.outer_end(start, last)));
        let ends_in_comma =
            comma.is_some_and(|one| one.kind == TokenKind::Comma && one.start < end);
        let list = targets.len() > 1 || ends_in_comma;
        if list {
            let from = self.outer_start(start, first);
            self.open(Kind::ExpressionList, Field::Other, from, end);
        }
        self.each(targets, start)?;
        if list {
            self.close();
        }
        Ok(())
    }
}
