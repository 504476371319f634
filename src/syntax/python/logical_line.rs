//! One logical line of a module by itself.

use super::lines::LogicalLines;
use super::ruff::is_sound;
use torchada_text::TextRange;

/// The places of the logical lines of a module, without their indentation and a comment behind them.
pub fn logical_lines(text: &str) -> impl Iterator<Item = TextRange> {
    LogicalLines::new(text).map(|line| TextRange::new(line.at, line.at + line.text.len()))
}

/// Whether a logical line is sound Python where it has a place: `elif` behind an `if`, a head in front of a block. What needs
/// more of a place than that counts as unsound.
pub fn is_sound_line(line: &[u8]) -> bool {
    let chained = line.strip_prefix(b"el");
    let line = chained
        .filter(|rest| rest.starts_with(b"if"))
        .unwrap_or(line);
    let behind: &[u8] = match line {
        [b'@', ..] => b"\ndef f(): pass",
        [.., b':'] => b" pass",
        _ => b"",
    };
    is_sound(&[line, behind].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_sound_if_its_place_may_make_it_so() {
        for line in [
            "x = f(\n  1,  # one\n  2)",
            "if a:",
            "elif a: pass",
            "elif a:",
            "@f.g",
            "class A(B):",
            "return 1",
        ] {
            assert!(is_sound_line(line.as_bytes()), "{line}");
        }
        for line in ["x = f(1", "if a", "elif:", "@f(", "x = 1)", "else:"] {
            assert!(!is_sound_line(line.as_bytes()), "{line}");
        }
    }
}
