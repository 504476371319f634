//! Names of source files in one line of a text.

use std::ops::Range;

use super::in_expressions;
use super::line_words::{in_references, words};
use super::meaning::is_pattern;
use crate::facts::{Mention, Reach};
use crate::tree::paths;
use torchada_mapping::ends_with_one;
use torchada_text::{TextRange, contains};

/// What an object that is called after its source has behind the source's name: `k.cu.o`, `k.cuo`.
const OBJECTS: [&[u8]; 2] = [b".o", b"o"];

/// A line of a text.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    /// The part of the line that counts.
    pub(super) text: &'a [u8],
    /// 1-based.
    pub(super) number: usize,
    /// The offset of the part in the file.
    pub(super) start: usize,
}

/// The names that are looked for.
#[derive(Clone, Copy)]
pub(super) struct SoughtNames<'a> {
    /// The endings that files with such a name have.
    pub(super) endings: &'a [&'a str],
    /// Whether patterns count: `*.cu*`.
    pub(super) patterns: bool,
}

impl SoughtNames<'_> {
    /// Add the mentions in one line.
    pub(super) fn collect(self, at: Line<'_>, found: &mut Vec<Mention>) {
        let Self { endings, patterns } = self;
        let line = at.text;
        let expressions = in_expressions::bare_endings(line, endings);
        found.extend(expressions.into_iter().map(|range| Mention {
            range: TextRange::new(at.start + range.start, at.start + range.end),
            binds: false,
            text: format!(
                "*.{}",
                String::from_utf8_lossy(line.get(range).unwrap_or_default())
            ),
            line: at.number,
            reach: Reach::Expression,
        }));
        let holds = |ending: &&str| contains(line, ending);
        if !endings.iter().any(holds) {
            return;
        }
        let suffix = suffix_rule(line, endings).filter(|_| patterns);
        let words = words(line);
        let objects = words
            .iter()
            .filter_map(|word| source_of_object(line, word, endings));
        let objects: Vec<Range<usize>> = objects.collect();
        let all = words.into_iter().chain(in_references(line));
        for range in all.chain(suffix).chain(objects) {
            let is_in_expression =
                range.start.checked_sub(1).and_then(|at| line.get(at)) == Some(&b'\\');
            if is_in_expression && line.get(range.start) == Some(&b'.') {
                continue;
            }
            let start = at.start + range.start;
            let Some(word) = line
                .get(range)
                .and_then(|word| std::str::from_utf8(word).ok())
            else {
                continue;
            };
            let ends = |word: &str| ends_with_one(word, endings);
            let word = word.trim_end_matches('.');
            // `*.cu*` takes in headers, too, whose endings change in the same letters.
            let front = word.trim_end_matches(['*', '?']);
            let is_open = patterns && ends(front) && is_pattern(paths::file_name(front), endings);
            if !is_open && !ends(word) {
                continue;
            }
            found.push(Mention {
                range: TextRange::new(start, start + word.len()),
                binds: patterns || !is_pattern(paths::file_name(word), endings),
                text: word.to_owned(),
                line: at.number,
                reach: Reach::Open,
            });
        }
    }
}

/// The ending that a suffix rule of make's is for: `.cu.o:`.
fn suffix_rule(line: &[u8], endings: &[&str]) -> Option<Range<usize>> {
    let mut endings = endings.iter();
    endings.find_map(|ending| {
        let rest = line.strip_prefix(ending.as_bytes())?.strip_prefix(b".")?;
        let len = rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .count();
        let behind = rest.get(len..)?.trim_ascii_start();
        (len > 0 && behind.starts_with(b":")).then_some(0..ending.len())
    })
}

/// The source in the name of an object that is called after it, without the folder of the object: `k.cu` of
/// `build/k.cu.o`.
fn source_of_object(line: &[u8], word: &Range<usize>, endings: &[&str]) -> Option<Range<usize>> {
    let word_text = line.get(word.clone())?;
    let is_source = |source: &&[u8]| ends_with_one(source, endings);
    let mut sources = OBJECTS
        .iter()
        .filter_map(|end| word_text.strip_suffix(*end));
    let source = sources.find(is_source)?;
    let folder = memchr::memrchr(b'/', source).map_or(0, |at| at + 1);
    Some(word.start + folder..word.start + source.len())
}
