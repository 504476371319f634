//! Which platform a module, or a place in it, belongs to: whether MUSA reaches it.
//!
//! What a condition says on MUSA is one question for all rules (`answer`). From the answers follows which branches MUSA
//! reaches (`of_place`), and from the gates of imports, names and contents which modules it reaches (`of_module`), which is
//! known of all modules before the first rule runs.

mod answer;
mod branches;
mod facts;
mod modules;
mod named_modules;
mod names;
mod newest_gpus;
mod packages;
mod platform_folders;
mod reached;
mod vendor_question;
mod verdict;

pub use answer::{answer, leaf, verdict};
pub use branches::{not_reached, of_module, of_place, of_range, unreached};
pub use modules::of_tree;
pub use names::{name_musa, words};
pub use reached::{Reach, Reaches, Reason, UnreachedRange};
pub use verdict::Verdict;
