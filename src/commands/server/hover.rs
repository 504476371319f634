//! What is known at a place: the tables' answer for the name there, what becomes of it, and what findings there mean.

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, TextDocumentPositionParams};
use serde_json::Value;

use super::documents::Document;
use super::evidence;
use super::state::State;
use crate::commands::codes;
use crate::config::Settings;
use crate::diagnostic::Finding;
use crate::mapping::Tables;
use crate::mapping::codes::Explanations;
use crate::mapping::names::query;
use crate::report;
use crate::text::TextRange;

/// The hover at a place, as the protocol's value; `null` where nothing is known.
pub(super) fn hover(state: &State, place: &TextDocumentPositionParams) -> Value {
    let document = state.documents.get(place.text_document.uri.as_str());
    let Some(document) = document else {
        return Value::Null;
    };
    let at = document.lines.offset(&document.text, place.position);
    let tree = state.trees.get(&document.tree);
    let settings = tree.and_then(|tree| tree.settings.as_deref());
    let mut parts: Vec<String> = Vec::new();
    let mut range = None;
    if let Some((name, answer)) = named(&document.text, at, settings) {
        range = Some(document.lines.range(&document.text, name));
        parts.push(answer);
    }
    parts.extend(found(document, at));
    if parts.is_empty() {
        return Value::Null;
    }
    let hover = Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: parts.join("\n\n---\n\n"),
        }),
        range,
    };
    serde_json::to_value(hover).unwrap_or_default()
}

/// The name around a byte that the tables know, and their answer.
fn named(text: &str, at: usize, settings: Option<&Settings>) -> Option<(TextRange, String)> {
    let tables = match settings {
        Some(settings) => {
            let overlays = settings.overlays().ok()?;
            Tables::for_run(settings.fact_table(), &overlays, &settings.versions())
        }
        None => Tables::for_run(None, &[], &crate::mapping::Versions::default()),
    };
    let tables = tables.ok()?;
    candidates(text, at).into_iter().find_map(|range| {
        let name = text.get(range.start..range.end)?;
        let answer = query::ask(&tables, name);
        if !answer.is_known() {
            return None;
        }
        let mut out = Vec::new();
        report::map::answers(&tables, std::slice::from_ref(&answer), &mut out).ok()?;
        let mut shown = fenced(&String::from_utf8_lossy(&out));
        for (_, row) in &answer.rows {
            if let Some(page) = evidence::page(&row.source) {
                shown.extend(["\n\n[Evidence](", &page, ")"]);
            }
        }
        Some((range, shown))
    })
}

/// The names that a place may be in, the longest first: a header, a qualified name, its front up to the place, a word.
fn candidates(text: &str, at: usize) -> Vec<TextRange> {
    let around = |is_part: &dyn Fn(char) -> bool| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at..).unwrap_or_default();
        let start = at
            - before
                .chars()
                .rev()
                .take_while(|&one| is_part(one))
                .map(char::len_utf8)
                .sum::<usize>();
        let end = at
            + after
                .chars()
                .take_while(|&one| is_part(one))
                .map(char::len_utf8)
                .sum::<usize>();
        let inside = text.get(start..end).unwrap_or_default();
        let front = inside.len() - inside.trim_start_matches(['.', ':', '/']).len();
        let back = inside.len() - inside.trim_end_matches(['.', ':', '/']).len();
        TextRange::new(
            (start + front).min(end),
            (end - back).max((start + front).min(end)),
        )
    };
    let is_word = |one: char| one.is_alphanumeric() || one == '_';
    let is_qualified = |one: char| is_word(one) || matches!(one, '.' | ':');
    let is_path = |one: char| is_qualified(one) || matches!(one, '/' | '-');
    let word = around(&is_word);
    let qualified = around(&is_qualified);
    let front = TextRange::new(qualified.start.min(word.end), word.end);
    let mut found = vec![around(&is_path), qualified, front, word];
    found.retain(|range| !range.is_empty());
    found.dedup();
    found
}

/// What becomes of the text at a byte, and what the findings there mean.
fn found(document: &Document, at: usize) -> Vec<String> {
    let Some(looked) = document.current() else {
        return Vec::new();
    };
    let is_here = |range: TextRange| range.start <= at && at <= range.end && !range.is_empty();
    let mut parts: Vec<String> = Vec::new();
    for edit in looked.edits.iter().filter(|edit| is_here(edit.range)) {
        let to = String::from_utf8_lossy(&edit.replacement);
        parts.push(format!("In the port:\n\n{}", fenced(&to)));
    }
    let not_built = looked.report.not_built.iter().map(|one| &one.finding);
    let findings = looked.report.findings.iter().chain(not_built);
    let mut codes: Vec<&str> = findings
        .filter(|finding: &&Finding| is_here(finding.range))
        .map(|finding| finding.code.id)
        .collect();
    codes.sort_unstable();
    codes.dedup();
    parts.extend(codes.into_iter().filter_map(explained));
    parts
}

/// What a code means, in Markdown; `None` for what is no code.
pub(super) fn explained(code: &str) -> Option<String> {
    let texts = Explanations::builtin();
    let all = codes::all();
    let code = all.iter().find(|one| one.id.eq_ignore_ascii_case(code))?;
    let text = texts.get(code.id)?;
    Some(format!(
        "**{}** {}\n\n{}\n\n{}\n\n*What to do.* {}\n\n*How sure it is.* {}",
        code.id,
        code.title,
        text.what.trim(),
        text.why.trim(),
        text.fix.trim(),
        text.evidence.trim()
    ))
}

/// A text as a block of code, whatever stands in it.
fn fenced(text: &str) -> String {
    let longest = text.split(|one| one != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    format!("{fence}text\n{}\n{fence}", text.trim_end())
}
