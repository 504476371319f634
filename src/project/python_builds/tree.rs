//! A tree as its Python sees it: the paths of its files, and its modules.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use crate::python::Paths;
use crate::tree::paths;
use crate::tree::words::TreeWords;
use crate::{FileText, PathIndex};
use torchada_mapping::knowledge::Knowledge;
use torchada_mapping::python::is_package_start;
use torchada_parallel as parallel;
use torchada_syntax::python::Module;
use torchada_text::{contains, words};

/// The text of a module.
pub enum ModuleText<'a> {
    /// The text of the file itself.
    Saved(&'a FileText),
    /// The text that a port gives the file.
    Ported(PortedText<'a>),
}

/// What a port makes of the files of a project, by their indices.
pub trait PortTexts: Sync {
    /// Whether it changes a file.
    fn is_changed(&self, file: usize) -> bool;

    /// The text that it gives a file.
    fn text(&self, file: usize) -> Vec<u8>;

    /// What stands in a file at the edits.
    fn at_edits(&self, file: usize) -> AtEdits;
}

/// What stands at the edits of a file. All other words stand in both of its texts.
#[derive(Default)]
pub struct AtEdits {
    /// The words of the old text that an edit has a part of, or stands beside.
    pub old: Vec<u8>,
    /// The words of the new text, so.
    pub new: Vec<u8>,
    /// How many bytes the new text has.
    pub length: usize,
}

/// The text that a port gives a file, made for those who ask: a port changes hundreds of modules, and few of them are read.
pub struct PortedText<'a> {
    file: usize,
    port: &'a dyn PortTexts,
    length: OnceLock<usize>,
    kept: OnceLock<Vec<u8>>,
}

impl<'a> PortedText<'a> {
    pub(super) fn new(file: usize, port: &'a dyn PortTexts) -> Self {
        Self {
            file,
            port,
            length: OnceLock::new(),
            kept: OnceLock::new(),
        }
    }

    fn len(&self) -> usize {
        *self.length.get_or_init(|| self.text().len())
    }

    fn text(&self) -> &[u8] {
        self.kept.get_or_init(|| self.port.text(self.file))
    }

    /// The text, for somebody who looks at it once.
    fn once(&self) -> Cow<'_, [u8]> {
        match self.kept.get() {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(self.port.text(self.file)),
        }
    }

    fn at_edits(&self) -> AtEdits {
        let found = self.port.at_edits(self.file);
        self.length.get_or_init(|| found.length);
        found
    }
}

impl ModuleText<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Saved(text) => text.len(),
            Self::Ported(text) => text.len(),
        }
    }

    /// Whether a word stands in the new text of a file that is changed.
    fn has_still(&self, word: &[u8]) -> bool {
        match self {
            Self::Saved(_) => true,
            Self::Ported(text) => words(&text.once()).any(|one| one == word),
        }
    }
}

/// A tree.
pub struct PythonTree<'a> {
    /// The paths of all files.
    pub(super) places: &'a PathIndex,
    /// The texts of its modules with their words, by index.
    texts: Vec<Option<ModuleText<'a>>>,
    /// Which files have which words, before texts were changed.
    words: &'a TreeWords,
    /// Which changed files had which words at the edits.
    gone: TreeWords,
    /// Which changed files have which words at the edits.
    come: TreeWords,
    paths: Paths<'a>,
    /// The most bytes of a module that is followed into.
    largest: usize,
}

