//! The few colours of messages.

use anstyle::{AnsiColor, Style};

use crate::diagnostic::Severity;

/// The style of text that stands out.
pub(in crate::report) const BOLD: Style = Style::new().bold();
/// The style of text that steps back.
pub(in crate::report) const DIM: Style = Style::new().dimmed();
/// Paths.
pub(in crate::report) const PATH: Style = AnsiColor::Cyan.on_default();

/// The colour of a severity.
pub(in crate::report) fn severity(severity: Severity) -> Style {
    let color = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Note => AnsiColor::Blue,
    };
    color.on_default().bold()
}
