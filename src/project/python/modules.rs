//! The view that the translation of one module has of the others.

use std::borrow::Cow;

use super::edit_dependence::EditDependence;
use super::names::join;
use super::package_needs::{ImportPlace, PackageNeed};
use super::top::Top;
use super::walked::Walked;
use super::{ModuleFile, ModuleIndex, MusaSupport};
use crate::{Context, Project, PythonCode};
use torchada_mapping::python::INIT;
use torchada_syntax::python::ModuleOutline;
use torchada_text::{TextRange, contains};

/// The modules of a tree, as the translation of one of them sees them.
#[derive(Clone, Copy, Debug)]
pub struct Modules<'p> {
    pub(super) index: &'p ModuleIndex<'p>,
    /// The index of the module that is translated.
    own: usize,
}

impl<'p> Modules<'p> {
    pub(super) fn new(index: &'p ModuleIndex<'p>, own: usize) -> Self {
        Self { index, own }
    }

    /// The file of a path.
    pub fn file_at(&self, path: &str) -> Option<usize> {
        self.index.paths.file_at(path)
    }

    /// The module with which the package in a folder below the tree's own starts.
    pub fn package_start(&self, folder: &str) -> Option<usize> {
        self.file_at(&join(folder, INIT))
    }

    /// The outline of a file. The places in it are of use with the text or the tree of the file only.
    pub fn outline(&self, at: usize) -> Option<&'p ModuleOutline<'p>> {
        self.index.file(at).map(|file| &file.outline)
    }

