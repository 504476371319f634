//! What stands behind a name that a guarded branch uses: a function that holds what MUSA lacks, a
//! macro that opens a branch which does.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::hazards::{Hit, Named};
use crate::project::{Lore, Parsed};
use crate::syntax::{DirectiveKind, Macro, ScopeKind, TokenKind, Truth, evaluate};

use super::decide::blocks;
use super::decision::Guards;

/// A name, and what stands behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taint {
    /// The name of a function or of a macro.
    pub name: Vec<u8>,
    /// What MUSA lacks of what it leads to, as the code has it.
    pub what: String,
}

/// What the files of a project say of each other's guards.
#[derive(Clone, Default, Debug)]
pub struct Taints {
    behind: FxHashMap<Vec<u8>, String>,
    /// Macros that no MUSA GPU has.
    shut: FxHashSet<Vec<u8>>,
    /// What the project's own names stand for.
    pub(super) named: Named,
}

impl Taints {
    /// Take in what one file says.
    pub fn add(&mut self, taints: &[Taint], named: &Named) {
        for taint in taints {
            self.behind
                .entry(taint.name.clone())
                .or_insert_with(|| taint.what.clone());
        }
        self.named.add(named);
    }

    /// Take in the macros that stand for newer architectures, once all files have said what
    /// stands behind their names.
    pub fn shut(&mut self, switches: &[String]) {
        for name in switches {
            if self.behind.contains_key(name.as_bytes()) {
                self.shut.insert(name.clone().into_bytes());
            }
        }
    }

    /// Whether a macro is one that no MUSA GPU has.
    pub(super) fn is_shut(&self, name: &[u8]) -> bool {
        self.shut.contains(name)
    }

    /// Whether there are such macros.
    pub(super) fn any_shut(&self) -> bool {
        !self.shut.is_empty()
    }

    /// What stands behind a name.
    pub(super) fn behind(&self, name: &[u8]) -> Option<&str> {
        self.behind.get(name).map(String::as_str)
    }

    /// Whether a template of this name takes an architecture's number.
    pub fn takes_capability(&self, template: &[u8]) -> bool {
        self.named.is_template(template)
    }

    /// The number that a macro stands for.
    pub(super) fn number(&self, name: &[u8]) -> Option<i64> {
        self.named
            .number(name)
            .and_then(|number| number.try_into().ok())
    }
}

/// Words that stand before a bracket as a function's name does.
const STATEMENTS: [&[u8]; 6] = [b"catch", b"constexpr", b"for", b"if", b"switch", b"while"];

/// The name of the function whose body opens at the brace `open`; none for one of a class.
fn function_name<'s>(source: &'s [u8], parsed: &Parsed, open: usize) -> Option<&'s [u8]> {
    let tokens = &parsed.tokens;
    let close = (open.saturating_sub(4)..open)
        .rev()
        .find(|&at| tokens.is(at, source, ")"))?;
    let name = parsed.outline.partner(close)?.checked_sub(1)?;
    let qualified = name > 0 && tokens.is(name - 1, source, "::");
    let statement = ["for", "while", "if", "switch", "catch", "constexpr"]
        .iter()
        .any(|word| tokens.is(name, source, word));
    tokens
        .get(name)
        .filter(|token| token.kind == TokenKind::Identifier && !qualified && !statement)
        .map(|token| token.text(source))
        .filter(|name| !STATEMENTS.contains(name))
}

/// The functions of a file that hold what MUSA lacks, outside of what its guards close, and the
/// macros that open such branches.
pub(in crate::project) fn taints(
    source: &[u8],
    parsed: &Parsed,
    lore: Lore<'_>,
    hits: &[Hit],
    guards: &Guards,
) -> Vec<Taint> {
    let mut found: Vec<Taint> = Vec::new();
    let mut add = |name: &[u8], hit: &Hit| {
        if !found.iter().any(|taint| taint.name == name) {
            found.push(Taint {
                name: name.to_vec(),
                what: hit.what.clone(),
            });
        }
    };
    let open: Vec<&Hit> = hits
        .iter()
        .filter(|hit| blocks(lore, hit) && !guards.is_closed(hit.range.start))
        .collect();
    for hit in &open {
        let tokens = &parsed.tokens.tokens;
        let Ok(index) = tokens.binary_search_by_key(&hit.range.start, |one| one.range().start)
        else {
            continue;
        };
        // A macro whose body holds it.
        if let Some(directive) = parsed.tokens.directive_of(index) {
            if directive.kind == DirectiveKind::Define
                && let Some(name) = parsed.tokens.get(directive.tokens.start)
            {
                add(name.text(source), hit);
            }
            continue;
        }
        // A function at file or namespace level; names of methods are too common to tell.
        let mut scopes = parsed.outline.enclosing(index);
        let function = scopes
            .by_ref()
            .filter_map(|at| parsed.outline.scopes.get(at))
            .filter(|scope| scope.kind == ScopeKind::Function)
            .find_map(|scope| function_name(source, parsed, scope.tokens.start));
        let in_class = scopes
            .filter_map(|at| parsed.outline.scopes.get(at))
            .any(|scope| scope.kind == ScopeKind::Class);
        if let Some(name) = function
            && !in_class
        {
            add(name, hit);
        }
    }
    for conditional in parsed.conditionals.all() {
        for branch in &conditional.branches {
            let Some(hit) = open
                .iter()
                .find(|hit| branch.body.contains(hit.range.start))
            else {
                continue;
            };
            let Some(directive) = parsed.tokens.directives.get(branch.directive) else {
                continue;
            };
            for index in directive.tokens.clone() {
                let Some(token) = parsed
                    .tokens
                    .get(index)
                    .filter(|token| token.kind == TokenKind::Identifier)
                else {
                    continue;
                };
                let name = token.text(source);
                let shut = evaluate(source, &parsed.tokens, directive, &|one| {
                    if one == name {
                        Macro::Undefined
                    } else {
                        Macro::Unknown
                    }
                });
                let tables = lore.tables.get(crate::mapping::Section::Names, name);
                // What the file itself switches by an architecture is no name of CUDA's.
                let own = guards.switches.iter().any(|one| one.as_bytes() == name);
                if shut == Truth::False && (own || tables.is_none()) {
                    add(name, hit);
                }
            }
        }
    }
    found
}
