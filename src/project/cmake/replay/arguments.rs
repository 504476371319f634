//! What a command of `CMake`'s gets.

use super::value::Value;

/// An argument of a command.
#[derive(Clone, Debug)]
pub(super) struct PassedArgument {
    /// What it is.
    pub(super) value: Value,
    /// Its place among the arguments as they are written.
    pub(super) place: usize,
}

impl PassedArgument {
    /// Its text.
    pub(super) fn text(&self) -> String {
        self.value.text()
    }

    /// Whether it surely is this text.
    pub(super) fn is(&self, text: &str) -> bool {
        self.value.is(text)
    }
}

/// Whether a text stands for itself, as one element.
pub(super) fn is_literal(text: &[u8]) -> bool {
    !text.iter().any(|byte| matches!(byte, b'$' | b'\\' | b';'))
}
