//! Names of a file through which other files reach code that MUSA does not support.

use crate::{Context, Parsed};
use torchada_diagnostic::Severity;
use torchada_hazards::Hit;
use torchada_mapping::Section;
use torchada_syntax::{Directive, DirectiveKind, Macro, ScopeKind, TokenKind, Truth, evaluate};
use torchada_text::TextRange;

use super::UnsupportedSymbol;
use super::decider::blocks;
use super::decision::Guards;
use super::fallback::WorkDetector;

/// Words that stand before a bracket as a function's name does.
const STATEMENTS: [&[u8]; 6] = [b"catch", b"constexpr", b"for", b"if", b"switch", b"while"];

/// Whether a hit is inline assembly.
fn is_assembly(context: Context<'_>, hit: &Hit) -> bool {
    let row = context.hazards.rows().get(hit.row);
    row.is_some_and(|row| {
        let mut kinds = row.find.iter();
        kinds.any(|find| find.starts_with("asm:") || find == "shape:inline-asm")
    })
}

/// The functions, methods and macros of a file that hold what MUSA lacks, or whose work its guards
/// leave undone, and the macros that open such branches.
pub(super) fn unsupported(
    source: &[u8],
    parsed: &Parsed,
    context: Context<'_>,
    hits: &[Hit],
    guards: &Guards,
) -> Vec<UnsupportedSymbol> {
    let mut spread = UnsupportedSymbolCollector {
        source,
        parsed,
        found: Vec::new(),
    };
    let blocking: Vec<&Hit> = hits.iter().filter(|hit| blocks(context, hit)).collect();
    let open: Vec<&Hit> = blocking
        .iter()
        .copied()
        .filter(|hit| !guards.is_disabled(hit.range.start))
        .collect();
    for hit in &open {
        spread.from(hit.range.start, &hit.what);
        // Names in a method may be the host's; instructions never are.
        if is_assembly(context, hit) {
            spread.class_of(hit.range.start, &hit.what);
        }
    }
    // A function that is only there for newer GPUs, and one whose work no branch is left for.
    for hit in &blocking {
        if let Some(disabled) = guards.shut_at(hit.range.start) {
            let inside = |name: usize| {
                let token = parsed.tokens.get(name);
                token.is_some_and(|token| disabled.contains(token.range().start))
            };
            spread.unless_defined_elsewhere(hit, guards, &inside);
        }
    }
    for closed in &guards.closed {
        if closed.fallback.is_none()
            && closed.severity == Severity::Error
            && !closed.leads_to.is_empty()
        {
            spread.from(closed.at.start, &closed.leads_to);
        }
    }
    spread.switches(context, &open, guards);
    spread.found
}

struct UnsupportedSymbolCollector<'a> {
    source: &'a [u8],
    parsed: &'a Parsed,
    found: Vec<UnsupportedSymbol>,
}

impl<'a> UnsupportedSymbolCollector<'a> {
    fn add(&mut self, name: Vec<u8>, what: &str) {
        self.add_switch(name, what, false);
    }

    fn add_switch(&mut self, name: Vec<u8>, what: &str, without_fallback: bool) {
        match self.found.iter_mut().find(|symbol| symbol.name == name) {
            Some(symbol) => symbol.without_fallback |= without_fallback,
            None => self.found.push(UnsupportedSymbol {
                name,
                what: what.to_owned(),
                without_fallback,
            }),
        }
    }

