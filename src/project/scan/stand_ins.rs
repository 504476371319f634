//! Declarations that stand in for CUDA's: they are no wrappers, and what they declare means
//! what CUDA's means.

use crate::facts::{DeclaredAs, FileFacts, Include, OwnDeclaration};
use torchada_mapping::{Relation, Section, Tables, VersionForm};
use torchada_syntax::{Branch, Conditional, DirectiveKind, TokenKind};
use torchada_text::TextRange;

use super::Parsed;
use crate::Context;

/// Declarations that take CUDA's place in builds without CUDA are no wrappers: where another
/// branch of their conditional includes CUDA's header, the names mean CUDA's on a GPU build and
/// are translated with it.
pub(super) fn drop_platform_stubs(parsed: &Parsed, tables: &Tables, facts: &mut FileFacts) {
    let known = |include: &Include| tables.changes_header(&include.path);
    if facts.declared.is_empty() || !facts.includes.iter().any(known) {
        return;
    }
    let in_other_branches = |one: &Conditional, declared: &OwnDeclaration| {
        let Some(own) = one.branch_at(declared.at.start) else {
            return false;
        };
        facts
            .includes
            .iter()
            .filter(|include| known(include))
            .filter_map(|include| one.branch_at(include.range.start))
            .any(|other| other != own)
    };
    let stands_in = |declared: &OwnDeclaration| {
        declared.what.can_stand_in()
            && parsed
                .conditionals
                .all()
                .iter()
                .any(|one| one.is_closed && in_other_branches(one, declared))
    };
    let keep: Vec<bool> = facts.declared.iter().map(|one| !stands_in(one)).collect();
    let gone = facts.declared.iter().zip(&keep).filter(|(_, keep)| !**keep);
    facts
        .stand_ins
        .extend(gone.map(|(one, _)| one.name.clone()));
    let mut keep = keep.into_iter();
    facts.declared.retain(|_| keep.next().unwrap_or(true));
}

/// The conditionals of a file, each with the names that its conditions test.
struct TestedNames<'s>(Vec<(TextRange, Vec<&'s [u8]>)>);

impl<'s> TestedNames<'s> {
    fn of(source: &'s [u8], parsed: &Parsed) -> Self {
        let tokens = &parsed.tokens;
        let tested = |branch: &Branch| -> Vec<&'s [u8]> {
            let directive = tokens.directives.get(branch.directive);
            let words = directive
                .filter(|directive| directive.kind != DirectiveKind::Else)
                .and_then(|directive| tokens.tokens.get(directive.tokens.clone()));
            let names = words.unwrap_or_default().iter();
            names
                .filter(|token| token.kind == TokenKind::Identifier)
                .map(|token| token.text(source))
                .collect()
        };
        let closed = parsed.conditionals.all().iter().filter(|one| one.is_closed);
        let spans =
            closed.map(|one| (one.inside(), one.branches.iter().flat_map(tested).collect()));
        Self(spans.collect())
    }

    /// Whether a conditional around a place tests a name that is so.
    fn any_around(&self, place: usize, is_so: impl Fn(&[u8]) -> bool) -> bool {
        let mut around = self.0.iter().filter(|(span, _)| span.contains(place));
        around.any(|(_, names)| names.iter().any(|name| is_so(name)))
    }
}

/// Declarations that stand in for names which an old CUDA lacks are no wrappers either: they sit
/// behind a test of CUDA's version or architecture, or of the name itself, and mean what CUDA's
/// mean.
pub(super) fn drop_polyfills(
    source: &[u8],
    parsed: &Parsed,
    context: Context<'_>,
    facts: &mut FileFacts,
) {
    if facts.declared.is_empty() {
        return;
    }
    let tables = context.tables;
    let tested = TestedNames::of(source, parsed);
    let is_version = |name: &[u8]| {
        tables.get(Section::Names, name).is_some_and(|row| {
            row.relation == Relation::Absent || (row.stem && name.ends_with(b"_ARCH__"))
        })
    };
    // What the project gives itself where CUDA does not: MUSA never gives the version of a library, and no name that it
    // lacks.
    let versions = &context.knowledge.shapes.guards;
    let is_lacking = |name: &[u8]| {
        let row = tables.get(Section::Names, name);
        row.is_some_and(|row| matches!(row.relation, Relation::Unknown | Relation::Absent))
    };
    let is_own = |one: &OwnDeclaration| {
        let gives_version =
            one.what == DeclaredAs::Macro && versions.version(&one.name) == Some(VersionForm::None);
        (gives_version || is_lacking(&one.name))
            && tested.any_around(one.at.start, |name| name == one.name)
    };
    let mut dropped = Vec::new();
    facts.declared.retain(|one| {
        let global = one.scope.is_empty()
            && matches!(
                one.what,
                DeclaredAs::Macro | DeclaredAs::Function | DeclaredAs::Prototype
            );
        let keep = !global
            || is_own(one)
            || !tested.any_around(one.at.start, |name| name == one.name || is_version(name));
        if !keep {
            dropped.push(one.name.clone());
        }
        keep
    });
    facts.stand_ins.extend(dropped);
}
