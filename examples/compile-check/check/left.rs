//! Names of CUDA's in the active code of a port. The real headers under the shim would take them
//! without a word.

use std::collections::BTreeMap;

use torchada::syntax::{DirectiveKind, LexOptions, TokenKind, lex};

use super::World;
use super::outcome::{Cause, Kind};
use super::owned::{Owned, Spot};
use super::source::Source;

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
    // Of a library that was left whole its names say nothing more.
    let whole: BTreeMap<&String, &str> = active
        .files
        .iter()
        .filter_map(|file| Some((file, world.report.left_whole(&world.trees.source(file))?)))
        .collect();
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
    let mut causes: Vec<Cause> = found
        .into_iter()
        .filter(|((spot, _), _)| !whole.contains_key(&spot.file))
        .map(|((spot, name), count)| cause(world, &spot, &name, count, view))
        .collect();
    causes.extend(whole.into_iter().map(|(file, reason)| Cause {
        view: view.to_owned(),
        kind: Kind::NameLeft,
        path: Some(world.trees.source(file)),
        line: None,
        message: "the file is left as it is".to_owned(),
        explained_by: vec![reason.to_owned()],
    }));
    causes
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
    let Spot { file, line: place } = world.back(spot);
    let mut words = Vec::new();
    let mut spoken = 0;
    if let Some(source) = world.sources.get(&world.trees.original.join(&file)) {
        for line in logical_line(&source, place) {
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
        line: Some(place),
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
