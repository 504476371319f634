//! Translates one file, or standard input.

use std::path::Path;

use anyhow::{Context as _, Result};

use super::overlay::FileOverlay;
use super::read_file::left_alone;
use super::setup::Run;
use super::texts::KEEP_ALL;
use super::translated::Translated;
use super::{inputs, translate_files};
use crate::classify::{FileClass, FileKind, classify};
use crate::commands::Streams;
use crate::config::{Mode, display_path};
use crate::diagnostic::Finding;
use crate::files;
use crate::mapping::{Dialect, Rename, Vendored, safety};
use crate::progress::{Progress, Silent};
use crate::project::{Context, Input, Project, ProjectOptions, Scanned, with_cuda_version};

/// A file after translation, before anything is written.
pub(in crate::commands) struct TranslatedFile {
    /// What findings call it: relative to the tree where there is one, else its own name.
    pub(in crate::commands) name: String,
    /// Its text.
    pub(in crate::commands) old: Vec<u8>,
    /// The translation of the text.
    pub(in crate::commands) translated: Translated,
}

/// Read and translate the one file that the settings name.
///
/// # Errors
/// When it can't be read, or its tree can't be listed.
pub(in crate::commands) fn translate_single(
    run: Run<'_>,
    streams: &mut Streams<'_>,
) -> Result<TranslatedFile> {
    let mode = &run.settings.mode;
    let (path, root) = match mode {
        Mode::File { input, root, .. } => (Some(input.as_path()), root),
        Mode::Stdin { path, root, .. } => (path.as_deref(), root),
        _ => anyhow::bail!("the input is not a single file"),
    };
    let text = if let Mode::File { input, .. } = mode {
        files::read_named(input, safety::BYTES_SOURCE)
            .with_context(|| format!("can't read {}", input.display()))?
    } else {
        files::read_from(&mut streams.input, safety::BYTES_SOURCE)
            .context("can't read standard input")?
    };
    match root {
        Some(root) => in_tree(run, root, path, text, streams.progress),
        None => Ok(translate_alone(path, text, run)),
    }
}

/// A file by itself: includes of the project keep their names.
pub(in crate::commands) fn translate_alone(
    path: Option<&Path>,
    text: Vec<u8>,
    run: Run<'_>,
) -> TranslatedFile {
    let context = run.context;
    let unnamed = Path::new("stdin.cu");
    let path = path.unwrap_or(unnamed);
    let name = path
        .file_name()
        .map_or_else(|| display_path(path), |name| display_path(Path::new(name)));
    let class = classify(path, &text, &context.knowledge.files);
    let class = as_source(path, class, context);
    if let Some(finding) = left_alone(&name, class, &text, context) {
        return TranslatedFile {
            name,
            old: text,
            translated: Translated {
                findings: vec![finding],
                ..Translated::default()
            },
        };
    }
    let mut input = Input {
        text: Some(text.clone().into()),
        ..Input::new(name.clone(), class)
    };
    let options = ProjectOptions {
        folder: String::new(),
        rename: Rename::Never,
        include_roots: Vec::new(),
        vendored: Vendored::Port,
        ports_musa_builds: true,
        translate_cpp: run.rules.dialect == Dialect::Musa,
    };
    let (context, named) = with_cuda_version(context, &mut [&mut input], true);
    let project = Project::new(vec![Scanned::new(input, context)], &options, context);
    let mut translated = translate_one(&project, 0, Run { context, ..run });
    translated.findings.extend(named);
    TranslatedFile {
        name,
        old: text,
        translated,
    }
}

fn translate_one(project: &Project, index: usize, run: Run<'_>) -> Translated {
    let mut translated = translate_files(project, &[index], &[], run, &Silent);
    translated.pop().unwrap_or_default()
}

/// Read and translate some files of the tree that the settings name, which is read once.
///
/// # Errors
/// When one can't be read, or the tree can't be listed.
pub(in crate::commands) fn translate_several(
    run: Run<'_>,
    files: &[&Path],
    progress: &dyn Progress,
) -> Result<Vec<TranslatedFile>> {
    let root = run.settings.root().context("no input tree")?;
    let gathered = inputs::gather(run, &FileOverlay::default(), KEEP_ALL, progress)?;
    let (project, of_reading) = (gathered.project, gathered.findings);
    let run = Run {
        context: gathered.context,
        ..run
    };
    let places: Vec<(String, Option<usize>)> = files
        .iter()
        .map(|file| {
            let name = name_in(root, file);
            let at = project.files.iter().position(|one| *one.path == *name);
            (name, at)
        })
        .collect();
    let which: Vec<usize> = places.iter().filter_map(|(_, at)| *at).collect();
    let mut translated = translate_files(&project, &which, &[], run, progress).into_iter();
    progress.end();
    files
        .iter()
        .zip(places)
        .map(|(file, (name, at))| {
            let read = || {
                let cannot = || format!("can't read {}", file.display());
                files::read_named(file, safety::BYTES_SOURCE).with_context(cannot)
            };
            let Some(source) = at.and_then(|at| project.files.get(at)) else {
                return Ok(translate_alone(Some(file), read()?, run));
            };
            let mut translated = translated.next().unwrap_or_default();
            translated.findings.extend(about(&of_reading, &name));
            Ok(TranslatedFile {
                name,
                old: match &source.text {
                    Some(text) => text.to_vec(),
                    None => read()?,
                },
                translated,
            })
        })
        .collect()
}

/// The name by which the findings of a tree call a file.
pub(super) fn name_in(root: &Path, path: &Path) -> String {
    let absolute = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let inside = whole
        .strip_prefix(&absolute)
        .or_else(|_| path.strip_prefix(root))
        .map(Path::to_owned);
    display_path(&inside.unwrap_or_else(|_| path.to_owned()))
}

/// A file of a tree: includes follow the tree's renames.
fn in_tree(
    run: Run<'_>,
    root: &Path,
    path: Option<&Path>,
    text: Vec<u8>,
    progress: &dyn Progress,
) -> Result<TranslatedFile> {
    let wanted = path.map(|path| name_in(root, path));
    let known = wanted.iter().map(|name| (name.clone(), Some(text.clone())));
    let overlay = FileOverlay {
        texts: known.collect(),
        adds: false,
    };
    let gathered = inputs::gather(run, &overlay, KEEP_ALL, progress)?;
    let project = gathered.project;
    let run = Run {
        context: gathered.context,
        ..run
    };
    progress.end();
    let index = project
        .files
        .iter()
        .position(|file| Some(&*file.path) == wanted.as_deref());
    let Some(index) = index else {
        return Ok(translate_alone(path, text, run));
    };
    let name = wanted.unwrap_or_default();
    let mut translated = translate_one(&project, index, run);
    translated.findings.extend(about(&gathered.findings, &name));
    Ok(TranslatedFile {
        name,
        old: text,
        translated,
    })
}

/// What the reading of a tree found about one of its files.
fn about<'f>(findings: &'f [Finding], name: &'f str) -> impl Iterator<Item = Finding> + 'f {
    let findings = findings.iter();
    findings.filter(move |one| *one.path == *name).cloned()
}

/// A single file that was named on the command line is source, whatever its name.
fn as_source(path: &Path, class: FileClass, context: Context<'_>) -> FileClass {
    let is_settings = context.knowledge.settings.has(&display_path(path));
    if is_settings
        || class.language.is_some()
        || class.kind.is_cpp()
        || matches!(class.kind, FileKind::Musa | FileKind::Python)
    {
        class
    } else {
        FileClass {
            kind: FileKind::Cpp,
            ..class
        }
    }
}
