//! Finds files about CUDA that a port copies as they are.

use crate::classify::FileKind;
use crate::diagnostic::{Code, Finding, Severity};
use crate::mapping::files::FileTable;
use crate::project::Input;
use crate::text::contains;

/// A Python file with CUDA in it.
pub const PYTHON_LEFT: Code = Code {
    id: "PY001",
    severity: Severity::Note,
    title: "Python that mentions CUDA was copied as it is",
};

/// A build file with CUDA in it.
pub const BUILD_LEFT: Code = Code {
    id: "BLD001",
    severity: Severity::Note,
    title: "build file that mentions CUDA was copied as it is",
};

/// A source in another language that calls CUDA.
pub const SOURCE_LEFT: Code = Code {
    id: "PRJ022",
    severity: Severity::Warning,
    title: "source in a language that is not translated calls CUDA",
};

/// A finding about a file that this version of the program does not translate.
pub(super) fn left_for_later(input: &Input, text: &[u8], table: &FileTable) -> Option<Finding> {
    let path = &input.path;
    if matches!(input.class.kind, FileKind::Text | FileKind::Prose) {
        return calls_cuda(path, text, table);
    }
    let (code, why, help) = match (input.class.kind, input.class.language) {
        (FileKind::Python, _) => (
            PYTHON_LEFT,
            "Python of this kind is not translated by this version",
            "translate it by hand",
        ),
        (FileKind::Build, None) => (
            BUILD_LEFT,
            "build files of this kind are not translated by this version",
            "translate it by hand",
        ),
        (FileKind::Build, Some(_)) => (
            BUILD_LEFT,
            "in the portable dialect C++ stays CUDA's, and so does what builds it",
            "where C++ is to be built for MUSA, port it with `--dialect musa`, or as a step of the build",
        ),
        _ => return None,
    };
    let mut words = table.copied.words.iter();
    words.any(|word| contains(text, word.as_bytes())).then(|| {
        Finding::whole(
            code,
            path,
            format!("`{path}` mentions CUDA and was copied as it is: {why}"),
        )
        .help(help)
    })
}

/// `use cudafor` in Fortran, `using CUDA` in Julia, `nvcc` in a program of Go's that builds.
fn calls_cuda(path: &str, text: &[u8], table: &FileTable) -> Option<Finding> {
    if !table.is_other_language(path) {
        return None;
    }
    let mut calls = table.copied.calls.iter();
    let word = calls.find(|word| contains(text, word.as_bytes()))?;
    Some(
        Finding::whole(
            SOURCE_LEFT,
            path,
            format!("`{path}` calls CUDA (`{word}`), and was copied as it is: its language is not translated"),
        )
        .help("translate it by hand, and see whether what binds its language to CUDA has the like for MUSA"),
    )
}
