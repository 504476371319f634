//! Imports.

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{Alias, StmtImportFrom};

use super::{Lowering, Reader, Unsupported, end_of, start_of};
use crate::python::kind::{Field, Kind};

impl Reader<'_> {
    pub(super) fn alias(&mut self, one: &Alias) -> Lowering {
        let (start, end) = (start_of(one), end_of(one));
        if self.byte(start) == b'*' {
            self.leaf(Kind::WildcardImport, Field::Other, start, end);
            return Ok(());
        }
        let Some(alias) = &one.asname else {
            return self.dotted(Field::Name, start, end);
        };
        self.open(Kind::AliasedImport, Field::Name, start, end);
        self.dotted(Field::Name, start, end_of(&one.name))?;
        self.identifier(Field::Alias, alias);
        self.close();
        Ok(())
    }

    pub(super) fn import_from(&mut self, one: &StmtImportFrom) -> Lowering {
        let (start, end) = (start_of(one), end_of(one));
        let from = self.token(self.token_from(start)).ok_or(Unsupported)?;
        let is_future = one.level == 0
            && one
                .module
                .as_ref()
                .is_some_and(|name| name.as_str() == "__future__");
        if is_future {
            self.open(Kind::ImportFuture, Field::Other, start, end);
        } else {
            self.open(Kind::ImportFrom, Field::Other, start, end);
            let mut at = self.token_from(from.end);
            let first = self.token(at).ok_or(Unsupported)?;
            let mut dots_end = first.start;
            while let Some(token) = self.token(at)
                && matches!(token.kind, TokenKind::Dot | TokenKind::Ellipsis)
            {
                dots_end = token.end;
                at += 1;
            }
            let module = one
                .module
                .as_ref()
                .map(|name| (start_of(name), end_of(name)));
            if one.level > 0 {
                let whole = module.map_or(dots_end, |(_, end)| end);
                self.open(Kind::RelativeImport, Field::ModuleName, first.start, whole);
                self.leaf(Kind::Other, Field::Other, first.start, dots_end);
                if let Some((start, end)) = module {
                    self.dotted(Field::Other, start, end)?;
                }
                self.close();
            } else {
                let (start, end) = module.ok_or(Unsupported)?;
                self.dotted(Field::ModuleName, start, end)?;
            }
        }
        for name in &one.names {
            self.alias(name)?;
        }
        Ok(())
    }
}
