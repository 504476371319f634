//! The package for run time: when a port writes it, and what prevents that.

use crate::text::contains;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::classify::FileKind;
use crate::commands::analysis::{TranslatedTree, is_stubbed};
use crate::config::{ConfigError, Settings, display_path};
use crate::diagnostic::KeptReason;
use crate::edit::Edit;
use crate::emit::{Content, Manifest, OutputFile, Plan};
use crate::mapping::Tables;
use crate::mapping::knowledge::Knowledge;
use crate::project::Disposition;
use crate::{ptx, stub};

/// Adds the package to the planned files, if the port is of a whole tree with Python that uses torch, or whose edits
/// import the package.
/// Returns how many files it has.
///
/// # Errors
/// Where something else goes by its name.
pub(super) fn add(
    settings: &Settings,
    done: &TranslatedTree,
    tables: &Tables,
    plan: &mut Plan,
) -> Result<usize> {
    if !settings.stub.value || !settings.mode.is_whole() || !needs_package(settings, done) {
        return Ok(0);
    }
    let root = &done.walk.root;
    if !is_stubbed(root) {
        let mut entries = done.walk.files.iter();
        if let Some(entry) = entries.find(|entry| takes_the_name(&entry.path)) {
            let first = entry.path.components().next();
            let name = first.map_or(entry.path.as_path(), |first| Path::new(first.as_os_str()));
            return Err(taken(root, name));
        }
    }
    if let Some(path) = foreign(plan) {
        return Err(taken(&plan.output, &path));
    }
    let files = stub::files(tables);
    let count = files.len();
    // A tree that was ported before has the package: it is brought up to date.
    let planned = plan.files.iter().enumerate();
    let copies = planned.filter(|(_, copy)| takes_the_name(&copy.path));
    let copies: BTreeMap<PathBuf, usize> =
        copies.map(|(at, copy)| (copy.path.clone(), at)).collect();
    for file in files {
        let path = PathBuf::from(file.path);
        let content = Content::Text(file.bytes);
        let copy = copies.get(&path).and_then(|&at| plan.files.get_mut(at));
        if let Some(copy) = copy {
            copy.content = content;
        } else {
            let source = done.walk.get(&path).map(|entry| entry.path.clone());
            plan.files.push(OutputFile {
                source,
                path,
                content,
            });
        }
    }
    Ok(count)
}

fn needs_package(settings: &Settings, done: &TranslatedTree) -> bool {
    let values = &Knowledge::builtin().python_values;
    let torch = &values.torch_names.root;
    let package = &values.entry.import;
    let inputs = done.walk.files.iter().zip(&done.project.files);
    let mut files = inputs.zip(&done.translated);
    files.any(|((entry, source), translated)| {
        let words = [torch, package];
        source.class.kind == FileKind::Python
            && source.disposition != Disposition::Left(KeptReason::MusaBuild)
            && settings.mode.takes(&entry.path)
            && (words.iter().any(|word| source.has_word(word.as_bytes()))
                || translated.edits.iter().any(names_package))
    })
}

/// Whether an edit of the port's writes the package's name.
pub(super) fn is_named(done: &TranslatedTree) -> bool {
    let mut files = done.translated.iter();
    files.any(|translated| translated.edits.iter().any(names_package))
}

fn names_package(edit: &Edit) -> bool {
    let package = &Knowledge::builtin().python_values.entry.import;
    contains(&edit.replacement, package)
}

fn takes_the_name(path: &Path) -> bool {
    let is_inside = path.starts_with(stub::FOLDER) && path != Path::new(ptx::FILE);
    is_inside || path == Path::new(stub::MODULE)
}

/// A file or folder with the package's name in the output of an earlier port that the port did not write.
fn foreign(plan: &Plan) -> Option<PathBuf> {
    if plan.output == plan.input {
        return None;
    }
    let there = [stub::FOLDER, stub::MODULE].map(PathBuf::from);
    let there = there
        .into_iter()
        .find(|path| plan.output.join(path).symlink_metadata().is_ok())?;
    // An output without a manifest is nobody's that a port would write over.
    let manifest = Manifest::read(&plan.output).ok()?;
    let mut written = manifest.files.iter().filter_map(|file| file.path.to_path());
    (!written.any(|path| path.starts_with(&there))).then_some(there)
}

fn taken(root: &Path, path: &Path) -> anyhow::Error {
    let whole = display_path(&root.join(path));
    ConfigError::usage(
        format!("{whole} has the name of the package for run time, `torchada`"),
        "rename it, or leave the package out with --no-stub (`stub = false` in torchada.toml)",
    )
    .into()
}
