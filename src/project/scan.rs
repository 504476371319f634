//! The cheap pass over one C++ file: what it includes, declares and pastes.

use rustc_hash::FxHashSet;

use crate::classify::Class;
use crate::mapping::knowledge::Knowledge;
use crate::mapping::{Relation, Section, Tables};
use crate::syntax::{DirectiveKind, LexOptions, Outline, ScopeKind, TokenKind, Tokens, lex};
use crate::text::TextRange;

use super::declarations::Site;
use super::facts::{
    ArgumentTokens, Declared, DeclaredAs, Facts, Include, Invocation, Paster, Piece, Stringizer,
};
use super::lookalikes;
use super::regions::Regions;

/// What is known of names and of the world.
#[derive(Clone, Copy)]
pub struct Lore<'a> {
    /// Names and their counterparts.
    pub tables: &'a Tables,
    /// Vendors, kinds of files, calls.
    pub knowledge: &'a Knowledge,
    /// The parts of the qualified names in the tables.
    pub parts: &'a NameParts,
}

/// The parts of the namespaces and qualified names in the tables.
#[derive(Debug)]
pub struct NameParts {
    /// Their first parts.
    roots: FxHashSet<Vec<u8>>,
    /// All parts of those that are not the same on MUSA.
    changing: FxHashSet<Vec<u8>>,
}

impl NameParts {
    /// The parts in these tables.
    pub fn new(tables: &Tables) -> Self {
        let mut parts = Self {
            roots: FxHashSet::default(),
            changing: FxHashSet::default(),
        };
        for row in tables
            .rows(Section::Namespaces)
            .chain(tables.rows(Section::Qualified))
        {
            for (at, part) in row.cuda.split("::").enumerate() {
                if at == 0 {
                    parts.roots.insert(part.as_bytes().to_vec());
                }
                if row.relation != Relation::Same {
                    parts.changing.insert(part.as_bytes().to_vec());
                }
            }
        }
        parts
    }

    /// Whether a namespace or a qualified name starts with `name`.
    pub fn is_root(&self, name: &[u8]) -> bool {
        self.roots.contains(name)
    }
}

/// A file taken apart: what the scan and the rules start from.
pub struct Parsed {
    /// Its tokens and directives.
    pub tokens: Tokens,
    /// Its brackets and scopes.
    pub outline: Outline,
    /// Whom its stretches are for.
    pub regions: Regions,
}

impl Parsed {
    /// Take a file apart.
    pub fn new(source: &[u8], template: bool, knowledge: &Knowledge) -> Self {
        let tokens = lex(source, LexOptions { template });
        let outline = Outline::new(source, &tokens);
        let regions = Regions::new(source, &tokens, knowledge);
        Self {
            tokens,
            outline,
            regions,
        }
    }
}

/// Scan one file.
pub fn scan(source: &[u8], class: Class, lore: Lore<'_>) -> Facts {
    let parsed = Parsed::new(source, class.template, lore.knowledge);
    let mut facts = Facts {
        includes: includes(source, &parsed),
        ..Facts::default()
    };
    let site = Site {
        source,
        tokens: &parsed.tokens,
        outline: &parsed.outline,
        knowledge: lore.knowledge,
        tables: lore.tables,
    };
    for (index, token) in parsed.tokens.tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Identifier if is_hit(lore, token.text(source)) => {
                facts.has_hits = true;
                facts.declared.extend(site.declaration(index));
            }
            TokenKind::Identifier if lookalikes::is_one(lore, token.text(source)) => {
                if site.declares_lookalike(index) {
                    facts.lookalikes.push(token.text(source).to_vec());
                } else {
                    facts.has_hits = true;
                }
            }
            TokenKind::String | TokenKind::RawString => {
                facts.has_hits |= may_hold_names(token.text(source));
            }
            _ => {}
        }
    }
    facts.has_hits |= facts.includes.iter().any(|include| {
        lore.tables
            .header(&include.path)
            .is_some_and(|row| row.relation != Relation::Same)
    });
    facts.pasters = pasters(source, &parsed);
    facts.has_hits |= !facts.pasters.is_empty();
    facts.stringizers = stringizers(source, &parsed.tokens);
    namespaces(source, &parsed, lore.tables, &mut facts);
    drop_platform_stubs(&parsed, lore.tables, &mut facts);
    drop_polyfills(source, &parsed, lore.tables, &mut facts);
    facts
}

