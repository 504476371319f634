//! Whether the device name `"cuda"` means `PyTorch`'s device in a part of a tree, or one of the project's own.
//!
//! A tree may hold an engine with devices of its own beside an extension of `PyTorch`. So the innermost folder around a
//! place decides whose C++ knows the name, or includes anything of `PyTorch`'s.

use rustc_hash::FxHashMap;

use super::Project;
use super::paths;
use super::source::{Disposition, Source};
use crate::diagnostic::KeptReason;

/// What the C++ in a folder and below has to do with devices.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct FolderDevices {
    /// The first file that knows CUDA's device by the name that it has in `PyTorch`.
    home: Option<usize>,
    /// Whether a file includes a header of `PyTorch`'s.
    includes_torch: bool,
}

impl Project {
    /// What the folders of the tree have to do with devices, for those that have anything. `torch` are the folders of
    /// `PyTorch`'s headers.
    pub(super) fn find_device_folders(&self, torch: &[String]) -> FxHashMap<String, FolderDevices> {
        let mut found: FxHashMap<String, FolderDevices> = FxHashMap::default();
        for (index, file) in self.files.iter().enumerate() {
            let is_home =
                file.facts.names_device && file.disposition == Disposition::Ported && !file.carried;
            let includes_torch = self.includes_torch(file, torch);
            if !is_home && !includes_torch {
                continue;
            }
            for folder in paths::folders(&file.path) {
                let known = found.entry(folder.to_owned()).or_default();
                known.includes_torch |= includes_torch;
                known.home = known.home.or(is_home.then_some(index));
            }
        }
        found
    }

    /// Whether a file includes a header from one of some folders that is not of the tree, or is of a library that the
    /// tree carries along.
    fn includes_torch(&self, file: &Source, torch: &[String]) -> bool {
        let mut includes = file.facts.includes.iter().zip(&file.resolved);
        includes.any(|(include, target)| {
            let target = target.and_then(|target| self.files.get(target));
            let is_outside = target
                .is_none_or(|target| target.disposition == Disposition::Left(KeptReason::Vendored));
            let folder = include.path.split_once('/').map(|(folder, _)| folder);
            is_outside && folder.is_some_and(|folder| torch.iter().any(|one| one == folder))
        })
    }

    /// The path of a file whose C++ has the name of a device that the file `from` may mean: the project's own.
    pub fn device_home_path(&self, from: &str) -> Option<&str> {
        let known = paths::folders(from).find_map(|folder| self.device_folders.get(folder))?;
        let home = known.home.filter(|_| !known.includes_torch)?;
        self.files.get(home).map(|file| file.path.as_str())
    }
}
