//! Files of `CMake`'s that do not parse: commands near the fault are not read, so their names stay.

use crate::Outcome;
use crate::build::BuildUnit;
use torchada_diagnostic::codes::build::CMAKE_NOT_PARSED;
use torchada_syntax::cmake::Cmake;
use torchada_text::TextRange;

/// Report where a file does not parse. A template may be more than `CMake`.
pub(super) fn report(unit: &BuildUnit<'_>, file: &Cmake, out: &mut Outcome) {
    let fault = file.fault.filter(|_| !unit.file.class.template);
    let Some(start) = fault else {
        return;
    };
    let message = "this does not parse as CMake: commands from here on may be left as they are";
    let finding = unit.finding(
        CMAKE_NOT_PARSED,
        TextRange::new(start, start),
        message.to_owned(),
    );
    out.report(finding.help("correct it and port again, or look through it by hand"));
}