/// Whether an identifier is a name, or a part of one, that the rules have to look at.
fn is_hit(lore: Lore<'_>, text: &[u8]) -> bool {
    let counts = |section| {
        lore.tables
            .get(section, text)
            .is_some_and(|row| row.relation != Relation::Same)
    };
    // Split by a line splice: what it is, the rules find out.
    if text.contains(&b'\\') {
        return true;
    }
    let by_family = lore.knowledge.family_of(text);
    by_family.is_some_and(|family| !family.undeclared)
        || counts(Section::Names)
        || counts(Section::Members)
        || lore.parts.changing.contains(text)
}

fn may_hold_names(literal: &[u8]) -> bool {
    literal
        .windows(4)
        .any(|four| four.eq_ignore_ascii_case(b"cuda"))
        || literal
            .windows(2)
            .any(|two| two.eq_ignore_ascii_case(b"cu") || two == b"nc")
        || literal.windows(2).any(|two| two == b"__")
}

fn includes(source: &[u8], parsed: &Parsed) -> Vec<Include> {
    let mut found = Vec::new();
    for token in &parsed.tokens.tokens {
        if token.kind != TokenKind::HeaderName {
            continue;
        }
        let whole = token.range();
        if whole.len() < 2 {
            continue;
        }
        let range = TextRange::new(whole.start + 1, whole.end - 1);
        found.push(Include {
            range,
            path: String::from_utf8_lossy(range.of(source)).into_owned(),
            angled: token.text(source).starts_with(b"<"),
            region: parsed.regions.at(whole.start),
        });
    }
    found
}

/// Macros whose bodies paste names.
fn pasters(source: &[u8], parsed: &Parsed) -> Vec<Paster> {
    let tokens = &parsed.tokens;
    let mut found = Vec::new();
    for directive in &tokens.directives {
        let range = directive.tokens.clone();
        let has_paste = range.clone().any(|index| tokens.is(index, source, "##"));
        if directive.kind != DirectiveKind::Define || !has_paste {
            continue;
        }
        let Some(name) = tokens.get(range.start) else {
            continue;
        };
        let (parameters, body) = parameters(source, tokens, range.clone());
        let parameter_of = |text: &[u8]| {
            parameters
                .iter()
                .position(|parameter| parameter.as_slice() == text)
        };
        let mut names: Vec<Vec<Piece>> = Vec::new();
        let mut uses = vec![(0_usize, 0_usize); parameters.len()];
        let mut index = body.start;
        while index < body.end {
            let Some(token) = tokens.get(index) else {
                break;
            };
            let mut pieces = Vec::new();
            let mut at = index;
            if token.kind == TokenKind::Identifier || token.kind == TokenKind::Number {
                pieces.push(at);
                while tokens.is(at + 1, source, "##") && at + 2 < body.end {
                    at += 2;
                    pieces.push(at);
                }
            }
            let pasted = pieces.len() > 1;
            if pieces.is_empty() {
                pieces.push(index);
            }
            for &piece in &pieces {
                let used = tokens.get(piece).and_then(|t| parameter_of(t.text(source)));
                if let Some(slot) = used.and_then(|at| uses.get_mut(at)) {
                    slot.0 += 1;
                    slot.1 += usize::from(pasted);
                }
            }
            if pasted {
                names.push(
                    pieces
                        .iter()
                        .filter_map(|&piece| tokens.get(piece))
                        .map(|token| Piece {
                            range: token.range(),
                            text: token.text(source).to_vec(),
                            parameter: parameter_of(token.text(source)),
                        })
                        .collect(),
                );
            }
            index = at + 1;
        }
        if !names.is_empty() {
            found.push(Paster {
                name: name.text(source).to_vec(),
                arity: parameters.len(),
                names,
                only_pasted: uses.iter().map(|(all, pasted)| all == pasted).collect(),
            });
        }
    }
    found
}

