//! Works out which sources the Python of a build hands to compilers, without running it.
//!
//! An expression has a set of texts: a list its elements, and what is not known in a text is a `*`. A condition is not
//! decided, so what any branch gives counts. Names are followed through assignments, loops, functions and other modules
//! of the tree.

mod architecture_flags;
mod architectures;
mod builders;
mod calls;
mod conditions;
mod environment;
mod files;
mod filters;
mod flags;
mod functions;
mod items;
mod loops;
mod named_flags;
mod names;
mod ported;
mod reader;
mod result;
mod switches;
mod texts;
mod tree;
mod uses;
mod value;

pub use result::{HandedList, HandedSource, LowestArchitecture, PythonBuilds, SwitchValue};
pub use tree::{AtEdits, ModuleText, PortTexts, PythonTree};
