//! What macros in a template and in the constraints of operands stand for, by the definitions in the same file.
//!
//! A macro is expanded as the preprocessor does it: its parameters are replaced, then what comes out is looked at for
//! macros again. What is left has to be string literals.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

use super::source_file::SourceFile;
use torchada_syntax::ptx::string_literal;
use torchada_syntax::{DirectiveKind, TokenKind, arguments};

/// A word of a macro's body or argument.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Word {
    kind: TokenKind,
    /// The word as it is written; of a string, its text.
    text: String,
    /// Whether white space stands before it.
    is_apart: bool,
}

/// A definition of a macro.
struct Definition {
    /// `None` where it takes no list of arguments.
    parameters: Option<Vec<String>>,
    body: Range<usize>,
}

/// The macros of a file, as one statement uses them.
pub(crate) struct Macros<'a> {
    file: &'a SourceFile<'a>,
    /// How many more words may be looked at.
    left: Cell<usize>,
}

impl<'a> Macros<'a> {
    pub(crate) fn new(file: &'a SourceFile<'a>) -> Self {
        Self {
            file,
            left: Cell::new(file.limits.words),
        }
    }

    /// Whether the token `at` is a parameter of the macro in whose definition it stands.
    pub(crate) fn is_parameter(&self, at: usize) -> bool {
        let Some(token) = self.file.tokens.get(at).filter(|token| token.in_directive) else {
            return false;
        };
        let start = token.range().start;
        let all = &self.file.tokens.directives;
        let behind = all.partition_point(|one| one.range.start <= start);
        let around = behind.checked_sub(1).and_then(|last| all.get(last));
        around
            .filter(|one| one.kind == DirectiveKind::Define)
            .and_then(|one| self.definition(one.tokens.clone()))
            .and_then(|one| one.parameters)
            .is_some_and(|names| names.iter().any(|name| name.as_bytes() == self.text(at)))
    }