impl<'a> PythonTree<'a> {
    /// A tree with these paths, of which some are modules. `words` are those of the tree before texts were changed.
    pub fn new(
        places: &'a PathIndex,
        texts: Vec<Option<ModuleText<'a>>>,
        words: &'a TreeWords,
        knowledge: &Knowledge,
    ) -> Self {
        let modules = texts.iter().enumerate();
        let modules = modules.filter_map(|(at, text)| text.as_ref().map(|_| at));
        let at_edits = parallel::map(&texts, |text| match text {
            Some(ModuleText::Ported(text)) => text.at_edits(),
            _ => AtEdits::default(),
        });
        let gone = TreeWords::of(&at_edits, |one| Some(Cow::Borrowed(&one.old)));
        let come = TreeWords::of(&at_edits, |one| Some(Cow::Borrowed(&one.new)));
        // Builds stand above packages.
        let paths = Paths::new(modules.map(|at| (at, places.path(at))), "");
        Self {
            places,
            texts,
            words,
            gone,
            come,
            paths,
            largest: knowledge.builds.extensions.sources.limits.module_bytes,
        }
    }

    pub(super) fn text(&self, file: usize) -> Option<&[u8]> {
        match self.followed(file)? {
            ModuleText::Saved(text) => Some(text),
            ModuleText::Ported(text) => Some(text.text()),
        }
    }

    /// The text of a module that is followed into.
    fn followed(&self, file: usize) -> Option<&ModuleText<'a>> {
        let text = self.texts.get(file)?.as_ref();
        text.filter(|text| text.len() <= self.largest)
    }

    /// The modules that a word stands in by itself, in order.
    pub(super) fn files_with(&self, word: &[u8]) -> Vec<usize> {
        let is_module = |file: &usize| self.followed(*file).is_some();
        let of = |words: &TreeWords| {
            let files = words.files_with(word);
            let files = files.map(|file| file as usize).filter(is_module);
            files.collect::<Vec<usize>>()
        };
        let (mut found, gone, come) = (of(self.words), of(&self.gone), of(&self.come));
        let text = |file: usize| self.texts.get(file).and_then(Option::as_ref);
        found.retain(|&file| {
            gone.binary_search(&file).is_err() || text(file).is_some_and(|one| one.has_still(word))
        });
        if !come.is_empty() {
            found.extend(come);
            found.sort_unstable();
            found.dedup();
        }
        found
    }

    /// Whether one of some texts stands in a module.
    pub(super) fn contains_one(&self, file: usize, parts: &[String]) -> bool {
        let Some(module) = self.followed(file) else {
            return false;
        };
        let text = match module {
            ModuleText::Saved(text) => text.once(),
            ModuleText::Ported(text) => text.once(),
        };
        parts.iter().any(|part| contains(&text, part))
    }

    /// The last name by which other modules import one.
    pub(super) fn module_name(&self, file: usize) -> &str {
        let path = self.places.path(file);
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if is_package_start(path) {
            return paths::file_name(folder);
        }
        name.split('.').next().unwrap_or(name)
    }

    /// The module that a dotted name leads to from a file, and the rest of the name.
    pub(super) fn resolve<'n>(&self, from: usize, name: &'n str) -> Option<(usize, Vec<&'n str>)> {
        let walked = self
            .paths
            .resolve(self.places.path(from), name, &FxHashSet::default())?;
        let parts: Vec<&str> = name.split('.').filter(|part| !part.is_empty()).collect();
        let last = *walked.modules.last()?;
        Some((last, parts.get(walked.parts..)?.to_vec()))
    }
}

/// The modules of a tree that were parsed.
pub(super) struct Parsed<'t> {
    slots: Vec<OnceLock<Option<Module<'t>>>>,
    /// A module without text: what a place in a file that is no module is in.
    pub(super) empty: Module<'t>,
}

impl<'t> Parsed<'t> {
    pub(super) fn new(tree: &'t PythonTree<'_>) -> Option<Self> {
        let slots = tree.texts.iter().map(|_| OnceLock::new());
        Some(Self {
            slots: slots.collect(),
            empty: Module::new(b"")?,
        })
    }

    /// The module at `file`.
    pub(super) fn get(&self, tree: &'t PythonTree<'_>, file: usize) -> Option<&Module<'t>> {
        let slot = self.slots.get(file)?;
        let parsed = slot.get_or_init(|| Module::new(tree.text(file)?));
        parsed.as_ref()
    }
}
