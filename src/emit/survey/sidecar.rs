//! Files that can't be merged: the person's file stays, and the port's lies next to it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{OutputKind, PlacedContent, Placing, Survey, SurveyInputs};
use crate::config::{OnConflict, display_path};
use crate::diagnostic::Finding;
use crate::diagnostic::codes::project::BESIDE;
use crate::emit::record::{FileRecord, OutputState, look};
use crate::emit::{EmitError, ManifestEntry, OutputFile};

/// The ending that is appended to the name of a file for the port's version of it. No pattern of a build
/// file takes a source with this ending.
const ENDING: &str = ".ported";

fn sidecar_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ENDING);
    PathBuf::from(name)
}

impl<'a> SurveyInputs<'a, '_> {
    /// An edited file that is no text, or a link.
    pub(super) fn unmergeable(
        &self,
        placing: Placing<'a>,
        planned: &FileRecord,
        port_changed: bool,
        done: &mut Survey<'a>,
    ) -> Result<(), EmitError> {
        let is_open = self.is_open(&placing.path);
        match self.plan.on_conflict {
            // A link or a large file under an old name stays there, and is the person's own then.
            _ if placing.from.is_some() => {
                let file = placing.file;
                done.findings.extend(
                    placing
                        .from
                        .map(|(old, _)| super::finding_on_kept_file(&old)),
                );
                done.placings.push(Placing {
                    file,
                    path: file.path.clone(),
                    what: PlacedContent::Planned,
                    mode: None,
                    from: None,
                    replaces: false,
                });
                return Ok(());
            }
            // Beside which one lies already, that may never have been the port's.
            OnConflict::Theirs if port_changed && !is_open => {
                done.placings.push(placing);
                return Ok(());
            }
            OnConflict::Stop if port_changed || is_open => {
                done.disputed.push(placing.path);
                return Ok(());
            }
            OnConflict::Mark | OnConflict::Theirs if port_changed || is_open => {
                return self.lay_beside(placing.file, planned, port_changed, done);
            }
            _ => {}
        }
        done.edits.kept += 1;
        done.edited.push(placing.path);
        done.same += 1;
        Ok(())
    }

    /// Whether the port's version of a file lies beside it, and nobody has dealt with the two.
    pub(super) fn is_open(&self, path: &Path) -> bool {
        let side = sidecar_path(path);
        let known = self.known.get(&side);
        known.is_some_and(|known| known.row.beside.is_some()) && self.root.has(&side)
    }

    /// A file that somebody added where the port wants one: no edit of the port's, so it is never
    /// written over.
    pub(super) fn both_added(
        &self,
        file: &'a OutputFile,
        planned: &FileRecord,
        done: &mut Survey<'a>,
    ) -> Result<(), EmitError> {
        if self.output_kind == OutputKind::Shared {
            done.refused.push(file.path.clone());
            return Ok(());
        }
        if self.plan.on_conflict == OnConflict::Stop {
            done.disputed.push(file.path.clone());
            return Ok(());
        }
        self.lay_beside(file, planned, true, done)
    }

    /// Lay the port's version of a file beside the person's. Where the port has nothing new, one
    /// that the person removed does not come back.
    fn lay_beside(
        &self,
        file: &'a OutputFile,
        planned: &FileRecord,
        is_new: bool,
        done: &mut Survey<'a>,
    ) -> Result<(), EmitError> {
        let side = sidecar_path(&file.path);
        let place = look(self.root, &side);
        let place = place.map_err(EmitError::early(&side))?;
        let known = self.known.get(&side);
        let is_ours = known.is_some_and(|known| known.row.beside.is_some());
        let replaces = match place {
            _ if self.files.contains_key(side.as_path()) => {
                done.refused.push(side);
                return Ok(());
            }
            OutputState::Free if !is_new => {
                done.edits.kept += 1;
                done.edited.push(file.path.clone());
                done.same += 1;
                return Ok(());
            }
            OutputState::Free => Some(false),
            OutputState::Taken(found) if found.same_content(planned) => None,
            // What somebody wrote into it stays.
            OutputState::Taken(found)
                if known.is_some_and(|one| !one.record.same_content(&found)) =>
            {
                None
            }
            OutputState::Taken(_) if is_ours => Some(true),
            _ => {
                done.refused.push(side);
                return Ok(());
            }
        };
        let mut row = ManifestEntry::new(&side, file.source.as_deref(), planned);
        row.beside = Some(file.path.as_path().into());
        done.rows.insert(side.clone(), row);
        done.edits.conflicts += 1;
        done.same += 1;
        let (shown, port) = (display_path(&file.path), display_path(&side));
        let finding = Finding::whole(
            BESIDE,
            &shown,
            format!("`{shown}` is yours, and differs from the port's, which is `{port}`"),
        );
        done.findings.push(
            finding.help(
                "take over what you need of the port's version, then remove it: yours is kept",
            ),
        );
        if let Some(replaces) = replaces {
            done.placings.push(Placing {
                file,
                path: side,
                what: PlacedContent::Planned,
                mode: None,
                from: None,
                replaces,
            });
        }
        Ok(())
    }

    /// Remove the versions that lie beside a file and are of no use any more.
    pub(super) fn leave_sidecars(&self, done: &mut Survey<'a>) -> Result<(), EmitError> {
        let sidecars = self.known.iter();
        for (path, known) in sidecars.filter(|(_, known)| known.row.beside.is_some()) {
            if done.rows.contains_key(path) || self.files.contains_key(path.as_path()) {
                continue;
            }
            let place = look(self.root, path);
            match place.map_err(EmitError::early(path))? {
                OutputState::Taken(found) if found.same_content(&known.record) => {
                    done.remove.push((path.clone(), found));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
