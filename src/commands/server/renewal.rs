//! Trees are read again when something in them was saved.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, at};
use lsp_types::request::RegisterCapability;
use lsp_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, MessageType,
    Registration, RegistrationParams, Uri,
};

use super::places::path_of;
use super::state::State;
use super::trees::{Tree, whole};
use crate::commands::advice;
use crate::config::CONFIG_NAMES;

/// How long a tree is left alone after something was saved: more may follow.
const PAUSE: Duration = Duration::from_millis(300);

impl State {
    /// Ask the editor for news of files.
    pub(super) fn begin(&mut self) {
        if !self.client.watches {
            return;
        }
        // These files decide how a tree is read.
        let watchers = CONFIG_NAMES.map(|name| FileSystemWatcher {
            glob_pattern: GlobPattern::String(format!("**/{name}")),
            kind: None,
        });
        let options = DidChangeWatchedFilesRegistrationOptions {
            watchers: watchers.to_vec(),
        };
        self.client.ask::<RegisterCapability>(RegistrationParams {
            registrations: vec![Registration {
                id: "torchada-files".to_owned(),
                method: "workspace/didChangeWatchedFiles".to_owned(),
                register_options: serde_json::to_value(options).ok(),
            }],
        });
    }

    /// Files were saved: the trees that have them are read again.
    pub(super) fn saved(&mut self, uris: impl Iterator<Item = Uri>) {
        for path in uris.filter_map(|uri| path_of(&uri)) {
            let path = whole(&path);
            for (input, tree) in &mut self.trees {
                tree.is_stale |= path.starts_with(input);
            }
        }
        self.renew_soon();
    }

    /// Read what is stale, after a pause.
    pub(super) fn renew_soon(&mut self) {
        if self.trees.values().any(Tree::wants_reading) {
            self.renewal = Some(Instant::now() + PAUSE);
        }
    }

    /// When trees are to be read again.
    pub(super) fn timer(&self) -> Option<Receiver<Instant>> {
        self.renewal.map(at)
    }

    /// Read the trees that are stale.
    pub(super) fn renew(&mut self) {
        self.renewal = None;
        for (input, tree) in &mut self.trees {
            if !tree.wants_reading() {
                continue;
            }
            self.next += 1;
            let read = tree.read(self.next, &self.args, &self.environment, &self.events);
            if let Err(error) = read {
                let error = anyhow::Error::from(error);
                let help = advice(&error).map_or_else(String::new, |help| format!("; {help}"));
                let message = format!("torchada: {}: {error}{help}", input.display());
                self.client.show(MessageType::ERROR, message);
            }
        }
    }
}
