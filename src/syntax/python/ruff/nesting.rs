//! How deep the parser's tree of a text may be, from its tokens alone: a level takes a kilobyte of stack to parse, and
//! some to take down.

use ruff_python_ast::ModModule;
use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_parser::{Mode, Parsed, lexer};

/// The most blocks that may stand in each other in a long text. A shorter one has no room for many more, because each
/// is indented.
const MOST_BLOCKS: usize = 1_000;

/// The most tokens that may nest, each in the one before.
const MOST_TOKENS: usize = 20_000;

/// The tokens of a logical line that may stand in each other.
#[derive(Default)]
struct Nesting {
    /// The line outside of brackets.
    line: Level,
    /// Each bracket that is open, by the token that closes it.
    brackets: Vec<(TokenKind, Level)>,
    /// The tokens of all of these.
    tokens: usize,
}

/// What may nest the next token between two brackets.
#[derive(Default)]
struct Level {
    /// Tokens since the last comma: what a comma parts stands side by side.
    tokens: usize,
    /// All `lambda`s: the commas of the next one's parameters end none of them.
    lambdas: usize,
}

impl Nesting {
    /// Go on behind a token; gives how many tokens may stand around the next one.
    fn add(&mut self, kind: TokenKind) -> usize {
        match kind {
            TokenKind::Newline => *self = Self::default(),
            TokenKind::Comment | TokenKind::NonLogicalNewline => {}
            TokenKind::Comma => {
                let level = self.level();
                let parted = level.tokens - level.lambdas;
                level.tokens = level.lambdas;
                self.tokens -= parted;
            }
            // A bracket of another kind closes nothing: the parser goes on inside of what is open.
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                let closed = self.brackets.pop_if(|(closer, _)| *closer == kind);
                self.tokens -= closed.map_or(0, |(_, level)| level.tokens);
            }
            _ => {
                let level = self.level();
                level.tokens += 1;
                level.lambdas += usize::from(kind == TokenKind::Lambda);
                self.tokens += 1;
                let closer = match kind {
                    TokenKind::Lpar => Some(TokenKind::Rpar),
                    TokenKind::Lsqb => Some(TokenKind::Rsqb),
                    TokenKind::Lbrace => Some(TokenKind::Rbrace),
                    _ => None,
                };
                let opened = closer.map(|closer| (closer, Level::default()));
                self.brackets.extend(opened);
            }
        }
        self.tokens
    }

    /// The innermost level.
    fn level(&mut self) -> &mut Level {
        let innermost = self.brackets.last_mut();
        innermost.map_or(&mut self.line, |(_, level)| level)
    }
}

/// Whether few tokens and blocks of a text that is not parsed may nest, each in the one before.
pub(super) fn nests_little(text: &str) -> bool {
    let mut lexer = lexer::lex(text, Mode::Module);
    let (mut nesting, mut blocks) = (Nesting::default(), 0_usize);
    loop {
        let kind = lexer.next_token();
        match kind {
            TokenKind::EndOfFile => return true,
            TokenKind::Indent => blocks += 1,
            TokenKind::Dedent => blocks = blocks.saturating_sub(1),
            _ if nesting.add(kind) > MOST_TOKENS => return false,
            _ => {}
        }
        if blocks > MOST_BLOCKS {
            return false;
        }
    }
}

/// Whether few tokens of a text that is parsed nest, each in the one before.
pub(super) fn tokens_nest_little(parsed: &Parsed<ModModule>) -> bool {
    let tokens = parsed.tokens().iter().as_slice();
    let is_end = |token: &Token| token.kind() == TokenKind::Newline;
    // Most lines have far fewer tokens than may nest.
    let mut long = tokens.split(is_end).filter(|line| line.len() > MOST_TOKENS);
    long.all(|line| {
        let mut nesting = Nesting::default();
        line.iter()
            .all(|token| nesting.add(token.kind()) <= MOST_TOKENS)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{LONG, read};
    use super::*;

    #[test]
    fn a_long_text_is_read_where_it_nests_little() {
        let long = "values = [1, 2]\n".repeat(LONG / 16 + 1);
        assert!(read(long.as_bytes()).is_some());
        let many = MOST_TOKENS;
        for nested in [
            format!("x = {}1{}\n", "(".repeat(many), ")".repeat(many)),
            format!("x = {}1\n", "lambda a, b: ".repeat(many)),
            format!("x = f{}\n", "(1, 2)".repeat(many)),
        ] {
            assert!(read(format!("{long}{nested}").as_bytes()).is_none());
        }
        let blocks = (0..=MOST_BLOCKS).map(|depth| format!("{}if x:\n", " ".repeat(depth)));
        let blocks: String = blocks.collect();
        let last = " ".repeat(MOST_BLOCKS + 1);
        assert!(read(format!("{long}{blocks}{last}y\n").as_bytes()).is_none());
    }

    #[test]
    fn a_bracket_of_another_kind_closes_nothing() {
        assert!(!nests_little(&"(],".repeat(MOST_TOKENS + 1)));
        assert!(nests_little(&"(), ".repeat(MOST_TOKENS + 1)));
    }

    #[test]
    fn what_commas_part_nests_nothing() {
        let list = format!("x = [{}]\n", "f(1 + 2), ".repeat(MOST_TOKENS));
        assert!(read(list.as_bytes()).is_some());
    }
}
