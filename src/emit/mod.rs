//! The only writer of users' files.
//!
//! Architecture invariant: nothing outside this module creates, changes or removes a file that
//! belongs to a user. Each file is either the old or the new one at every moment: it is written
//! under a temporary name and renamed. Outputs are copies, never hard links.

mod bases;
mod cache;
mod checked;
mod compare;
mod compressed;
mod content;
mod diff;
mod error;
mod file;
mod in_place;
mod journal;
mod manifest;
mod map;
mod merge;
mod path_text;
mod plan;
mod record;
mod resume;
mod rules;
mod same_input;
mod stage;
mod staging;
mod survey;
mod sync;
mod tree;
mod update;
mod write;

pub use cache::{cache, cached, state_files};
pub use compare::{Compared, Differs, New, Rewritten, compare};
pub use compressed::{Compressor, decompressed};
pub use content::bytes;
pub use diff::{FileChange, diff};
pub use error::EmitError;
pub use file::file;
pub use in_place::in_place;
pub use journal::is_unfinished;
pub use manifest::{MANIFEST, Manifest, ManifestEntry, PROGRAM, REPORT, STATE_DIR, TOOL};
pub use map::{PortedTree, map_bytes};
pub use path_text::PathText;
pub use plan::{
    Content, EditCounts, Edited, Emitted, Failed, OutputFile, Plan, Stamp, WriteReport,
};
pub use resume::resume;
pub use rules::{EditLine, by_rule};
pub use same_input::refuse_other_input;
pub use tree::tree;
pub use update::beside;
