//! Text of other people's (names of files, words of a source) in a message: letters that do something to the terminal or
//! log that shows them are written out.

/// Whether a letter does something to the text around it: ends its line, colours it, or turns its direction.
fn acts(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text as one line: a file's name may hold line ends, and must not write lines or colours of its own.
pub fn one_line(text: &str) -> String {
    written_out(text, acts)
}

/// Text that may have several lines, such as an error of a parser's that shows where it stopped.
pub fn lines(text: &str) -> String {
    written_out(text, |letter| letter != '\n' && acts(letter))
}

fn written_out(text: &str, is: impl Fn(char) -> bool) -> String {
    if !text.chars().any(&is) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if is(letter) {
            out.extend(letter.escape_default());
        } else {
            out.push(letter);
        }
    }
    out
}
