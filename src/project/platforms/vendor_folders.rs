//! Folders that are another vendor's as a whole.

use std::collections::{BTreeMap, BTreeSet};

use super::left_for_vendors::is_called_after_vendor;
use crate::tree::paths;
use crate::{Context, Disposition, Source};
use torchada_classify::FileKind;
use torchada_diagnostic::KeptReason;

/// The folders that are called after another vendor and whose CUDA sources are all left for it: a build file in one is
/// for that vendor's build.
pub(crate) fn vendor_folders(files: &[Source], context: Context<'_>) -> BTreeSet<String> {
    let mut folders: BTreeMap<&str, bool> = BTreeMap::new();
    for file in files
        .iter()
        .filter(|file| file.class.kind == FileKind::Cuda)
    {
        let is_left = file.disposition == Disposition::Left(KeptReason::VendorBranch);
        *folders.entry(paths::folder(&file.path)).or_insert(true) &= is_left;
    }
    let left = folders.into_iter().filter(|(folder, is_left)| {
        *is_left && is_called_after_vendor(paths::file_name(folder), context)
    });
    left.map(|(folder, _)| folder.to_owned()).collect()
}
