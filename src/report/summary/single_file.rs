//! The lines that end the port of a single file.

use std::io::{self, Write};

use crate::diagnostic::codes::python::STANDS_IN;
use crate::report::Report;
use crate::report::format::plain::one_line;
use crate::report::format::row::row;
use crate::report::format::style::{BOLD, PATH};
use crate::text::counted;

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
    without_package("a port of one file", "port the tree", report, out)
}

/// Say that a port which brings no package for run time has names that the package would stand in for, where it has.
pub(super) fn without_package(
    what: &str,
    otherwise: &str,
    report: &Report,
    out: &mut dyn Write,
) -> io::Result<()> {
    if report
        .findings
        .iter()
        .all(|one| one.code.id != STANDS_IN.id)
    {
        return Ok(());
    }
    let text = format!(
        "{what} brings no package that stands in for names (PY012): {otherwise}, or `pip install torchada-port` and \
         `import torchada` before torch is used"
    );
    row(out, "run time", &text)
}

/// Say that the package for run time is not in a diff whose lines import it.
///
/// # Errors
/// When `out` can't take it.
pub fn package_not_in_diff(files: usize, out: &mut dyn Write) -> io::Result<()> {
    let files = counted(files, "file");
    writeln!(
        out,
        "note: the diff imports `torchada`, and leaves out the package, {files}: `torchada port -o` and `--in-place` write \
         it, and `pip install torchada-port` installs it"
    )
}
