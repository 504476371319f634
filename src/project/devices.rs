//! Whether the device name `"cuda"` means `PyTorch`'s device in a tree, or one of the project's own.

use super::Project;
use super::source::Disposition;

impl Project {
    /// The first file whose C++ knows CUDA's device by the name that it has in `PyTorch`, where no C++ of the tree
    /// includes a header from one of the folders in `torch`.
    pub(super) fn find_device_home(&self, torch: &[String]) -> Option<usize> {
        if torch.iter().any(|one| self.outside_folders.contains(one)) {
            return None;
        }
        self.files.iter().position(|file| {
            file.facts.names_device && file.disposition == Disposition::Ported && !file.carried
        })
    }

    /// The path of that file.
    pub fn device_home_path(&self) -> Option<&str> {
        let file = self.files.get(self.device_home?)?;
        Some(&file.path)
    }
}
