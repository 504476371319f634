//! What a project needs, by what a port would make of it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use super::super::{Streams, analysis};
use crate::cli::DoctorArgs;
use crate::config::{Mode, Settings};
use crate::diagnostic::Finding;
use crate::doctor::{Needs, TargetLimit};
use crate::emit;
use crate::mapping::doctor::DoctorTable;
use crate::mapping::{Facts, Row, Section, Tables, has};
use crate::project::Source;
use crate::rules::cpp;
use crate::rules::cpp::rule_names::HEADER;
use crate::text::{TextRange, counted};
use analysis::Translated;

/// Sections whose names an edit replaces whole.
const SECTIONS: [Section; 6] = [
    Section::Names,
    Section::Qualified,
    Section::Members,
    Section::Python,
    Section::Libraries,
    Section::LibraryFiles,
];

/// Look at a project as `check` does, and say what its port needs.
///
/// # Errors
/// When the project can't be looked at.
pub(super) fn needs(args: &DoctorArgs, project: &Path, streams: &mut Streams<'_>) -> Result<Needs> {
    if project.join(emit::MANIFEST).is_file() {
        return Ok(Needs {
            is_port: true,
            ..Needs::default()
        });
    }
    let settings = Settings::check(&args.check(project), project, streams.environment)?;
    analysis::with_context(&settings, |run| {
        let mut gathered = Gathered::new(run.context.tables, settings.targets.value.clone());
        if let Mode::File { .. } | Mode::Stdin { .. } = &settings.mode {
            let one = analysis::translate_single(run, streams)?;
            gathered.add(&one.old, &one.translated);
        } else {
            let tree = analysis::tree(run, streams.progress)?;
            for (file, translated) in tree.project.files.iter().zip(&tree.translated) {
                let text = file.text.as_deref().unwrap_or_default();
                gathered.add(text, translated);
                if translated.not_built.is_none() && translated.is_changed() {
                    gathered.formats(file);
                }
            }
        }
        Ok(gathered.end())
    })
}

/// What was found in the files so far.
struct Gathered<'a> {
    tables: &'a Tables,
    needs: Needs,
    /// How many places each code of a hazard has.
    hazards: BTreeMap<&'static str, usize>,
    /// The number of files that name each number format.
    features: BTreeMap<usize, usize>,
}

impl<'a> Gathered<'a> {
    fn new(tables: &'a Tables, targets: Vec<String>) -> Self {
        let facts = tables.facts().map(Facts::releases);
        Self {
            tables,
            needs: Needs {
                facts,
                targets,
                ..Needs::default()
            },
            hazards: BTreeMap::new(),
            features: BTreeMap::new(),
        }
    }

    /// Take in a file that a build for MUSA compiles.
    fn add(&mut self, text: &[u8], translated: &Translated) {
        if translated.not_built.is_some() {
            return;
        }
        let is_built = |range: TextRange| {
            let mut branches = translated.branches_not_built.iter();
            !branches.any(|(branch, _)| branch.contains(range.start))
        };
        let edits = translated.edits.iter();
        for edit in edits.filter(|edit| is_built(edit.range)) {
            let old = String::from_utf8_lossy(edit.range.of(text));
            let new = String::from_utf8_lossy(&edit.replacement);
            self.replaced(&old, &new, edit.rule);
        }
        let findings = translated.findings.iter();
        for finding in findings.filter(|one| one.is_whole() || is_built(one.range)) {
            self.found(text, finding);
        }
    }

    fn replaced(&mut self, old: &str, new: &str, rule: &str) {
        if rule == HEADER {
            let table = &DoctorTable::builtin().project;
            let is_elsewhere = |front: &String| new.starts_with(front.as_str());
            if !table.elsewhere.iter().any(is_elsewhere) {
                self.needs.headers.insert(new.to_owned());
            }
            if let Some(row) = self.tables.header(old) {
                self.since(old, row);
            }
            return;
        }
        for section in SECTIONS {
            let row = self.tables.get(section, old.as_bytes());
            let Some(row) = row.filter(|row| row.to.as_deref() == Some(new)) else {
                continue;
            };
            if matches!(section, Section::Libraries | Section::LibraryFiles) {
                self.library(new);
            }
            self.since(old, row);
            return;
        }
    }

    fn library(&mut self, name: &str) {
        let table = &DoctorTable::builtin().project;
        let name = name
            .strip_prefix(table.target_front.as_str())
            .unwrap_or(name);
        let name = table.targets.get(name).map_or(name, String::as_str);
        let is_plain =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
        if !name.is_empty() && name.bytes().all(is_plain) {
            self.needs.libraries.insert(name.to_owned());
        }
    }

    fn since(&mut self, name: &str, row: &Row) {
        let Some(since) = &row.since else { return };
        for (release, names) in [
            (&since.sdk, &mut self.needs.since_sdk),
            (&since.torch_musa, &mut self.needs.since_torch_musa),
        ] {
            if let Some(release) = release {
                let names = names.entry(release.clone().into_owned()).or_default();
                names.insert(name.to_owned());
            }
        }
    }

    fn found(&mut self, text: &[u8], finding: &Finding) {
        let table = &DoctorTable::builtin().project;
        let code = finding.code.id;
        let is_one = |codes: &[String]| has(codes, code);
        let name = || String::from_utf8_lossy(finding.range.of(text)).into_owned();
        if is_one(&table.absent) {
            *self.needs.absent.entry(name()).or_default() += 1;
        } else if is_one(&table.unsure) {
            *self.needs.unsure.entry(name()).or_default() += 1;
        } else {
            *self.hazards.entry(code).or_default() += 1;
        }
    }

    /// The number formats that a file names and not every GPU has.
    fn formats(&mut self, file: &Source) {
        for (index, feature) in self.tables.architectures().iter().enumerate() {
            let mut names = feature.find.iter();
            if feature.mp.is_some() && names.any(|name| file.has_word(name.as_bytes())) {
                *self.features.entry(index).or_default() += 1;
            }
        }
    }

    fn end(mut self) -> Needs {
        for hazard in self.tables.hazards() {
            let code = cpp::hazard_code(hazard);
            let places = self.hazards.get(code.id).copied().unwrap_or(0);
            if places > 0 && !hazard.targets.is_empty() && hazard.severity != "note" {
                let targets = hazard.targets.iter();
                self.needs.limits.push(TargetLimit {
                    what: format!("{} [{}]", hazard.title, code.id),
                    targets: targets.map(|target| target.clone().into_owned()).collect(),
                    uses: counted(places, "place"),
                });
            }
        }
        for (&index, &files) in &self.features {
            let Some(feature) = self.tables.architectures().get(index) else {
                continue;
            };
            let least = feature.mp.unwrap_or(0);
            let targets = self.tables.targets().iter();
            let older = targets.filter(|target| target.arch < least);
            self.needs.limits.push(TargetLimit {
                what: format!("no {}, which the project names", feature.feature),
                targets: older
                    .map(|target| target.name.clone().into_owned())
                    .collect(),
                uses: counted(files, "file"),
            });
        }
        self.needs
    }
}
