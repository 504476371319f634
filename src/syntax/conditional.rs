//! The conditionals of a file: which `#if`, `#elif`, `#else` and `#endif` belong together, and the code between
//! them.

use std::ops::Range;

use super::condition::Truth;
use super::token::{Directive, DirectiveKind};
use super::tokens::Tokens;
use torchada_text::TextRange;

/// One branch of a conditional: the code that is compiled if its condition holds and none before it does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// Index of the directive that opens it, in [`Tokens::directives`].
    pub directive: usize,
    /// The bytes between that directive and the next one of the conditional.
    pub body: TextRange,
    /// The tokens between the two, as indices into [`Tokens::tokens`].
    pub tokens: Range<usize>,
}

/// One conditional, from its `#if` to its `#endif`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conditional {
    /// Its branches in order of place, never none: that of the `#if` comes first.
    pub branches: Vec<Branch>,
    /// The branch around it: the place of its conditional in [`Conditionals::all`], and its own
    /// place in that conditional.
    pub outer: Option<(usize, usize)>,
    /// Whether it begins as an include guard does: `#ifndef X`, `#define X`.
    pub is_include_guard: bool,
    /// Whether one branch is an `#else`, so that some branch is always taken.
    pub has_else: bool,
    /// Whether an `#endif` ends it. The last branch of one without reaches to the end of the
    /// file.
    pub is_closed: bool,
}

impl Conditional {
    /// The range from behind the `#if` to the `#endif`.
    pub fn inside(&self) -> TextRange {
        let start = self.branches.first().map_or(0, |branch| branch.body.start);
        let end = self.branches.last().map_or(start, |branch| branch.body.end);
        TextRange::new(start, end)
    }

    /// The bodies of some of its branches.
    pub fn bodies(&self, branches: &[usize]) -> Vec<TextRange> {
        let all = branches.iter().filter_map(|&at| self.branches.get(at));
        all.map(|branch| branch.body).collect()
    }

    /// The places of the branches that are never taken, by what is known of the condition of each: `truth` gets the place
    /// of a branch, and the directive that opens it.
    pub fn never_taken(
        &self,
        tokens: &Tokens,
        mut truth: impl FnMut(usize, &Directive) -> Truth,
    ) -> Vec<usize> {
        let mut untaken = Truth::True;
        let mut found = Vec::new();
        for (at, branch) in self.branches.iter().enumerate() {
            let directive = tokens.directives.get(branch.directive);
            let here = directive.map_or(Truth::Unknown, |directive| truth(at, directive));
            if untaken.and(here) == Truth::False {
                found.push(at);
            }
            untaken = untaken.and(here.inverse());
        }
        found
    }

    /// The place of the branch that holds the byte at `offset`.
    pub fn branch_at(&self, offset: usize) -> Option<usize> {
        let behind = self
            .branches
            .partition_point(|branch| branch.body.start <= offset);
        let at = behind.checked_sub(1)?;
        let branch = self.branches.get(at)?;
        branch.body.contains(offset).then_some(at)
    }
}

/// All conditionals of a file.
#[derive(Clone, Default, Debug)]
pub struct Conditionals {
    all: Vec<Conditional>,
    /// For each directive that opens a branch, in order of place: its first byte, and its
    /// conditional and branch.
    openers: Vec<(usize, (usize, usize))>,
}

impl Conditionals {
    /// Find the conditionals of a file. A directive that has no `#if` before it belongs to none.
    pub fn new(source: &[u8], tokens: &Tokens) -> Self {
        let mut found = Self::default();
        let mut open: Vec<usize> = Vec::new();
        for (index, directive) in tokens.directives.iter().enumerate() {
            match directive.kind {
                kind if kind.opens() => {
                    let outer = open.last().map(|&around| (around, found.last_of(around)));
                    open.push(found.all.len());
                    found.all.push(Conditional {
                        branches: Vec::new(),
                        outer,
                        is_include_guard: is_include_guard(source, tokens, index),
                        has_else: false,
                        is_closed: false,
                    });
                    found.enter(found.all.len() - 1, index, directive);
                }
                kind if kind.divides() => {
                    if let Some(&here) = open.last() {
                        found.leave(here, directive.range.start, directive.tokens.start);
                        found.enter(here, index, directive);
                    }
                }
                DirectiveKind::Endif => {
                    if let Some(here) = open.pop() {
                        found.leave(here, directive.range.start, directive.tokens.start);
                        if let Some(conditional) = found.all.get_mut(here) {
                            conditional.is_closed = true;
                        }
                    }
                }
                _ => {}
            }
        }
        for here in open {
            found.leave(here, source.len(), tokens.tokens.len());
        }
        found
    }

    fn last_of(&self, conditional: usize) -> usize {
        self.all
            .get(conditional)
            .map_or(0, |one| one.branches.len().saturating_sub(1))
    }

    /// Open a branch.
    fn enter(&mut self, conditional: usize, index: usize, directive: &Directive) {
        let Some(one) = self.all.get_mut(conditional) else {
            return;
        };
        one.has_else |= directive.kind == DirectiveKind::Else;
        let place = (conditional, one.branches.len());
        self.openers.push((directive.range.start, place));
        one.branches.push(Branch {
            directive: index,
            body: TextRange::new(directive.range.end, directive.range.end),
            tokens: directive.tokens.end..directive.tokens.end,
        });
    }

