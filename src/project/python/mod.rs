//! The Python modules of a tree: the file of each module, the definitions in it, and the graph of imports.
//!
//! The outlines of all files are read once, line by line. A file is parsed when somebody asks for its
//! tree, once in a run: the rules that look at it, or those of a file that has to know how it uses a name.

mod definition;
mod graph;
mod modules;
mod names;
mod packages;
mod top;
mod trees;

use std::sync::OnceLock;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

pub use definition::{Callee, Definition};
use graph::Graph;
pub use modules::Modules;
use names::{Paths, Walked};
pub(super) use packages::own_packages;
use top::Top;
pub use trees::{TreeSource, Trees};

use super::{Context, Project, PythonCode, paths};
use crate::classify::FileKind;
use crate::parallel::AT_ONCE;
use crate::syntax::python::Outline;
use crate::text::WordIndex;

/// What is known of all modules of a tree.
#[derive(Debug)]
pub struct Index<'p> {
    project: &'p Project,
    /// By the place of the file in the project.
    files: Vec<Option<File<'p>>>,
    paths: Paths<'p>,
    graph: Graph,
    /// The methods of the tree's classes by name: file, and place in its outline.
    methods: FxHashMap<&'p str, Vec<(usize, usize)>>,
    /// Roots of dotted names that are never the tree's.
    foreign: Vec<&'p str>,
}

/// A module.
#[derive(Debug)]
struct File<'p> {
    path: &'p str,
    text: &'p [u8],
    outline: Outline<'p>,
    top: OnceLock<Top>,
    words: WordIndex,
}

impl File<'_> {
    fn top(&self) -> &Top {
        self.top.get_or_init(|| Top::of(&self.outline))
    }

    fn has(&self, word: &[u8]) -> bool {
        self.words.says(self.text, word)
    }
}

impl<'p> Index<'p> {
    /// The modules of a project.
    pub fn new(project: &'p Project, context: Context<'p>) -> Self {
        let files: Vec<Option<File<'p>>> = project
            .files
            .par_iter()
            .with_max_len(AT_ONCE)
            .map(|file| {
                let text = file.text.as_deref();
                let text = text.filter(|_| file.class.kind == FileKind::Python)?;
                let text = file.python.as_ref().map_or(text, PythonCode::text);
                Some(File {
                    path: &file.path,
                    text,
                    outline: Outline::new(text),
                    top: OnceLock::new(),
                    words: WordIndex::default(),
                })
            })
            .collect();
        let paths = Paths::new(
            files
                .iter()
                .enumerate()
                .filter_map(|(at, file)| Some((at, file.as_ref()?.path))),
        );
        let mut methods: FxHashMap<&'p str, Vec<(usize, usize)>> = FxHashMap::default();
        for (at, file) in files.iter().enumerate() {
            let functions = file.iter().flat_map(|file| file.outline.functions.iter());
            for (function, head) in functions.enumerate() {
                if head.class.is_some() {
                    methods.entry(head.name).or_default().push((at, function));
                }
            }
        }
        let python_values = &context.knowledge.python_values;
        let root = python_values
            .module
            .cuda
            .split('.')
            .next()
            .unwrap_or_default();
        let standard = python_values.entry.standard.iter().map(String::as_str);
        let mut index = Self {
            project,
            files,
            paths,
            graph: Graph::default(),
            methods,
            foreign: standard.chain([root]).collect(),
        };
        index.graph = Graph::new(&index, context);
        index
    }

    fn file(&self, at: usize) -> Option<&File<'p>> {
        self.files.get(at)?.as_ref()
    }

    /// What the translation of a file may ask.
    pub fn for_file(&'p self, at: usize) -> Modules<'p> {
        Modules::new(self, at)
    }

    /// The text of a file.
    fn text(&self, at: usize) -> &'p [u8] {
        self.file(at).map_or(b"", |file| file.text)
    }

    /// The path of a file.
    fn path(&self, at: usize) -> &'p str {
        self.file(at).map_or("", |file| file.path)
    }

    fn has(&self, at: usize, word: &[u8]) -> bool {
        self.file(at).is_some_and(|file| file.has(word))
    }

    fn methods(&self, name: &str) -> &[(usize, usize)] {
        self.methods.get(name).map_or(&[], Vec::as_slice)
    }

    fn resolve(&self, from: usize, name: &str) -> Option<Walked> {
        self.paths.resolve(self.path(from), name, &self.foreign)
    }

    fn walk(&self, from: usize, parts: &[&str]) -> Walked {
        self.paths.walk(paths::folder(self.path(from)), parts)
    }
}
