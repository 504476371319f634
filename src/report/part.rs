//! The parts of an input that findings are about.

use crate::mapping::effort::Effort;
use crate::mapping::knowledge::Knowledge;

/// A part of an input, in the order in which somebody comes to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Part {
    /// Files of build systems, modules that build a package of Python's, and the tree as a whole.
    Build,
    /// Python.
    Python,
    /// C++ and CUDA.
    Cpp,
}

impl Part {
    /// The parts, in their order.
    pub(super) const ALL: [Self; 3] = [Self::Build, Self::Python, Self::Cpp];

    /// The part that a finding of a code in a file is about.
    pub(super) fn of(code: &str, path: &str) -> Self {
        let codes = &Effort::builtin().parts;
        if code.starts_with(&codes.cpp) {
            Self::Cpp
        } else if code.starts_with(&codes.python)
            && !Knowledge::builtin().python_values.entry.is_build(path)
        {
            Self::Python
        } else {
            Self::Build
        }
    }

    /// Its name in a sentence.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Build => "the build",
            Self::Python => "Python",
            Self::Cpp => "C++ and CUDA",
        }
    }

    /// Its name in a row.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Python => "Python",
            Self::Cpp => "C++, CUDA",
        }
    }
}
