//! All modules of a tree by their files.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::edit_dependence::EditDependence;
use super::entry_files::EntryFiles;
use super::entry_hints::EntryHints;
use super::graph::Graph;
use super::names::Paths;
use super::package_needs::{ImportPlace, Loading};
use super::startup::{StartedNames, Startup};
use super::top::Top;
use super::walked::Walked;
use crate::tree::paths;
use crate::tree::words::TreeWords;
use crate::{Context, Project, Source};
use torchada_syntax::python::ModuleOutline;
use torchada_text::{contains, line_of};

/// Methods by name: file, and place in its outline.
pub(super) type Methods<'p> = FxHashMap<&'p str, Vec<(usize, usize)>>;

/// All modules of a tree: their files, their names and the graph of their imports.
#[derive(Debug)]
pub struct ModuleIndex<'p> {
    pub(super) project: &'p Project,
    /// By the place of the file in the project.
    pub(super) files: Vec<Option<Arc<ModuleFile<'p>>>>,
    pub(super) paths: Arc<Paths<'p>>,
    /// Which files have which words, but for the one that was edited.
    pub(super) words: Arc<TreeWords>,
    /// The files that have some of these words, but for the one that was edited.
    pub(super) entry_files: Arc<EntryFiles>,
    /// The file that [`ModuleIndex::edited`] gave another text.
    pub(super) edited: Option<usize>,
    pub(super) graph: Arc<Graph>,
    /// The methods of the tree's classes by name: file, and place in its outline.
    pub(super) methods: Arc<Methods<'p>>,
    /// The methods by name, for the names in a module that [`ModuleIndex::edited`] gave another text.
    pub(super) edited_methods: Methods<'p>,
    /// What is looked at of the module that was edited.
    pub(super) looks: EditDependence,
    /// The name of `PyTorch`'s package.
    pub(super) torch: &'p str,
    /// Roots of dotted names that are never the tree's.
    pub(super) foreign: FxHashSet<&'p str>,
    /// What the starts of the tree load, once somebody asks.
    pub(super) startup: Arc<OnceLock<Startup>>,
    /// The names by which its packages are imported, once somebody asks.
    pub(super) names: Arc<OnceLock<StartedNames>>,
    /// What loading needs of packages from outside, once somebody asks.
    pub(super) loading: Arc<OnceLock<Loading>>,
}

/// A module.
#[derive(Debug)]
pub(super) struct ModuleFile<'p> {
    pub(super) path: &'p str,
    pub(super) outline: ModuleOutline<'p>,
    pub(super) top: OnceLock<Top>,
    /// Whether it names CUDA's device in its code.
    pub(super) touches: bool,
}

impl ModuleFile<'_> {
    pub(super) fn top(&self) -> &Top {
        self.top.get_or_init(|| Top::of(&self.outline))
    }
}

impl<'p> ModuleIndex<'p> {
    pub(super) fn file(&self, at: usize) -> Option<&ModuleFile<'p>> {
        self.looks.note(at);
        self.files.get(at)?.as_deref()
    }

    /// How many files the project has.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether the project has no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The text of a file.
    pub(super) fn text(&self, at: usize) -> &'p [u8] {
        self.looks.note(at);
        let file = self.files.get(at).and_then(Option::as_ref);
        let source = file.and_then(|_| self.project.files.get(at));
        source.and_then(Source::python_text).unwrap_or_default()
    }

    /// The text of a file, for somebody who looks at it once.
    pub(super) fn text_once(&self, at: usize) -> Cow<'p, [u8]> {
        self.looks.note(at);
        let source = self.project.files.get(at);
        source.and_then(Source::python_once).unwrap_or_default()
    }

    /// Whether the module of a file has, not only in its comments, a word that makes it worth a look.
    pub(super) fn may_matter(&self, at: usize, context: Context<'_>) -> bool {
        let hints = match self.edited {
            Some(edited) if edited == at => EntryHints::ALL,
            _ => self.entry_files.of_file(at as u32),
        };
        let words = &self.project.python_entry_words;
        context.python_with_words_may_matter(self.text(at), words, hints)
    }

    /// The path of a file.
    pub(super) fn path(&self, at: usize) -> &'p str {
        let file = self.files.get(at).and_then(Option::as_deref);
        file.map_or("", |file| file.path)
    }

    pub(super) fn has(&self, at: usize, word: &[u8]) -> bool {
        let has = self.contains(at, word);
        self.looks.note_word(at, word, has);
        has
    }

    fn contains(&self, at: usize, word: &[u8]) -> bool {
        let source = self.project.files.get(at);
        let read = || source.and_then(Source::python_once).unwrap_or_default();
        let is_module = self.files.get(at).is_some_and(Option::is_some);
        let is_edited = self.edited == Some(at);
        // No text is read for a word: the index has all that stand in a file.
        let is_word = !is_edited && TreeWords::knows_part(word);
        is_module
            && (is_edited || self.words.may_contain(at as u32, word))
            && (is_word || contains(&read(), word))
    }

    /// The files that have a word, in order.
    pub(super) fn files_with(&self, word: &[u8]) -> Vec<usize> {
        let files = self.words.files_with(word);
        let mut found: Vec<usize> = files.map(|file| file as usize).collect();
        if let Some(edited) = self.edited {
            found.retain(|&file| file != edited);
            if self.has(edited, word) {
                found.insert(found.partition_point(|&file| file < edited), edited);
            }
        }
        found
    }

    /// What is looked at of the module that was edited at a place. `before` are the looks at an earlier text: they go on
    /// where answers that needed none are still right.
    pub fn watch(&mut self, at: usize, before: Option<EditDependence>) -> EditDependence {
        let file = self.files.get(at).and_then(Option::as_deref);
        let functions = file.into_iter().flat_map(|file| &file.outline.functions);
        let methods = functions.enumerate().filter(|(_, one)| one.class.is_some());
        let methods: Vec<(String, usize)> = methods
            .map(|(function, one)| (one.name.to_owned(), function))
            .collect();
        let has = |word: &[u8]| self.contains(at, word);
        let before = before.filter(|before| before.holds(&methods, has));
        self.looks = before.unwrap_or_else(|| EditDependence::at(at, methods));
        self.looks.clone()
    }

    pub(super) fn methods(&self, name: &str) -> &[(usize, usize)] {
        let edited = self.edited_methods.get(name);
        let methods = edited.or_else(|| self.methods.get(name));
        methods.map_or(&[], Vec::as_slice)
    }

    /// A statement's place, as reports name it: `a/b.py:12`.
    pub fn place(&self, (file, at): ImportPlace) -> String {
        let line = line_of(self.text(file), at);
        format!("{}:{line}", self.path(file))
    }

    /// The dotted name of a file's module.
    pub fn module_name(&self, at: usize) -> String {
        self.paths.module_name(self.path(at))
    }

    pub(super) fn resolve(&self, from: usize, name: &str) -> Option<Walked> {
        self.paths.resolve(self.path(from), name, &self.foreign)
    }

    pub(super) fn walk(&self, from: usize, parts: &[&str]) -> Walked {
        self.paths.walk(paths::folder(self.path(from)), parts)
    }
}
