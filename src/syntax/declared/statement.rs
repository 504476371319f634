//! What one statement declares.

use super::model::{DeclarationKind, Function};
use super::types;
use super::walk::Walk;
use crate::{Token, TokenKind};

/// Words behind a function's parameters that take arguments themselves.
const BEHIND: [&[u8]; 9] = [
    b"__attribute__",
    b"__attribute",
    b"noexcept",
    b"throw",
    b"requires",
    b"asm",
    b"__asm__",
    b"__asm",
    b"__declspec",
];

impl<'a> Walk<'a> {
    /// Note what the statement declares, and begin another.
    pub(super) fn end_statement(&mut self) {
        let statement = std::mem::take(&mut self.statement);
        self.read(&statement);
        // Its memory serves the next one.
        self.statement = statement;
        self.statement.clear();
    }

    fn word(&self, token: Option<&Token>) -> &'a [u8] {
        token.map_or(b"", |token| token.text(self.source))
    }

    fn read(&mut self, statement: &[Token]) {
        let (is_template, statement) = self.without_template(statement);
        match self.word(statement.first()) {
            b"" | b"friend" | b"static_assert" | b"public" | b"private" | b"protected" => {}
            b"using" => self.using(statement),
            b"typedef" => self.typedef(statement.get(1..).unwrap_or_default()),
            _ if self.function(statement, is_template) => {}
            _ => self.variable(statement),
        }
    }

    /// The statement behind `template <…>`.
    fn without_template<'s>(&self, statement: &'s [Token]) -> (bool, &'s [Token]) {
        let (mut rest, mut is_template) = (statement, false);
        while self.word(rest.first()) == b"template" && self.word(rest.get(1)) == b"<" {
            is_template = true;
            let behind = types::behind_angles(self.source, rest, 1);
            rest = rest.get(behind..).unwrap_or_default();
        }
        (is_template, rest)
    }

    fn using(&mut self, statement: &[Token]) {
        let names = |token: &&Token| token.kind == TokenKind::Identifier;
        if self.word(statement.get(1)) == b"namespace" {
            return;
        }
        if self.word(statement.get(2)) == b"="
            && let Some(name) = statement.get(1).copied()
        {
            let behind = statement.get(3..).unwrap_or_default();
            let alias = types::read(self.source, behind, false);
            self.declare(name, DeclarationKind::Alias(alias));
        } else if let Some(name) = statement.iter().rev().find(names).copied() {
            self.declare(name, DeclarationKind::Other);
        }
    }

    fn typedef(&mut self, statement: &[Token]) {
        // `typedef struct S_st *S;` declares `S_st`, too.
        let tag = statement.windows(3).find(|words| {
            matches!(
                self.word(words.first()),
                b"struct" | b"class" | b"union" | b"enum"
            )
        });
        if let Some([_, name, _]) = tag
            && name.kind == TokenKind::Identifier
        {
            self.declare(*name, DeclarationKind::Type { defined: false });
        }
        if let Some((name, _)) = self.pointer_to_function(statement) {
            let alias = types::Type {
                base: types::Base::Function,
                depth: 1,
            };
            return self.declare(name, DeclarationKind::Alias(alias));
        }
        let parts = self.split(statement);
        let mut base = None;
        for part in parts {
            // An array's bounds stand behind the name.
            let bound = part.iter().position(|token| token.is(self.source, "["));
            let (front, _) = part.split_at(bound.unwrap_or(part.len()));
            let Some((name, before)) = self.without_attribute(front).split_last() else {
                continue;
            };
            if name.kind != TokenKind::Identifier {
                continue;
            }
            if let [brace] = before
                && brace.is(self.source, "}")
            {
                self.declare(*name, DeclarationKind::Type { defined: true });
                base = Some(types::Base::Named(types::text(name.text(self.source))));
                continue;
            }
            let mut alias = types::read(self.source, before, false);
            match &base {
                // `typedef struct A_st A, *B;`
                Some(first) => alias.base = Clone::clone(first),
                None => base = Some(alias.base.clone()),
            }
            alias.depth = alias.depth.saturating_add(u8::from(bound.is_some()));
            self.declare(*name, DeclarationKind::Alias(alias));
        }
    }

    /// A declarator without the macro that stands for an attribute behind its name: `} name DEPRECATED`, `*name DEPRECATED`.
    fn without_attribute<'t>(&self, declarator: &'t [Token]) -> &'t [Token] {
        match declarator {
            [front @ .., before, name, macro_]
                if name.kind == TokenKind::Identifier
                    && macro_.kind == TokenKind::Identifier
                    && (before.is(self.source, "}") || before.is(self.source, "*")) =>
            {
                declarator.get(..front.len() + 2).unwrap_or(declarator)
            }
            _ => declarator,
        }
    }

    /// The name and parameters of `T (*name)(…)`, `T (CALL *name)(…)`.
    fn pointer_to_function(&self, statement: &[Token]) -> Option<(Token, usize)> {
        let open = statement
            .iter()
            .position(|token| token.is(self.source, "("))?;
        let close = types::behind_closing(self.source, statement, open);
        let inside = statement.get(open + 1..close.checked_sub(1)?)?;
        let star = inside
            .iter()
            .rposition(|token| token.is(self.source, "*"))?;
        let name = inside.get(star + 1)?;
        let is_call = self.word(statement.get(close)) == b"(";
        (is_call && name.kind == TokenKind::Identifier && star < 2).then_some((*name, close))
    }

    /// Whether the statement declares a function, which is noted then.
    fn function(&mut self, statement: &[Token], is_template: bool) -> bool {
        if let Some((name, _)) = self.pointer_to_function(statement) {
            self.declare(name, DeclarationKind::Other);
            return true;
        }
        let Some((name, open)) = self.called(statement) else {
            return self.macro_call(statement);
        };
        let what = if self.in_class() {
            DeclarationKind::Member
        } else {
            let close = types::behind_closing(self.source, statement, open);
            let inside = statement.get(open + 1..close.saturating_sub(1));
            let mut function = self.parameters(inside.unwrap_or_default());
            function.is_template = is_template;
            DeclarationKind::Function(function)
        };
        self.declare(name, what);
        true
    }

    /// The function's name and the place of its parenthesis: the last word with arguments that has a type before it.
    fn called(&self, statement: &[Token]) -> Option<(Token, usize)> {
        let mut found = None;
        let (mut at, mut typed) = (0, false);
        while let Some(token) = statement.get(at) {
            match (token.kind, token.text(self.source)) {
                (TokenKind::Punct, b"=") => break,
                (TokenKind::Identifier, b"operator") => return None,
                (TokenKind::Punct, b"(") => {
                    let name = at.checked_sub(1).and_then(|before| statement.get(before));
                    let name = name.filter(|name| name.kind == TokenKind::Identifier);
                    let word = self.word(name);
                    if let Some(name) = name.filter(|_| typed && !BEHIND.contains(&word)) {
                        found = Some((*name, at));
                    }
                    at = types::behind_closing(self.source, statement, at);
                    continue;
                }
                (TokenKind::Punct, b"<") => {
                    at = types::behind_angles(self.source, statement, at);
                    continue;
                }
                (TokenKind::Identifier, word) if !types::is_beside(word) => {
                    // The word before the name is a type, or a macro in its place.
                    typed |= self.word(statement.get(at + 1)) != b"(";
                }
                _ => {}
            }
            at += 1;
        }
        found
    }

    /// Whether the statement is a macro with arguments; what it is given is noted.
    fn macro_call(&mut self, statement: &[Token]) -> bool {
        let is_macro = self.word(statement.get(1)) == b"("
            && statement
                .first()
                .is_some_and(|token| token.kind == TokenKind::Identifier);
        if is_macro && !self.in_class() {
            for token in statement.iter().skip(2) {
                if token.kind == TokenKind::Identifier {
                    let word = types::text(token.text(self.source));
                    self.found.handed.push((word, token.range().start as u32));
                }
            }
        }
        is_macro
    }

    fn parameters(&self, inside: &[Token]) -> Function {
        let mut function = Function {
            parameters: Vec::new(),
            is_variadic: false,
            is_template: false,
        };
        for part in self.split(inside) {
            if self.word(part.first()) == b"..." {
                function.is_variadic = true;
                continue;
            }
            let one = types::read(self.source, part, true);
            let is_void = one.depth == 0 && one.base == types::Base::Builtin("void".into());
            if !is_void {
                function.parameters.push(one);
            }
        }
        function
    }

    /// The parts between the commas, none for no tokens.
    fn split<'s>(&self, tokens: &'s [Token]) -> Vec<&'s [Token]> {
        let mut parts = Vec::new();
        let (mut at, mut start) = (0, 0);
        while let Some(token) = tokens.get(at) {
            match token.text(self.source) {
                b"(" | b"[" | b"{" => at = types::behind_closing(self.source, tokens, at),
                b"<" => at = types::behind_angles(self.source, tokens, at),
                b"," if token.kind == TokenKind::Punct => {
                    parts.extend(tokens.get(start..at));
                    at += 1;
                    start = at;
                }
                _ => at += 1,
            }
        }
        parts.extend(tokens.get(start..).filter(|rest| !rest.is_empty()));
        parts
    }

    fn variable(&mut self, statement: &[Token]) {
        let end = statement
            .iter()
            .position(|token| matches!(token.text(self.source), b"=" | b"[" | b"(" | b":"));
        let front = statement.get(..end.unwrap_or(statement.len()));
        let front = front.unwrap_or_default();
        let Some(name) = front
            .last()
            .filter(|name| name.kind == TokenKind::Identifier)
        else {
            return;
        };
        let key = |token: &Token| {
            matches!(
                token.text(self.source),
                b"struct" | b"class" | b"union" | b"enum"
            )
        };
        let what = match front {
            [.., before, _] if key(before) => DeclarationKind::Type { defined: false },
            [_, ..] if front.len() > 1 && self.in_class() => DeclarationKind::Member,
            [_, ..] if front.len() > 1 => DeclarationKind::Other,
            _ => return,
        };
        self.declare(*name, what);
    }
}
