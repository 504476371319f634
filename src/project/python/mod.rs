//! What the Python files of a tree say to each other: which file a module is, what is defined where, what
//! imports what.
//!
//! The outlines of all files are read once, line by line. A file is parsed when somebody asks for its
//! tree, once in a run: the rules that look at it, or those of a file that has to know how it uses a name.

mod definition;
mod graph;
mod names;
mod packages;
mod trees;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

pub use definition::{Callee, Definition};
use graph::Graph;
use names::Paths;
pub(super) use packages::own_packages;
pub use trees::{Held, TreeSource, Trees};

use super::{Lore, Project, PythonCode};
use crate::classify::FileKind;
use crate::syntax::python::Outline;

/// The modules of a tree.
#[derive(Debug)]
pub struct Modules<'p> {
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
}

impl<'p> Modules<'p> {
    /// The modules of a project.
    pub fn new(project: &'p Project, lore: Lore<'p>) -> Self {
        let files: Vec<Option<File<'p>>> = project
            .files
            .par_iter()
            .map(|file| {
                let text = file.text.as_deref();
                let text = text.filter(|_| file.class.kind == FileKind::Python)?;
                let text = file.python.as_ref().map_or(text, PythonCode::text);
                Some(File {
                    path: &file.path,
                    text,
                    outline: Outline::new(text),
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
        let positions = &lore.knowledge.positions;
        let root = positions.module.cuda.split('.').next().unwrap_or_default();
        let standard = positions.entry.standard.iter().map(String::as_str);
        let mut modules = Self {
            files,
            paths,
            graph: Graph::default(),
            methods,
            foreign: standard.chain([root]).collect(),
        };
        modules.graph = Graph::new(&modules, lore);
        modules
    }

    fn file(&self, at: usize) -> Option<&File<'p>> {
        self.files.get(at)?.as_ref()
    }

    /// The file of a path.
    pub fn file_at(&self, path: &str) -> Option<usize> {
        self.paths.file_at(path)
    }

    /// The outline of a file.
    pub fn outline(&self, at: usize) -> Option<&Outline<'p>> {
        self.file(at).map(|file| &file.outline)
    }

    /// Whether a file whose path is one of some imports the module at a place.
    pub fn is_imported_by(&self, at: usize, is_one: impl Fn(&str) -> bool) -> bool {
        let all = self.files.iter().enumerate();
        let mut files = all.filter_map(|(from, file)| Some((from, file.as_ref()?)));
        files.any(|(from, file)| {
            let mut imports = file.outline.imports.iter();
            is_one(file.path) && imports.any(|one| self.files_of(from, &one.module).contains(&at))
        })
    }

    /// The path of a file.
    pub fn path(&self, at: usize) -> &'p str {
        self.file(at).map_or("", |file| file.path)
    }

    /// The text of a file.
    pub fn text(&self, at: usize) -> &'p [u8] {
        self.file(at).map_or(b"", |file| file.text)
    }

    /// Whether loading a module, or running it, leads to code that speaks of CUDA through torch.
    pub fn reaches_device(&self, at: usize) -> bool {
        self.graph.reaches_device(at)
    }

    /// Whether loading a module may load torch, or a package that may do so.
    pub fn loads_torch(&self, at: usize) -> bool {
        self.graph.loads_torch(at)
    }

    /// Whether a file imports another itself.
    pub fn imports(&self, from: usize, to: usize) -> bool {
        self.graph.imports(from, to)
    }

    /// The files that a dotted name leads through; empty where it is none of the tree's.
    pub fn files_of(&self, from: usize, name: &str) -> Vec<usize> {
        let walked = self.paths.resolve(self.path(from), name, &self.foreign);
        walked.map_or_else(Vec::new, |walked| walked.modules)
    }

    /// The files that import something of a file, each with the place of its statement.
    pub fn importers(&self, at: usize) -> &[(usize, usize)] {
        self.graph.importers(at)
    }

    /// Whether a file is the start of a package that is in no other package.
    pub fn is_top_package(&self, at: usize) -> bool {
        self.paths.is_top_package(self.path(at))
    }
}
