//! Fits the rows of a summary to the terminal.

use std::io::{self, Write};

/// The narrowest terminal for which lines are broken. In a narrower one too little is left beside the names of the rows, and
/// the terminal breaks the lines.
const NARROWEST: usize = 60;

/// How many columns of a line may stand in front of a row's text.
const DEEPEST: usize = 40;

/// Write what `write` has for a terminal of so many columns: what is longer is broken where it has spaces, and goes on
/// below the beginning of its row's text. Without columns, or for few, it is written as it is.
///
/// # Errors
/// When `out` can't take it.
pub fn fitted(
    out: &mut dyn Write,
    columns: Option<usize>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let Some(columns) = columns.filter(|columns| *columns >= NARROWEST) else {
        return write(out);
    };
    let mut bytes = Vec::new();
    write(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    for line in text.split_inclusive('\n') {
        broken(line.trim_end_matches('\n'), columns, out)?;
        if line.ends_with('\n') {
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

/// Write one line in as many as it takes.
fn broken(line: &str, columns: usize, out: &mut dyn Write) -> io::Result<()> {
    let shown = shown(line);
    let indentation = indentation(&shown);
    let mut from = 0;
    let mut at = 0;
    let mut most = columns;
    while shown.len() - at > most {
        let spaces = shown.iter().enumerate().skip(at.max(indentation));
        let mut spaces = spaces.filter(|(_, (_, letter))| *letter == ' ');
        let near = spaces.clone().take_while(|(space, _)| *space <= at + most);
        // A word that is longer than a line, such as a path, stays whole: it can be copied.
        let Some((space, (byte, _))) = near.last().or_else(|| spaces.next()) else {
            break;
        };
        writeln!(out, "{}", line.get(from..*byte).unwrap_or_default())?;
        write!(out, "{:indentation$}", "")?;
        from = byte + 1;
        at = space + 1;
        most = columns - indentation;
    }
    out.write_all(line.get(from..).unwrap_or_default().as_bytes())
}

/// The letters of a line that take a column, with their places: all but those of colours.
fn shown(line: &str) -> Vec<(usize, char)> {
    let mut is_colour = false;
    let mut shown = Vec::new();
    for (at, letter) in line.char_indices() {
        if letter == '\u{1b}' {
            is_colour = true;
        } else if is_colour {
            is_colour = letter != 'm';
        } else {
            shown.push((at, letter));
        }
    }
    shown
}

/// Where the text of a row begins: behind the last columns that two spaces end.
fn indentation(shown: &[(usize, char)]) -> usize {
    let is_space = |at: usize| shown.get(at).is_some_and(|(_, letter)| *letter == ' ');
    let mut places = (2..DEEPEST).rev();
    let place = places.find(|&at| is_space(at - 1) && is_space(at - 2) && !is_space(at));
    place.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_60(text: &str) -> String {
        let mut out = Vec::new();
        fitted(&mut out, Some(60), |out| out.write_all(text.as_bytes())).expect("written");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn what_is_longer_goes_on_below_its_rows_text() {
        let rows = "  C++, CUDA       1  CPP056  `CUDART_VERSION` is a number of CUDA's (k.cu:34)\n  next        build it\n";
        let wanted = "  C++, CUDA       1  CPP056  `CUDART_VERSION` is a number of\n                             CUDA's (k.cu:34)\n  next        build it\n";
        assert_eq!(at_60(rows), wanted);
        let mut out = Vec::new();
        fitted(&mut out, None, |out| out.write_all(rows.as_bytes())).expect("written");
        assert_eq!(out, rows.as_bytes());
    }

    #[test]
    fn colours_take_no_column_and_a_path_stays_whole() {
        let colour = "\u{1b}[1m\u{1b}[31m";
        let short = format!("  findings    {colour}{} words\u{1b}[0m\n", "x".repeat(39));
        assert_eq!(at_60(&short), short);
        let path = format!("/{}", "folder/".repeat(12));
        let rows = format!("  report      {path} and more words\n");
        let wanted = format!("  report      {path}\n              and more words\n");
        assert_eq!(at_60(&rows), wanted);
        assert_eq!(
            at_60(&format!("  report      {path}\n")),
            format!("  report      {path}\n")
        );
    }
}