/// Macros whose bodies make strings of parameters.
fn stringizers(source: &[u8], tokens: &Tokens) -> Vec<Stringizer> {
    let defines = tokens
        .directives
        .iter()
        .filter(|one| one.kind == DirectiveKind::Define);
    defines
        .filter_map(|directive| {
            let range = directive.tokens.clone();
            let marks = |index: usize| tokens.is(index, source, "#");
            if !range.clone().any(marks) {
                return None;
            }
            let name = tokens.get(range.start)?.text(source).to_vec();
            let (parameters, body) = parameters(source, tokens, range);
            let made = body
                .filter(|&index| marks(index))
                .filter_map(|index| tokens.get(index + 1))
                .filter_map(|token| {
                    parameters
                        .iter()
                        .position(|name| name.as_slice() == token.text(source))
                });
            let parameters: Vec<usize> = made.collect();
            (!parameters.is_empty()).then_some(Stringizer { name, parameters })
        })
        .collect()
}

/// The parameters of a macro and the token range of its body.
fn parameters(
    source: &[u8],
    tokens: &Tokens,
    define: std::ops::Range<usize>,
) -> (Vec<Vec<u8>>, std::ops::Range<usize>) {
    let open = define.start + 1;
    let adjacent = tokens
        .get(define.start)
        .zip(tokens.get(open))
        .is_some_and(|(name, next)| name.range().end == next.range().start);
    if !adjacent || !tokens.is(open, source, "(") {
        return (Vec::new(), open..define.end);
    }
    let mut names = Vec::new();
    for index in open + 1..define.end {
        let Some(token) = tokens.get(index) else {
            break;
        };
        match token.text(source) {
            b")" => return (names, index + 1..define.end),
            b"," => {}
            text => names.push(text.to_vec()),
        }
    }
    (names, define.end..define.end)
}

/// What a file says of namespaces: those that it opens, `using namespace`, aliases, and what it
/// declares inside a namespace of the tables.
fn namespaces(source: &[u8], parsed: &Parsed, tables: &Tables, facts: &mut Facts) {
    let tokens = &parsed.tokens;
    let join = |names: &[&[u8]]| String::from_utf8_lossy(&names.join(&b"::"[..])).into_owned();
    let path_from = |mut at: usize| {
        let mut names: Vec<&[u8]> = Vec::new();
        while let Some(token) = tokens.get(at) {
            match (token.kind, token.text(source)) {
                (TokenKind::Identifier, name) => names.push(name),
                (_, b"::") => {}
                _ => break,
            }
            at += 1;
        }
        join(&names)
    };
    for (index, token) in tokens.tokens.iter().enumerate() {
        if token.kind != TokenKind::Identifier || token.text(source) != b"namespace" {
            continue;
        }
        if index > 0 && tokens.is(index - 1, source, "using") {
            facts.usings.push(path_from(index + 1));
        } else if tokens.is(index + 2, source, "=") {
            let alias = tokens.get(index + 1).map(|token| token.text(source));
            let alias = String::from_utf8_lossy(alias.unwrap_or_default()).into_owned();
            facts.namespace_aliases.push((alias, path_from(index + 3)));
        }
    }
    for scope in &parsed.outline.scopes {
        if scope.kind != ScopeKind::Namespace {
            continue;
        }
        let inside = scope.tokens.start + 1;
        let path = join(&parsed.outline.path_of(inside));
        if path.is_empty() {
            continue;
        }
        if tables.get(Section::Namespaces, path.as_bytes()).is_some() {
            let declared = (inside..scope.tokens.end)
                .filter(|&index| parsed.outline.scope_of(index) == parsed.outline.scope_of(inside))
                .filter(|&index| {
                    tokens
                        .get(index)
                        .is_some_and(|t| t.kind == TokenKind::Identifier)
                        && ["(", "{", ";", "=", ":"]
                            .iter()
                            .any(|p| tokens.is(index + 1, source, p))
                })
                .filter_map(|index| tokens.get(index))
                .map(|token| String::from_utf8_lossy(token.text(source)).into_owned());
            facts.extensions.extend(declared);
        }
        facts.namespaces.push(path);
    }
}

