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

use std::fmt::Write as _;

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
    let encode = |text: &str| percent_encoding::utf8_percent_encode(text, KEPT).to_string();
    // A byte that is no UTF-8 is shown as `\xHH`, and is `%HH` in a URI.
    let mut parts = path.split("\\x");
    let mut text = encode(parts.next().unwrap_or_default());
    for part in parts {
        let byte = part
            .get(..2)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte.filter(|byte| !byte.is_ascii()).zip(part.get(2..)) {
            Some((byte, rest)) => {
                // Writing to a string can't fail.
                let _ = write!(text, "%{byte:02X}");
                text.push_str(&encode(rest));
            }
            None => text.push_str(&encode(&format!("\\x{part}"))),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_that_is_no_utf8_is_itself_in_a_uri() {
        assert_eq!(uri("a b/\\xe9.cu"), "a%20b/%E9.cu");
        assert_eq!(uri("é.cu"), "%C3%A9.cu");
        assert_eq!(uri("a\\x41.cu"), "a%5Cx41.cu");
        assert_eq!(uri("a\\x"), "a%5Cx");
    }
}
