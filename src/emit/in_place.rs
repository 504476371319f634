//! A port in the input's own place.

use std::path::PathBuf;

use rayon::prelude::*;

use super::record::{Place, Record, look};
use super::{EmitError, Emitted, Failed, OutputFile, Plan, checked, clean, write};
use crate::progress::{Phase, Progress};

/// Write the plan into the input itself: changed files atomically one by one, files under a new
/// name first and their old names removed once everything is written. Files whose bytes and
/// place do not change are not touched. No manifest is left. `plan.output` is `plan.input`.
///
/// # Errors
/// [`EmitError::NotClean`] unless the input lies in a git work tree without changes to tracked
/// files, or `force` is set; nothing is written then.
pub fn in_place(plan: &Plan, force: bool, progress: &dyn Progress) -> Result<Emitted, EmitError> {
    let files = checked::check(plan)?;
    if !force {
        clean::check(&plan.input)?;
    }
    let root = &plan.input;
    let mut to_write: Vec<&OutputFile> = Vec::new();
    let mut emitted = Emitted {
        findings: checked::case_twins(&files),
        ..Emitted::default()
    };
    let looked: Vec<_> = files
        .par_iter()
        .map(|(path, file)| (*file, Record::planned(plan, file), look(root, path)))
        .collect();
    for (file, planned, place) in looked {
        let stays = file.source.as_ref() == Some(&file.path);
        let place = place.map_err(|error| EmitError::early(&file.path, error))?;
        let planned = match planned {
            Ok(planned) => planned,
            Err(error) => {
                emitted.failed.push(Failed::new(file, &error));
                continue;
            }
        };
        match place {
            Place::Taken(found) if found.same_content(&planned) => emitted.unchanged += 1,
            Place::Taken(_) if stays => to_write.push(file),
            Place::Free => to_write.push(file),
            Place::Behind(_) => {
                return Err(EmitError::Unsafe {
                    path: file.path.clone(),
                    reason: "something above it is a link or a file",
                });
            }
            Place::Taken(_) | Place::Folder | Place::Special => {
                return Err(EmitError::Exists(root.join(&file.path)));
            }
        }
    }

    progress.begin(Phase::Write, Some(to_write.len()));
    let outcomes: Vec<_> = to_write
        .par_iter()
        .map(|file| {
            let outcome = write::replace(plan, file, root);
            progress.step();
            (*file, outcome)
        })
        .collect();
    for (file, outcome) in outcomes {
        match outcome {
            Ok(_) => emitted.written += 1,
            Err(error) => emitted.failed.push(Failed::new(file, &error)),
        }
    }
    // An old name goes only when every new one is there: until then nothing is lost.
    if emitted.failed.is_empty() {
        let moved: Vec<PathBuf> = files
            .values()
            .filter_map(|file| file.source.clone())
            .filter(|source| !files.contains_key(source.as_path()))
            .collect();
        for path in moved {
            write::remove(root, &path).map_err(|source| EmitError::Io {
                path: path.clone(),
                begun: true,
                source,
            })?;
            emitted.removed.push(path);
        }
    }
    Ok(emitted)
}
