//! Which line of a port stands for which of its original. C++ in place of inline PTX has another number of lines; all
//! else keeps its lines.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use torchada::syntax::ptx::{AsmStatement, is_asm_keyword};
use torchada::text::stretches;

use super::World;
use super::source::Source;
use super::views::Side;

/// The lines of one file of the original beside those of its port, all 1-based.
#[derive(Default)]
pub struct Lines {
    /// Where the two differ, in their order.
    hunks: Vec<Hunk>,
    /// The statements of inline PTX that the port has no longer.
    translated: Vec<Statement>,
}

struct Hunk {
    original: Range<usize>,
    port: Range<usize>,
}

struct Statement {
    lines: Range<usize>,
    /// Its tokens in CUDA's spelling.
    words: BTreeSet<Vec<u8>>,
    /// Whether its lines have other tokens, too.
    is_beside_others: bool,
}

impl Lines {
    fn new(world: &World<'_>, original: &Source, port: &Source) -> Self {
        let statements = statements(original);
        if statements.is_empty() {
            return Self::default();
        }
        let text = |source: &Source| -> Vec<Vec<Vec<u8>>> {
            let written = source.text.split(|byte| *byte == b'\n');
            let line = |(at, written): (usize, &[u8])| {
                let tokens = source.on_line(at + 1);
                // A comment is no `#else` and no blank line, though none of them has a token.
                if tokens.is_empty() {
                    return vec![written.trim_ascii().to_vec()];
                }
                let spelled = tokens
                    .iter()
                    .map(|token| world.tools.canon.token(token.text(&source.text)));
                spelled.map(std::borrow::Cow::into_owned).collect()
            };
            let lines = written.enumerate().take(source.line_count());
            lines.map(line).collect()
        };
        let compared = stretches(text(original), text(port));
        let numbers = |range: Range<usize>| range.start + 1..range.end + 1;
        let hunks: Vec<Hunk> = compared
            .into_iter()
            .filter(|stretch| !stretch.is_same)
            .map(|stretch| Hunk {
                original: numbers(stretch.old),
                port: numbers(stretch.new),
            })
            .collect();
        let is_translated = |lines: &Range<usize>| {
            hunks.iter().any(|hunk| {
                let covers = hunk.original.start < lines.end && lines.start < hunk.original.end;
                let mut stays = hunk.port.clone().flat_map(|line| port.words_on_line(line));
                covers && !stays.any(is_asm_keyword)
            })
        };
        let translated = statements
            .into_iter()
            .map(|range| Statement::new(world, original, range))
            .filter(|statement| is_translated(&statement.lines))
            .collect();
        Self { hunks, translated }
    }

    /// The line of the original that a line of a side stands for.
    pub fn original(&self, side: Side, line: usize) -> usize {
        match side {
            Side::Original => line,
            Side::Port => moved(
                self.hunks.iter().map(|one| (&one.port, &one.original)),
                line,
            ),
        }
    }

    /// The line of the port that stands for a line of the original.
    pub fn forth(&self, line: usize) -> usize {
        moved(
            self.hunks.iter().map(|one| (&one.original, &one.port)),
            line,
        )
    }

    /// Whether a line belongs to a statement of inline PTX that the port has no longer, or to what stands in its place.
    pub fn is_translated(&self, side: Side, line: usize) -> bool {
        let line = self.original(side, line);
        let mut all = self.translated.iter();
        all.any(|statement| statement.lines.contains(&line))
    }

    /// Whether translated PTX answers for a line of the original that has `gained` in place of `lost`.
    pub fn answers(
        &self,
        line: usize,
        lost: &BTreeSet<Vec<u8>>,
        gained: &BTreeSet<Vec<u8>>,
    ) -> bool {
        // What `__LINE__` is: fewer or more lines stand before it.
        let is_number =
            |words: &BTreeSet<Vec<u8>>, line: usize| words.iter().eq([line.to_string().as_bytes()]);
        if is_number(lost, line) && is_number(gained, self.forth(line)) {
            return true;
        }
        self.translated.iter().any(|statement| {
            statement.lines.contains(&line)
                && (!statement.is_beside_others || lost.is_subset(&statement.words))
        })
    }
}

impl Statement {
    /// The statement with these tokens.
    fn new(world: &World<'_>, source: &Source, range: Range<usize>) -> Self {
        let tokens = source.tokens.tokens.get(range).unwrap_or_default();
        let line = |offset| source.position(offset).line;
        let lines = tokens
            .first()
            .zip(tokens.last())
            .map_or(0..0, |(first, last)| {
                line(first.range().start)..line(last.range().end) + 1
            });
        let words = tokens
            .iter()
            .map(|token| world.tools.canon.token(token.text(&source.text)));
        let on_lines: usize = lines.clone().map(|line| source.on_line(line).len()).sum();
        Self {
            words: words.map(std::borrow::Cow::into_owned).collect(),
            is_beside_others: on_lines > tokens.len(),
            lines,
        }
    }
}

/// Where a line is on the other side: hunks have the line's own side first.
fn moved<'h>(
    hunks: impl Iterator<Item = (&'h Range<usize>, &'h Range<usize>)>,
    line: usize,
) -> usize {
    let before = hunks.take_while(|(own, _)| own.start <= line).last();
    before.map_or(line, |(own, other)| {
        if own.contains(&line) {
            other.start + (line - own.start).min(other.len().saturating_sub(1))
        } else {
            other.end + (line - own.end)
        }
    })
}

/// The tokens of all statements of inline assembly, `;` included.
fn statements(source: &Source) -> Vec<Range<usize>> {
    let tokens = source.tokens.tokens.iter().enumerate();
    tokens
        .filter(|(_, token)| is_asm_keyword(token.text(&source.text)))
        .filter_map(|(at, _)| AsmStatement::at(&source.text, &source.tokens, at))
        .map(|statement| {
            let has_end = source.tokens.is(statement.end, &source.text, ";");
            statement.keyword..statement.end + usize::from(has_end)
        })
        .collect()
}

/// The lines of all files that somebody asked for.
#[derive(Default)]
pub struct AllLines {
    known: Mutex<HashMap<String, Arc<Lines>>>,
}

impl AllLines {
    /// Those of a file of the original.
    pub fn of(&self, world: &World<'_>, file: &str) -> Arc<Lines> {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(file) {
            return known.clone();
        }
        let trees = &world.trees;
        let original = world.sources.get(&trees.original.join(file));
        let port = world.sources.get(&trees.port.join(trees.ported(file)));
        let both = original.zip(port);
        let lines = both.map(|(original, port)| Lines::new(world, &original, &port));
        let lines = Arc::new(lines.unwrap_or_default());
        lock().insert(file.to_owned(), lines.clone());
        lines
    }
}
