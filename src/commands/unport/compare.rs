//! Compares the port of the result with the patched port.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use super::apply::Patched;
use super::words::words_of;
use crate::commands::analysis::TranslatedTree;
use crate::text::{TextRange, stretches};

/// A line whose port is not what the patch makes of it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Unlike {
    /// The file, in the port.
    pub(super) path: String,
    /// Its 1-based line there, after the patch.
    pub(super) line: usize,
    /// The line in the port of the result that has its place; `None` for no line.
    other: Option<Vec<u8>>,
    /// The line that the patch wants there; `None` for no line.
    wanted: Option<Vec<u8>>,
}

impl Unlike {
    /// Whether some words of the line may be at fault, which are named by their numbers: those that the two lines share
    /// are not. Where the lines do not have as many words, all may be.
    pub(super) fn is_in(&self, words: &Range<usize>) -> bool {
        let (Some(wanted), Some(other)) = (&self.wanted, &self.other) else {
            return true;
        };
        let list = |line: &'_ [u8]| -> Vec<Vec<u8>> {
            let places = words_of(line, TextRange::new(0, line.len()));
            places.iter().map(|place| place.of(line).to_vec()).collect()
        };
        let (wanted, other) = (list(wanted), list(other));
        wanted.len() != other.len() || wanted.get(words.clone()) != other.get(words.clone())
    }
}

impl fmt::Display for Unlike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, line) = (&self.path, self.line);
        let shown = |line: &Option<Vec<u8>>| {
            let line = line.as_deref()?.trim_ascii();
            Some(String::from_utf8_lossy(line).into_owned())
        };
        match (shown(&self.wanted), shown(&self.other)) {
            (Some(wanted), Some(other)) => write!(
                f,
                "{path}:{line}: `{wanted}` has no counterpart that a port brings back: it would be `{other}`"
            ),
            (Some(wanted), None) => write!(f, "{path}:{line}: `{wanted}` would not be in the port"),
            (None, Some(other)) => write!(f, "{path}:{line}: the port would have `{other}` here"),
            (None, None) => write!(f, "{path}:{line}: the file would not be there in the port"),
        }
    }
}

/// The lines in which the port of the result is not what the patch makes of the port.
pub(super) fn compare(
    patched: &[Patched],
    before: &TranslatedTree,
    after: &TranslatedTree,
) -> Vec<Unlike> {
    let mut wanted: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (file, done) in before.project.files.iter().zip(&before.translated) {
        if let Some(text) = &file.text {
            wanted.insert(file.output.to_string(), done.text(text).into_owned());
        }
    }
    for one in patched {
        if let Some(at) = one.source.filter(|_| !one.is_copy)
            && let Some(file) = before.project.files.get(at)
        {
            wanted.remove(&*file.output);
        }
    }
    for one in patched {
        if let Some(new) = &one.new {
            wanted.insert(one.path.clone(), new.clone());
        }
    }
    let there = after.project.by_output();
    let mut found = Vec::new();
    for (path, text) in &wanted {
        let Some(at) = there.get(path.as_str()) else {
            found.push(Unlike {
                path: path.clone(),
                line: 1,
                other: None,
                wanted: None,
            });
            continue;
        };
        let source = after.project.files.get(*at);
        let old = source.and_then(|file| file.text.as_deref());
        // What nobody reads is copied.
        let Some((old, done)) = old.zip(after.translated.get(*at)) else {
            continue;
        };
        let new = done.text(old);
        if *new != **text {
            differences(path, text, &new, &mut found);
        }
    }
    found
}

fn differences(path: &str, wanted: &[u8], got: &[u8], found: &mut Vec<Unlike>) {
    fn lines(text: &[u8]) -> Vec<&[u8]> {
        text.split(|&byte| byte == b'\n').collect()
    }
    let (want, have) = (lines(wanted), lines(got));
    let copy = |lines: &[&[u8]], at: usize| lines.get(at).map(|line| line.to_vec());
    for stretch in stretches(&want, &have) {
        if stretch.is_same {
            continue;
        }
        let (old, new) = (stretch.old, stretch.new);
        for at in 0..old.len().max(new.len()) {
            let (old_at, new_at) = (old.start + at, new.start + at);
            found.push(Unlike {
                path: path.to_owned(),
                line: old_at.min(old.end.saturating_sub(usize::from(!old.is_empty()))) + 1,
                other: (new_at < new.end).then(|| copy(&have, new_at)).flatten(),
                wanted: (old_at < old.end).then(|| copy(&want, old_at)).flatten(),
            });
        }
    }
}
