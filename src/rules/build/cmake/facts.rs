//! What rules ask of whole files for one command after another: each answer is found when it is first asked for.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};

/// Answers about a file, and about those above it. The text of no file changes while rules run.
#[derive(Default)]
pub(super) struct Facts<'a> {
    /// The names that the file and the files above it declare.
    pub(super) declared: OnceCell<FxHashSet<&'a [u8]>>,
    /// The words that conditions of the file compare.
    pub(super) compared: OnceCell<FxHashSet<&'a str>>,
    /// The variables that commands of the file read beside a word of CUDA's.
    pub(super) read_with_cuda: OnceCell<FxHashSet<&'a str>>,
    /// The first command of the file that sets options of sources.
    pub(super) sets_options_first: OnceCell<Option<usize>>,
    /// The commands of the file that make sources CUDA's, in each function and outside of all.
    pub(super) makers_of_cudas: OnceCell<FxHashMap<Option<usize>, Vec<usize>>>,
    /// The lines of the file without the white space around them, and whether one of these begins at the margin.
    pub(super) lines: OnceCell<FxHashMap<&'a [u8], bool>>,
    /// Whether a command enables CUDA's language.
    pub(super) enables_language: OnceCell<bool>,
    /// Whether a command of a file above enables CUDA's language.
    pub(super) enables_language_above: OnceCell<bool>,
    /// Where the first command of the file ends that looks for a compiler of CUDA's language.
    pub(super) looks_for_language: OnceCell<Option<usize>>,
    /// Whether a command of the file or of one above it finds MUSA's compiler once it is translated.
    pub(super) finds_compiler: OnceCell<bool>,
    /// Whether a command of a file above finds MUSA's compiler once it is translated.
    pub(super) finds_compiler_above: OnceCell<bool>,
    /// The commands of the file that find MUSA's compiler once the file is translated; none where a file above finds it in
    /// any case.
    pub(super) finders_of_compiler: OnceCell<Vec<usize>>,
    /// The first command that finds MUSA's compiler in each block of the file, and outside of all: what stands behind it in the
    /// block has the compiler.
    pub(super) first_finders: OnceCell<FxHashMap<Option<usize>, usize>>,
    /// The commands of the file that set the standard or the GPUs of CUDA's language, which the port puts into the flags.
    pub(super) put_into_flags: OnceCell<Vec<usize>>,
    /// Whether a command finds the package that has the libraries as targets.
    pub(super) finds_toolkit: OnceCell<bool>,
    /// Whether a file names the runtime's library.
    pub(super) names_runtime: OnceCell<bool>,
}
