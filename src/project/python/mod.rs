//! The Python modules of a tree: the file of each module, the definitions in it, and the graph of imports.
//!
//! The outlines of all files are read once, line by line. A file is parsed when somebody asks for its
//! tree, once in a run: the rules that look at it, or those of a file that has to know how it uses a name.

mod definition;
mod graph;
mod imports;
mod index;
mod loading;
mod modules;
mod musa_support;
mod names;
mod package_needs;
mod packages;
mod start_modules;
mod startup;
mod top;
mod trees;

use std::sync::OnceLock;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{Context, Project, PythonCode};
use crate::classify::FileKind;
use crate::parallel::AT_ONCE;
use crate::syntax::python::ModuleOutline;
use crate::text::WordIndex;
use graph::Graph;
use index::ModuleFile;
pub(super) use names::Paths;

pub use definition::{ArgumentPlace, Callee, Definition};
pub use modules::Modules;
pub use musa_support::MusaSupport;
pub(super) use musa_support::musa_support;
pub use package_needs::{ImportPlace, PackageNeed};
pub(super) use packages::own_packages;
pub use trees::{TreeSource, Trees};

pub use index::ModuleIndex;

impl<'p> ModuleIndex<'p> {
    /// The modules of a project.
    pub fn new(project: &'p Project, context: Context<'p>) -> Self {
        let files: Vec<Option<ModuleFile<'p>>> = project
            .files
            .par_iter()
            .with_max_len(AT_ONCE)
            .map(|file| {
                let text = file.text.as_deref();
                let text = text.filter(|_| file.class.kind == FileKind::Python)?;
                let text = file.python.as_ref().map_or(text, PythonCode::text);
                Some(ModuleFile {
                    path: &file.path,
                    text,
                    outline: ModuleOutline::new(text),
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
            &project.folder,
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
            startup: OnceLock::new(),
            loading: OnceLock::new(),
        };
        index.graph = imports::graph(&index, context);
        index
    }

    /// The view that the translation of a file has of the modules.
    pub fn for_file(&'p self, at: usize) -> Modules<'p> {
        Modules::new(self, at)
    }
}
