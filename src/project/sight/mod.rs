//! What the translation of a file may see of its project, as digests: a file whose digest is as it was,
//! and the answers to whose questions are as they were, is translated as it was.
//!
//! Architecture invariant: whatever rules for C++ and for build files read of [`Project`] is in the
//! digest of the file here, and rules for Python reach the project through
//! [`Modules`](super::python::Modules) alone, which notes what they ask for.

mod spoken;

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::digest::{Digest, Digester};
use super::python::Question;
use super::{Invocation, Project, PythonCode, Source, Standing, Visible};
use crate::classify::FileKind;
use crate::mapping::files::BuildLanguage;
use spoken::Spoken;

/// A macro that is open where a file is included: its name, whose it is, and whether it always is.
type Open<'p> = (&'p [u8], usize, bool);

/// The project as translations see it.
#[derive(Debug)]
pub struct Sight<'p> {
    project: &'p Project,
    /// Of each file, its text.
    texts: Vec<Option<[u8; 32]>>,
    /// Of each file, all that others see of it but its text.
    said: Vec<Digest>,
    /// Of each path that is included, by its number.
    headers: Vec<Digest>,
    /// Of the uses of each macro that makes names of its arguments.
    uses: FxHashMap<&'p [u8], Digest>,
    /// Of the macros that are open where a file is included.
    open: FxHashMap<usize, Vec<Open<'p>>>,
    /// Of what all C++ says together.
    code: Digest,
    /// Of that part of it for which rules ask by more than words of their file.
    common: Digest,
    spoken: Spoken,
    paths: Digest,
    /// Of what files of `CMake`'s may read of the project but its paths.
    cmake: Digest,
    /// Of what makefiles may read of each other.
    make: Digest,
    cython: Digest,
    modules: Digest,
    own: Digest,
}

impl<'p> Sight<'p> {
    /// Look at a project.
    pub fn new(project: &'p Project) -> Self {
        let files = || project.files.par_iter();
        let texts: Vec<Option<[u8; 32]>> = files()
            .map(|file| file.text.as_deref().map(|text| blake3::hash(text).into()))
            .collect();
        let said = files().map(|file| said(project, file)).collect();
        let uses = project.invocations.iter();
        let uses = uses.map(|(name, uses)| (name.as_slice(), of_uses(uses)));
        let mut open: FxHashMap<usize, Vec<Open<'_>>> = FxHashMap::default();
        for (name, under) in &project.open_macros {
            let mut files: Vec<_> = under.iter().collect();
            files.sort_by_key(|(file, _)| **file);
            for (file, one) in files {
                let known = open.entry(*file).or_default();
                known.push((name, one.by, one.always));
            }
        }
        let headers = project.headers.paths();
        let common = common(project);
        Self {
            uses: uses.collect(),
            headers: headers.iter().map(Digester::of).collect(),
            open,
            said,
            code: code(project, common),
            common,
            spoken: Spoken::new(project),
            paths: paths(project),
            cmake: cmake(project, &texts),
            make: texts_of(project, &texts, |file| {
                file.class.language == Some(BuildLanguage::Make)
            }),
            cython: texts_of(project, &texts, |file| {
                matches!(file.python, Some(PythonCode::Cython(_)))
            }),
            modules: texts_of(project, &texts, |file| file.class.kind == FileKind::Python),
            own: Digester::of(&(sorted(&project.python_packages), project.device_home_path())),
            texts,
            project,
        }
    }

    /// The hash of each text, in the order of the files.
    pub fn texts(&self) -> &[Option<[u8; 32]>] {
        &self.texts
    }

    /// The hash of the text of a file, where it has one.
    pub fn text(&self, index: usize) -> Option<[u8; 32]> {
        self.texts.get(index).copied().flatten()
    }

    /// Of all modules of Python: where that is as it was, so is all that one may ask of others.
    pub fn modules(&self) -> Digest {
        self.modules
    }

    /// The answer to a question that is not about modules of Python alone.
    pub fn answer(&self, question: &Question<usize>) -> Option<Digest> {
        let project = self.project;
        Some(match question {
            Question::Text(at) => Digester::of(&self.text(*at)),
            Question::Paths => self.paths,
            Question::Code => self.code,
            Question::Cython => self.cython,
            Question::Modules => self.modules,
            Question::FilesLike(folder, pattern) => {
                let files = project.files_like(folder, pattern);
                let paths: Vec<_> = files.map(|at| self.path_of(at)).collect();
                Digester::of(&paths)
            }
            Question::SeesHeader(at, header) => Digester::of(&project.sees_header(*at, header)),
            _ => return None,
        })
    }

    /// Of all that the translation of a file sees, but what a module of Python asks of others.
    pub fn key(&self, index: usize) -> Digest {
        let mut digester = Digester::default();
        let Some(file) = self.project.files.get(index) else {
            return digester.digest();
        };
        self.said_of(index).hash(&mut digester);
        self.text(index).hash(&mut digester);
        if file.text.is_none() || file.standing != Standing::Ported {
            return digester.digest();
        }
        self.project.renamed_mentions(index).hash(&mut digester);
        if file.class.kind == FileKind::Python {
            self.own.hash(&mut digester);
        } else {
            match file.class.language {
                Some(BuildLanguage::CMake) => (self.paths, self.cmake).hash(&mut digester),
                Some(BuildLanguage::Make) => self.make.hash(&mut digester),
                // The rules for the others read nothing but the file.
                Some(_) => {}
                None => self.cpp(index, file, &mut digester),
            }
        }
        digester.digest()
    }

