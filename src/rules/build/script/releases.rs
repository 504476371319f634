//! Places of CUDA's toolkit whose release a variable holds.

use super::pass::ScriptPass;
use super::view::ScriptView;
use crate::build::toolkit::OPEN;
use torchada_diagnostic::codes::build::PATH;
use torchada_syntax::script::{Word, WordPart};
use torchada_text::TextRange;

/// A path into the toolkit up to the end of its word, where a variable holds the release: `/usr/local/cuda-$(VERSION)/bin`.
pub(super) fn with_release(
    view: &ScriptView<'_>,
    text: TextRange,
    word: &Word,
    at: usize,
) -> Option<TextRange> {
    let behind = word.parts.get(at + 1..)?;
    let root = view.knowledge.toolkit.root.as_bytes();
    let front = view.of(text).strip_suffix(b"-")?;
    let is_variable = matches!(behind.first(), Some(WordPart::Variable { .. }));
    let mut ranges = std::iter::once(text).chain(behind.iter().map(|part| part.range()));
    // Quotes between the parts are no part of the path.
    let mut end = ranges.next()?.end;
    let is_whole = ranges.all(|part| std::mem::replace(&mut end, part.end) == part.start);
    let is_one = front.ends_with(root) && is_variable && is_whole;
    is_one.then(|| TextRange::new(text.start, end))
}

/// A place of the toolkit whose folder a variable of CUDA's holds: `/usr/local/$(CUDAVERSION)/bin`.
pub(super) fn versioned(pass: &mut ScriptPass<'_>, text: TextRange, next: Option<&WordPart>) {
    let root = pass.view.knowledge.toolkit.root.as_bytes();
    let parent = memchr::memrchr(b'/', root).and_then(|slash| root.get(..=slash));
    let (Some(parent), Some(&WordPart::Variable { name, whole })) = (parent, next) else {
        return;
    };
    if pass.view.of(text).ends_with(parent) && pass.findings.is_cudas(name) {
        let place = TextRange::new(text.end - parent.len(), whole.end);
        pass.findings.report(PATH, place, OPEN);
    }
}
