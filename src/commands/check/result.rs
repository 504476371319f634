//! What a check found, and what of it is shown.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::cli::{CheckArgs, Format};
use crate::commands::Streams;
use crate::commands::baseline::Baseline;
use crate::commands::findings::{self, Shown};
use crate::config::{ConfigError, Mode, Settings, display_path};
use crate::diagnostic::Finding;
use crate::git::{self, ChangedLines};
use crate::mapping::effort::Effort;
use crate::project::FileText;
use crate::report;
use crate::report::Report;
use crate::walk::{SkipReason, is_in_earlier_output};

/// The findings of a check under some of the paths.
#[derive(Default)]
pub(super) struct CheckResult {
    pub(super) report: Report,
    /// The texts of the files with findings, by the paths in the report.
    pub(super) texts: BTreeMap<String, FileText>,
    /// The canonical paths of the files of trees.
    pub(super) of_trees: BTreeSet<PathBuf>,
}

impl CheckResult {
    /// Whether what settings name is still to be looked at: no file or folder that a tree had before, and no file in a
    /// folder of its tree that a port wrote. That one counts as left out, as it would for its tree.
    pub(super) fn takes(&mut self, settings: &Settings) -> bool {
        let (input, root) = match &settings.mode {
            Mode::File { input, root, .. } => (input, root),
            Mode::Tree { input, .. } => return !self.has_folder(input),
            Mode::Part { root, subdir, .. } => return !self.has_folder(&root.join(subdir)),
            _ => return true,
        };
        let is_ported = root
            .as_ref()
            .is_some_and(|root| is_in_earlier_output(root, input));
        if is_ported {
            let skipped = &mut self.report.files.skipped;
            *skipped.entry(SkipReason::Output.as_str()).or_default() += 1;
        }
        !is_ported && !self.of_trees.contains(input)
    }

    /// Whether a tree that was looked at has files in a folder.
    fn has_folder(&self, folder: &Path) -> bool {
        let mut files = self.of_trees.range(folder.to_owned()..);
        files.next().is_some_and(|file| file.starts_with(folder))
    }

    /// Take out what is about lines that did not change. Gives the findings among it.
    pub(super) fn keep_changes(&mut self, changed: &ChangedLines) -> Vec<Finding> {
        let mut paths: BTreeMap<String, Option<PathBuf>> = BTreeMap::new();
        let mut is_changed = |finding: &Finding| {
            let path = paths
                .entry(finding.path.clone())
                .or_insert_with(|| Path::new(&finding.path).canonicalize().ok());
            // A line of a cell is none of the notebook's file.
            let is_line = !finding.is_whole() && finding.cell.is_none();
            let lines = is_line.then_some(finding.start.line..finding.end.line + 1);
            path.as_ref()
                .is_some_and(|path| changed.touches(path, lines))
        };
        let findings = std::mem::take(&mut self.report.findings).into_iter();
        let (kept, unchanged): (Vec<_>, Vec<_>) = findings.partition(&mut is_changed);
        self.report.findings = kept;
        self.report.not_built.retain(|one| is_changed(&one.finding));
        self.report.suppressed.retain(&mut is_changed);
        self.report.ignored.retain(&mut is_changed);
        self.report.unchanged = Some(unchanged.len());
        unchanged
    }

    /// Take back those of the findings about `unchanged` lines that were not there `before`: a change elsewhere caused
    /// them.
    pub(super) fn take_back(&mut self, unchanged: &[Finding], before: &Report) {
        let (new, _) = findings::new_since(&before.findings, unchanged);
        self.report.unchanged = Some(unchanged.len() - new.len());
        self.report.findings.extend(new.into_iter().cloned());
        self.report.sort();
    }

    /// Take out what a baseline knows, or make it know all that was found.
    pub(super) fn hold_against(&mut self, path: &Path, args: &CheckArgs) -> Result<()> {
        let mut baseline = if args.update_baseline {
            Baseline::to_renew(path)?
        } else {
            Baseline::read(path)?
        };
        let text_of = |path: &str| self.texts.get(path).map(|text| &**text);
        let findings = &mut self.report.findings;
        let prints = report::fingerprints(findings, &text_of);
        if args.update_baseline {
            let paths: Vec<String> = args.paths.iter().map(|path| display_path(path)).collect();
            let looked_at = |path: &str| paths.iter().any(|folder| is_below(path, folder));
            baseline = baseline.renewed(findings, &prints, &looked_at);
            baseline.write(path)?;
        }
        let not_built = self.report.not_built.iter().map(|one| one.finding.clone());
        let not_built: Vec<Finding> = not_built.collect();
        let elsewhere = report::fingerprints(&not_built, &text_of);
        self.report.known = Some(baseline.take(findings, &prints, &elsewhere));
        Ok(())
    }

    pub(super) fn add(&mut self, mut part: Self) {
        self.report.add(part.report);
        self.texts.append(&mut part.texts);
        self.of_trees.append(&mut part.of_trees);
    }

    pub(super) fn show(
        &self,
        args: &CheckArgs,
        scale: &Effort,
        streams: &mut Streams<'_>,
    ) -> Result<()> {
        let report = &self.report;
        let paths: Vec<String> = args.paths.iter().map(|path| display_path(path)).collect();
        if args.packages {
            let rows = report::package_rows(report);
            if args.format == Format::Json {
                return Ok(streams.out.write_all(&report::packages_json(&rows))?);
            }
            return Ok(report::packages(&rows, streams.out)?);
        }
        if args.format == Format::Json {
            return Ok(report::json(report, streams.out)?);
        }
        let how = Shown {
            format: args.format,
            fail_on: args.fail_on,
            jobs: args.shared.jobs,
        };
        findings::show(report, &self.texts, how, streams.out)?;
        let checked = |out: &mut dyn io::Write| report::checked(&paths, report, scale, out);
        if matches!(args.format, Format::Full | Format::Summary) {
            return Ok(report::fitted(streams.out, streams.out_columns, checked)?);
        }
        // The result is for programs: what is for people goes where it is not mixed in, and below it where both are
        // one terminal.
        streams.out.flush()?;
        Ok(report::fitted(streams.err, streams.err_columns, checked)?)
    }
}

/// Whether a path of a finding lies in a path of the command line.
pub(super) fn is_below(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    let folder = folder.strip_prefix("./").unwrap_or(folder);
    match path.strip_prefix(folder) {
        Some(rest) => rest.is_empty() || rest.starts_with('/'),
        None => folder == "." && !path.starts_with(['/']) && !path.starts_with("../"),
    }
}

/// What changed since a revision in the paths of a check.
pub(super) fn changes(revision: &str, args: &CheckArgs) -> Result<ChangedLines> {
    let mut changed = ChangedLines::default();
    for path in &args.paths {
        let whole = path.canonicalize();
        let whole = whole.map_err(|_| {
            ConfigError::usage(
                format!("nothing is known of changes in {}", display_path(path)),
                "--since is for files and folders in a git work tree",
            )
        })?;
        let folder = if whole.is_dir() {
            whole.as_path()
        } else {
            whole.parent().unwrap_or(Path::new("/"))
        };
        let is_tracked = git::covers(folder);
        changed.add(folder, revision).map_err(|reason| {
            ConfigError::usage(
                format!("git can't tell what changed since `{revision}`: {reason}"),
                if reason == git::NO_GIT {
                    "install git, or leave --since out"
                } else if is_tracked {
                    "name a branch, a tag or a commit that git knows here; in a shallow clone, fetch the history up to \
                     where the branches part"
                } else {
                    "--since is for files and folders in a git work tree"
                },
            )
        })?;
    }
    Ok(changed)
}
