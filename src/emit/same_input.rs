//! Tells whether an output that is there is the port of the tree that a run reads.
//!
//! A port names no place of its input, which lies elsewhere on the next machine. So the files tell: a tree that is
//! ported again still has most of them, or one that was translated has the text that it had.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::path_text::PathText;
use super::record::{hash_file, source_of};
use super::{Content, EmitError, MANIFEST, Manifest, ManifestEntry, OutputFile, Plan};

/// Make sure that what lies at a plan's output is no port of another tree. `input` is the tree as the user named it.
///
/// # Errors
/// [`EmitError::OtherInput`], or a manifest that can't be used.
pub fn refuse_other_input(plan: &Plan, input: &str) -> Result<(), EmitError> {
    if plan.output.join(MANIFEST).symlink_metadata().is_err() {
        return Ok(());
    }
    let manifest = Manifest::read(&plan.output)?;
    let rows = manifest.files.iter();
    let rows: Vec<&ManifestEntry> = rows.filter(|row| row.source.is_some()).collect();
    let files = plan.files.iter().filter(|file| file.source.is_some());
    let sources: BTreeSet<&Path> = files
        .clone()
        .filter_map(|file| file.source.as_deref())
        .collect();
    let common = rows.iter().filter(|row| {
        let source = row.source.as_ref().and_then(PathText::to_path);
        source.is_some_and(|source| sources.contains(source.as_path()))
    });
    let common = common.count();
    if common * 2 >= rows.len() {
        return Ok(());
    }
    // A licence or an empty file is the same in many trees: what was translated is not.
    let texts: BTreeSet<&str> = rows
        .iter()
        .filter_map(|row| row.source_blake3.as_deref())
        .collect();
    if files.into_iter().any(|file| is_one_of(&texts, plan, file)) {
        return Ok(());
    }
    Err(EmitError::OtherInput {
        output: plan.output.clone(),
        files: rows.len(),
        input: PathBuf::from(input),
        common,
    })
}

/// Whether the source of a file has one of these hashes.
fn is_one_of(texts: &BTreeSet<&str>, plan: &Plan, file: &OutputFile) -> bool {
    let hash = match &file.content {
        Content::Edited(edited) => Ok(edited.source),
        _ => source_of(plan, file).and_then(|path| hash_file(&path)),
    };
    hash.is_ok_and(|hash| texts.contains(hash.to_hex().as_str()))
}
