//! The parts of a report that follow from the translated files alone.

use std::borrow::Cow;
use std::path::Path;

use rustc_hash::FxHashMap;

use super::account_ptx::statements;
use super::read_file::UnreadableFile;
use super::{Translated, TranslatedFile, TranslatedTree};
use crate::classify::{FileKind, classify};
use crate::config::Mode;
use crate::diagnostic::codes::project::FILE_FAILED;
use crate::diagnostic::{Finding, KeptReason, PackageNeed};
use crate::edit::Edit;
use crate::mapping::Evidence;
use crate::mapping::effort::Effort;
use crate::mapping::knowledge::Knowledge;
use crate::parallel;
use crate::project::{Disposition, FileText, PackagesBeside};
use crate::report::{KeptPath, KeptRef, NotBuiltFinding, OptionalCode, Report};
use crate::text::LineIndex;
use crate::walk::{EntryKind, SkipReason};

impl TranslatedTree {
    /// Put findings, counts and what was left into `report`. Takes the findings out of the tree. What lies in the
    /// tree and `mode` does not take is read, and no part of the port: it is not counted.
    pub(in crate::commands) fn account(&mut self, mode: &Mode, report: &mut Report) {
        report.findings.append(&mut self.findings);
        report.findings.append(&mut self.walk.findings);
        report.findings.append(&mut self.project.findings);
        for skipped in &self.walk.skipped {
            if mode.takes(&skipped.path) {
                *report
                    .files
                    .skipped
                    .entry(skipped.reason.as_str())
                    .or_insert(0) += 1;
            }
            // A run that did not see all of the tree is incomplete.
            report.files.failed += usize::from(skipped.reason == SkipReason::Unreadable);
        }
        let beside = PackagesBeside::of(&self.project);
        self.account_files(mode, &beside, report);
        let files = self.project.files.iter().zip(&self.translated);
        let with_kept = files.filter(|(_, translated)| !translated.kept.is_empty());
        report.kept = parallel::flat_map(with_kept, |(source, translated)| {
            let text = source.text.as_ref().map(FileText::once).unwrap_or_default();
            kept_in(&source.path, &text, translated)
        });
        let path_of = |at: &usize| {
            self.project
                .files
                .get(*at)
                .map(|file| file.path.to_string())
        };
        let optional = self.project.built.optional().iter();
        report.optional.extend(optional.map(|one| OptionalCode {
            setting: one.setting.clone(),
            leaves_out: one.leaves_out,
            place: one.place.clone(),
            paths: one.files.iter().filter_map(path_of).collect(),
        }));
        mark_auxiliary(&beside, report);
        self.show_lines(report);
        dedup(report);
    }

    /// Count the files, with what was made of each.
    fn account_files(&mut self, mode: &Mode, beside: &PackagesBeside, report: &mut Report) {
        for ((entry, source), translated) in self
            .walk
            .files
            .iter()
            .zip(&self.project.files)
            .zip(&mut self.translated)
        {
            if mode.takes(&entry.path) {
                report.files.seen += 1;
                if matches!(entry.kind, EntryKind::Link(_)) {
                    report.files.links += 1;
                } else if translated.is_changed() {
                    report.files.ported += 1;
                } else {
                    report.files.copied += 1;
                }
                report.files.renamed += usize::from(source.path != source.output);
            }
            let path = &source.path;
            let is_own_python = source.class.kind == FileKind::Python
                && !Knowledge::builtin().python_values.entry.is_build(path)
                && !Effort::builtin().is_auxiliary(path);
            let is_own_cpp = source.class.kind.is_cpp()
                && !Effort::builtin().is_auxiliary(path)
                && beside.holding(path).is_none();
            let involves_cuda = translated.involves_cuda();
            report.files.python += usize::from(is_own_python && involves_cuda);
            report.files.cpp += usize::from(is_own_cpp && involves_cuda);
            let reason = match source.disposition {
                Disposition::Left(reason) => Some(reason),
                Disposition::Copied if self.leaves_cpp && source.class.kind.is_cpp() => {
                    Some(KeptReason::LeftToBuild)
                }
                _ => None,
            };
            if let Some(reason) = reason {
                report.kept_paths.push(KeptPath {
                    path: source.path.to_string(),
                    reason: reason_word(reason),
                });
            }
            if beside.holding(&source.path).is_some() {
                translated.loaded_package = None;
                for one in &mut translated.packages {
                    one.need = PackageNeed::Auxiliary;
                }
            }
            let text = || source.text.as_ref().map(FileText::once).unwrap_or_default();
            count(&source.path, &text, translated, report);
        }
    }