/// Declarations that take CUDA's place in builds without CUDA are no wrappers: where another
/// branch of their conditional includes CUDA's header, the names mean CUDA's on a GPU build and
/// are translated with it.
fn drop_platform_stubs(parsed: &Parsed, tables: &Tables, facts: &mut Facts) {
    let known = |include: &Include| {
        tables
            .header(&include.path)
            .is_some_and(|row| row.relation != Relation::Same)
    };
    if facts.declared.is_empty() || !facts.includes.iter().any(known) {
        return;
    }
    let chains = conditional_chains(&parsed.tokens);
    let stands_in = |declared: &Declared| {
        matches!(
            declared.what,
            DeclaredAs::Macro | DeclaredAs::Function | DeclaredAs::Prototype | DeclaredAs::Type
        ) && chains.iter().any(|branches| {
            let own = branches
                .iter()
                .position(|branch| branch.contains(declared.at.start));
            own.is_some_and(|own| {
                facts
                    .includes
                    .iter()
                    .filter(|include| known(include))
                    .any(|include| {
                        let other = branches
                            .iter()
                            .position(|branch| branch.contains(include.range.start));
                        other.is_some_and(|other| other != own)
                    })
            })
        })
    };
    let keep: Vec<bool> = facts.declared.iter().map(|one| !stands_in(one)).collect();
    let gone = facts.declared.iter().zip(&keep).filter(|(_, keep)| !**keep);
    facts
        .stand_ins
        .extend(gone.map(|(one, _)| one.name.clone()));
    let mut keep = keep.into_iter();
    facts.declared.retain(|_| keep.next().unwrap_or(true));
}

/// Declarations that stand in for names which an old CUDA lacks are no wrappers either: they sit
/// behind a test of CUDA's version or architecture, or of the name itself, and mean what CUDA's
/// mean.
fn drop_polyfills(source: &[u8], parsed: &Parsed, tables: &Tables, facts: &mut Facts) {
    if facts.declared.is_empty() {
        return;
    }
    let tokens = &parsed.tokens;
    let mut open: Vec<Vec<&[u8]>> = Vec::new();
    let mut spans: Vec<(TextRange, Vec<&[u8]>)> = Vec::new();
    let mut starts: Vec<usize> = Vec::new();
    for directive in &tokens.directives {
        let tested = || -> Vec<&[u8]> {
            directive
                .tokens
                .clone()
                .filter_map(|at| tokens.get(at))
                .filter(|token| token.kind == TokenKind::Identifier)
                .map(|token| token.text(source))
                .collect()
        };
        match directive.kind {
            DirectiveKind::If | DirectiveKind::Ifdef | DirectiveKind::Ifndef => {
                open.push(tested());
                starts.push(directive.range.end);
            }
            DirectiveKind::Elif | DirectiveKind::Elifdef | DirectiveKind::Elifndef => {
                if let Some(names) = open.last_mut() {
                    names.extend(tested());
                }
            }
            DirectiveKind::Endif => {
                if let (Some(names), Some(start)) = (open.pop(), starts.pop()) {
                    spans.push((
                        TextRange::new(start, directive.range.start.max(start)),
                        names,
                    ));
                }
            }
            _ => {}
        }
    }
    let is_version = |name: &[u8]| {
        tables.get(Section::Names, name).is_some_and(|row| {
            row.relation == Relation::Absent || (row.stem && name.ends_with(b"_ARCH__"))
        })
    };
    let mut dropped = Vec::new();
    facts.declared.retain(|one| {
        let global = one.scope.is_empty()
            && matches!(
                one.what,
                DeclaredAs::Macro | DeclaredAs::Function | DeclaredAs::Prototype
            );
        let keep = !global
            || !spans.iter().any(|(span, names)| {
                span.contains(one.at.start)
                    && names
                        .iter()
                        .any(|name| *name == one.name.as_slice() || is_version(name))
            });
        if !keep {
            dropped.push(one.name.clone());
        }
        keep
    });
    facts.stand_ins.extend(dropped);
}

