//! Translates the paths of a check and collects their findings.

use crate::mapping::starts_with_one;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use rustc_hash::FxHashSet;

use super::result::CheckResult;
use crate::cli::CheckArgs;
use crate::commands::analysis::FileOverlay;
use crate::commands::{Streams, analysis, facts, ignores};
use crate::config::{Mode, Settings, display_path};
use crate::diagnostic::Finding;
use crate::project::FileText;
use crate::report::Report;

/// A path of the command line, and its settings.
pub(super) type CheckedPath<'a> = (&'a PathBuf, &'a Settings);

/// How many of the first paths are looked at together: files of one tree, which is read once for all.
pub(super) fn together(checked: &[CheckedPath<'_>]) -> usize {
    let tree = |settings: &Settings| match &settings.mode {
        Mode::File {
            root: Some(root), ..
        } => Some((root.clone(), settings.config_file.clone())),
        _ => None,
    };
    let Some((_, first)) = checked.first() else {
        return 0;
    };
    let first = tree(first);
    let alike = checked
        .iter()
        .take_while(|(_, settings)| first.is_some() && tree(settings) == first);
    alike.count().max(1)
}

/// Keep each file once that several paths name, under the first of them.
pub(super) fn keep_each_once(paths: &mut Vec<CheckedPath<'_>>) {
    let mut seen = BTreeSet::new();
    paths.retain(|(_, settings)| match &settings.mode {
        Mode::File { input, .. } => seen.insert(input.clone()),
        _ => true,
    });
}

/// Look at some paths that go [`together`].
pub(super) fn look(
    args: &CheckArgs,
    checked: &[CheckedPath<'_>],
    streams: &mut Streams<'_>,
) -> Result<Vec<CheckResult>> {
    let Some(&(path, settings)) = checked.first() else {
        return Ok(Vec::new());
    };
    analysis::with_context(settings, |run| {
        if checked.len() > 1 {
            let files: Vec<&Path> = checked
                .iter()
                .filter_map(|(_, settings)| match &settings.mode {
                    Mode::File { input, .. } => Some(input.as_path()),
                    _ => None,
                })
                .collect();
            let files = analysis::translate_several(run, &files, streams.progress)?;
            let files = files.into_iter().zip(checked);
            return Ok(files
                .map(|(one, (path, settings))| {
                    of_file(one, &DisplayedPath::Whole(display_path(path)), settings)
                })
                .collect());
        }
        Ok(vec![match &settings.mode {
            Mode::File { .. } | Mode::Stdin { .. } => {
                let one = analysis::translate_single(run, streams)?;
                let named = match &settings.mode {
                    Mode::Stdin {
                        path: Some(path), ..
                    } => display_path(path),
                    Mode::Stdin { .. } => "stdin.cu".to_owned(),
                    _ => display_path(path),
                };
                of_file(one, &DisplayedPath::Whole(named), settings)
            }
            _ => {
                let tree = analysis::tree(run, streams.progress)?;
                let named = display_path(args.shared.root.as_deref().unwrap_or(path));
                let named = DisplayedPath::Below(named);
                let needs = args
                    .packages
                    .then(|| analysis::package_needs(&tree, run.context));
                let mut result = of_tree(tree, &named, settings);
                for (package, mut loss) in needs.into_iter().flatten() {
                    for step in &mut loss.chain {
                        *step = named.path(step);
                    }
                    result.report.package_needs.insert(package, loss);
                }
                result
            }
        }])
    })
}

/// The findings of the tree at a path as it was with other texts.
pub(super) fn tree_before(
    args: &CheckArgs,
    (path, settings): CheckedPath<'_>,
    before: &FileOverlay,
    streams: &mut Streams<'_>,
) -> Result<CheckResult> {
    analysis::with_context(settings, |run| {
        let tree = analysis::tree_with(run, before, streams.progress)?;
        let named = display_path(args.shared.root.as_deref().unwrap_or(path));
        Ok(of_tree(tree, &DisplayedPath::Below(named), settings))
    })
}

/// The findings of one file that a check under these settings shows; the file keeps its name.
pub(in crate::commands) fn report_of(one: analysis::TranslatedFile, settings: &Settings) -> Report {
    let named = DisplayedPath::Whole(one.name.clone());
    of_file(one, &named, settings).report
}

fn of_file(
    mut one: analysis::TranslatedFile,
    named: &DisplayedPath,
    settings: &Settings,
) -> CheckResult {
    let mut report = Report::default();
    one.account(&mut report);
    named_as_typed(report, vec![(one.name, one.old.into())], named, settings)
}

fn of_tree(
    mut tree: analysis::TranslatedTree,
    named: &DisplayedPath,
    settings: &Settings,
) -> CheckResult {
    let mut report = Report::default();
    tree.account(&settings.mode, &mut report);
    report.files.failed += tree.unread.len();
    let unread = tree.unread.iter().map(analysis::UnreadableFile::finding);
    report.findings.extend(unread);
    let root = &tree.walk.root;
    let files = tree.walk.files.iter();
    // A check of a part of a tree reads the rest, too, and reports nothing there.
    let of_part = files.filter(|entry| settings.mode.takes(&entry.path));
    let of_trees = of_part.map(|entry| root.join(&entry.path)).collect();
    let mut texts = Vec::new();
    for file in &mut tree.project.files {
        if let Some(text) = file.text.take() {
            texts.push((file.path.to_string(), text));
        }
    }
    CheckResult {
        of_trees,
        ..named_as_typed(report, texts, named, settings)
    }
}

/// The findings of a report that the check shows, with paths as the user typed them.
fn named_as_typed(
    mut report: Report,
    mut texts: Vec<(String, FileText)>,
    named: &DisplayedPath,
    settings: &Settings,
) -> CheckResult {
    facts::note(&mut report, settings);
    ignores::apply(&mut report, settings);
    report
        .findings
        .retain(|finding| is_wanted(finding, settings));
    report
        .not_built
        .retain(|one| is_wanted(&one.finding, settings));
    let mentioned: FxHashSet<&str> = report.all_findings().map(|one| &*one.path).collect();
    texts.retain(|(path, _)| mentioned.contains(path.as_str()));
    for finding in report.all_findings_mut() {
        finding.path = named.path(&finding.path);
    }
    for kept in &mut report.kept {
        kept.path = named.path(&kept.path);
    }
    for kept in &mut report.kept_paths {
        kept.path = named.path(&kept.path);
    }
    for part in &mut report.optional {
        part.place = named.path(&part.place);
        part.paths = part.paths.iter().map(|path| named.path(path)).collect();
    }
    for one in &mut report.package_uses {
        one.path = named.path(&one.path);
    }
    let texts = texts.into_iter();
    let texts = texts
        .map(|(path, text)| (named.path(&path), text))
        .collect();
    CheckResult {
        report,
        texts,
        ..CheckResult::default()
    }
}

/// How findings name the files under a path: as somebody who typed the path would.
enum DisplayedPath {
    /// The path is the file.
    Whole(String),
    /// The path is the folder.
    Below(String),
}

impl DisplayedPath {
    fn path(&self, path: &str) -> String {
        match self {
            Self::Whole(name) => name.clone(),
            Self::Below(folder) => match (folder.trim_end_matches('/'), path) {
                (".", path) => path.to_owned(),
                (_, ".") => folder.clone(),
                ("", path) => format!("/{path}"),
                (folder, path) => {
                    let folder = folder.strip_prefix("./").unwrap_or(folder);
                    format!("{folder}/{path}")
                }
            },
        }
    }
}

/// Whether `select` and `ignore` let this finding through.
fn is_wanted(finding: &Finding, settings: &Settings) -> bool {
    let one_of = |patterns: &[String]| starts_with_one(finding.code.id, patterns);
    let selected = &settings.select.value;
    (selected.is_empty() || one_of(selected)) && !one_of(&settings.ignore.value)
}
