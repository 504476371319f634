//! What the server knows of its editor, and what it does with each message.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crossbeam_channel::Sender;
use lsp_server::{Message, Notification, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders, DidCloseTextDocument,
    DidOpenTextDocument, DidSaveTextDocument, Notification as Notifies, PublishDiagnostics,
};
use lsp_types::{
    DidOpenTextDocumentParams, InitializeParams, MessageType, PublishDiagnosticsParams, Uri,
};
use serde::de::DeserializeOwned;

use super::client::Client;
use super::diagnostics;
use super::documents::Document;
use super::lines::Lines;
use super::places::path_of;
use super::trees::{Tree, input_of, whole};
use super::waiting::Waiting;
use super::worker::{Event, Job, Look, Looked, WorkerEvent};
use crate::cli::ServerArgs;
use crate::machine::Environment;

/// What the server knows.
#[derive(Debug)]
pub(super) struct State {
    pub(super) client: Client,
    pub(super) args: ServerArgs,
    pub(super) environment: Environment,
    pub(super) events: Sender<Event>,
    /// The folders that the editor has open.
    folders: Vec<PathBuf>,
    pub(super) documents: BTreeMap<String, Document>,
    /// The trees that were read, by their folders.
    pub(super) trees: BTreeMap<PathBuf, Tree>,
    /// When trees are read again.
    pub(super) renewal: Option<Instant>,
    /// Requests that wait for what is found in their documents.
    pub(super) waiting: Vec<Waiting>,
    /// The number of the next thread.
    pub(super) next: u64,
}

impl State {
    /// A server for the editor that sent these parameters.
    pub(super) fn new(
        sender: Sender<Message>,
        params: &InitializeParams,
        args: &ServerArgs,
        environment: Environment,
        events: Sender<Event>,
    ) -> Self {
        let folders = params.workspace_folders.iter().flatten();
        let mut folders: Vec<PathBuf> = folders.filter_map(|one| folder(&one.uri)).collect();
        // Editors that follow an older version of the protocol name one folder only.
        #[allow(deprecated)]
        if folders.is_empty() {
            folders.extend(params.root_uri.as_ref().and_then(folder));
        }
        Self {
            client: Client::new(sender, params),
            args: args.clone(),
            environment,
            events,
            folders,
            documents: BTreeMap::new(),
            trees: BTreeMap::new(),
            renewal: None,
            waiting: Vec::new(),
            next: 0,
        }
    }

    /// Take notice of something.
    pub(super) fn notification(&mut self, notification: Notification) {
        let method = notification.method.clone();
        let done = match method.as_str() {
            DidOpenTextDocument::METHOD => read(notification).map(|params| self.open(params)),
            DidChangeTextDocument::METHOD => {
                read::<lsp_types::DidChangeTextDocumentParams>(notification).map(|params| {
                    let document = params.text_document;
                    if let Some(one) = self.documents.get_mut(document.uri.as_str()) {
                        one.change(document.version, params.content_changes);
                        self.look(document.uri.as_str());
                    }
                })
            }
            DidCloseTextDocument::METHOD => {
                read::<lsp_types::DidCloseTextDocumentParams>(notification)
                    .map(|params| self.close(&params.text_document.uri))
            }
            DidSaveTextDocument::METHOD => {
                read::<lsp_types::DidSaveTextDocumentParams>(notification)
                    .map(|params| self.saved(std::iter::once(params.text_document.uri)))
            }
            DidChangeWatchedFiles::METHOD => {
                read::<lsp_types::DidChangeWatchedFilesParams>(notification)
                    .map(|params| self.saved(params.changes.into_iter().map(|one| one.uri)))
            }
            DidChangeWorkspaceFolders::METHOD => {
                read::<lsp_types::DidChangeWorkspaceFoldersParams>(notification).map(|params| {
                    let gone: Vec<PathBuf> = params
                        .event
                        .removed
                        .iter()
                        .filter_map(|one| folder(&one.uri))
                        .collect();
                    self.folders.retain(|folder| !gone.contains(folder));
                    let new = params.event.added.iter().filter_map(|one| folder(&one.uri));
                    self.folders.extend(new);
                })
            }
            "$/cancelRequest" => read::<Cancel>(notification).map(|params| self.cancel(&params.id)),
            // What the protocol lets a server ignore, and what only this one does not know.
            _ => Ok(()),
        };
        if let Err(error) = done {
            self.client.log(format!("{method}: {error}"));
        }
    }