    /// Give the findings the lines that they show.
    fn show_lines(&self, report: &mut Report) {
        let files = self.project.files.iter();
        let texts: FxHashMap<&str, &FileText> = files
            .filter_map(|file| Some((&*file.path, file.text.as_ref()?)))
            .collect();
        // The findings of a file stand together, so that its text is read once.
        let mut by_file: Vec<(&FileText, Vec<&mut Finding>)> = Vec::new();
        let mut latest = None;
        for finding in report.all_findings_mut() {
            let Some((&path, &text)) = texts.get_key_value(&*finding.path) else {
                continue;
            };
            match by_file.last_mut().filter(|_| latest == Some(path)) {
                Some((_, findings)) => findings.push(finding),
                None => by_file.push((text, vec![finding])),
            }
            latest = Some(path);
        }
        parallel::map(by_file, |(text, findings)| {
            let text = text.once();
            for finding in findings {
                finding.show(&text);
            }
        });
    }
}

/// Mark the findings in tests and the like, which are counted apart.
fn mark_auxiliary(beside: &PackagesBeside, report: &mut Report) {
    let effort = Effort::builtin();
    let is_auxiliary = |path: &str| effort.is_auxiliary(path) || beside.holding(path).is_some();
    let mut findings = report.findings.iter();
    // A tree of tests alone has no other code to tell them from.
    let has_other_code = findings.any(|finding| !is_auxiliary(&finding.path));
    for finding in report.all_findings_mut() {
        finding.auxiliary = has_other_code && is_auxiliary(&finding.path);
        if finding.auxiliary && !effort.is_auxiliary(&finding.path) {
            finding.beside = beside.holding(&finding.path).map(str::to_owned);
        }
    }
}

impl TranslatedFile {
    /// Put findings, counts and what was left into `report`. Takes the findings out of the file.
    pub(in crate::commands) fn account(&mut self, report: &mut Report) {
        report.is_file = true;
        report.files.seen += 1;
        let knowledge = Knowledge::builtin();
        let kind = classify(Path::new(&self.name), &self.old, &knowledge.files).kind;
        report.files.cpp += usize::from(kind.is_cpp() && self.translated.involves_cuda());
        if self.translated.is_changed() {
            report.files.ported += 1;
        } else {
            report.files.copied += 1;
        }
        let old = || Cow::Borrowed(self.old.as_slice());
        count(&self.name, &old, &mut self.translated, report);
        report.kept = kept_in(&self.name, &self.old, &self.translated);
        for finding in report.all_findings_mut() {
            finding.show(&self.old);
        }
        dedup(report);
    }
}

/// Count one file, whether it is of a tree or alone.
fn count<'t>(
    path: &str,
    text: &dyn Fn() -> Cow<'t, [u8]>,
    translated: &mut Translated,
    report: &mut Report,
) {
    let findings = std::mem::take(&mut translated.findings);
    for finding in findings {
        let branches = translated.branches_not_built.iter();
        let mut around = branches
            .filter(|(branch, _)| !finding.is_whole() && branch.contains(finding.range.start))
            .map(|(_, not_built)| not_built);
        match translated.not_built.as_ref().or_else(|| around.next()) {
            Some(not_built) => report.not_built.push(NotBuiltFinding {
                finding,
                group: not_built.group.clone(),
                why: not_built.why.clone(),
            }),
            None => report.findings.push(finding),
        }
    }
    report.suppressed.append(&mut translated.suppressed);
    if let Some(package) = translated.loaded_package.take() {
        *report.starts.entry(package).or_default() += 1;
    }
    report.package_uses.append(&mut translated.packages);
    let is_by_sdk = |edit: &Edit| edit.evidence == Some(Evidence::Sdk);
    let is_quoted = !translated.ptx.translated.is_empty() || translated.edits.iter().any(is_by_sdk);
    let text = is_quoted.then(text).unwrap_or_default();
    let text: &[u8] = &text;
    statements(path, text, translated, report);
    report.withdrawn += translated.withdrawn.len();
    report.files.failed += usize::from(translated.failed);
    for edit in translated.edits.iter() {
        report.references.count(edit.evidence);
        if is_by_sdk(edit) {
            let name = String::from_utf8_lossy(edit.range.of(text));
            report.fact_names.insert(name.into_owned());
        }
    }
}

/// The references that were left in a file, at their places.
fn kept_in(path: &str, text: &[u8], translated: &Translated) -> Vec<KeptRef> {
    let lines = LineIndex::new(text);
    let kept = translated.kept.iter();
    kept.map(|one| KeptRef::at(path, text, &lines, one))
        .collect()
}

/// Two ways to one place, such as a macro that two rules look into, are one finding.
fn dedup(report: &mut Report) {
    report.sort();
    report.findings.dedup();
    report.not_built.dedup();
    report.suppressed.dedup();
    report.kept.dedup();
}

/// The finding about a file that could not be done.
pub(in crate::commands) fn failed(path: &str, message: &str) -> Finding {
    Finding::whole(FILE_FAILED, path, format!("`{path}`: {message}"))
        .help("see to it that the file can be read and the output written, then port again")
}

impl UnreadableFile {
    /// The finding about the file, where nothing later reports it.
    pub(in crate::commands) fn finding(&self) -> Finding {
        failed(&self.path, &self.message)
    }
}

/// The word for a reason, as the report's `kept` uses it.
fn reason_word(reason: KeptReason) -> String {
    serde_json::to_value(reason)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}
