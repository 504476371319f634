//! The names of the commands that the server runs for an editor.

/// The text of a document's port.
pub(super) const PORTED: &str = "torchada.ported";
/// What a code means.
pub(super) const EXPLAIN: &str = "torchada.explain";
/// Open a page in a browser.
pub(super) const OPEN: &str = "torchada.open";