    fn text(&self, at: usize) -> &'a [u8] {
        self.file.word(at)
    }

    /// The texts that the macro at the token `at` can stand for, one for each definition that differs; `None` in
    /// place of one that is more than text.
    pub(crate) fn texts(&self, at: usize) -> Vec<Option<String>> {
        let mut found: Vec<Option<String>> = Vec::new();
        let used = arguments(self.file.source, self.file.tokens, at + 1).unwrap_or_default();
        // The statement stands in the definition of another macro, and only a use of that macro gives its parameters a value.
        if used
            .iter()
            .cloned()
            .flatten()
            .any(|at| self.is_parameter(at))
        {
            return vec![None];
        }
        for definition in self.definitions(self.text(at)) {
            let arguments: Option<Vec<Vec<Word>>> =
                used.iter().map(|range| self.words(range.clone())).collect();
            let text = arguments.and_then(|arguments| {
                let name = String::from_utf8_lossy(self.text(at)).into_owned();
                let words = self.substituted(&definition, &arguments, &[name])?;
                let is_text = words.iter().all(|word| word.kind == TokenKind::String);
                is_text.then(|| words.into_iter().map(|word| word.text).collect())
            });
            if !found.contains(&text) {
                found.push(text);
            }
        }
        found
    }

    /// The strings that a macro without arguments is defined as.
    pub(crate) fn strings(&self, name: &str) -> Vec<String> {
        let mut found = Vec::new();
        for definition in self.definitions(name.as_bytes()) {
            let text = self
                .words(definition.body)
                .and_then(|words| match words.as_slice() {
                    [only] if only.kind == TokenKind::String => Some(only.text.clone()),
                    _ => None,
                });
            found.extend(text.filter(|text| !found.contains(text)));
        }
        found
    }

    fn definitions(&self, name: &[u8]) -> Vec<Definition> {
        let defined = self.file.definitions(name);
        defined
            .filter_map(|one| self.definition(one.tokens.clone()))
            .collect()
    }

    fn definition(&self, tokens: Range<usize>) -> Option<Definition> {
        let name = self.file.tokens.get(tokens.start)?.range();
        let mut body = tokens.start + 1..tokens.end;
        let opens = self
            .file
            .tokens
            .get(body.start)
            .filter(|_| !body.is_empty());
        let takes_arguments = opens.is_some_and(|token| {
            token.is(self.file.source, "(") && token.range().start == name.end
        });
        let mut parameters = None;
        if takes_arguments {
            let close = body.clone().find(|&at| self.text(at) == b")")?;
            let names = (body.start + 1..close).filter_map(|at| self.file.tokens.get(at));
            let names = names.filter(|token| token.kind == TokenKind::Identifier);
            let names = names.map(|token| String::from_utf8_lossy(token.text(self.file.source)));
            parameters = Some(names.map(Cow::into_owned).collect());
            body.start = close + 1;
        }
        Some(Definition { parameters, body })
    }

    /// Count one more word; `None` where there were too many.
    fn look(&self) -> Option<()> {
        self.left.set(self.left.get().checked_sub(1)?);
        Some(())
    }

    fn words(&self, range: Range<usize>) -> Option<Vec<Word>> {
        let first = range.start;
        range.map(|at| self.word(at, at > first)).collect()
    }

    fn word(&self, at: usize, has_one_before: bool) -> Option<Word> {
        self.look()?;
        let token = self.file.tokens.get(at)?;
        let place = token.range();
        let before = at.checked_sub(1).and_then(|at| self.file.tokens.get(at));
        let is_apart =
            has_one_before && before.is_some_and(|before| before.range().end < place.start);
        let text = match token.kind {
            TokenKind::String | TokenKind::RawString => string_literal(self.file.source, place)?.0,
            _ => std::str::from_utf8(token.text(self.file.source))
                .ok()?
                .to_owned(),
        };
        let kind = match token.kind {
            TokenKind::RawString => TokenKind::String,
            kind => kind,
        };
        Some(Word {
            kind,
            text,
            is_apart,
        })
    }

    /// The body of a definition with arguments in the place of its parameters, and all macros in it expanded but those
    /// of `outer`, which is expanded already.
    fn substituted(
        &self,
        definition: &Definition,
        arguments: &[Vec<Word>],
        outer: &[String],
    ) -> Option<Vec<Word>> {
        if outer.len() > self.file.limits.macros {
            return None;
        }
        let parameters = definition.parameters.as_deref().unwrap_or_default();
        let argument = |name: &str| {
            let at = parameters.iter().position(|one| one == name)?;
            arguments.get(at)
        };
        let mut words = Vec::new();
        let body = self.words(definition.body.clone())?;
        let mut at = 0;
        while let Some(word) = body.get(at) {
            at += 1;
            match word.text.as_str() {
                "##" if word.kind == TokenKind::Punct => return None,
                "#" if word.kind == TokenKind::Punct && definition.parameters.is_some() => {
                    words.push(written(argument(&body.get(at)?.text)?)?);
                    at += 1;
                }
                name if word.kind == TokenKind::Identifier => match argument(name) {
                    Some(inside) => words.extend(self.expanded(inside, outer)?),
                    None => words.push(word.clone()),
                },
                _ => words.push(word.clone()),
            }
        }
        self.expanded(&words, outer)
    }

    /// Words with all macros among them expanded.
    fn expanded(&self, words: &[Word], outer: &[String]) -> Option<Vec<Word>> {
        let mut found: Vec<Word> = Vec::new();
        let mut at = 0;
        while let Some(word) = words.get(at) {
            self.look()?;
            at += 1;
            let is_macro = word.kind == TokenKind::Identifier && !outer.contains(&word.text);
            let definitions = if is_macro {
                self.definitions(word.text.as_bytes())
            } else {
                Vec::new()
            };
            let Some((definition, others)) = definitions.split_first() else {
                found.push(word.clone());
                continue;
            };
            let mut arguments = Vec::new();
            if definition.parameters.is_some() {
                let rest = words.get(at..)?;
                let Some((used, count)) = listed(rest) else {
                    found.push(word.clone());
                    continue;
                };
                arguments = used;
                at += count;
            }
            let inner = [outer, std::slice::from_ref(&word.text)].concat();
            let expansion = self.substituted(definition, &arguments, &inner)?;
            for other in others {
                if self.substituted(other, &arguments, &inner)? != expansion {
                    return None;
                }
            }
            found.extend(expansion);
        }
        Some(found)
    }
}

/// The arguments at the beginning of `words`, and how many words these are with their brackets.
fn listed(words: &[Word]) -> Option<(Vec<Vec<Word>>, usize)> {
    let mut depth = 0_usize;
    let mut found = vec![Vec::new()];
    for (at, word) in words.iter().enumerate() {
        let is_punct = word.kind == TokenKind::Punct;
        match word.text.as_str() {
            "(" if is_punct => {
                depth += 1;
                if depth == 1 {
                    continue;
                }
            }
            ")" if is_punct => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some((found, at + 1));
                }
            }
            "," if is_punct && depth == 1 => {
                found.push(Vec::new());
                continue;
            }
            _ if depth == 0 => return None,
            _ => {}
        }
        found.last_mut()?.push(word.clone());
    }
    None
}

/// What `#` makes of an argument. One with a string in it would need its quotes.
fn written(words: &[Word]) -> Option<Word> {
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
        if word.kind == TokenKind::String {
            return None;
        }
        if word.is_apart && at > 0 {
            text.push(' ');
        }
        text.push_str(&word.text);
    }
    Some(Word {
        kind: TokenKind::String,
        text,
        is_apart: true,
    })
}
