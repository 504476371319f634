//! What the editor can do, and what is asked of it.

use lsp_server::{Message, Notification, Request, RequestId};
use lsp_types::notification::{Notification as Notifies, ShowMessage};
use lsp_types::request::{Request as Asks, ShowDocument};
use lsp_types::{
    InitializeParams, MessageType, ResourceOperationKind, ShowDocumentParams, ShowMessageParams,
};
use serde::Serialize;

use super::transport::{log, send};

/// The editor.
#[derive(Debug)]
// What it can do, each by its own name.
#[allow(clippy::struct_excessive_bools)]
pub(super) struct Client {
    sender: crossbeam_channel::Sender<Message>,
    /// Whether it watches files where it is asked to.
    pub(super) watches: bool,
    /// Whether it shows what a command returns, as the extension for VS Code does.
    pub(super) shows_documents: bool,
    /// Whether it makes files where an edit says so.
    pub(super) creates_files: bool,
    /// Whether it opens pages in a browser.
    pub(super) opens: bool,
    /// The number of the next request.
    next: i32,
}

impl Client {
    /// The editor that sent these parameters.
    pub(super) fn new(
        sender: crossbeam_channel::Sender<Message>,
        params: &InitializeParams,
    ) -> Self {
        let workspace = params.capabilities.workspace.as_ref();
        let watched = workspace.and_then(|one| one.did_change_watched_files);
        let operations = workspace.and_then(|one| one.workspace_edit.as_ref());
        let operations = operations.and_then(|one| one.resource_operations.as_ref());
        let options = params.initialization_options.as_ref();
        let shows = options.and_then(|one| one.get("showsDocuments"));
        let window = params.capabilities.window.as_ref();
        let shown = window.and_then(|one| one.show_document.as_ref());
        Self {
            sender,
            shows_documents: shows.and_then(serde_json::Value::as_bool) == Some(true),
            creates_files: operations
                .is_some_and(|kinds| kinds.contains(&ResourceOperationKind::Create)),
            opens: shown.is_some_and(|one| one.support),
            watches: watched.and_then(|one| one.dynamic_registration) == Some(true),
            next: 0,
        }
    }

    /// Send a message.
    pub(super) fn send(&self, message: impl Into<Message>) {
        send(&self.sender, message);
    }

    /// Tell it something.
    pub(super) fn notify<N: Notifies>(&self, params: N::Params)
    where
        N::Params: Serialize,
    {
        self.send(Notification::new(N::METHOD.to_owned(), params));
    }

    /// Ask it for something whose answer says nothing new.
    pub(super) fn ask<R: Asks>(&mut self, params: R::Params)
    where
        R::Params: Serialize,
    {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Request::new(id, R::METHOD.to_owned(), params));
    }

    /// Show a message to its user.
    pub(super) fn show(&self, typ: MessageType, message: String) {
        self.notify::<ShowMessage>(ShowMessageParams { typ, message });
    }

    /// Show a text that its user asked for.
    pub(super) fn inform(&self, text: String) {
        self.show(MessageType::INFO, text);
    }

    /// Let it open a page in a browser.
    pub(super) fn open(&mut self, page: &str) {
        let is_page = page.starts_with("https://");
        if let Some(uri) = page.parse().ok().filter(|_| is_page) {
            self.ask::<ShowDocument>(ShowDocumentParams {
                uri,
                external: Some(true),
                take_focus: None,
                selection: None,
            });
        }
    }

    /// Write a line to its log.
    pub(super) fn log(&self, message: String) {
        self.send(log(message));
    }
}
