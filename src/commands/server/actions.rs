//! What can be done about a place: translate it, hide a finding, read what is known of it, port the file beside it.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, Command, CreateFile, CreateFileOptions,
    Diagnostic, DocumentChangeOperation, DocumentChanges, NumberOrString, OneOf,
    OptionalVersionedTextDocumentIdentifier, Position, Range, ResourceOp, TextDocumentEdit,
    TextEdit, Uri, WorkspaceEdit,
};
use serde_json::Value;

use super::client::Client;
use super::diagnostics::SOURCE;
use super::places::{path_of, uri_of};
use super::worker::Looked;
use super::{commands, markers, ported};
use crate::edit::{Edit, GroupId};
use crate::report;

/// How many translations are offered for one place.
const OFFERED: usize = 8;

/// The actions for a range of a document.
pub(super) fn of(looked: &Looked, params: &CodeActionParams, client: &Client) -> Value {
    let mut found = translations(looked, params.range);
    let own = params.context.diagnostics.iter();
    let own = own.filter(|one| one.source.as_deref() == Some(SOURCE));
    let mut explained: BTreeSet<&str> = BTreeSet::new();
    for diagnostic in own {
        let Some(NumberOrString::String(code)) = &diagnostic.code else {
            continue;
        };
        found.extend(suppression(looked, diagnostic, code));
        if explained.insert(code) {
            found.push(run("Explain", code, commands::EXPLAIN, code));
            let page = report::page_of_code(code).filter(|_| client.opens);
            found.extend(page.map(|page| run("Open the page of", code, commands::OPEN, &page)));
        }
    }
    found.extend(beside(looked, client));
    if let Some(only) = &params.context.only {
        found.retain(|action| {
            let kind = action.kind.as_ref().map_or("", CodeActionKind::as_str);
            let is_one = |only: &CodeActionKind| {
                let rest = kind.strip_prefix(only.as_str());
                rest.is_some_and(|rest| {
                    rest.is_empty() || rest.starts_with('.') || only.as_str().is_empty()
                })
            };
            only.iter().any(is_one)
        });
    }
    serde_json::to_value(found).unwrap_or_default()
}

/// The edits of a port at a range, each with those that stand and fall with it.
fn translations(looked: &Looked, range: Range) -> Vec<CodeAction> {
    let place = looked.lines.bytes(&looked.text, range);
    let is_here = |edit: &&Edit| edit.range.start <= place.end && place.start <= edit.range.end;
    let mut groups: Vec<GroupId> = Vec::new();
    for edit in looked.edits.iter().filter(is_here) {
        if !groups.contains(&edit.group) && groups.len() < OFFERED {
            groups.push(edit.group);
        }
    }
    let actions = groups.into_iter().filter_map(|group| {
        let edits: Vec<&Edit> = looked
            .edits
            .iter()
            .filter(|one| one.group == group)
            .collect();
        let first = edits.iter().find(|edit| is_here(edit))?;
        let from = looked.text.get(first.range.start..first.range.end)?;
        let to = std::str::from_utf8(&first.replacement).ok()?;
        let more = match edits.len() {
            1 => String::new(),
            2 => " and the place that goes with it".to_owned(),
            count => format!(" and the {} places that go with it", count - 1),
        };
        let texts: Option<Vec<TextEdit>> = edits
            .iter()
            .map(|edit| {
                Some(TextEdit {
                    range: looked.lines.range(&looked.text, edit.range),
                    new_text: String::from_utf8(edit.replacement.clone()).ok()?,
                })
            })
            .collect();
        Some(CodeAction {
            title: format!("Translate {} to {}{more}", short(from), short(to)),
            kind: Some(CodeActionKind::REFACTOR_REWRITE),
            edit: Some(change(&looked.uri, texts?)),
            ..CodeAction::default()
        })
    });
    actions.collect()
}

/// A text in a title.
fn short(text: &str) -> String {
    const MOST: usize = 40;
    let line = text.trim().lines().next().unwrap_or_default();
    if line.is_empty() {
        return "nothing".to_owned();
    }
    let cut: String = line.chars().take(MOST).collect();
    let dots = if cut.len() < text.trim().len() {
        "…"
    } else {
        ""
    };
    format!("`{cut}{dots}`")
}

/// A comment that hides a finding.
fn suppression(looked: &Looked, diagnostic: &Diagnostic, code: &str) -> Option<CodeAction> {
    let path = path_of(&looked.uri)?;
    let marker = markers::marker(&looked.text, &looked.lines, &path, diagnostic.range, code)?;
    Some(CodeAction {
        title: format!("Hide {code} here"),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic.clone()]),
        edit: Some(change(&looked.uri, vec![marker])),
        ..CodeAction::default()
    })
}

/// An action that runs a command.
fn run(verb: &str, code: &str, command: &str, argument: &str) -> CodeAction {
    let title = format!("{verb} {code}");
    CodeAction {
        title: title.clone(),
        kind: Some(CodeActionKind::QUICKFIX),
        command: Some(Command {
            title,
            command: command.to_owned(),
            arguments: Some(vec![Value::String(argument.to_owned())]),
        }),
        ..CodeAction::default()
    }
}

/// The port of the file: shown beside it where the editor can show it, else written beside it by the editor.
fn beside(looked: &Looked, client: &Client) -> Option<CodeAction> {
    if looked.edits.is_empty() {
        return None;
    }
    let kind = Some(CodeActionKind::new("source.torchada.port"));
    if client.shows_documents {
        let action = run(
            "Port",
            "this file to the side",
            commands::PORTED,
            looked.uri.as_str(),
        );
        return Some(CodeAction { kind, ..action });
    }
    if !client.creates_files {
        return None;
    }
    let path = path_of(&looked.uri)?;
    let new = path.with_file_name(name_beside(&path, looked.output.as_deref())?);
    let uri = uri_of(&new)?;
    let create = CreateFile {
        uri: uri.clone(),
        options: Some(CreateFileOptions {
            overwrite: Some(false),
            ignore_if_exists: Some(false),
        }),
        annotation_id: None,
    };
    let start = Position::new(0, 0);
    let insert = TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri, version: None },
        edits: vec![OneOf::Left(TextEdit {
            range: Range::new(start, start),
            new_text: ported::text(looked),
        })],
    };
    Some(CodeAction {
        title: format!(
            "Port this file to `{}` beside it",
            new.file_name()?.to_string_lossy()
        ),
        kind,
        edit: Some(WorkspaceEdit {
            document_changes: Some(DocumentChanges::Operations(vec![
                DocumentChangeOperation::Op(ResourceOp::Create(create)),
                DocumentChangeOperation::Edit(insert),
            ])),
            ..WorkspaceEdit::default()
        }),
        ..CodeAction::default()
    })
}

/// The name of a port beside its file: the one that it gets, or, where that is the file's own, one with `_musa` in it.
fn name_beside(path: &Path, output: Option<&str>) -> Option<String> {
    let own = path.file_name()?.to_string_lossy();
    let new = output.and_then(|output| output.rsplit('/').next());
    if let Some(new) = new.filter(|new| *new != own) {
        return Some(new.to_owned());
    }
    let (stem, ending) = own.rsplit_once('.').unwrap_or((&own, ""));
    let dot = if ending.is_empty() { "" } else { "." };
    Some(format!("{stem}_musa{dot}{ending}"))
}

/// Edits of one document.
// The protocol's type for it is a map with URIs as its keys.
#[allow(clippy::mutable_key_type)]
fn change(uri: &Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    WorkspaceEdit {
        changes: Some(HashMap::from([(uri.clone(), edits)])),
        ..WorkspaceEdit::default()
    }
}
