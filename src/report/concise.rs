//! One line for each finding, as editors and CI logs read it.

use std::io::{self, Write};

use super::style;
use crate::diagnostic::Finding;

/// Write `path:line:column: severity[CODE]: message` for each finding.
///
/// # Errors
/// When `out` can't take it.
pub fn concise(findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
    let path_style = style::PATH;
    for finding in findings {
        let weight = style::severity(finding.code.severity);
        writeln!(
            out,
            "{path_style}{}{path_style:#}:{}:{}: {weight}{}[{}]{weight:#}: {}",
            one_line(&finding.place()),
            finding.start.line,
            finding.start.column,
            finding.code.severity.as_str(),
            finding.code.id,
            one_line(&finding.message),
        )?;
    }
    Ok(())
}

/// Whether a letter does something to the text around it: ends its line, colours it, or turns its direction.
fn acts(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text without line ends and other letters that are not shown but do something: a file's name could hold
/// them, and must not write lines or colours of its own.
pub(super) fn one_line(text: &str) -> String {
    if !text.chars().any(acts) {
        return text.to_owned();
    }
    text.chars()
        .flat_map(|letter| {
            let escaped = acts(letter).then(|| letter.escape_default());
            let plain = escaped.is_none().then_some(letter);
            escaped.into_iter().flatten().chain(plain)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Severity};

    #[test]
    fn a_finding_is_one_line_whatever_its_path_holds() {
        const CODE: Code = Code {
            id: "CPP999",
            severity: Severity::Note,
            title: "for the test",
        };
        let finding = Finding::whole(CODE, "a\nb\x1b[0m\u{202e}.cu", "message");
        let mut out = anstream::StripStream::new(Vec::new());
        concise(&[finding], &mut out).expect("written");
        assert_eq!(
            String::from_utf8_lossy(&out.into_inner()),
            "a\\nb\\u{1b}[0m\\u{202e}.cu:1:1: note[CPP999]: message\n"
        );
    }
}
