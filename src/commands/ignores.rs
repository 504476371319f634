//! Suppresses findings by the configuration's `per-file-ignores`.

use std::path::{Path, PathBuf};

use crate::config::{Mode, Settings};
use crate::diagnostic::Finding;
use crate::report::Report;

/// Move the findings that `per-file-ignores` names out of the findings. Their paths are still as the
/// run sees them.
pub(super) fn apply(report: &mut Report, settings: &Settings) {
    let ignores = &settings.per_file_ignores.value;
    if ignores.is_empty() {
        return;
    }
    let is_ignored = |finding: &Finding| {
        let path = whole(settings, &finding.path);
        ignores.suppresses(&path, finding.code.id)
    };
    let (ignored, findings) = std::mem::take(&mut report.findings)
        .into_iter()
        .partition(is_ignored);
    report.findings = findings;
    let ignored: Vec<Finding> = ignored;
    report.ignored.extend(ignored);
    report.not_built.retain(|one| !is_ignored(&one.finding));
}

/// Where a file is that a finding names.
fn whole(settings: &Settings, path: &str) -> PathBuf {
    match &settings.mode {
        Mode::File { input, .. } => input.clone(),
        Mode::Stdin {
            path: Some(named),
            root,
            ..
        } => root.as_deref().unwrap_or(&settings.base).join(named),
        _ => settings.root().unwrap_or(Path::new("/")).join(path),
    }
}
