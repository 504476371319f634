//! Measures how deep a text is nested, by its bytes alone: enough to recognise generated files, which are left
//! alone.

use memchr::{memchr, memrchr};

/// The brackets of how many bytes are counted together; fewer than a byte can count.
const TOGETHER: usize = 64;

const OPENING: [u8; 3] = *b"([{";
const CLOSING: [u8; 3] = *b")]}";

/// The kind of lines that open blocks, besides brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocks {
    /// `#if` of the preprocessor.
    Directives,
    /// `if(` of `CMake`'s, `ifdef` of make's: the first word of a line.
    Commands,
    /// No construct opens a block.
    None,
}

/// How deep brackets and blocks of a text are nested, and how many lines branch. Quotes and comments count as code.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Depth {
    /// No more brackets stand inside each other. Exact where they are more than a text may have.
    pub brackets: usize,
    /// Blocks inside each other at most.
    pub blocks: usize,
    /// Lines that open, part or close blocks, or take a macro back.
    pub branches: usize,
    /// Bytes of the longest line of these, with those that it goes on in.
    pub condition: usize,
}

/// The effect of a line on the blocks around it.
enum BlockChange {
    Opens,
    Closes,
    Parts,
}

impl Depth {
    /// Look through a text that may have so many brackets inside each other.
    pub fn of(text: &[u8], blocks: Blocks, most_brackets: usize) -> Self {
        let mut found = Self {
            brackets: match most_open(text) {
                shallow if shallow <= most_brackets => shallow,
                _ => brackets(text),
            },
            ..Self::default()
        };
        if blocks == Blocks::None {
            return found;
        }
        let mut open = 0_usize;
        // How long the condition is that goes on in the next line.
        let mut condition: Option<usize> = None;
        let mut start = 0;
        while let Some(mut rest) = text.get(start..) {
            if condition.is_none() && blocks == Blocks::Directives {
                // No other line opens a block.
                let Some(mark) = memchr(b'#', rest) else {
                    break;
                };
                let before = rest.get(..mark).unwrap_or_default();
                start += memrchr(b'\n', before).map_or(0, |line_end| line_end + 1);
                rest = text.get(start..).unwrap_or_default();
            }
            let length = memchr(b'\n', rest).unwrap_or(rest.len());
            let line = rest.get(..length).unwrap_or_default();
            start += length + 1;
            let turn = condition
                .is_none()
                .then(|| block_change(line, blocks))
                .flatten();
            if let Some(turn) = &turn {
                found.branches += 1;
                condition = Some(0);
                match turn {
                    BlockChange::Opens => open += 1,
                    BlockChange::Closes => open = open.saturating_sub(1),
                    BlockChange::Parts => {}
                }
                found.blocks = found.blocks.max(open);
            }
            if let Some(length) = &mut condition {
                *length += line.len();
                found.condition = found.condition.max(*length);
                if !line.trim_ascii_end().ends_with(b"\\") {
                    condition = None;
                }
            }
        }
        found
    }
}

/// A number that no more brackets stand inside each other than. The brackets of some bytes are counted together, which
/// takes a tenth of the time: those that close are taken to stand before those that open.
fn most_open(text: &[u8]) -> usize {
    let (mut open, mut most) = (0, 0);
    for bytes in text.chunks(TOGETHER) {
        let opening = count(bytes, OPENING);
        most = most.max(open + opening);
        open = open.saturating_sub(count(bytes, CLOSING)) + opening;
    }
    most
}

/// How many of some bytes are one of three. Without a branch, so that a processor compares many at a time.
fn count(bytes: &[u8], [first, second, third]: [u8; 3]) -> usize {
    let is_one =
        |byte| u8::from(byte == first) | u8::from(byte == second) | u8::from(byte == third);
    usize::from(bytes.iter().map(|&byte| is_one(byte)).sum::<u8>())
}

/// How many brackets stand inside each other at most.
fn brackets(text: &[u8]) -> usize {
    let (mut open, mut deepest) = (0_usize, 0_usize);
    for byte in text {
        if OPENING.contains(byte) {
            open += 1;
            deepest = deepest.max(open);
        } else if CLOSING.contains(byte) {
            open = open.saturating_sub(1);
        }
    }
    deepest
}

fn block_change(line: &[u8], blocks: Blocks) -> Option<BlockChange> {
    let line = line.trim_ascii_start();
    let word = match blocks {
        Blocks::Directives => line.strip_prefix(b"#")?.trim_ascii_start(),
        Blocks::Commands => line,
        Blocks::None => return None,
    };
    let len = word.iter().take_while(|byte| byte.is_ascii_alphabetic());
    let word = word.get(..len.count())?.to_ascii_lowercase();
    match word.as_slice() {
        b"if" | b"ifdef" | b"ifndef" | b"ifeq" | b"ifneq" => Some(BlockChange::Opens),
        b"foreach" | b"while" | b"function" | b"macro" | b"block" if blocks == Blocks::Commands => {
            Some(BlockChange::Opens)
        }
        b"undef" if blocks == Blocks::Directives => Some(BlockChange::Parts),
        word if word.starts_with(b"el") => Some(BlockChange::Parts),
        word if word.starts_with(b"end") => Some(BlockChange::Closes),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_and_blocks_are_counted_at_their_deepest() {
        let depth = Depth::of(
            b"#if A\n# ifdef B\nf(g[1]);\n#endif\n#endif\n(",
            Blocks::Directives,
            1,
        );
        assert_eq!((depth.brackets, depth.blocks), (2, 2));
        let depth = Depth::of(b"if(A)\n  IF(B)\n  endif()\nendif()\n", Blocks::Commands, 0);
        assert_eq!((depth.brackets, depth.blocks), (1, 2));
    }

    #[test]
    fn no_text_is_taken_for_shallower_than_it_is() {
        let deep = |count: usize| {
            [
                ")".repeat(count),
                "([".repeat(count),
                ")x(".repeat(9 * count),
            ]
        };
        for text in [1, 40, 300].map(|count| deep(count).concat()) {
            let exact = brackets(text.as_bytes());
            let most = most_open(text.as_bytes());
            assert!((exact..=exact + TOGETHER).contains(&most), "{exact} {most}");
            let depth = Depth::of(text.as_bytes(), Blocks::None, exact - 1);
            assert_eq!(depth.brackets, exact);
        }
    }
}
