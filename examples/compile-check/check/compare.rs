//! Two streams of tokens, and in what they differ.

use std::collections::HashMap;
use std::ops::Range;

use torchada::syntax::{LexOptions, TokenKind, lex};
use torchada::text::stretches;

use super::World;
use super::canonical::Canon;
use super::owned::{Owned, Spot};
use super::views::Side;

/// One token of the project's code.
#[derive(Clone, Debug)]
pub struct Word {
    /// How it is spelled, in CUDA's names.
    pub text: Vec<u8>,
    /// Where it comes from.
    pub offset: usize,
    /// Whether a statement, or part of one, ends with it.
    ends: bool,
    /// Whether it stands on a line of inline PTX that was translated, or of the C++ in its place.
    is_translated: bool,
}

/// Tokens that differ: those of the original and those of the port that stand in their place.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Those of the original, each with its line.
    pub original: Vec<(Vec<u8>, Spot)>,
    /// Those of the port.
    pub port: Vec<(Vec<u8>, Spot)>,
}

/// The tokens of one side in CUDA's spelling.
pub fn words(world: &World<'_>, owned: &Owned, side: Side) -> Vec<Word> {
    let canon = &world.tools.canon;
    let lines = owned.files.iter().map(|file| {
        let file = world.trees.in_original(side, file);
        world.lines.of(world, &file)
    });
    let lines: Vec<_> = lines.collect();
    let is_translated = |offset| {
        let place = owned.number(offset);
        let place = place.and_then(|(file, line)| Some((lines.get(file)?, line)));
        place.is_some_and(|(lines, line)| lines.is_translated(side, line))
    };
    let lexed = lex(&owned.text, LexOptions::default()).tokens;
    let mut words: Vec<Word> = Vec::with_capacity(lexed.len());
    for token in lexed {
        let text = token.text(&owned.text);
        // `x.template f<T>()` is `x.f<T>()` for whoever takes both, and mcc takes the longer one alone.
        let behind = words.last().map(|word| word.text.as_slice());
        if text == b"template" && matches!(behind, Some(b"." | b"->" | b"::")) {
            continue;
        }
        words.push(Word {
            ends: token.kind == TokenKind::Punct && matches!(text, b";" | b"{" | b"}"),
            text: canon.token(text).into_owned(),
            offset: token.range().start,
            is_translated: is_translated(token.range().start),
        });
    }
    match side {
        Side::Original => with_moved(&words, canon),
        Side::Port => words,
    }
}

/// Qualified names of the original where the port has them.
fn with_moved(words: &[Word], canon: &Canon) -> Vec<Word> {
    let mut out: Vec<Word> = Vec::with_capacity(words.len());
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let begins = words.get(at + 1).is_some_and(|next| next.text == b"::")
            && out.last().is_none_or(|before| before.text != b"::");
        // The longest name in the tables has fewer parts than this.
        let ahead = words.get(at..words.len().min(at + 16)).unwrap_or_default();
        if begins && let Some((length, back)) = canon.moved(ahead) {
            out.extend(back.into_iter().map(|text| Word {
                text,
                offset: word.offset,
                ends: false,
                is_translated: word.is_translated,
            }));
            at += length;
            continue;
        }
        out.push(word.clone());
        at += 1;
    }
    out
}

impl AsRef<[u8]> for Word {
    fn as_ref(&self) -> &[u8] {
        &self.text
    }
}

/// In what two sides differ, in the order of the code.
///
/// A port keeps its lines. So statements are paired that stand on the same line of the original,
/// and only what is left between those is compared by its tokens alone: else a `return` that was
/// lost would be found again in the next function.
pub fn differences(
    world: &World<'_>,
    original: &Owned,
    port: &Owned,
    a: &[Word],
    b: &[Word],
) -> Vec<Difference> {
    let mut keys = Keys::default();
    let (first, second) = (statements(a), statements(b));
    let left = keys.of(world, Side::Original, original, a, &first);
    let right = keys.of(world, Side::Port, port, b, &second);
    let span = |ranges: &[Range<usize>], part: Range<usize>, end: usize| {
        let from = ranges.get(part.start).map_or(end, |range| range.start);
        let last = ranges.get(part.clone()).and_then(<[_]>::last);
        from..last.map_or(from, |range| range.end)
    };
    let mut found = Vec::new();
    let mut open: Option<(Range<usize>, Range<usize>)> = None;
    for stretch in stretches(left, right) {
        let (old, new) = (stretch.old, stretch.new);
        if !stretch.is_same {
            let (olds, news) = open.get_or_insert_with(|| (old.clone(), new.clone()));
            olds.end = old.end;
            news.end = new.end;
            continue;
        }
        if let Some((old, new)) = open.take() {
            let (old, new) = (span(&first, old, a.len()), span(&second, new, b.len()));
            within(original, port, a, b, old, new, &mut found);
        }
    }
    if let Some((old, new)) = open {
        let (old, new) = (span(&first, old, a.len()), span(&second, new, b.len()));
        within(original, port, a, b, old, new, &mut found);
    }
    found
}

