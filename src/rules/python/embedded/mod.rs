//! C++ for CUDA in strings: source for run-time compilers, templates and generators.

mod forms;
mod named;
mod source;
mod translate;
mod written;

pub use self::named::SourceNames;

use self::written::WRITTEN_NAME;
use super::PythonUnit;
use crate::diagnostic::{Code, Severity};
use crate::rules::{Outcome, Rule};

/// Names of CUDA's C++ in a string that may be source or may be a text.
pub const MAY_BE_SOURCE: Code = Code {
    id: "PY080",
    severity: Severity::Warning,
    title: "may be C++ in a string; where it stands does not tell",
};
/// A name in a string can't be changed in place.
pub const NEEDS_ESCAPE: Code = Code {
    id: "PY081",
    severity: Severity::Warning,
    title: "code in a string that can't be changed in place",
};

/// Code in strings.
pub struct Embedded;

const RULE: &str = "python-code-in-string";

impl Rule<PythonUnit<'_>> for Embedded {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        const CODES: [Code; 3] = [MAY_BE_SOURCE, NEEDS_ESCAPE, WRITTEN_NAME];
        &CODES
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        // In the portable dialect it stays CUDA's, and is ported when it is built.
        if !unit.is_musa() {
            return;
        }
        let table = &unit.context.knowledge.embedded;
        let sources = source::all(unit, table);
        let mut headers: Vec<String> = Vec::new();
        for source in &sources {
            headers.extend(source.headers.iter().cloned());
            headers.extend(source.includes());
        }
        headers.sort();
        headers.dedup();
        for source in &sources {
            source.translate(unit, &headers, out);
        }
        let generates = sources.iter().any(|source| source.sure && source.marked);
        written::check(unit, generates, out);
    }
}
