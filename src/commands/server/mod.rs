//! `torchada server`: serves editors over the Language Server Protocol, on standard input and output.
//!
//! One thread reads messages and one writes them (`transport`); the loop in this file answers. Each tree has a thread of its
//! own that holds the tree's facts and translates what is typed (`worker`), so that the loop never waits.

mod actions;
mod client;
mod commands;
mod diagnostics;
mod documents;
mod evidence;
mod hover;
mod lines;
mod markers;
mod places;
mod ported;
mod renewal;
mod requests;
mod state;
mod transport;
mod trees;
mod waiting;
mod worker;

use anyhow::Result;
use crossbeam_channel::{never, select, unbounded};
use lsp_server::Message;
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, ExecuteCommandOptions,
    HoverProviderCapability, InitializeParams, SaveOptions, ServerCapabilities, ServerInfo,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions,
};

use super::Streams;
use crate::cli::{Exit, ServerArgs};
use state::State;

/// Serve one editor until it says that it ends.
///
/// # Errors
/// When the editor and this program can't agree at the start.
pub fn run(args: &ServerArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let connection = transport::stdio();
    let Ok((id, params)) = connection.initialize_start() else {
        return Ok(Exit::Found);
    };
    let params: InitializeParams = serde_json::from_value(params)?;
    let info = ServerInfo {
        name: "torchada".to_owned(),
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
    };
    let answer = serde_json::json!({ "capabilities": capabilities(), "serverInfo": info });
    if connection.initialize_finish(id, answer).is_err() {
        return Ok(Exit::Found);
    }
    let (say, events) = unbounded();
    let environment = streams.environment.clone();
    let mut state = State::new(connection.sender.clone(), &params, args, environment, say);
    state.begin();
    loop {
        let timer = state.timer().unwrap_or_else(never);
        select! {
            recv(connection.receiver) -> message => match message {
                Ok(Message::Request(request)) => match connection.handle_shutdown(&request) {
                    Ok(true) => return Ok(Exit::Done),
                    Ok(false) => state.request(request),
                    Err(_) => return Ok(Exit::Found),
                },
                Ok(Message::Notification(notification)) => {
                    if notification.method == "exit" {
                        return Ok(Exit::Found);
                    }
                    state.notification(notification);
                }
                Ok(Message::Response(response)) => state.response(&response),
                // The editor is gone without a word.
                Err(_) => return Ok(Exit::Found),
            },
            recv(events) -> event => if let Ok(event) = event {
                state.event(event);
            },
            recv(timer) -> _ => state.renew(),
        }
    }
}

/// What the server can do. Positions are in UTF-16, which every client knows.
fn capabilities() -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(
            SaveOptions::default(),
        )),
        ..TextDocumentSyncOptions::default()
    };
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![
                CodeActionKind::QUICKFIX,
                CodeActionKind::REFACTOR_REWRITE,
                CodeActionKind::new("source.torchada.port"),
            ]),
            ..CodeActionOptions::default()
        })),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: [commands::PORTED, commands::EXPLAIN, commands::OPEN]
                .map(str::to_owned)
                .to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}