    fn text(&self, index: usize) -> &'a [u8] {
        self.parsed
            .tokens
            .get(index)
            .map_or(b"", |token| token.text(self.source))
    }

    fn token_at(&self, offset: usize) -> Option<usize> {
        let tokens = &self.parsed.tokens.tokens;
        tokens
            .binary_search_by_key(&offset, |token| token.range().start)
            .ok()
    }

    /// Mark the macro, function or method around the byte at `offset`.
    fn from(&mut self, offset: usize, what: &str) {
        let Some(index) = self.token_at(offset) else {
            return;
        };
        if let Some(directive) = self.parsed.tokens.directive_of(index)
            && directive.kind == DirectiveKind::Define
        {
            self.add(self.text(directive.tokens.start).to_vec(), what);
            return;
        }
        let Some((name, class)) = self.function_around(index) else {
            return;
        };
        let name = self.text(name);
        match class {
            None => self.add(name.to_vec(), what),
            Some(class) => self.add([&class, &b"::"[..], name].concat(), what),
        }
    }

    /// Mark the class of the method around the byte at `offset`.
    fn class_of(&mut self, offset: usize, what: &str) {
        let around = self
            .token_at(offset)
            .filter(|&index| self.parsed.tokens.directive_of(index).is_none())
            .and_then(|index| self.function_around(index));
        if let Some((_, Some(class))) = around {
            self.add([&class, &b"::"[..]].concat(), what);
        }
    }

    /// The function around a token: where its name stands, and the class whose method it is.
    fn function_around(&self, index: usize) -> Option<(usize, Option<Vec<u8>>)> {
        let outline = &self.parsed.outline;
        let mut scopes = outline
            .enclosing(index)
            .filter_map(|at| outline.scopes.get(at));
        let name = scopes
            .by_ref()
            .filter(|scope| scope.kind == ScopeKind::Function)
            .find_map(|scope| self.function_name(scope.tokens.start))?;
        let class = scopes
            .find(|scope| scope.kind == ScopeKind::Class)
            .and_then(|scope| scope.names.last().cloned());
        // `void Class::name() {`
        let outside = || {
            let qualified = name >= 2 && self.text(name - 1) == b"::";
            qualified.then(|| self.text(name - 2).to_vec())
        };
        Some((name, class.or_else(outside)))
    }

    /// The place of the name of the function whose body opens at the brace `open`.
    fn function_name(&self, open: usize) -> Option<usize> {
        let mut name = self.parsed.parameters(self.source, open)?.checked_sub(1)?;
        // `convert<half>(float x)`
        if self.text(name) == b">" {
            let mut depth = 0_usize;
            name = (name.saturating_sub(30)..=name).rev().find(|&at| {
                match self.text(at) {
                    b">" => depth += 1,
                    b"<" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth == 0
            })?;
            name = name.checked_sub(1)?;
        }
        let identifier = self
            .parsed
            .tokens
            .get(name)
            .is_some_and(|token| token.kind == TokenKind::Identifier);
        (identifier && !STATEMENTS.contains(&self.text(name))).then_some(name)
    }

    /// Mark the function around a hit in a closed branch, if it is defined in that branch and
    /// nowhere else in the file.
    fn unless_defined_elsewhere(
        &mut self,
        hit: &Hit,
        guards: &Guards,
        inside: &dyn Fn(usize) -> bool,
    ) {
        let around = self
            .token_at(hit.range.start)
            .and_then(|index| self.function_around(index));
        let Some((name, _)) = around.filter(|(name, _)| inside(*name)) else {
            return;
        };
        let scopes = self.parsed.outline.scopes.iter();
        let elsewhere = scopes
            .filter(|scope| scope.kind == ScopeKind::Function)
            .filter_map(|scope| self.function_name(scope.tokens.start))
            .any(|other| {
                let open = self
                    .parsed
                    .tokens
                    .get(other)
                    .is_some_and(|token| !guards.is_disabled(token.range().start));
                open && self.text(other) == self.text(name)
            });
        if !elsewhere {
            self.from(hit.range.start, &hit.what);
        }
    }

    /// Mark the switches without which code that holds one of `hits` is left out: macros of conditionals, and constants
    /// of `if constexpr`.
    fn switches(&mut self, context: Context<'_>, hits: &[&Hit], guards: &Guards) {
        let tokens = &self.parsed.tokens;
        let work = WorkDetector::of(self.source, self.parsed, context);
        let holds = |range: TextRange| {
            hits.iter()
                .copied()
                .find(|hit| range.contains(hit.range.start))
        };
        for conditional in self.parsed.conditionals.all() {
            for branch in &conditional.branches {
                let Some(hit) = holds(branch.body) else {
                    continue;
                };
                let Some(directive) = tokens.directives.get(branch.directive) else {
                    continue;
                };
                let mut others = conditional.branches.iter().filter(|one| *one != branch);
                let weighs = context.hazards.rows().get(hit.row);
                let without_fallback = weighs.is_some_and(|row| row.severity != "note")
                    && !others
                        .any(|one| holds(one.body).is_none() && work.is_in(one.tokens.clone()));
                self.switches_of(context, directive, hit, guards, without_fallback);
            }
        }
        for index in tokens.places(self.source, b"if") {
            let open = index + 1 + usize::from(self.text(index + 1) == b"constexpr");
            let close = self
                .parsed
                .outline
                .partner(open)
                .filter(|_| self.text(open) == b"(");
            let block = close.filter(|close| self.text(close + 1) == b"{");
            let end = block.and_then(|close| self.parsed.outline.partner(close + 1));
            let (Some(close), Some(end)) = (close, end) else {
                continue;
            };
            let Some((first, last)) = tokens.get(close + 1).zip(tokens.get(end)) else {
                continue;
            };
            let body = TextRange::new(first.range().start, last.range().end);
            if let Some(hit) = holds(body) {
                let condition = Directive::condition(open + 1..close);
                self.switches_of(context, &condition, hit, guards, false);
            }
        }
    }

    /// Mark the switches without which a condition is false.
    fn switches_of(
        &mut self,
        context: Context<'_>,
        condition: &Directive,
        hit: &Hit,
        guards: &Guards,
        without_fallback: bool,
    ) {
        let tokens = &self.parsed.tokens;
        for index in condition.tokens.clone() {
            let Some(token) = tokens
                .get(index)
                .filter(|token| token.kind == TokenKind::Identifier)
            else {
                continue;
            };
            let name = token.text(self.source);
            let disabled = evaluate(self.source, tokens, condition, &|one| {
                if one == name {
                    Macro::Undefined
                } else {
                    Macro::Unknown
                }
            });
            let row = context.row(Section::Names, name);
            // What the file itself switches by an architecture is no name of CUDA's.
            let own = guards.switches.iter().any(|one| one.name == name);
            if disabled == Truth::False && (own || row.is_none()) {
                self.add_switch(name.to_vec(), &hit.what, without_fallback);
            }
        }
    }
}
