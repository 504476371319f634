//! A file of the project: as it is read, and as the translation of other files sees it.

use std::sync::{Arc, OnceLock};

use super::file_text::FileText;
use crate::Context;
use crate::facts::FileFacts;
use torchada_classify::{FileClass, FileKind};
use torchada_diagnostic::KeptReason;
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::python::embedded::Notebooks;
use torchada_syntax::Tokens;
use torchada_syntax::cmake::Cmake;
use torchada_syntax::cython::Cython;
use torchada_syntax::notebook::{Magics, Notebook};
use torchada_text::WordIndex;

/// A file as it is handed to the project.
#[derive(Clone, Debug)]
pub struct Input {
    /// Path relative to the root, with `/`; bytes that are not UTF-8 replaced.
    pub path: Arc<str>,
    /// The file's kind.
    pub class: FileClass,
    /// Its content, where it may matter: C++, and files that may name sources.
    pub text: Option<FileText>,
    /// Whether the file is translated in this run. Other files are read for their facts.
    pub selected: bool,
    /// The new path, where a folder layout moves the file.
    pub moved: Option<String>,
    /// The target of a link, relative to the root, if it lies inside.
    pub leads_to: Option<String>,
    /// Its tokens, where something has read them before the file is scanned.
    pub tokens: Option<Tokens>,
    /// Whether the ending of a source stands in the text, where its kind is one that names sources; also where nobody has
    /// looked.
    pub has_ending_of_source: bool,
    /// Its commands, once something has read them, where it is a file of `CMake`'s.
    pub commands: OnceLock<Arc<Cmake>>,
}

impl Input {
    /// A file that is translated, and of which nothing is known but its path and its kind: its text may say anything.
    pub fn new(path: impl Into<Arc<str>>, class: FileClass) -> Self {
        Self {
            path: path.into(),
            class,
            text: None,
            selected: true,
            moved: None,
            leads_to: None,
            tokens: None,
            has_ending_of_source: true,
            commands: OnceLock::new(),
        }
    }

    /// Whether the text of a file that may name sources, by its kind, has something that does.
    pub(crate) fn names_sources(&self) -> bool {
        // Makefiles also name them by endings without a dot.
        let is_make = self.class.language == Some(BuildLanguage::Make);
        self.class.kind.names_sources() && (self.has_ending_of_source || is_make)
    }

    /// The commands of a file of `CMake`'s, which has this text.
    pub(crate) fn cmake(&self, text: &[u8]) -> &Arc<Cmake> {
        self.commands.get_or_init(|| Arc::new(Cmake::read(text)))
    }
}

/// Whether a file is translated, copied or left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disposition {
    /// The file is translated.
    Ported,
    /// The file is copied as it is, for a reason that is reported.
    Left(KeptReason),
    /// The file is copied as it is, because nothing in it is C++.
    Copied,
}

/// Python in a file that is more than Python.
#[derive(Clone, Debug)]
pub enum PythonCode {
    /// The cells of a notebook, or why it can't be read.
    Notebook(Result<Notebook, String>),
    /// The Python part of Cython.
    Cython(Cython),
}

/// The magics of notebooks whose rest is Python.
pub fn magics(table: &Notebooks) -> Magics<'_> {
    Magics {
        line: &table.line_magics,
        cell: &table.cell_magics,
        writing: &table.writing_magics,
        endings: &table.written_endings,
    }
}

impl PythonCode {
    /// Whether a file of Python is more than its text.
    pub(crate) fn is_in(path: &str, context: Context<'_>) -> bool {
        let table = &context.knowledge.embedded;
        table.notebook.has(path) || table.cython.has(path)
    }

    /// Take a file apart; `None` where its text is its Python.
    pub(crate) fn of(path: &str, text: &[u8], context: Context<'_>) -> Option<Self> {
        let table = &context.knowledge.embedded;
        let magics = magics(&table.notebook);
        if table.notebook.has(path) {
            Some(Self::Notebook(Notebook::read(text, magics)))
        } else if table.cython.has(path) {
            Some(Self::Cython(Cython::read(text)))
        } else {
            None
        }
    }

    /// The Python.
    pub fn text(&self) -> &[u8] {
        match self {
            Self::Notebook(Ok(notebook)) => notebook.code.text(),
            Self::Notebook(Err(_)) => b"",
            Self::Cython(cython) => cython.python.text(),
        }
    }
}

/// One file of the project.
#[derive(Clone, Debug)]
pub struct Source {
    /// Path relative to the root.
    pub path: Arc<str>,
    /// The path that it gets.
    pub output: Arc<str>,
    /// The file's kind.
    pub class: FileClass,
    /// Its content, for C++.
    pub text: Option<FileText>,
    /// Whether it belongs to a library that the tree carries along.
    pub carried: bool,
    /// What the port does with the file.
    pub disposition: Disposition,
    /// The facts that it contributes to the project.
    pub facts: Arc<FileFacts>,
    /// Its Python, if that is not its whole text.
    pub python: Option<Arc<PythonCode>>,
    /// For each include, the file of the tree that it means.
    pub resolved: Vec<Option<usize>>,
    /// An index of the words in its text.
    pub(crate) words: Arc<WordIndex>,
}

impl Source {
    /// The facts that a file of C++ contributes, to be changed; other files contribute none.
    pub(crate) fn own_facts(&mut self) -> Option<&mut FileFacts> {
        let contributes = self.class.kind.is_cpp() || self.class.kind == FileKind::Musa;
        contributes.then(|| Arc::make_mut(&mut self.facts))
    }

    /// Whether the text contains a word by itself.
    pub fn has_word(&self, word: &[u8]) -> bool {
        let text = self.text.as_deref().unwrap_or_default();
        self.words.has_word(text, word)
    }
}
