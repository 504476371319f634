//! Names of CUDA's in the active code of a port. The real headers under the shim would take them
//! without a word.

use std::collections::{BTreeMap, BTreeSet};

use torchada::mapping::{Relation, Row, Section, Tables};
use torchada::syntax::{DirectiveKind, LexOptions, TokenKind, lex};

use super::World;
use super::outcome::{Cause, Kind};
use super::owned::{Owned, Spot};
use super::source::Source;

/// The names that show themselves to be CUDA's.
pub struct Names {
    tables: Tables,
    /// With the headers of which one must be visible for the name to be meant.
    identifiers: BTreeMap<String, Row>,
    members: BTreeSet<String>,
    /// Namespaces and qualified names.
    chains: BTreeSet<String>,
}

impl Names {
    /// Those of the tables that MUSA does not keep.
    pub fn new(tables: &Tables) -> Self {
        let of = |section| {
            tables
                .rows(section)
                .filter(|row| row.relation != Relation::Same && row.stem)
        };
        let names = |section| of(section).map(|row| row.cuda.to_string());
        Self {
            tables: tables.clone(),
            identifiers: of(Section::Names)
                .map(|row| (row.cuda.to_string(), row.clone()))
                .collect(),
            members: names(Section::Members).collect(),
            chains: names(Section::Namespaces)
                .chain(names(Section::Qualified))
                .collect(),
        }
    }

    /// Whether a name is a version of CUDA's.
    pub fn is_version(&self, name: &[u8]) -> bool {
        let name = std::str::from_utf8(name).ok();
        let row = name.and_then(|name| self.identifiers.get(name));
        row.is_some_and(|row| row.family.as_deref() == Some("versions"))
    }

    /// Whether a number is an architecture of MUSA's.
    pub fn is_architecture(&self, number: &[u8]) -> bool {
        let number = std::str::from_utf8(number).ok();
        let number = number.and_then(|number| number.parse::<u32>().ok());
        let features = self.tables.architectures().iter();
        let known = features.filter_map(|feature| feature.mp);
        let mut known = known.chain(self.tables.targets().iter().map(|target| target.arch));
        number.is_some_and(|number| known.any(|known| known == number))
    }

    /// Whether a name is CUDA's where these headers were read.
    fn is_name(&self, name: &str, active: &Owned) -> bool {
        let read = || active.headers.keys().chain(&active.files);
        self.identifiers.get(name).is_some_and(|row| {
            row.needs.is_empty()
                || row.needs.iter().any(|need| {
                    read().any(|path| {
                        let at = path.rfind(&**need);
                        at.is_some_and(|at| at == 0 || path[..at].ends_with('/'))
                    })
                })
        })
    }

    fn is_header(&self, path: &str) -> bool {
        let row = self.tables.header(path);
        row.is_some_and(|row| row.relation != Relation::Same)
    }

    /// The CUDA name that the token at `at` begins, if it does.
    fn at(&self, words: &[(&[u8], bool)], at: usize, active: &Owned) -> Option<String> {
        let text = |at: usize| {
            let (word, is_name) = words.get(at)?;
            std::str::from_utf8(word).ok().filter(|_| *is_name)
        };
        let punct = |at: Option<usize>| at.and_then(|at| words.get(at)).map(|(word, _)| *word);
        let name = text(at)?;
        let before = punct(at.checked_sub(1));
        if matches!(before, Some(b"." | b"->")) {
            let is_member = self.members.contains(name) || self.is_name(name, active);
            return is_member.then(|| name.to_owned());
        }
        if self.is_name(name, active) {
            return Some(name.to_owned());
        }
        if before == Some(b"::") {
            return None;
        }
        let mut chain = name.to_owned();
        let mut next = at + 1;
        while punct(Some(next)) == Some(b"::") {
            let Some(part) = text(next + 1) else { break };
            chain.push_str("::");
            chain.push_str(part);
            if self.chains.contains(chain.as_str()) {
                return Some(chain);
            }
            next += 2;
        }
        None
    }
}

/// Whether the port's files have such a name anywhere, be it read or not.
pub fn is_suspected(world: &World<'_>, port: &Owned) -> bool {
    port.files.iter().any(|file| {
        let Some(source) = world.sources.get(&world.trees.port.join(file)) else {
            return true;
        };
        let tokens = &source.tokens.tokens;
        let words: Vec<(&[u8], bool)> = tokens
            .iter()
            .map(|token| {
                let is_name = token.kind == TokenKind::Identifier;
                (token.text(&source.text), is_name)
            })
            .collect();
        let is_header = |text: &[u8]| {
            let text = String::from_utf8_lossy(text);
            let path = text.get(1..text.len().saturating_sub(1));
            path.is_some_and(|path| world.tools.names.is_header(path))
        };
        tokens.iter().enumerate().any(|(at, token)| {
            world.tools.names.at(&words, at, port).is_some()
                || token.kind == TokenKind::HeaderName && is_header(token.text(&source.text))
        })
    })
}

