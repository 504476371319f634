//! Findings about sources that are left out, which may be the project's own.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::collect::{Collector, Folders, ParentKind};
use super::{SkipReason, ignored};
use crate::config::display_path;
use crate::diagnostic::codes::project::{IGNORED, TRACKED_MISSING, UNTRACKED};
use crate::mapping::knowledge::Knowledge;

/// How many paths a finding about several names.
const SHOWN: usize = 3;

impl Collector {
    /// Count the files that git tracks and that are not there. A port in place that nobody has committed yet has taken
    /// some away: they stand among the `others` under MUSA's names.
    pub(super) fn about_missing(&mut self, missing: &[&PathBuf], others: &[PathBuf]) {
        let files = match missing.len() {
            0 => return,
            1 => "1 file".to_owned(),
            count => format!("{count} files"),
        };
        let others: BTreeSet<&Path> = others.iter().map(PathBuf::as_path).collect();
        let is_renamed = |path: &&&PathBuf| {
            let new = path
                .to_str()
                .and_then(|path| Knowledge::builtin().files.with_musa_ending(path));
            new.is_some_and(|new| others.contains(Path::new(&new)))
        };
        let missing_here = format!("git tracks {files} missing here");
        match missing.iter().filter(is_renamed).count() {
            0 => self.about_tree(
                TRACKED_MISSING,
                &missing_here,
                "check them out if they belong to the port",
            ),
            renamed => self.about_tree(
                TRACKED_MISSING,
                &format!("{missing_here}, {renamed} of which a port in place has renamed; git does not track the new names"),
                "commit what the port wrote, with `git add -A`: until then the renamed files are left out",
            ),
        }
    }

    /// Name the sources that git does not track: a run without them looks as if it were complete.
    pub(super) fn about_forgotten(&mut self, forgotten: &[PathBuf], folders: &mut Folders) {
        let mut paths = Vec::new();
        for path in forgotten {
            let is_input = self.look_above(path, folders) == ParentKind::Plain;
            if is_input && !self.is_excluded(path, false) {
                paths.push(display_path(path));
            }
        }
        let (what, them) = match paths.len() {
            0 => return,
            1 => ("a CUDA source".to_owned(), "it"),
            count => (format!("{count} CUDA sources"), "them"),
        };
        let shown = first_of(paths);
        self.about_tree(
            UNTRACKED,
            &format!("git does not track {what}, so nothing of {them} is ported: {shown}"),
            "run `git add` on what belongs to the project, or take every file with --no-ignore",
        );
    }

    /// Name the sources that ignore files name where no git says whether they are the project's own: an archive of a
    /// repository has what its git tracks, whatever its ignore files say.
    pub(super) fn about_ignored(&mut self) {
        let left = self.walk.skipped.iter();
        let left = left.filter(|one| one.reason == SkipReason::Ignored);
        let mut left: Vec<(PathBuf, bool)> =
            left.map(|one| (one.path.clone(), one.folder)).collect();
        left.sort();
        let found = ignored::sources(self.root(), &left);
        let paths: Vec<String> = found.iter().map(|path| display_path(path)).collect();
        let what = match paths.len() {
            0 => return,
            1 => "a source or build file".to_owned(),
            count => format!("{count} sources and build files"),
        };
        let shown = first_of(paths);
        self.about_tree(
            IGNORED,
            &format!("ignore files name {what}, and no git is here that may track them all the same: {shown}"),
            "take every file with --no-ignore if these belong to the project, as in an archive of a repository",
        );
    }
}

/// The first of some paths, in their order.
fn first_of(mut paths: Vec<String>) -> String {
    paths.sort();
    let more = if paths.len() > SHOWN { ", …" } else { "" };
    paths.truncate(SHOWN);
    format!("{}{more}", paths.join(", "))
}
