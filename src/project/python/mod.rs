//! The Python modules of a tree: the file of each module, the definitions in it, and the graph of imports.
//!
//! The outlines of all files are read once, line by line. A file is parsed when somebody asks for its
//! tree, once in a run: the rules that look at it, or those of a file that has to know how it uses a name.

mod definition;
mod edit_dependence;
mod entry_files;
mod entry_hints;
mod graph;
mod imports;
mod index;
mod loading;
mod modules;
mod musa_support;
mod names;
mod package_needs;
mod packages;
mod packed_trees;
mod search_path;
mod start_modules;
mod startup;
mod top;
mod tree_cache;
mod trees;
mod walked;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::{Context, Project, Source};
use index::{Methods, ModuleFile};
pub(super) use names::Paths;
use torchada_parallel as parallel;
use torchada_syntax::python::ModuleOutline;

pub use definition::{ArgumentPlace, Callee, Definition};
pub use edit_dependence::EditDependence;
use entry_files::EntryFiles;
pub(crate) use entry_hints::EntryHints;
pub use modules::Modules;
pub use musa_support::MusaSupport;
pub(super) use musa_support::musa_support;
pub use package_needs::{ImportPlace, PackageNeed};
pub(super) use packages::{extensions, own_packages};
pub use packed_trees::PackedTrees;
pub use trees::{EditedTrees, PinTrees, TreeSource, Trees};

pub use index::ModuleIndex;