/// The names left in the port, as `active` has it: the preprocessor's output of directives only.
pub fn left(world: &World<'_>, active: &Owned, view: &str) -> Vec<Cause> {
    let mut found: BTreeMap<(Spot, String), usize> = BTreeMap::new();
    let mut count = |spot: Option<Spot>, name: String| {
        if let Some(spot) = spot {
            *found.entry((spot, name)).or_default() += 1;
        }
    };
    let lexed = lex(&active.text, LexOptions::default()).tokens;
    let words: Vec<(&[u8], bool)> = lexed
        .iter()
        .map(|token| {
            let is_name = token.kind == TokenKind::Identifier;
            (token.text(&active.text), is_name)
        })
        .collect();
    for (at, token) in lexed.iter().enumerate() {
        if let Some(name) = world.tools.names.at(&words, at, active) {
            count(active.spot(token.range().start), name);
        }
    }
    for (number, file) in active.files.iter().enumerate() {
        let Some(source) = world.sources.get(&world.trees.port.join(file)) else {
            continue;
        };
        for (line, name) in in_directives(world, active, number, &source) {
            let file = file.clone();
            count(Some(Spot { file, line }), name);
        }
    }
    found
        .into_iter()
        .map(|((spot, name), count)| cause(world, &spot, &name, count, view))
        .collect()
}

/// Names in conditions and includes, which the preprocessor prints nothing of.
fn in_directives(
    world: &World<'_>,
    active: &Owned,
    file: usize,
    source: &Source,
) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, directive) in source.tokens.directives.iter().enumerate() {
        let line = source.directive_lines(index).start;
        let is_include = directive.kind == DirectiveKind::Include;
        let is_condition = matches!(
            directive.kind,
            DirectiveKind::If
                | DirectiveKind::Ifdef
                | DirectiveKind::Ifndef
                | DirectiveKind::Elif
                | DirectiveKind::Elifdef
                | DirectiveKind::Elifndef
        );
        if !(is_include || is_condition) || !is_active(active, file, source, directive.range.start)
        {
            continue;
        }
        for at in directive.tokens.clone() {
            let Some(token) = source.tokens.get(at) else {
                continue;
            };
            let text = String::from_utf8_lossy(token.text(&source.text));
            if is_include && token.kind == TokenKind::HeaderName {
                let path = text
                    .get(1..text.len().saturating_sub(1))
                    .unwrap_or_default();
                let is_own =
                    text.starts_with('"') && active.files.iter().any(|own| own.ends_with(path));
                if world.tools.names.is_header(path) && !is_own {
                    found.push((line, path.to_owned()));
                }
            } else if token.kind == TokenKind::Identifier
                && world.tools.names.is_name(&text, active)
            {
                found.push((line, text.into_owned()));
            }
        }
    }
    found
}

/// Whether the branch around a directive was read.
fn is_active(active: &Owned, file: usize, source: &Source, offset: usize) -> bool {
    let around = source.conditionals.around(offset).last();
    let Some((conditional, branch)) = around else {
        return true;
    };
    if conditional.is_include_guard {
        return true;
    }
    let Some(branch) = conditional.branches.get(branch) else {
        return true;
    };
    let first = source.position(branch.body.start).line + 1;
    let last = source.position(branch.body.end).line;
    active
        .seen
        .range((file, first)..(file, last))
        .next()
        .is_some()
}

/// A name that is left `count` times on a line, with what the port's report says of it there.
fn cause(world: &World<'_>, spot: &Spot, name: &str, count: usize, view: &str) -> Cause {
    let file = world.trees.source(&spot.file);
    let mut words = Vec::new();
    let mut spoken = 0;
    if let Some(reason) = world.report.left_whole(&file) {
        words.push(reason.to_owned());
        spoken = count;
    }
    if let Some(source) = world.sources.get(&world.trees.original.join(&file)) {
        for line in logical_line(&source, spot.line) {
            for mark in world.report.on_line(&file, line) {
                let tokens = source.on_line(line).iter();
                let hits = tokens.filter(|token| {
                    let range = token.range();
                    let (start, end) = (source.position(range.start), source.position(range.end));
                    let is_touched = mark.start < end && start < mark.end;
                    is_touched && is_part(token.text(&source.text), name)
                });
                let hits = hits.count();
                if hits > 0 {
                    spoken += hits;
                    words.push(mark.word.clone());
                }
            }
        }
    }
    words.sort();
    words.dedup();
    Cause {
        view: view.to_owned(),
        kind: Kind::NameLeft,
        path: Some(file),
        line: Some(spot.line),
        message: format!("`{name}` is left"),
        explained_by: if spoken >= count { words } else { Vec::new() },
    }
}

/// Whether a token is a name or a part of it; a header's stands in quotes or brackets.
fn is_part(token: &[u8], name: &str) -> bool {
    let quoted = token.strip_prefix(b"<").or(token.strip_prefix(b"\""));
    quoted.is_some_and(|rest| rest.starts_with(name.as_bytes()))
        || name.split("::").any(|part| part.as_bytes() == token)
}

/// The lines of the directive that a line is part of, of which the preprocessor prints one; else
/// the line.
fn logical_line(source: &Source, line: usize) -> std::ops::Range<usize> {
    let directives = 0..source.tokens.directives.len();
    directives
        .map(|index| source.directive_lines(index))
        .find(|lines| lines.contains(&line))
        .unwrap_or(line..line + 1)
}
