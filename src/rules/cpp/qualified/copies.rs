//! Pipelines of one thread and the copies of groups become functions of the header that a port writes.
//!
//! These copies are made at once, so that a file which waits for some of them in another way would wait for nothing. So
//! either all that a file uses of them is translated, or nothing is.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::chain::QualifiedName;
use super::rows::is_carried_along;
use super::visible_namespaces::VisibleNamespaces;
use crate::Outcome;
use crate::cpp::{CppUnit, inline_ptx};
use torchada_mapping::ptx::{Form, Intrinsic, Ptx, Template};
use torchada_mapping::{Relation, Section};
use torchada_ptx::Translator;
use torchada_syntax::{self as syntax, TokenKind};
use torchada_text::TextRange;

/// A name in a file that the header has a function or a type for.
struct Use<'u> {
    name: QualifiedName,
    /// The token that the name starts with.
    start: usize,
    key: String,
    intrinsic: &'u Intrinsic,
    form: &'u Form,
}

/// Translates asynchronous copies.
pub(in crate::cpp) fn check(unit: &CppUnit<'_>, out: &mut Outcome) {
    let Some(translator) = unit.context.ptx else {
        return;
    };
    if unit.fragment.is_some() || unit.alias_header.is_some() {
        return;
    }
    let table = translator.table();
    let headers = headers(unit, table);
    let has_name = || last_names(table).any(|name| unit.parsed.tokens.has_word(unit.text, name));
    if headers.is_empty() && !has_name() {
        return;
    }
    let Some(uses) = uses(unit, translator).filter(|uses| are_whole(unit, table, uses)) else {
        return;
    };
    for one in &uses {
        inline_ptx::call_helper(unit, out, one.name.range(), one.intrinsic);
        for &part in &one.name.parts {
            out.claim(part);
        }
    }
    // Another file may have more of such a header through this one than it includes by itself.
    if uses.is_empty() && unit.project.is_included(unit.index) {
        return;
    }
    for (range, left) in headers {
        inline_ptx::include_instead(unit, out, range, left);
        out.claim_at(range.start);
    }
}

/// The includes of headers that declare the names, and what is left of each.
fn headers<'u>(unit: &CppUnit<'u>, table: &'u Ptx) -> Vec<(TextRange, &'u str)> {
    let includes = unit.file.facts.includes.iter().zip(&unit.file.resolved);
    let includes =
        includes.filter(|(include, target)| target.is_none() && unit.is_compiled(include.range));
    includes
        .filter_map(|(include, _)| {
            let left = table.copies().headers.get(&include.path)?;
            Some((include.range, left.as_str()))
        })
        .collect()
}

/// The last parts of the names that have a namespace in front.
fn last_names(table: &Ptx) -> impl Iterator<Item = &[u8]> {
    let names = table.intrinsics().keys();
    names
        .filter_map(|name| name.rsplit_once("::"))
        .map(|(_, last)| last.as_bytes())
}

/// The uses of names of the table in a file; `None` where the file uses others of their namespaces, or could.
fn uses<'u>(unit: &CppUnit<'u>, translator: Translator<'u>) -> Option<Vec<Use<'u>>> {
    let visible = VisibleNamespaces::of(unit);
    let copies = translator.table().copies();
    let last: FxHashSet<&[u8]> = last_names(translator.table()).collect();
    let mut uses = Vec::new();
    let mut next = 0;
    for (index, token) in unit.identifiers() {
        if index < next || !unit.is_compiled(token.range()) {
            continue;
        }
        let name = QualifiedName::at(unit, index);
        if let [_] = name.parts.as_slice() {
            if may_be_meant(unit, index, &last, &visible) {
                return None;
            }
            continue;
        }
        next = name.end;
        if name.starts_in_own_namespace(unit, &visible) {
            continue;
        }
        for reading in name.readings(unit, &visible) {
            let key = reading.path.join("::");
            if let Some(row) = translator.table().intrinsics().get(&key)
                && let Some(form) = &row.form
            {
                let intrinsic = translator.intrinsic(key.as_bytes())?;
                if !is_cudas(unit, &reading.path, &key) {
                    return None;
                }
                uses.push(Use {
                    name,
                    start: index,
                    key,
                    intrinsic,
                    form,
                });
                break;
            }
            if reading
                .path
                .first()
                .is_some_and(|root| copies.whole.contains(root))
            {
                return None;
            }
        }
    }
    Some(uses)
}

/// Whether a name that stands by itself may be one of these: by a using-directive, or by the type of an argument.
fn may_be_meant(
    unit: &CppUnit<'_>,
    index: usize,
    last: &FxHashSet<&[u8]>,
    visible: &VisibleNamespaces<'_>,
) -> bool {
    if !last.contains(unit.word(index))
        || matches!(unit.word_before(index, 1), b"." | b"->" | b"::")
    {
        return false;
    }
    let Some(table) = unit.context.ptx.map(|ptx| ptx.table()) else {
        return false;
    };
    let word = String::from_utf8_lossy(unit.word(index));
    let is_opened = visible.prefixes.iter().any(|prefix| {
        table
            .intrinsics()
            .contains_key(&format!("{prefix}::{word}"))
    });
    is_opened || syntax::call_parenthesis(unit.text, &unit.parsed.tokens, index).is_some()
}

