//! `#include` lines: library headers follow the tables, the project's own headers follow their new names.

use super::CppUnit;
use super::rule_names::HEADER;
use super::verdict::{Reference, keep_if};
use crate::{Change, Outcome};
use torchada_diagnostic::KeptReason;
use torchada_mapping::{Relation, Tables};
use torchada_project::{Disposition, Include, include_text};
use torchada_syntax::{DirectiveKind, TokenKind};
use torchada_text::TextRange;

/// The rule name of edits of an include of a renamed file.
const FOLLOWS: &str = "include-of-renamed";

/// Changes included paths.
pub fn check(unit: &CppUnit<'_>, out: &mut Outcome) {
    if unit.fragment.is_some() {
        for token in &unit.parsed.tokens.tokens {
            let text = token.text(unit.text);
            if token.kind == TokenKind::HeaderName && text.len() > 2 {
                let range = TextRange::new(token.range().start + 1, token.range().end - 1);
                library_header(unit, out, range);
            }
        }
        return;
    }
    for (include, target) in unit.file.facts.includes.iter().zip(&unit.file.resolved) {
        match target {
            Some(target) => follow(unit, out, include, *target),
            // What is left of it is another header.
            _ if out.is_claimed_at(include.range.start) => {}
            _ => library_header(unit, out, include.range),
        }
    }
    in_macros(unit, out);
}

/// Headers that macros stand for, and `#include` gets by the macros' names: `#define BLAS_HEADER <cublas_v2.h>`.
fn in_macros(unit: &CppUnit<'_>, out: &mut Outcome) {
    let tokens = &unit.parsed.tokens;
    let macros = tokens.directives.iter();
    for one in macros.filter(|one| one.kind == DirectiveKind::Define) {
        let body = one.tokens.start + 1..one.tokens.end;
        let last = body.end.checked_sub(1).and_then(|at| unit.token(at));
        let (Some(first), Some(last)) = (unit.token(body.start), last) else {
            continue;
        };
        let range = TextRange::new(
            first.range().start,
            last.range().end.max(first.range().start),
        );
        let text = range.of(unit.text);
        let is_header = match text {
            [b'<', .., b'>'] => true,
            // A word in quotes may be anything, but for its ending.
            [b'"', inside @ .., b'"'] => body.len() == 1 && inside.contains(&b'.'),
            _ => false,
        };
        if is_header && !text.contains(&b' ') {
            library_header(unit, out, TextRange::new(range.start + 1, range.end - 1));
        }
    }
}

/// A header of the tree: the path follows where the file goes.
fn follow(unit: &CppUnit<'_>, out: &mut Outcome, include: &Include, target: usize) {
    let Some(file) = unit.project.files.get(target) else {
        return;
    };
    let led = include_text(
        &include.path,
        &unit.file.path,
        &file.path,
        &unit.file.output,
        &file.output,
    );
    if let Some(led) = led {
        unit.rename(out, Change::new(include.range, &led).rule(FOLLOWS));
    } else if matches!(file.disposition, Disposition::Left(KeptReason::Vendored))
        && unit
            .context
            .tables
            .header(&include.path)
            .is_some_and(|row| row.relation != Relation::Same)
    {
        unit.keep(out, include.range, KeptReason::Vendored);
    }
}

/// A header that is not of the tree.
fn library_header(unit: &CppUnit<'_>, out: &mut Outcome, range: TextRange) {
    let path = String::from_utf8_lossy(range.of(unit.text)).into_owned();
    let shown = Tables::header_name(&path).to_owned();
    let Some(row) = unit.context.tables.header(&shown) else {
        return;
    };
    if row.relation == Relation::Same && shown == path
        || keep_if(unit, out, range, unit.foreign(range))
    {
        return;
    }
    if row.relation == Relation::Same {
        // The header is MUSA's, too, but not where CUDA's toolkit lies.
        unit.rename(out, Change::new(range, &shown).rule(HEADER));
        return;
    }
    // What a build makes of a template of the tree, and what Cython takes from the tree's C++.
    let places = &unit.project.places;
    let from_python = unit.file.python.is_some() && shown.contains('/');
    if places.have(&format!("{shown}.in")) || from_python && places.have(&shown) {
        unit.keep(out, range, KeptReason::ProjectDeclared);
        return;
    }
    let folder = shown.split('/').next().unwrap_or_default();
    if shown.contains('/') && unit.project.left.folders.contains(folder) {
        unit.keep(out, range, KeptReason::Vendored);
        return;
    }
    if unit.context.tables.is_forbidden(shown.as_bytes()) {
        unit.keep(out, range, KeptReason::Forbidden);
        return;
    }
    let to = row.header_target(&shown).unwrap_or_default();
    Reference {
        header: true,
        ..Reference::whole(range, &shown, row, to, HEADER)
    }
    .apply_row(unit, out);
}
