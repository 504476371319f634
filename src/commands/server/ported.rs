//! The port of a document, as text.

use serde_json::{Value, json};

use super::worker::Looked;

/// The port's path, relative to the tree, and its text.
pub(super) fn of(looked: &Looked) -> Value {
    json!({
        "path": looked.output,
        "text": text(looked),
    })
}

/// The text of the port.
pub(super) fn text(looked: &Looked) -> String {
    let ported = looked.edits.apply(looked.text.as_bytes()).text;
    String::from_utf8_lossy(&ported).into_owned()
}
