//! The submodules of a tree without git, as an archive of a repository leaves them out.

use std::path::{Path, PathBuf};

use super::SkipReason;
use super::collect::Collector;
use crate::diagnostic::codes::project::EMPTY_SUBMODULE;
use crate::files;
use crate::mapping::safety;

/// The file in which a repository says where its submodules lie.
const LIST: &str = ".gitmodules";

impl Collector {
    /// Name the submodules whose folders are missing or empty.
    pub(super) fn about_submodules(&mut self) {
        for path in listed(self.root()) {
            let folder = self.root().join(&path);
            // A link may lead out of the tree: what is behind it is not looked at.
            let mut inside = folder.ancestors().take_while(|one| *one != self.root());
            if inside.any(|one| one.symlink_metadata().is_ok_and(|one| one.is_symlink())) {
                continue;
            }
            let holds = folder
                .read_dir()
                .is_ok_and(|mut found| found.next().is_some());
            if !holds && !self.is_excluded(&path, true) {
                self.skip(&path, SkipReason::Submodule, true);
                self.finding(
                    EMPTY_SUBMODULE,
                    &path,
                    "this submodule is not here, as in an archive of a repository, so nothing of it is ported",
                    "clone the repository with `git clone --recurse-submodules` and port again",
                );
            }
        }
    }
}

/// The folders of the submodules that the tree lists: `path = third_party/cub`.
fn listed(root: &Path) -> Vec<PathBuf> {
    let text = files::read_text(&root.join(LIST), safety::BYTES_IGNORE_FILE);
    let text = text.unwrap_or_default();
    let pairs = text.lines().filter_map(|line| line.split_once('='));
    let paths = pairs.filter(|(key, _)| key.trim() == "path");
    let paths = paths.map(|(_, path)| PathBuf::from(path.trim().trim_matches('"')));
    let most = usize::try_from(safety::GIT_SUBMODULES).unwrap_or(usize::MAX);
    paths
        .filter(|path| files::is_plain(path))
        .take(most)
        .collect()
}
