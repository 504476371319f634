//! Works out which sources reach which targets, by running the files of `CMake`'s of a tree without a build.
//!
//! A condition is not decided, so a variable may have several values behind it; of a list the elements are taken
//! together. What comes from outside of the tree stays in a text as the reference to its variable.

mod alternatives;
mod architecture;
mod arguments;
mod branches;
mod calls;
mod cause;
mod commands;
mod compilers;
mod condition;
mod expand;
mod file_names;
mod folder_sources;
mod generator_expressions;
mod handed;
mod judge;
mod lists;
mod local;
mod loops;
mod note_handed;
mod order;
mod pieces;
mod result;
mod run;
mod scopes;
mod set_in_one_file;
mod source_commands;
mod sources;
mod switches;
mod texts;
mod tokens;
mod tree;
mod value;

use crate::FileText;
use torchada_mapping::knowledge::Knowledge;

pub use cause::{Absence, Cause, Excluded, either};
pub use compilers::{Compiled, TargetSource};
pub use generator_expressions::unwrapped;
pub use handed::{HandedFiles, Word};
pub use result::Replay;
pub use sources::{
    CommandPlace, NamedSource, Site, SiteArgument, SourceKey, SourceProperty, TargetSources,
};
pub use tree::{BuildFile, BuildTree, in_tree, is_made, source_path};
pub use value::Origin;

/// What a glob begins with that looks into the folders below as well.
pub(crate) const GLOB_RECURSE: &str = "GLOB_RECURSE";

impl Replay {
    /// Run the files of a tree. In a port MUSA's branches are taken.
    pub fn of(tree: &BuildTree<'_>, knowledge: &Knowledge, is_port: bool) -> Self {
        run::run(tree, knowledge, is_port, None).0
    }
}

impl HandedFiles {
    /// Run the files of a tree on all ways, and judge which of them a build for MUSA takes. `others` are the texts of files
    /// that may start `CMake`. `None` where that goes beyond a limit.
    pub fn of(tree: &BuildTree<'_>, others: &[&FileText], knowledge: &Knowledge) -> Option<Self> {
        let table = &knowledge.builds.reach;
        let own = set_in_one_file::SetInOneFile::new(tree, others, table);
        let switches = switches::Switches::new(tree, table);
        let limits = knowledge.builds.cmake.limits;
        let newest = knowledge.shapes.guards.newest_architecture();
        let judging = handed::HandedBuilder::new(&own, &switches, newest, limits.notes);
        let (replay, judging) = run::run(tree, knowledge, false, Some(judging));
        let judging = judging.filter(|_| replay.stopped.is_none());
        judging.and_then(handed::HandedBuilder::finish)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PathIndex;
    use torchada_syntax::cmake::Cmake;

    const ENDLESS: &str = "foreach(i RANGE 99)\nforeach(j RANGE 99)\nendforeach()\nendforeach()\n";

    /// The walk through two projects, whose commands may be few.
    fn replay(texts: [&[u8]; 2]) -> Replay {
        let read = texts.map(Cmake::read);
        let files = texts
            .iter()
            .zip(&read)
            .map(|(text, commands)| Some(BuildFile { text, commands }));
        let places = PathIndex::new(["a/CMakeLists.txt", "b/CMakeLists.txt"].into_iter());
        let tree = BuildTree::new(&places, files.collect());
        let mut knowledge = Knowledge::load().expect("the tables");
        knowledge.builds.cmake.limits.steps = 200;
        Replay::of(&tree, &knowledge, false)
    }

    #[test]
    fn a_function_that_leaves_nothing_behind_is_not_walked_through() {
        let prints = format!("function(show)\n{ENDLESS}message(${{i}})\nendfunction()\n");
        let list = format!("project(a)\n{prints}show()\nadd_library(a a.cu)\n");
        let replay = replay([list.as_bytes(), b"project(b)\n"]);
        assert_eq!((replay.stopped, replay.targets.len()), (None, 1));
    }

    #[test]
    fn a_command_of_cmakes_is_another_one_only_where_a_file_says_so() {
        let again = b"function(message)\nadd_library(own own.cu)\nendfunction()\nmessage(b)\n";
        let replay = replay([b"project(a)\nmessage(a)\n", again]);
        let from: Vec<usize> = replay.targets.iter().map(|one| one.from.0).collect();
        assert_eq!(from, [1]);
    }

    #[test]
    fn a_function_that_calls_itself_is_entered_a_few_times() {
        let body = "set(a 1)\nset(b 2)\nset(c 3)\nset(d 4)\nset(e 5)\n";
        let follows = format!("macro(follow)\n{body}follow(${{a}})\nendmacro()\n");
        let list = format!("project(a)\n{follows}follow(1)\nadd_library(a a.cu)\n");
        let replay = replay([list.as_bytes(), b"project(b)\n"]);
        assert_eq!((replay.stopped, replay.targets.len()), (None, 1));
    }

    #[test]
    fn a_project_with_too_many_commands_ends_only_its_own_walk() {
        let long = format!("project(a)\n{ENDLESS}add_library(a a.cu)\n");
        let replay = replay([long.as_bytes(), b"project(b)\nadd_library(b b.cu)\n"]);
        assert!(replay.stopped.is_some_and(|(file, _)| file == 0));
        let made: Vec<&str> = replay.targets.iter().map(|one| &*one.target).collect();
        assert_eq!(made, ["b"]);
    }
}
