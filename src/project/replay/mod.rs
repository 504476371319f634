//! Works out which sources reach which targets, by running the files of `CMake`'s of a tree without a build.
//!
//! A condition is not decided, so a variable may have several values behind it; of a list the elements are taken
//! together. What comes from outside of the tree stays in a text as the reference to its variable.

mod calls;
mod commands;
mod compilers;
mod expand;
mod gives;
mod lists;
mod loops;
mod names;
mod result;
mod run;
mod scopes;
mod tree;
mod value;

use crate::mapping::knowledge::Knowledge;

pub use compilers::{Compiled, TargetSource};
pub use result::{
    CommandPlace, NamedSource, Replay, Site, SiteArgument, SourceKey, SourceProperty, TargetSources,
};
pub use tree::{BuildFile, BuildTree};
pub use value::Origin;

impl Replay {
    /// Run the files of a tree. In a port MUSA's branches are taken.
    pub fn of(tree: &BuildTree<'_>, knowledge: &Knowledge, is_port: bool) -> Self {
        run::run(tree, knowledge, is_port)
    }
}