    fn said_of(&self, index: usize) -> Digest {
        self.said.get(index).copied().unwrap_or_default()
    }

    fn cpp(&self, index: usize, file: &Source, digester: &mut Digester) {
        let text = file.text.as_deref().unwrap_or_default();
        self.common.hash(digester);
        if !self.spoken.of(text, digester) {
            self.code.hash(digester);
        }
        let visible = self.project.visible(index);
        self.visible(&visible, digester);
        for &(name, by, always) in self.open.get(&index).into_iter().flatten() {
            (name, self.said_of(by), always).hash(digester);
        }
        // What others make of arguments with a macro of this file.
        let mut names: BTreeSet<&[u8]> = BTreeSet::new();
        names.extend(file.facts.pasters.iter().map(|one| one.name.as_slice()));
        // What a macro makes of the arguments in this file may be spoken of wherever it is used.
        let mut places = BTreeSet::new();
        for one in self.project.uses_in(index) {
            (&one.name, &one.arguments).hash(digester);
            self.path_of(one.used_in).hash(digester);
            names.insert(&one.name);
            places.insert(one.used_in);
        }
        for name in names {
            (name, self.uses.get(name)).hash(digester);
        }
        for place in places {
            let there = self.project.visible(place);
            self.visible(&there, digester);
            for &file in &there.files {
                self.text(file).hash(digester);
            }
        }
    }

    fn path_of(&self, index: usize) -> Option<&str> {
        let file = self.project.files.get(index);
        file.map(|file| file.path.as_str())
    }

    fn visible(&self, visible: &Visible, digester: &mut Digester) {
        visible.files.len().hash(digester);
        for &file in &visible.files {
            digester.write(&self.said_of(file));
            digester.write_u8(visible.is_above(file).into());
        }
        for number in visible.headers() {
            if let Some(header) = self.headers.get(number) {
                digester.write(header);
            }
        }
    }
}

/// What others see of a file: nothing of it but its text is left out.
fn said(project: &Project, file: &Source) -> Digest {
    let Source {
        path,
        output,
        class,
        text,
        carried,
        standing,
        facts,
        python: _,
        resolved,
        words: _,
    } = file;
    let mut digester = Digester::default();
    (path, output, class, carried, standing, facts).hash(&mut digester);
    // Whether a declaration outlasts its file depends on how long that is.
    let len = text.as_ref().filter(|_| !facts.declared.is_empty());
    len.map(Vec::len).hash(&mut digester);
    for target in resolved {
        let target = target.and_then(|target| project.files.get(target));
        let target = target.map(|one| (&one.path, &one.output, one.standing));
        target.hash(&mut digester);
    }
    digester.digest()
}

/// The uses of a macro, without their places.
fn of_uses(uses: &[Invocation]) -> Digest {
    let mut digester = Digester::default();
    for one in uses {
        one.arguments.len().hash(&mut digester);
        for (_, argument) in &one.arguments {
            argument.hash(&mut digester);
        }
    }
    digester.digest()
}

fn code(project: &Project, common: Digest) -> Digest {
    let mut digester = Digester::default();
    project.taints.hash(&mut digester);
    project.forwarders.hash(&mut digester);
    let names = [&project.defined_functions, &project.members];
    names.map(sorted).hash(&mut digester);
    common.hash(&mut digester);
    digester.digest()
}

fn common(project: &Project) -> Digest {
    let mut digester = Digester::default();
    sorted(&project.lookalikes).hash(&mut digester);
    let texts = [
        &project.extensions,
        &project.namespaces,
        &project.own_namespaces,
        &project.outside_folders,
        &project.left.folders,
        &project.left.tables,
    ];
    texts.map(sorted).hash(&mut digester);
    digester.digest()
}

fn sorted<T: Ord>(set: &FxHashSet<T>) -> Vec<&T> {
    let mut all: Vec<&T> = set.iter().collect();
    all.sort_unstable();
    all
}

fn paths(project: &Project) -> Digest {
    let mut digester = Digester::default();
    for file in &project.files {
        file.path.hash(&mut digester);
    }
    digester.digest()
}

/// Of the texts of some files.
fn texts_of(
    project: &Project,
    texts: &[Option<[u8; 32]>],
    is_one: impl Fn(&Source) -> bool,
) -> Digest {
    let mut digester = Digester::default();
    for (file, text) in project.files.iter().zip(texts) {
        if is_one(file) {
            (&file.path, file.class, text).hash(&mut digester);
        }
    }
    digester.digest()
}

/// Of what files of `CMake`'s read of each other, of the libraries that are left, and of which sources are renamed.
fn cmake(project: &Project, texts: &[Option<[u8; 32]>]) -> Digest {
    let mut digester = Digester::default();
    texts_of(project, texts, is_of_cmake).hash(&mut digester);
    sorted(&project.left.tables).hash(&mut digester);
    for file in &project.files {
        file.is_renamed().hash(&mut digester);
    }
    digester.digest()
}

/// Whether a file of `CMake`'s may read a file.
fn is_of_cmake(file: &Source) -> bool {
    file.class.language == Some(BuildLanguage::CMake)
        || super::paths::file_name(&file.path) == "CMakeLists.txt"
}