/// The branches of each conditional.
fn conditional_chains(tokens: &Tokens) -> Vec<Vec<TextRange>> {
    let mut open: Vec<(usize, Vec<TextRange>)> = Vec::new();
    let mut chains = Vec::new();
    for directive in &tokens.directives {
        match directive.kind {
            DirectiveKind::If | DirectiveKind::Ifdef | DirectiveKind::Ifndef => {
                open.push((directive.range.end, Vec::new()));
            }
            DirectiveKind::Elif
            | DirectiveKind::Elifdef
            | DirectiveKind::Elifndef
            | DirectiveKind::Else => {
                if let Some((start, branches)) = open.last_mut() {
                    branches.push(TextRange::new(*start, directive.range.start.max(*start)));
                    *start = directive.range.end;
                }
            }
            DirectiveKind::Endif => {
                if let Some((start, mut branches)) = open.pop() {
                    branches.push(TextRange::new(start, directive.range.start.max(start)));
                    if branches.len() > 1 {
                        chains.push(branches);
                    }
                }
            }
            _ => {}
        }
    }
    chains
}

/// The uses in one file of the macros that `wanted` accepts.
pub fn invocations(
    source: &[u8],
    class: Class,
    file: usize,
    wanted: &dyn Fn(&[u8]) -> bool,
) -> Vec<Invocation> {
    let tokens = lex(
        source,
        LexOptions {
            template: class.template,
        },
    );
    let mut found = Vec::new();
    for (index, token) in tokens.tokens.iter().enumerate() {
        if token.kind != TokenKind::Identifier || !wanted(token.text(source)) {
            continue;
        }
        let defines = tokens
            .directive_of(index)
            .is_some_and(|d| d.kind == DirectiveKind::Define && d.tokens.start == index);
        if defines || !tokens.is(index + 1, source, "(") {
            continue;
        }
        let Some(arguments) = arguments(source, &tokens, index + 1) else {
            continue;
        };
        let arguments = arguments
            .into_iter()
            .map(|range| {
                let first = tokens.get(range.start).map_or(0, |t| t.range().start);
                let last = range
                    .end
                    .checked_sub(1)
                    .filter(|&last| last >= range.start)
                    .and_then(|last| tokens.get(last))
                    .map_or(first, |t| t.range().end);
                let range = TextRange::new(first, last.max(first));
                (range, range.of(source).to_vec())
            })
            .collect();
        found.push(Invocation {
            name: token.text(source).to_vec(),
            arguments,
            file,
        });
    }
    found
}

/// The longest argument list that is followed, in tokens.
const MAX_ARGUMENTS: usize = 100_000;

/// The token ranges of the arguments in the parentheses that open at `open`.
pub fn arguments(source: &[u8], tokens: &Tokens, open: usize) -> Option<ArgumentTokens> {
    let mut depth = 0_usize;
    let mut start = open + 1;
    let mut found = ArgumentTokens::new();
    for index in open..tokens.tokens.len().min(open + MAX_ARGUMENTS) {
        let token = tokens.get(index)?;
        if token.kind != TokenKind::Punct {
            continue;
        }
        match token.text(source) {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    found.push(start..index);
                    return Some(found);
                }
            }
            b"," if depth == 1 => {
                found.push(start..index);
                start = index + 1;
            }
            _ => {}
        }
    }
    None
}
