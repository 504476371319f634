//! Leaves out files that an earlier port wrote into the tree which is ported again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::config::{Mode, Settings, Write};
use crate::emit::Manifest;
use crate::walk::{SkipReason, Walk};

/// Leave out of a listing what a layout of folders wrote beside its sources: it is no input, and its
/// names are free.
pub(super) fn leave_out(walk: &mut Walk, settings: &Settings) {
    let Mode::Layout { pairs, .. } = &settings.mode else {
        return;
    };
    let is_target = |path: &Path| pairs.iter().any(|pair| path.starts_with(&pair.to));
    match Manifest::read(&walk.root) {
        Ok(manifest) => {
            let written = manifest.files.iter().filter_map(|file| file.path.to_path());
            let written: BTreeSet<PathBuf> = written.collect();
            walk.leave_out(SkipReason::Output, |path| {
                is_target(path) && written.contains(path)
            });
        }
        // Where the manifest is not kept, what lies there is what a port is compared with.
        Err(_) if settings.write == Write::Check => {
            walk.leave_out(SkipReason::Output, is_target);
        }
        Err(_) => {}
    }
}