/// Whether a name is CUDA's, and neither the project's, nor the user's, nor of a library that the tree carries along.
fn is_cudas(unit: &CppUnit<'_>, path: &[String], key: &str) -> bool {
    let tables = unit.context.tables;
    let row = tables.get(Section::Qualified, key.as_bytes());
    let is_forbidden = tables.is_forbidden(key.as_bytes());
    let root = path.get(..1).unwrap_or_default();
    let is_own = root.iter().any(|root| {
        unit.project.namespaces.contains(root) && !unit.project.outside_folders.contains(root)
    });
    !is_forbidden
        && !is_own
        && row.is_none_or(|row| row.relation == Relation::Unknown)
        && !is_carried_along(unit, root)
}

/// Whether all uses have the form that the header takes.
fn are_whole(unit: &CppUnit<'_>, table: &Ptx, uses: &[Use<'_>]) -> bool {
    let at = |start: usize| uses.iter().find(|one| one.start == start);
    let mut inner = FxHashSet::default();
    let mut pipelines: FxHashSet<&[u8]> = FxHashSet::default();
    for one in uses {
        let Some((template, behind)) = template(unit, one) else {
            return false;
        };
        if let Template::Name(name) = &one.form.template {
            // `cuda::pipeline<cuda::thread_scope_thread>`, or `::cuda::thread_scope_thread` in it.
            let start = template.start + usize::from(unit.word(template.start) == b"::");
            let is_it = |inside: &&Use<'_>| inside.key == *name && inside.name.end == template.end;
            let Some(inside) = at(start).filter(is_it) else {
                return false;
            };
            inner.insert(inside.start);
        }
        if one.form.is_pipeline {
            match declared(unit, one, behind) {
                Some(name) => _ = pipelines.insert(name),
                // What makes a pipeline for no name may make it for a function that is not seen.
                None if !one.form.arguments.is_empty() => return false,
                None => {}
            }
        }
    }
    uses.iter().all(|one| {
        let stands_inside = uses
            .iter()
            .any(|outer| outer.form.template == Template::Name(one.key.clone()));
        inner.contains(&one.start) || !stands_inside && is_of_form(unit, one, &pipelines)
    }) && asks_known_members(unit, table, &pipelines)
}

/// The tokens between the angle brackets behind a name, and the first token behind them; `None` where the name has
/// others than its form says.
fn template(unit: &CppUnit<'_>, one: &Use<'_>) -> Option<(Range<usize>, usize)> {
    let end = one.name.end;
    if one.form.template == Template::None {
        return (unit.word(end) != b"<").then_some((end..end, end));
    }
    if unit.word(end) != b"<" {
        return None;
    }
    let (arguments, close) = syntax::template_arguments(unit.text, &unit.parsed.tokens, end)?;
    match arguments.as_slice() {
        [one] if !one.is_empty() => Some((one.clone(), close + 1)),
        _ => None,
    }
}

/// The name that a pipeline gets: `auto pipe = cuda::make_pipeline();`, `cuda::pipeline<…> &pipe`.
fn declared<'u>(unit: &'u CppUnit<'_>, one: &Use<'_>, behind: usize) -> Option<&'u [u8]> {
    let is_word = |at: usize| {
        let token = unit.token(at)?;
        (token.kind == TokenKind::Identifier).then(|| unit.word(at))
    };
    if !one.form.arguments.is_empty() {
        let before = one.start - usize::from(unit.word_before(one.start, 1) == b"::");
        let is_given = unit.word_before(before, 1) == b"=";
        return is_given.then(|| is_word(before.checked_sub(2)?))?;
    }
    let at = (behind..behind + 3).find(|&at| !matches!(unit.word(at), b"&" | b"&&" | b"const"))?;
    is_word(at)
}

/// Whether a name is called as its form says.
fn is_of_form(unit: &CppUnit<'_>, one: &Use<'_>, pipelines: &FxHashSet<&[u8]>) -> bool {
    let Some((_, behind)) = template(unit, one) else {
        return false;
    };
    if one.form.arguments.is_empty() {
        return true;
    }
    let Some(arguments) = syntax::arguments(unit.text, &unit.parsed.tokens, behind) else {
        return false;
    };
    let count = match arguments.as_slice() {
        [one] if one.is_empty() => 0,
        all => all.len(),
    };
    let takes_pipeline = one.form.pipeline.is_none_or(|place| {
        let argument = arguments.get(place).filter(|one| one.len() == 1);
        argument.is_some_and(|one| pipelines.contains(unit.word(one.start)))
    });
    one.form.arguments.contains(&count) && takes_pipeline
}

/// Whether the file asks pipelines for nothing that those of the header lack.
fn asks_known_members(unit: &CppUnit<'_>, table: &Ptx, pipelines: &FxHashSet<&[u8]>) -> bool {
    let members = &table.copies().members;
    let mut asked = unit.identifiers_where(|word| pipelines.contains(word));
    asked.all(|(index, _)| {
        let is_asked = matches!(unit.word(index + 1), b"." | b"->");
        let member = std::str::from_utf8(unit.word(index + 2));
        !is_asked || member.is_ok_and(|member| members.contains(member))
    })
}
