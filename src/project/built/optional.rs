//! What a build leaves out, or has alone, where a variable of the environment says so.

use super::python;
use super::sources::NamedSources;
use super::tree::Tree;
use crate::cmake::replay::{Cause, Excluded};
use crate::python_builds::SwitchValue;
use torchada_mapping::files::BuildLanguage;

/// How many variables of a tree are looked at.
const MOST: usize = 8;

/// The files of a tree that a build leaves out, or has alone, where a variable of the environment has a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionalPart {
    /// The variable with its value: `DISABLE_ENGINE=1`.
    pub setting: String,
    /// Whether the value leaves the files out; else a build has them with this value alone.
    pub leaves_out: bool,
    /// Where the build asks for the variable: `setup.py:134`.
    pub place: String,
    /// The files, by index.
    pub files: Vec<usize>,
}

/// A build in which a variable has a value.
pub(super) struct Variant<'a> {
    switch: &'a SwitchValue,
    /// Whether `CMake` does not run in it.
    is_cmake_out: bool,
    /// What compilers get in it.
    pub(super) named: NamedSources,
}

/// The builds in which variables have values that leave something out, or bring something in. `by_cmake` is what `CMake`'s
/// files hand to compilers.
pub(super) fn variants<'a>(tree: Tree<'a>, by_cmake: &NamedSources) -> Vec<Variant<'a>> {
    let python = tree.python;
    let of_lists = python.lists.iter().flat_map(|list| &list.switches);
    let mut switches: Vec<&SwitchValue> = of_lists.chain(python.cmake.iter().flatten()).collect();
    switches.sort();
    switches.dedup_by_key(|one| (&one.variable, &one.value, one.leaves_out));
    let variants = switches.into_iter().take(MOST).map(|switch| {
        let is_same = |one: &SwitchValue| {
            (&one.variable, &one.value, one.leaves_out)
                == (&switch.variable, &switch.value, switch.leaves_out)
        };
        let decides = |all: &[SwitchValue]| all.iter().any(is_same);
        let absence = Excluded::at(Cause::NotIncluded, switch.at);
        let mut named = by_cmake.clone();
        let is_cmake_out = !python.cmake.is_empty() && python.cmake.iter().all(|all| decides(all));
        if is_cmake_out {
            // What neither CMake's files name nor Python does, no build has.
            for (named, file) in named.files.iter_mut().zip(tree.files) {
                if file.class.kind.is_cpp() || named.is_some() {
                    named
                        .get_or_insert(None)
                        .get_or_insert_with(|| absence.clone());
                }
            }
        }
        python::take_without(tree, &mut named, &|list| {
            decides(&list.switches).then(|| absence.clone())
        });
        Variant {
            switch,
            is_cmake_out,
            named,
        }
    });
    variants.collect()
}

impl Variant<'_> {
    /// The part of the build that the variable decides on; `files` are the sources that this build leaves out.
    pub(super) fn part(&self, tree: Tree<'_>, mut files: Vec<usize>) -> Option<OptionalPart> {
        let switch = self.switch;
        if self.is_cmake_out {
            let all = tree.files.iter().enumerate();
            let cmakes = all.filter(|(_, file)| file.class.language == Some(BuildLanguage::CMake));
            files.extend(cmakes.map(|(at, _)| at));
        }
        let place = tree.place(switch.at).filter(|_| !files.is_empty())?;
        Some(OptionalPart {
            setting: format!("{}={}", switch.variable, switch.value),
            leaves_out: switch.leaves_out,
            place,
            files,
        })
    }
}
