//! Measures how deep a text is nested, by its bytes alone: enough to recognise generated files, which are left
//! alone.

use memchr::{memchr, memrchr};

/// How many bytes of a text are counted at once; fewer than a byte can count.
const TOGETHER: usize = 128;

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
    /// Brackets inside each other at most; fewer where these are few.
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
    /// Look through a text. Whoever asks does not care how many brackets stand inside each other where these are `few` at most.
    pub fn of(text: &[u8], blocks: Blocks, few: usize) -> Self {
        let mut found = Self {
            brackets: brackets(text, few),
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

/// How many brackets stand inside each other at most; fewer where these are `few` at most.
fn brackets(text: &[u8], few: usize) -> usize {
    let opens = |byte: &u8| matches!(byte, b'(' | b'[' | b'{');
    let closes = |byte: &u8| matches!(byte, b')' | b']' | b'}');
    let (mut open, mut deepest) = (0_usize, 0_usize);
    for part in text.chunks(TOGETHER) {
        // Counted in bytes, many at a time.
        let opening = part.iter().fold(0, |sum, byte| sum + u8::from(opens(byte)));
        let closing = part
            .iter()
            .fold(0, |sum, byte| sum + u8::from(closes(byte)));
        let (opening, closing) = (usize::from(opening), usize::from(closing));
        if closing <= open && open + opening <= few {
            open = open + opening - closing;
            continue;
        }
        for byte in part {
            if opens(byte) {
                open += 1;
                deepest = deepest.max(open);
            } else if closes(byte) {
                open = open.saturating_sub(1);
            }
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
    fn many_brackets_are_counted_exactly_wherever_they_stand() {
        for (text, deepest) in [
            (format!("{}{}", "x".repeat(300), "(".repeat(300)), 300),
            (format!("{}{}", ")".repeat(200), "({[".repeat(50)), 150),
            (format!("{}{}((", "( ".repeat(101), ") ".repeat(3)), 101),
        ] {
            let depth = Depth::of(text.as_bytes(), Blocks::None, 100);
            assert_eq!(depth.brackets, deepest);
        }
    }
}