impl<'p> ModuleFile<'p> {
    /// The module of a file. `words` keeps the words of its outline if the file's text does not stay in memory. `touches`
    /// decides whether a text with an outline names CUDA's device.
    fn of(
        file: &'p Source,
        words: Option<&'p OnceLock<Box<str>>>,
        touches: impl Fn(&[u8], &ModuleOutline<'_>) -> bool,
    ) -> Option<Self> {
        let text = file.python_once()?;
        let read;
        let (outline, touches) = match (text, words) {
            (Cow::Borrowed(text), _) => {
                let outline = ModuleOutline::new(text);
                let touches = touches(text, &outline);
                (outline, touches)
            }
            (Cow::Owned(text), Some(words)) => {
                read = text;
                let outline = ModuleOutline::new(&read);
                let touches = touches(&read, &outline);
                let condensed = outline.condensed();
                let kept = words.get_or_init(|| condensed.text().into());
                (condensed.outline(kept), touches)
            }
            (Cow::Owned(_), None) => {
                let text = file.python_text()?;
                let outline = ModuleOutline::new(text);
                let touches = touches(text, &outline);
                (outline, touches)
            }
        };
        Some(Self {
            path: &file.path,
            outline,
            top: OnceLock::new(),
            touches,
        })
    }

    /// Whether the file declares what a package from outside has, for checkers of types: `stubs/torch/__init__.pyi`.
    fn is_stub_of(&self, package: &str) -> bool {
        names::is_declaration(self.path) && self.path.split('/').any(|part| part == package)
    }
}

impl<'p> ModuleIndex<'p> {
    /// The modules of a project.
    pub fn new(project: &'p Project, context: Context<'p>) -> Self {
        let all = project.files.iter().enumerate();
        let files: Vec<Option<Arc<ModuleFile<'p>>>> = parallel::map(all, |(at, file)| {
            let words = project.outline_words.get(at);
            let touches = |text: &[u8], outline: &ModuleOutline<'_>| {
                imports::touches(&file.path, text, outline, context)
            };
            ModuleFile::of(file, words, touches).map(Arc::new)
        });
        let python_values = &context.knowledge.python_values;
        let root = python_values.torch_names.root.as_str();
        let (paths, (methods, entry_files)) = rayon::join(
            || Paths::of_modules(project, &files),
            || {
                rayon::join(
                    || methods(&files, root),
                    || EntryFiles::of(project, context),
                )
            },
        );
        let standard = python_values.entry.standard.iter().map(String::as_str);
        // `from tensorrt_llm import LLM` in `modules/tensorrt_llm.py`: a module does not mean itself.
        let not_itself = parallel::flat_map(files.iter().flatten(), |file| {
            let name = paths.only_name(file.path)?;
            packages::imports_package(&file.outline, name).then_some(name)
        });
        let foreign = standard.chain([root]).chain(not_itself).collect();
        let mut index = Self {
            project,
            files,
            paths: Arc::new(paths),
            entry_files: Arc::new(entry_files),
            words: Arc::clone(&project.python_words),
            edited: None,
            graph: Arc::default(),
            methods: Arc::new(methods),
            edited_methods: FxHashMap::default(),
            looks: EditDependence::default(),
            torch: root,
            foreign,
            startup: Arc::default(),
            names: Arc::default(),
            loading: Arc::default(),
        };
        index.graph = Arc::new(imports::graph(&index, context));
        index
    }

    /// The modules of a project that is a copy of this one, but for the text of one file. What the other modules import,
    /// and from where, stays.
    pub fn edited<'e>(&self, project: &'e Project, at: usize) -> ModuleIndex<'e>
    where
        'p: 'e,
    {
        let mut index = self.of_copy(project);
        let own = project.files.get(at);
        // What the modules import is not asked again.
        let own = own.and_then(|file| ModuleFile::of(file, None, |_, _| false));
        let heads = |file: &ModuleFile<'e>| {
            let functions = file.outline.functions.iter().enumerate();
            let is_stub = file.is_stub_of(self.torch);
            let methods = functions.filter(|(_, head)| head.class.is_some() && !is_stub);
            let methods = methods.map(|(function, head)| (head.name, function));
            methods.collect::<Vec<_>>()
        };
        let before = index.files.get(at).into_iter().flatten();
        let before: Vec<&'e str> = before
            .flat_map(|file| heads(file))
            .map(|(name, _)| name)
            .collect();
        let after = own.as_ref().map(heads).unwrap_or_default();
        for name in before
            .into_iter()
            .chain(after.iter().map(|&(name, _)| name))
        {
            index.edited_methods.entry(name).or_insert_with(|| {
                let others = self.methods(name).iter();
                others.filter(|&&(file, _)| file != at).copied().collect()
            });
        }
        for (name, function) in after {
            let methods = index.edited_methods.entry(name).or_default();
            let place = methods.partition_point(|&one| one < (at, function));
            methods.insert(place, (at, function));
        }
        if let Some(slot) = index.files.get_mut(at) {
            *slot = own.map(Arc::new);
        }
        index.edited = Some(at);
        index
    }

    /// The modules of a project that is a copy of this one, with texts of its own.
    pub fn of_copy<'e>(&self, project: &'e Project) -> ModuleIndex<'e>
    where
        'p: 'e,
    {
        let mut files: Vec<Option<Arc<ModuleFile<'e>>>> = Vec::with_capacity(self.files.len());
        files.extend(self.files.iter().cloned());
        ModuleIndex {
            project,
            files,
            paths: self.paths.clone(),
            entry_files: Arc::clone(&self.entry_files),
            words: Arc::clone(&self.words),
            edited: None,
            graph: self.graph.clone(),
            methods: self.methods.clone(),
            edited_methods: FxHashMap::default(),
            looks: EditDependence::default(),
            torch: self.torch,
            foreign: self.foreign.clone(),
            startup: self.startup.clone(),
            names: self.names.clone(),
            loading: self.loading.clone(),
        }
    }

    /// Forget the modules, on all threads: those of a large tree are many small pieces of memory.
    pub fn free(self) {
        parallel::map(self.files, drop);
    }

    /// The view that the translation of a file has of the modules.
    pub fn for_file(&'p self, at: usize) -> Modules<'p> {
        Modules::new(self, at)
    }
}

/// The methods of all modules by their names, but for those of stubs of the package `torch`.
fn methods<'p>(files: &[Option<Arc<ModuleFile<'p>>>], torch: &str) -> Methods<'p> {
    let mut methods = Methods::default();
    for (at, file) in files.iter().enumerate() {
        let own = file.iter().filter(|file| !file.is_stub_of(torch));
        let functions = own.flat_map(|file| file.outline.functions.iter());
        for (function, head) in functions.enumerate() {
            if head.class.is_some() {
                methods.entry(head.name).or_default().push((at, function));
            }
        }
    }
    methods
}
