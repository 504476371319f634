//! Findings in the forms that hosts of code and their pipelines read.

mod fingerprint;
mod github;
mod gitlab;
mod junit;
mod sarif;

pub use fingerprint::fingerprints;
pub use github::github;
pub use gitlab::gitlab;
pub use junit::junit;
pub use sarif::{Hidden, page_of_code, sarif};

use crate::diagnostic::Finding;

/// The text of a file, by its path in the findings.
pub type TextOf<'f, 't> = &'f dyn Fn(&str) -> Option<&'t [u8]>;

/// What happened, and what to do about it.
fn whole_message(finding: &Finding) -> String {
    match &finding.help {
        Some(help) => format!("{}\n{help}", finding.message),
        None => finding.message.clone(),
    }
}

/// A path as a part of a URI: relative, with `/` between its parts.
fn uri(path: &str) -> String {
    /// What RFC 3986 lets stand in a path; a colon would make its first part a scheme.
    const KEPT: &percent_encoding::AsciiSet = &percent_encoding::NON_ALPHANUMERIC
        .remove(b'/')
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~');
    percent_encoding::utf8_percent_encode(path, KEPT).to_string()
}
