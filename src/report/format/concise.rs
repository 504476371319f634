//! One line for each finding, as editors and CI logs read it.

use std::io::{self, Write};

use super::plain::one_line;
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
            place(finding),
            finding.start.line,
            finding.start.column,
            finding.code.severity.as_str(),
            finding.code.id,
            one_line(&finding.message),
        )?;
    }
    Ok(())
}

/// The place of a finding. What starts with a colon could be a command to the pipeline that logs the line.
fn place(finding: &Finding) -> String {
    let place = one_line(&finding.place());
    if place.starts_with(':') {
        return format!("./{place}");
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    #[test]
    fn a_finding_is_one_line_whatever_its_path_holds() {
        const CODE: Code = Code::note("CPP999", "for the test");
        let finding = Finding::whole(CODE, "a\nb\x1b[0m\u{202e}.cu", "message");
        let mut out = anstream::StripStream::new(Vec::new());
        concise(&[finding], &mut out).expect("written");
        assert_eq!(
            String::from_utf8_lossy(&out.into_inner()),
            "a\\nb\\u{1b}[0m\\u{202e}.cu:1:1: note[CPP999]: message\n"
        );
    }
}
