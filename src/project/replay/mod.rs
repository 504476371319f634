//! Works out which sources reach which targets, by running the files of `CMake`'s of a tree without a build.
//!
//! A condition is not decided, so a variable may have several values behind it; of a list the elements are taken
//! together. What comes from outside of the tree stays in a text as the reference to its variable.

pub(super) mod architecture;
mod branches;
mod calls;
mod cause;
mod commands;
mod compilers;
mod condition;
mod expand;
mod gives;
mod handed;
mod hands;
mod judge;
mod lists;
mod loops;
mod names;
mod own;
mod pieces;
mod result;
mod run;
mod scopes;
mod switches;
mod tokens;
mod tree;
mod value;

use crate::FileText;
use torchada_mapping::knowledge::Knowledge;

pub use cause::{Absence, Cause, Excluded, either};
pub use compilers::{Compiled, TargetSource};
pub use handed::{Handed, Word};
pub use result::{
    CommandPlace, NamedSource, Replay, Site, SiteArgument, SourceKey, SourceProperty, TargetSources,
};
pub use tree::{BuildFile, BuildTree, in_tree, is_made, source_path};
pub use value::Origin;

impl Replay {
    /// Run the files of a tree. In a port MUSA's branches are taken.
    pub fn of(tree: &BuildTree<'_>, knowledge: &Knowledge, is_port: bool) -> Self {
        run::run(tree, knowledge, is_port, None).0
    }
}

impl Handed {
    /// Run the files of a tree on all ways, and judge which of them a build for MUSA takes. `others` are the texts of files
    /// that may start `CMake`. `None` where that goes beyond a limit.
    pub fn of(tree: &BuildTree<'_>, others: &[&FileText], knowledge: &Knowledge) -> Option<Self> {
        let table = &knowledge.builds.reach;
        let own = own::Own::new(tree, others, table);
        let switches = switches::Switches::new(tree, table);
        let limits = knowledge.builds.cmake.limits;
        let newest = u32::try_from(knowledge.shapes.guards.newest / 10).unwrap_or(u32::MAX);
        let judging = handed::Judging::new(&own, &switches, newest, limits.notes);
        let (replay, judging) = run::run(tree, knowledge, false, Some(judging));
        let judging = judging.filter(|_| replay.stopped.is_none());
        judging.and_then(handed::Judging::finish)
    }
}
