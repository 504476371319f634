//! Finds the comments and the texts for people in a file.

use crate::classify::{FileClass, FileKind};
use crate::mapping::files::BuildLanguage;
use crate::syntax::cmake::Cmake;
use crate::syntax::{LexOptions, hash_comments, lex, python_strings};
use crate::text::{CoveredBytes, TextRange};

/// The role of a place for whoever reads the file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TextRole {
    /// Code.
    Code,
    /// A text in quotes.
    Text,
    /// A comment, or what parts words.
    Comment,
}

/// The comments and the texts for people in a file.
#[derive(Default)]
pub(super) struct Quiet {
    comments: CoveredBytes,
    texts: CoveredBytes,
}

impl Quiet {
    /// The role of a place.
    pub(super) fn role_of(&self, place: TextRange) -> TextRole {
        if self.comments.touch(place) {
            TextRole::Comment
        } else if self.texts.touch(place) {
            TextRole::Text
        } else {
            TextRole::Code
        }
    }
}

/// Find the comments and texts of a file.
pub(super) fn quiet(class: FileClass, text: &[u8]) -> Quiet {
    let mut found = Quiet::default();
    match (class.kind, class.language) {
        (_, Some(BuildLanguage::CMake)) => found.comments.extend(Cmake::read(text).comments),
        (FileKind::Python, _) | (_, Some(_)) => {
            if class.kind == FileKind::Python {
                found.texts.extend(python_strings(text).unwrap_or_default());
            }
            let strings = found.texts.clone();
            let comments = hash_comments(text).into_iter();
            found
                .comments
                .extend(comments.filter(|one| !strings.touch(*one)));
        }
        (kind, None) if kind.is_cpp() || kind == FileKind::Musa => {
            let template = class.template;
            let mut end = 0;
            for token in lex(text, LexOptions { template }).tokens {
                let range = token.range();
                if end < range.start {
                    found.comments.insert(TextRange::new(end, range.start));
                }
                if token.is_literal() {
                    found.texts.insert(range);
                }
                end = range.end;
            }
            if end < text.len() {
                found.comments.insert(TextRange::new(end, text.len()));
            }
        }
        _ => {}
    }
    found
}