    /// The index, by name, of the definitions at the top of the module `at`.
    pub(super) fn top(&self, at: usize) -> Option<&'p Top> {
        self.index.file(at).map(ModuleFile::top)
    }

    /// Whether a file whose path is one of some imports the module at a place.
    pub fn is_imported_by(&self, at: usize, is_one: impl Fn(&str) -> bool) -> bool {
        let all = 0..self.index.len();
        let mut files = all.filter_map(|from| Some((from, self.index.file(from)?)));
        files.any(|(from, file)| {
            let mut imports = file.outline.imports.iter();
            is_one(file.path) && imports.any(|one| self.files_of(from, one.module).contains(&at))
        })
    }

    /// What is looked at of the module that somebody edits.
    pub fn looks(&self) -> &'p EditDependence {
        &self.index.looks
    }

    /// The path of a file.
    pub fn path(&self, at: usize) -> &'p str {
        self.index.path(at)
    }

    /// The text of a file.
    pub fn text(&self, at: usize) -> &'p [u8] {
        self.index.text(at)
    }

    /// The text of a file, for somebody who looks at it once.
    pub fn text_once(&self, at: usize) -> Cow<'p, [u8]> {
        self.index.text_once(at)
    }

    /// Whether a word stands somewhere in the text of a file.
    pub fn has(&self, at: usize, word: &[u8]) -> bool {
        self.index.has(at, word)
    }

    /// The files that have a word by itself, in order.
    pub fn files_with(&self, word: &[u8]) -> Vec<usize> {
        self.index.files_with(word)
    }

    /// Whether a module has, not only in its comments, a word that makes it worth a look.
    pub fn may_matter(&self, at: usize, context: Context<'_>) -> bool {
        self.index.may_matter(at, context)
    }

    /// Whether loading a module, or running it, leads to code that speaks of CUDA through torch.
    pub fn reaches_device(&self, at: usize) -> bool {
        self.index.graph.reaches_device(at)
    }

    /// Whether a module names CUDA's device in its code.
    pub fn touches_device(&self, at: usize) -> bool {
        self.index.file(at).is_some_and(|file| file.touches)
    }

    /// The modules that the imports of one load.
    pub fn imported(&self, from: usize) -> impl Iterator<Item = usize> + use<'p> {
        let edges = self.index.graph.edges.get(from);
        edges.into_iter().flatten().map(|&to| to as usize)
    }

    /// Whether a module can't be loaded without another that it imports itself.
    pub fn needs(&self, from: usize, to: usize) -> bool {
        let needed = self.index.graph.needed.get(from);
        needed.is_some_and(|needed| needed.iter().any(|&(one, _)| one == to))
    }

    /// Whether loading a module may load torch, or a package that may do so.
    pub fn loads_torch(&self, at: usize) -> bool {
        self.index.graph.loads_torch(at)
    }

    /// Whether a module is loaded whenever a package or a program of the tree starts.
    pub fn is_loaded_at_start(&self, at: usize) -> bool {
        self.index.startup().contains(at)
    }

    /// What the tree needs a package for, by the package's name in the table.
    pub fn need(&self, package: &str) -> Option<&'p PackageNeed> {
        self.index.need(package)
    }

    /// A statement's place, as reports name it: `a/b.py:12`.
    pub fn place(&self, place: ImportPlace) -> String {
        self.index.place(place)
    }

    /// The dotted name of a file's module.
    pub fn module_name(&self, at: usize) -> String {
        self.index.module_name(at)
    }

    /// Whether a file imports another itself.
    pub fn imports(&self, from: usize, to: usize) -> bool {
        self.index.graph.imports(from, to)
    }

    /// The files that a dotted name leads through; empty where it is none of the tree's.
    pub fn files_of(&self, from: usize, name: &str) -> Vec<usize> {
        let walked = self.resolve(from, name);
        walked.map_or_else(Vec::new, |walked| walked.modules)
    }

    /// The files that import something of a file, each with the place of its statement.
    pub fn importers(&self, at: usize) -> &'p [(usize, usize)] {
        self.index.graph.importers(at)
    }

    /// Whether a file is the start of a package that is in no other package.
    pub fn is_top_package(&self, at: usize) -> bool {
        self.index.paths.is_top_package(self.path(at))
    }

    /// The name under which Python imports the tree itself, if it is a package.
    pub fn root_package(&self) -> Option<&'p str> {
        self.index.paths.root()
    }

    /// Whether the Python of the tree supports MUSA already.
    pub fn has_musa(&self) -> bool {
        let mut supports = self.index.project.musa_support.iter();
        supports.any(|one| one.question.is_some() || one.own_path.is_some())
    }

    /// Whether the Python of the tree supports MUSA, and knows its device by the device's own name. Then CUDA's name means
    /// CUDA alone, wherever the project asks which device it has.
    pub fn distinguishes_musa_from_cuda(&self) -> bool {
        self.supports_musa_and(|one| one.names_device)
    }

    /// Whether the Python of the tree supports MUSA, and names MUSA's backend of process groups.
    pub fn names_backend_for_musa(&self) -> bool {
        self.supports_musa_and(|one| one.names_backend)
    }

    fn supports_musa_and(&self, has: impl Fn(&MusaSupport) -> bool) -> bool {
        let supports = &self.index.project.musa_support;
        supports.iter().any(|one| one.question.is_some()) && supports.iter().any(has)
    }

    /// Whether a module that supports MUSA has two names as texts: `"CUDA_VISIBLE_DEVICES"` and `"MUSA_VISIBLE_DEVICES"`.
    pub fn names_both(&self, cuda: &str, musa: &str) -> bool {
        let quoted = |name: &str| ['"', '\''].map(|quote| format!("{quote}{name}{quote}"));
        let names = [musa, cuda];
        let supports = self.index.project.musa_support.iter();
        // Almost no module has both names, and its text is needed for none that has not.
        let mut supports = supports.filter(|one| {
            let mut names = names.iter();
            names.all(|name| self.has(one.file, name.as_bytes()))
        });
        supports.any(|one| {
            let text = self.text_once(one.file);
            let has = |name: &String| contains(&text, name);
            names.iter().all(|name| quoted(name).iter().any(has))
        })
    }

    /// Whether a module is started as a program: it says so, or it is a notebook.
    pub fn is_program(&self, at: usize) -> bool {
        let is_notebook = || {
            let own = self.index.project.files.get(at);
            let python = own.and_then(|own| own.python.as_deref());
            matches!(python, Some(PythonCode::Notebook(_)))
        };
        self.outline(at).is_some_and(|one| one.is_program) || is_notebook()
    }

    /// The paths of the modules whose names, or those of their folders, say that they are MUSA's.
    pub fn paths_for_musa(&self) -> impl Iterator<Item = &'p str> {
        let supports = self.index.project.musa_support.iter();
        let own = supports.filter(|one| one.own_path.is_some());
        own.map(|one| self.path(one.file))
    }

    /// Whether a folder, or a file without its ending, is MUSA's by its name and has Python.
    pub fn has_for_musa(&self, front: &str) -> bool {
        let mut supports = self.index.project.musa_support.iter();
        supports.any(|one| {
            let own = one.own_path.and_then(|end| self.path(one.file).get(..end));
            own == Some(front)
        })
    }

    /// All methods of a name in the tree.
    pub fn methods(&self, name: &str) -> &'p [(usize, usize)] {
        self.index.methods(name)
    }

    /// Follow a dotted name from a file as far as it leads.
    pub(super) fn resolve(&self, from: usize, name: &str) -> Option<Walked> {
        self.index.resolve(from, name)
    }

    /// Follow the parts of a name from the folder of a file as far as they lead.
    pub(super) fn walk(&self, from: usize, parts: &[&str]) -> Walked {
        self.index.walk(from, parts)
    }

    /// Places in the own text that name renamed sources, each with the ending that they get.
    pub fn renamed_mentions(&self) -> Vec<(TextRange, String)> {
        let project = self.index.project;
        // Where Python is not the whole file, the file's places are not those of its Python.
        let own = project.files.get(self.own);
        if own.is_some_and(|own| own.python.is_some()) {
            return Vec::new();
        }
        project.renamed_mentions(self.own)
    }

    /// Whether the path of a file of the tree is this one, or ends with it below a folder.
    pub fn is_end_of_path(&self, end: &str) -> bool {
        self.index.project.places.ending_with(end).next().is_some()
    }

    /// The project, for C++ and Cython that stand in the own file.
    pub fn project(&self) -> &'p Project {
        self.index.project
    }

    /// The files below `folder` whose paths end as a pattern says, with their paths.
    pub fn files_like(&self, folder: &str, pattern: &str) -> Vec<(usize, &'p str)> {
        let project = self.index.project;
        let files = project.files_like(folder, pattern).into_iter();
        let paths = files.filter_map(|at| Some((at, &*project.files.get(at)?.path)));
        paths.collect()
    }

    /// Whether a file of the tree sees a header.
    pub fn sees_header(&self, at: usize, header: &str) -> bool {
        self.index.project.sees_header(at, header)
    }
}