    /// End the branch that is open.
    fn leave(&mut self, conditional: usize, end: usize, token: usize) {
        let one = self.all.get_mut(conditional);
        if let Some(branch) = one.and_then(|one| one.branches.last_mut()) {
            branch.body.end = end.max(branch.body.start);
            branch.tokens.end = token.max(branch.tokens.start);
        }
    }

    /// All of them, in the order of their `#if`s: one stands behind those around it.
    pub fn all(&self) -> &[Conditional] {
        &self.all
    }

    /// The branches that hold the byte at `offset`, the outermost first, each with its
    /// conditional and its place in that.
    pub fn around(&self, offset: usize) -> impl Iterator<Item = (&Conditional, usize)> {
        let behind = self.openers.partition_point(|(start, _)| *start <= offset);
        let last = behind.checked_sub(1).and_then(|at| self.openers.get(at));
        let innermost = last.map(|&(_, (conditional, _))| conditional);
        let outer = |&at: &usize| Some(self.all.get(at)?.outer?.0);
        let mut around: Vec<usize> = std::iter::successors(innermost, outer).collect();
        around.reverse();
        around.into_iter().filter_map(move |at| {
            let one = self.all.get(at)?;
            Some((one, one.branch_at(offset)?))
        })
    }

    /// The conditional that a directive belongs to, and which of its branches the directive
    /// opens. None for an `#endif` and for what is no conditional.
    pub fn of(&self, directive: &Directive) -> Option<(&Conditional, usize)> {
        let at = self
            .openers
            .binary_search_by_key(&directive.range.start, |(start, _)| *start)
            .ok()?;
        let (_, (conditional, branch)) = *self.openers.get(at)?;
        Some((self.all.get(conditional)?, branch))
    }

    /// Whether a branch ends at `#error`, whatever the conditionals within it decide.
    pub fn ends_at_error(&self, source: &[u8], tokens: &Tokens, branch: &Branch) -> bool {
        let all = &tokens.directives;
        let first = all.partition_point(|one| one.range.start < branch.body.start);
        let inside = all.iter().skip(first);
        let mut inside = inside.take_while(|one| one.range.start < branch.body.end);
        inside.any(|one| {
            one.is_error(source) && {
                let innermost = self.around(one.range.start).last();
                innermost.is_some_and(|(of, own)| of.branches.get(own) == Some(branch))
            }
        })
    }
}

/// Whether the directive at `index` is the `#ifndef X` of an include guard: `#define X` follows.
fn is_include_guard(source: &[u8], tokens: &Tokens, index: usize) -> bool {
    let name = |at: usize, kind: DirectiveKind| {
        let directive = tokens.directives.get(at)?;
        if directive.kind != kind {
            return None;
        }
        tokens
            .get(directive.tokens.start)
            .map(|token| token.text(source))
    };
    let guard = name(index, DirectiveKind::Ifndef);
    guard.is_some() && guard == name(index + 1, DirectiveKind::Define)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LexOptions, lex};

    /// For each conditional the texts of its branches' bodies, by bytes and by tokens.
    fn bodies(source: &str) -> Vec<(Vec<&str>, Vec<Vec<&str>>)> {
        let tokens = lex(source.as_bytes(), LexOptions::default());
        let text = |range: TextRange| source[range.start..range.end].trim();
        Conditionals::new(source.as_bytes(), &tokens)
            .all()
            .iter()
            .map(|one| {
                let bytes = one.branches.iter().map(|branch| text(branch.body));
                let words = one.branches.iter().map(|branch| {
                    tokens.tokens[branch.tokens.clone()]
                        .iter()
                        .map(|token| text(token.range()))
                        .collect()
                });
                (bytes.collect(), words.collect())
            })
            .collect()
    }

    #[test]
    fn branches_hold_what_stands_between_the_directives_of_one_conditional() {
        let source = "#if A\na\n#elif B\n#ifdef C\nc\n#endif\nb\n#else\nd\n#endif\n";
        assert_eq!(
            bodies(source),
            [
                (
                    vec!["a", "#ifdef C\nc\n#endif\nb", "d"],
                    vec![vec!["a"], vec!["C", "c", "b"], vec!["d"]]
                ),
                (vec!["c"], vec![vec!["c"]]),
            ]
        );
    }

    #[test]
    fn a_directive_leads_to_its_conditional() {
        let source = b"#ifndef H\n#define H\n#if A\n#elif B\n#endif\n#else\n#endif\n#elif\n";
        let tokens = lex(source, LexOptions::default());
        let conditionals = Conditionals::new(source, &tokens);
        let of = |index: usize| {
            let (conditional, branch) = conditionals.of(&tokens.directives[index])?;
            Some((conditional.is_include_guard, conditional.has_else, branch))
        };
        let found: Vec<_> = (0..tokens.directives.len()).map(of).collect();
        let (guard, inner) = (
            |branch| Some((true, true, branch)),
            |branch| Some((false, false, branch)),
        );
        assert_eq!(
            found,
            [
                guard(0),
                None,
                inner(0),
                inner(1),
                None,
                guard(1),
                None,
                None
            ]
        );
        assert_eq!(conditionals.all()[1].outer, Some((0, 0)));
    }

    #[test]
    fn an_open_conditional_reaches_to_the_end() {
        let source = "#if A\na\n#else\nb";
        assert_eq!(bodies(source)[0].0, ["a", "b"]);
        let tokens = lex(source.as_bytes(), LexOptions::default());
        let conditionals = Conditionals::new(source.as_bytes(), &tokens);
        assert!(!conditionals.all()[0].is_closed);
    }
}