    /// Take notice of an answer.
    pub(super) fn response(&self, response: &Response) {
        if let Err(error) = &response.response_result {
            self.client.log(error.message.clone());
        }
    }

    /// Take notice of what a tree's thread says.
    pub(super) fn event(&mut self, event: Event) {
        let Some(tree) = self.trees.get_mut(&event.tree) else {
            return;
        };
        match event.what {
            WorkerEvent::Ready => {
                if tree.take_over(event.number) {
                    let of_tree = self
                        .documents
                        .iter()
                        .filter(|(_, one)| one.tree == event.tree);
                    let uris: Vec<String> = of_tree.map(|(uri, _)| uri.clone()).collect();
                    for uri in uris {
                        self.look(&uri);
                    }
                    self.renew_soon();
                }
            }
            WorkerEvent::Looked(looked) => {
                let root = tree.root().map(Path::to_owned);
                if tree.is_current(event.number) {
                    self.take(*looked, root.as_deref());
                }
            }
            WorkerEvent::Failed(error) => {
                tree.lose(event.number);
                let message = format!("torchada: {}: {error}", event.tree.display());
                self.client.show(MessageType::ERROR, message);
            }
        }
        self.answer_waiting();
    }

    /// Keep what was found in a document, and show it.
    fn take(&mut self, looked: Looked, root: Option<&Path>) {
        let Some(document) = self.documents.get_mut(looked.uri.as_str()) else {
            return;
        };
        // A newer text is looked at already.
        if looked.version != document.version {
            return;
        }
        self.client
            .notify::<PublishDiagnostics>(PublishDiagnosticsParams {
                uri: looked.uri.clone(),
                diagnostics: diagnostics::of(&looked, root),
                version: Some(looked.version),
            });
        document.looked = Some(looked);
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) {
        let opened = params.text_document;
        // What is no file of this machine has no place in a tree.
        let Some(path) = path_of(&opened.uri) else {
            return;
        };
        let path = whole(&path);
        let input = input_of(&path, &self.folders, &self.args);
        let tree = match input {
            Ok(tree) => tree,
            Err(error) => {
                self.client
                    .show(MessageType::ERROR, format!("torchada: {error}"));
                return;
            }
        };
        let known = self.trees.entry(tree.clone());
        known.or_insert_with(|| Tree::new(tree.clone()));
        let uri = opened.uri.as_str().to_owned();
        let document = Document {
            path,
            tree,
            version: opened.version,
            lines: Lines::new(&opened.text),
            text: opened.text.into(),
            uri: opened.uri,
            looked: None,
        };
        self.documents.insert(uri.clone(), document);
        self.renew();
        self.look(&uri);
    }

    fn close(&mut self, uri: &Uri) {
        let Some(document) = self.documents.remove(uri.as_str()) else {
            return;
        };
        if let Some(tree) = self.trees.get(&document.tree) {
            tree.hand(Job::Release(document.path));
        }
        let is_wanted = |input: &PathBuf| self.documents.values().any(|one| one.tree == *input);
        // A tree that nobody looks at takes memory for nothing.
        let trees = std::mem::take(&mut self.trees).into_iter();
        self.trees = trees.filter(|(input, _)| is_wanted(input)).collect();
        self.client
            .notify::<PublishDiagnostics>(PublishDiagnosticsParams {
                uri: uri.clone(),
                diagnostics: Vec::new(),
                version: None,
            });
    }

    /// Let the thread of its tree look at a document.
    pub(super) fn look(&self, uri: &str) {
        let document = self.documents.get(uri);
        let tree = document.and_then(|one| Some((one, self.trees.get(&one.tree)?)));
        if let Some((document, tree)) = tree {
            tree.hand(Job::Look(Look {
                uri: document.uri.clone(),
                path: document.path.clone(),
                version: document.version,
                text: document.text.clone(),
                lines: document.lines.clone(),
            }));
        }
    }
}

/// The request that an editor no longer wants an answer to.
#[derive(serde::Deserialize)]
struct Cancel {
    id: RequestId,
}

/// The folder that a URI names.
fn folder(uri: &Uri) -> Option<PathBuf> {
    Some(whole(&path_of(uri)?))
}

/// The parameters of a notification.
fn read<P: DeserializeOwned>(notification: Notification) -> serde_json::Result<P> {
    serde_json::from_value(notification.params)
}
