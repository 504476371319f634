//! What the translation of one module may ask of the others.

use std::cell::RefCell;

use super::asked::{Asked, Question};
use super::names::Walked;
use super::top::Top;
use super::{File, Held, Index};
use crate::project::Project;
use crate::syntax::python::Outline;
use crate::text::TextRange;

/// The modules of a tree, as one translation sees them. It notes what is asked.
#[derive(Debug)]
pub struct Modules<'p> {
    pub(super) index: &'p Index<'p>,
    /// Whose translation it is.
    own: usize,
    asked: RefCell<Asked>,
}

impl<'p> Modules<'p> {
    pub(super) fn new(index: &'p Index<'p>, own: usize) -> Self {
        Self {
            index,
            own,
            asked: RefCell::default(),
        }
    }

    /// All that was asked.
    pub fn into_asked(self) -> Asked {
        self.asked.into_inner()
    }

    /// Note whose trees were asked for.
    pub fn note_trees(&self, held: Held<'_, '_>) {
        for file in held.into_files() {
            self.note_of(file, Question::Text);
        }
    }

    fn note(&self, question: Question<usize>) {
        self.asked.borrow_mut().note(question);
    }

    /// Note what is asked of a file, unless it is the own one, which is known.
    fn note_of(&self, at: usize, question: impl FnOnce(usize) -> Question<usize>) {
        if at != self.own {
            self.note(question(at));
        }
    }

    /// The file of a path.
    pub fn file_at(&self, path: &str) -> Option<usize> {
        self.note(Question::FileAt(path.to_owned()));
        self.index.paths.file_at(path)
    }

    /// The outline of a file. The places in it are of use with the text or the tree of the file only.
    pub fn outline(&self, at: usize) -> Option<&'p Outline<'p>> {
        self.note_of(at, Question::Outline);
        self.index.file(at).map(|file| &file.outline)
    }

    /// The same, by name.
    pub(super) fn top(&self, at: usize) -> Option<&'p Top> {
        self.note_of(at, Question::Outline);
        self.index.file(at).map(File::top)
    }

    /// Whether a file whose path is one of some imports the module at a place.
    pub fn is_imported_by(&self, at: usize, is_one: impl Fn(&str) -> bool) -> bool {
        self.note(Question::Modules);
        let all = self.index.files.iter().enumerate();
        let mut files = all.filter_map(|(from, file)| Some((from, file.as_ref()?)));
        files.any(|(from, file)| {
            let mut imports = file.outline.imports.iter();
            is_one(file.path) && imports.any(|one| self.files_of(from, &one.module).contains(&at))
        })
    }

    /// The path of a file.
    pub fn path(&self, at: usize) -> &'p str {
        self.index.path(at)
    }

    /// The text of a file.
    pub fn text(&self, at: usize) -> &'p [u8] {
        self.note_of(at, Question::Text);
        self.index.text(at)
    }

    /// Whether a word stands somewhere in the text of a file.
    pub fn has(&self, at: usize, word: &[u8]) -> bool {
        self.note_of(at, |at| Question::Has(at, word.to_vec()));
        self.index.has(at, word)
    }

    /// Whether loading a module, or running it, leads to code that speaks of CUDA through torch.
    pub fn reaches_device(&self, at: usize) -> bool {
        self.note(Question::ReachesDevice(at));
        self.index.graph.reaches_device(at)
    }

    /// Whether loading a module may load torch, or a package that may do so.
    pub fn loads_torch(&self, at: usize) -> bool {
        self.note(Question::LoadsTorch(at));
        self.index.graph.loads_torch(at)
    }

    /// Whether a file imports another itself.
    pub fn imports(&self, from: usize, to: usize) -> bool {
        self.note(Question::Imports(from, to));
        self.index.graph.imports(from, to)
    }

    /// The files that a dotted name leads through; empty where it is none of the tree's.
    pub fn files_of(&self, from: usize, name: &str) -> Vec<usize> {
        let walked = self.resolve(from, name);
        walked.map_or_else(Vec::new, |walked| walked.modules)
    }

    /// The files that import something of a file, each with the place of its statement.
    pub fn importers(&self, at: usize) -> &'p [(usize, usize)] {
        self.note(Question::Importers(at));
        self.index.graph.importers(at)
    }

    /// Whether a file is the start of a package that is in no other package.
    pub fn is_top_package(&self, at: usize) -> bool {
        self.note(Question::IsTop(at));
        self.index.paths.is_top_package(self.path(at))
    }

    /// All methods of a name in the tree.
    pub fn methods(&self, name: &str) -> &'p [(usize, usize)] {
        self.note(Question::Methods(name.to_owned()));
        self.index.methods(name)
    }

    /// How far a dotted name leads from a file.
    pub(super) fn resolve(&self, from: usize, name: &str) -> Option<Walked> {
        let question = match self.index.unknown_head(name) {
            // Almost all names lead nowhere, whoever asks.
            Some(head) => Question::IsHead(head.to_owned()),
            None => Question::Resolve(from, name.to_owned()),
        };
        self.note(question);
        self.index.resolve(from, name)
    }

    /// How far the parts of a name lead from the folder of a file.
    pub(super) fn walk(&self, from: usize, parts: &[&str]) -> Walked {
        self.note(Question::Walk(from, parts.join(".")));
        self.index.walk(from, parts)
    }

    /// Places in the own file that name renamed sources, each with the ending that they get.
    pub fn renamed_mentions(&self) -> Vec<(TextRange, String)> {
        self.index.project.renamed_mentions(self.own)
    }

    /// Whether the path of a file of the tree is this one, or ends with it below a folder.
    pub fn is_end_of_path(&self, end: &str) -> bool {
        self.note(Question::Paths);
        self.index.project.places.ending_with(end).next().is_some()
    }

    /// Note that what all C++ of the tree says is asked for, by words that the own file need not have.
    pub fn note_code(&self) {
        self.note(Question::Code);
    }

    /// The project, for C++ that stands in the own file by itself.
    pub fn around_code(&self) -> &'p Project {
        self.note_code();
        self.index.project
    }

    /// The project, for C++ and Cython in the own file, which lean on Cython elsewhere.
    pub fn around_cython(&self) -> &'p Project {
        self.note(Question::Cython);
        self.around_code()
    }

    /// The files below `folder` whose paths end as a pattern says, with their paths.
    pub fn files_like(&self, folder: &str, pattern: &str) -> Vec<(usize, &'p str)> {
        self.note(Question::FilesLike(folder.to_owned(), pattern.to_owned()));
        let project = self.index.project;
        let files = project.files_like(folder, pattern);
        let paths = files.filter_map(|at| Some((at, project.files.get(at)?.path.as_str())));
        paths.collect()
    }

    /// Whether a file of the tree sees a header.
    pub fn sees_header(&self, at: usize, header: &str) -> bool {
        self.note(Question::SeesHeader(at, header.to_owned()));
        self.index.project.sees_header(at, header)
    }
}