/// Numbers for statements: one for each text on each line.
#[derive(Default)]
struct Keys<'w> {
    files: HashMap<String, usize>,
    known: HashMap<Statement<'w>, usize>,
}

/// The line that a statement starts on, with its file's number, and its tokens.
type Statement<'w> = (Option<(usize, usize)>, Vec<&'w [u8]>);

impl<'w> Keys<'w> {
    fn of(
        &mut self,
        world: &World<'_>,
        side: Side,
        owned: &Owned,
        words: &'w [Word],
        statements: &[Range<usize>],
    ) -> Vec<usize> {
        let files: Vec<usize> = owned
            .files
            .iter()
            .map(|file| {
                let next = self.files.len();
                let file = world.trees.in_original(side, file);
                *self.files.entry(file).or_insert(next)
            })
            .collect();
        let place = |word: &Word| {
            let (file, line) = owned.number(word.offset)?;
            let name = world.trees.in_original(side, owned.files.get(file)?);
            let line = world.lines.of(world, &name).original(side, line);
            Some((*files.get(file)?, line))
        };
        let mut keys = Vec::with_capacity(statements.len());
        for range in statements {
            let words = words.get(range.clone()).unwrap_or_default();
            let texts: Vec<&[u8]> = words.iter().map(|word| word.text.as_slice()).collect();
            let next = self.known.len();
            let key = (words.first().and_then(place), texts);
            keys.push(*self.known.entry(key).or_insert(next));
        }
        keys
    }
}

/// The tokens that differ between two stretches.
fn within(
    original: &Owned,
    port: &Owned,
    a: &[Word],
    b: &[Word],
    old: Range<usize>,
    new: Range<usize>,
    found: &mut Vec<Difference>,
) {
    let first = a.get(old.clone()).unwrap_or_default();
    let second = b.get(new.clone()).unwrap_or_default();
    let texts = |words: &[Word]| -> Vec<(bool, Vec<u8>)> {
        let text = |word: &Word| (word.is_translated, word.text.clone());
        words.iter().map(text).collect()
    };
    let spots = |words: &[Word], owned: &Owned| -> Vec<(Vec<u8>, Spot)> {
        words
            .iter()
            .filter_map(|word| Some((word.text.clone(), owned.spot(word.offset)?)))
            .collect()
    };
    for stretch in stretches(texts(first), texts(second)) {
        if stretch.is_same {
            continue;
        }
        let within = |part: Range<usize>, whole: &Range<usize>| {
            part.start + whole.start..part.end + whole.start
        };
        let lost = within(stretch.old, &old);
        let added = within(stretch.new, &new);
        let (lost, added) = match (lost.is_empty(), added.is_empty()) {
            (false, true) => (slid(a, lost), added),
            (true, false) => (lost, slid(b, added)),
            _ => (lost, added),
        };
        found.push(Difference {
            original: spots(a.get(lost).unwrap_or_default(), original),
            port: spots(b.get(added).unwrap_or_default(), port),
        });
    }
}

/// The same stretch moved on, where what follows it repeats how it begins: a function that is
/// lost begins behind the `}` of the one before, and does not end before its own.
fn slid(words: &[Word], range: Range<usize>) -> Range<usize> {
    let same = |a: usize, b: usize| {
        let texts = words.get(a).zip(words.get(b));
        texts.is_some_and(|(a, b)| a.text == b.text && a.is_translated == b.is_translated)
    };
    let mut best = range.clone();
    let mut at = range;
    while same(at.start, at.end) {
        at = at.start + 1..at.end + 1;
        if words.get(at.start - 1).is_some_and(|word| word.ends) {
            best = at.clone();
        }
    }
    best
}

/// The code in pieces that end with `;`, `{` or `}`.
fn statements(words: &[Word]) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    for (at, word) in words.iter().enumerate() {
        if word.ends || at + 1 == words.len() {
            out.push(start..at + 1);
            start = at + 1;
        }
    }
    out
}
