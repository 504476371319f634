//! Measures how deep a text is nested, by its bytes alone: enough to recognise generated files, which are left
//! alone.

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
    /// Brackets inside each other at most.
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
    /// Look through a text.
    pub fn of(text: &[u8], blocks: Blocks) -> Self {
        let mut found = Self {
            brackets: brackets(text),
            ..Self::default()
        };
        if blocks == Blocks::None {
            return found;
        }
        let mut open = 0_usize;
        // How long the condition is that goes on in the next line.
        let mut condition: Option<usize> = None;
        for line in lines(text) {
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

/// How many brackets stand inside each other at most.
fn brackets(text: &[u8]) -> usize {
    let (mut open, mut deepest) = (0_usize, 0_usize);
    // All of a run's texts are read here: without branches, which a processor can't foresee.
    for &byte in text {
        open += usize::from(matches!(byte, b'(' | b'[' | b'{'));
        open = open.saturating_sub(usize::from(matches!(byte, b')' | b']' | b'}')));
        deepest = deepest.max(open);
    }
    deepest
}

/// The lines of a text, without their ends.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', text).chain([text.len()]);
    ends.map(move |end| {
        let line = text.get(start..end).unwrap_or_default();
        start = end + 1;
        line
    })
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
        );
        assert_eq!((depth.brackets, depth.blocks), (2, 2));
        let depth = Depth::of(b"if(A)\n  IF(B)\n  endif()\nendif()\n", Blocks::Commands);
        assert_eq!((depth.brackets, depth.blocks), (1, 2));
    }
}
