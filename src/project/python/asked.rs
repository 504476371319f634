//! What a translation asked of other modules, and whether it would get the same answers now.

use std::hash::Hash;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::Index;
use super::names::Walked;
use crate::project::digest::{Digest, Digester};
use crate::syntax::python::{ClassHead, FunctionHead, Imported, Outline, Parameter};

/// A question about a file, or about the tree: files are told by their places or by their paths.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Question<F> {
    /// What its outline says.
    Outline(F),
    /// What its text or its tree says.
    Text(F),
    /// Whether a word stands in its text.
    Has(F, Vec<u8>),
    /// Which files import something of it.
    Importers(F),
    /// Whether loading it leads to code for CUDA's devices.
    ReachesDevice(F),
    /// Whether loading it may load torch.
    LoadsTorch(F),
    /// Whether it starts a package that is in no other.
    IsTop(F),
    /// Whether it imports another.
    Imports(F, F),
    /// How far a dotted name leads from it.
    Resolve(F, String),
    /// How far a dotted name leads from its folder.
    Walk(F, String),
    /// Whether a name may be the front of that of a module.
    IsHead(String),
    /// Which file has a path.
    FileAt(String),
    /// Which methods have a name.
    Methods(String),
    /// Which paths the tree has.
    Paths,
    /// What all C++ of the tree says together.
    Code,
    /// What all of Cython in the tree says.
    Cython,
    /// What any module says.
    Modules,
    /// Which files below a folder have paths that end as a pattern says.
    FilesLike(String, String),
    /// Whether a file sees a header.
    SeesHeader(F, String),
}

impl<F> Question<F> {
    /// The same question, with files told otherwise.
    pub fn map<G>(&self, to: impl Fn(&F) -> Option<G>) -> Option<Question<G>> {
        Some(match self {
            Self::Outline(file) => Question::Outline(to(file)?),
            Self::Text(file) => Question::Text(to(file)?),
            Self::Has(file, word) => Question::Has(to(file)?, word.clone()),
            Self::Importers(file) => Question::Importers(to(file)?),
            Self::ReachesDevice(file) => Question::ReachesDevice(to(file)?),
            Self::LoadsTorch(file) => Question::LoadsTorch(to(file)?),
            Self::IsTop(file) => Question::IsTop(to(file)?),
            Self::Imports(from, of) => Question::Imports(to(from)?, to(of)?),
            Self::Resolve(from, name) => Question::Resolve(to(from)?, name.clone()),
            Self::Walk(from, name) => Question::Walk(to(from)?, name.clone()),
            Self::IsHead(name) => Question::IsHead(name.clone()),
            Self::FileAt(path) => Question::FileAt(path.clone()),
            Self::Methods(name) => Question::Methods(name.clone()),
            Self::Paths => Question::Paths,
            Self::Code => Question::Code,
            Self::Cython => Question::Cython,
            Self::Modules => Question::Modules,
            Self::FilesLike(folder, pattern) => {
                Question::FilesLike(folder.clone(), pattern.clone())
            }
            Self::SeesHeader(file, header) => Question::SeesHeader(to(file)?, header.clone()),
        })
    }
}

/// What one translation asked.
#[derive(Clone, Default, Debug)]
pub struct Asked(FxHashSet<Question<usize>>);

impl Asked {
    pub(super) fn note(&mut self, question: Question<usize>) {
        self.0.insert(question);
    }

    /// The questions, sorted.
    pub fn questions(&self) -> impl Iterator<Item = &Question<usize>> {
        let mut all: Vec<_> = self.0.iter().collect();
        all.sort_unstable();
        all.into_iter()
    }
}

impl Index<'_> {
    /// The answer to a question about modules alone; [`Sight::answer`](crate::project::Sight::answer) has those to the others.
    pub fn answer(&self, question: &Question<usize>) -> Option<Digest> {
        let index = self;
        Some(match *question {
            Question::Outline(at) => {
                let file = index.file(at);
                file.map_or(Digest::default(), |file| of_outline(&file.outline))
            }
            Question::Has(at, ref word) => Digester::of(&index.has(at, word)),
            Question::Importers(at) => {
                let importers = index.graph.importers(at).iter();
                self.of_files(importers.map(|&(from, _)| from))
            }
            Question::ReachesDevice(at) => Digester::of(&index.graph.reaches_device(at)),
            Question::LoadsTorch(at) => Digester::of(&index.graph.loads_torch(at)),
            Question::IsTop(at) => Digester::of(&index.paths.is_top_package(index.path(at))),
            Question::Imports(from, of) => Digester::of(&index.graph.imports(from, of)),
            Question::Resolve(from, ref name) => self.walked(index.resolve(from, name).as_ref()),
            Question::Walk(from, ref name) => {
                let parts: Vec<&str> = name.split('.').collect();
                self.walked(Some(&index.walk(from, &parts)))
            }
            Question::IsHead(ref name) => Digester::of(&index.unknown_head(name).is_none()),
            Question::FileAt(ref path) => Digester::of(&index.paths.file_at(path).is_some()),
            Question::Methods(ref name) => {
                let methods = index.methods(name).iter();
                let methods = methods.map(|&(file, at)| (index.path(file), at));
                Digester::of(&methods.collect::<Vec<_>>())
            }
            Question::Text(_)
            | Question::Paths
            | Question::Code
            | Question::Cython
            | Question::Modules
            | Question::FilesLike(..)
            | Question::SeesHeader(..) => return None,
        })
    }

    fn of_files(&self, files: impl Iterator<Item = usize>) -> Digest {
        let paths: Vec<&str> = files.map(|at| self.path(at)).collect();
        Digester::of(&paths)
    }

    fn walked(&self, walked: Option<&Walked>) -> Digest {
        let mut digester = Digester::default();
        if let Some(walked) = walked {
            self.of_files(walked.modules.iter().copied())
                .hash(&mut digester);
            walked.parts.hash(&mut digester);
        }
        digester.digest()
    }
}

/// What an outline says, without its places: these are of use with the text only.
fn of_outline(outline: &Outline<'_>) -> Digest {
    let Outline {
        imports,
        stars,
        functions,
        classes,
        aliases,
        is_program,
    } = outline;
    let mut digester = Digester::default();
    let mut import = |one: &Imported<'_>| {
        let Imported {
            at: _,
            module,
            member,
            alias,
            is_aliased,
            runs,
        } = one;
        (module, member, alias, is_aliased, runs).hash(&mut digester);
    };
    imports.iter().for_each(&mut import);
    stars.iter().for_each(&mut import);
    (imports.len(), stars.len(), functions.len()).hash(&mut digester);
    for one in functions {
        let FunctionHead {
            name,
            at: _,
            class,
            nested,
            decorators,
            parameters,
        } = one;
        (name, class, nested, decorators).hash(&mut digester);
        parameters.len().hash(&mut digester);
        for Parameter { name, stars } in parameters {
            (name, stars).hash(&mut digester);
        }
    }
    classes.len().hash(&mut digester);
    for one in classes {
        let ClassHead {
            name,
            at: _,
            nested,
            decorators,
            bases,
            fields,
        } = one;
        (name, nested, decorators, bases, fields).hash(&mut digester);
    }
    (aliases, is_program).hash(&mut digester);
    digester.digest()
}
