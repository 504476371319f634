//! Translates an input in memory: everything that a port does before it writes. `port` and `check` share it.

mod account;
mod account_ptx;
mod build;
#[cfg(test)]
mod cases;
mod copied;
mod cython;
mod earlier;
mod edited_tree;
mod file_analysis;
mod ignored_includes;
mod inputs;
mod lacking;
mod limits;
mod listing_digest;
mod names_taken_back;
mod notebook;
mod notebook_commands;
mod overlay;
mod package_needs;
mod python;
mod read_file;
mod setup;
mod single_file;
mod split_decisions;
mod stage_texts;
mod texts;
mod translate;
mod translate_tree;
mod translated;
mod unmatched_globs;
mod whole_tree;

use translate_tree::translate_files;

pub(super) use account::failed;
pub(super) use edited_tree::with_edited_tree;
pub(super) use inputs::listing;
pub(super) use listing_digest::{ListingDigest, is_stubbed};
pub(super) use overlay::FileOverlay;
pub(super) use package_needs::package_needs;
pub(super) use read_file::UnreadableFile;
pub(super) use single_file::{
    TranslatedFile, translate_alone, translate_several, translate_single,
};
pub(super) use translate::alias_headers;
pub(super) use translated::Translated;

pub(super) use setup::{Run, threads, with_context};
pub(super) use whole_tree::{TranslatedTree, tree, tree_with};
