//! The lines that end the port of a single file.

use std::io::{self, Write};

use crate::report::Report;
use crate::report::format::plain::one_line;
use crate::report::format::row::row;
use crate::report::format::style::{BOLD, PATH};

/// Write what became of a single file: the file that was written, or that none was.
///
/// # Errors
/// When `out` can't take it.
pub fn ported_file(
    input: &str,
    output: Option<&str>,
    report: &Report,
    out: &mut dyn Write,
) -> io::Result<()> {
    /// The code of what the package for run time stands in for.
    const STANDS_IN: &str = "PY012";
    let input = one_line(input);
    let Some(output) = output.map(one_line) else {
        return writeln!(
            out,
            "{BOLD}left {input}{BOLD:#}: it could not be ported, and nothing was written"
        );
    };
    writeln!(
        out,
        "{BOLD}ported {input} to {PATH}{output}{PATH:#}{BOLD:#}"
    )?;
    if report.findings.iter().any(|one| one.code.id == STANDS_IN) {
        let text = "a port of one file brings no package that stands in for names (PY012): port the tree, or \
                    `pip install torchada-port` and `import torchada` before torch is used";
        row(out, "run time", text)?;
    }
    Ok(())
}
