//! Works out which sources the makefiles of a tree hand to compilers of GPUs, without running make.
//!
//! A condition is not decided: a variable has all values that it is given anywhere. An object of a pattern's rule counts
//! where another rule asks for it.

mod expand;
mod functions;
mod makefile;
mod rules;
mod tree;
mod words;

use std::collections::BTreeMap;

use super::{Disposition, PathIndex, Project};
use makefile::Makefile;
use torchada_mapping::files::{BuildLanguage, FileTable};
use torchada_mapping::knowledge::Knowledge;
use tree::Tree;

pub(super) use makefile::INCLUDE;
pub use tree::MakeBuilds;

/// The texts of makefiles, by the indices of their files.
type Texts = BTreeMap<usize, Vec<u8>>;

impl Project {
    /// What the makefiles hand to compilers of GPUs.
    pub fn make_builds(&self, knowledge: &Knowledge) -> MakeBuilds {
        let texts = self.makefiles().filter_map(|at| {
            let text = self.files.get(at)?.text.as_deref()?;
            Some((at, text.to_vec()))
        });
        let compilers: Vec<&str> = knowledge
            .commands
            .compilers()
            .map(|(name, _)| name)
            .collect();
        builds(&self.places, &texts.collect(), &compilers, &knowledge.files)
    }

    /// What the makefiles of the port hand to compilers of GPUs; `text` gives their texts by the indices of files.
    pub fn make_builds_of_port(
        &self,
        text: &dyn Fn(usize) -> Vec<u8>,
        knowledge: &Knowledge,
    ) -> MakeBuilds {
        let places = PathIndex::new(self.files.iter().map(|file| file.output.clone()));
        let texts: Texts = self.makefiles().map(|at| (at, text(at))).collect();
        let compilers: Vec<&str> = knowledge.commands.compilers().map(|(_, to)| to).collect();
        builds(&places, &texts, &compilers, &knowledge.files)
    }

    fn makefiles(&self) -> impl Iterator<Item = usize> + '_ {
        let files = self.files.iter().enumerate();
        files.filter_map(|(at, file)| {
            let is_one = file.class.language == Some(BuildLanguage::Make)
                && file.disposition == Disposition::Ported;
            is_one.then_some(at)
        })
    }
}

fn builds(places: &PathIndex, texts: &Texts, compilers: &[&str], files: &FileTable) -> MakeBuilds {
    let read: BTreeMap<usize, Makefile<'_>> = texts
        .iter()
        .map(|(&at, text)| (at, Makefile::read(text)))
        .collect();
    let mut found = MakeBuilds::default();
    for &at in read.keys() {
        let tree = Tree {
            read: &read,
            places,
            compilers,
            files,
        };
        rules::compiled(at, tree, &mut found);
    }
    found
}
