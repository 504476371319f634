//! Requests that wait until their documents were looked at.

use lsp_server::RequestId;
use lsp_types::CodeActionParams;

/// A request that waits.
#[derive(Debug)]
pub(super) struct Waiting {
    /// Its number.
    pub(super) id: RequestId,
    /// The document.
    pub(super) uri: String,
    /// What is asked for.
    pub(super) ask: Ask,
}

/// What a request that waits asks for.
#[derive(Debug)]
pub(super) enum Ask {
    /// What can be done about a place.
    Actions(Box<CodeActionParams>),
    /// The document's port.
    Ported,
}
