//! The files of `mappings/rules/`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::code::Severity;
use crate::MappingError;
use crate::read_table::table;

/// Examples of the codes that hazards have; the rest is in the table of hazards.
pub(super) const HAZARDS: &str = "rules/hazards.toml";

/// What one code means.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explanation {
    /// The code: `CPP002`.
    pub code: String,
    /// The constant by which rules name it; a code of a build's messages has none.
    #[serde(default)]
    pub name: Option<String>,
    /// The weight of its findings.
    pub severity: Severity,
    /// Its meaning in a few words, without a full stop.
    pub title: String,
    /// The message about one thing, where several are reported together; `{list}` names it.
    #[serde(default)]
    pub one: Option<String>,
    /// The message about several things, where it is another.
    #[serde(default)]
    pub many: Option<String>,
    /// What a finding with this code has found.
    pub what: String,
    /// Why it matters.
    pub why: String,
    /// What to do about it.
    pub fix: String,
    /// How sure it is, and where that comes from.
    pub evidence: String,
    /// A piece of code that has it.
    pub example: Example,
}

/// A small tree whose check gives the finding.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The files, by path.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Shell commands that make the tree what it is, after the files.
    #[serde(default)]
    pub setup: Vec<String>,
    /// The program's arguments; `check .` by default.
    #[serde(default = "check_here")]
    pub command: String,
    /// Why no run shows it, where none can on every machine.
    #[serde(default)]
    pub not_run: Option<String>,
    /// What is printed there, where no run shows it.
    #[serde(default)]
    pub printed: Option<String>,
}

impl Example {
    /// The commands that show the finding, as they are typed.
    pub fn commands(&self) -> impl Iterator<Item = String> {
        let run = format!("torchada {}", self.command);
        self.setup.iter().cloned().chain([run])
    }
}

fn check_here() -> String {
    "check .".to_owned()
}

/// What the files say, as it stands there.
pub struct Texts {
    /// The explanations, each with its file.
    pub rules: Vec<(&'static str, Explanation)>,
    pub(super) hazards: Vec<HazardEntry>,
    /// What the examples make the program print; generated.
    pub(super) printed: BTreeMap<String, String>,
}

impl Texts {
    /// Reads the files.
    ///
    /// # Errors
    /// A fault of a file, with its line.
    pub fn load() -> Result<Self, MappingError> {
        let files: [(&str, CodesFile); 8] = [
            ("rules/cpp.toml", table!("rules/cpp.toml")?),
            ("rules/cmake.toml", table!("rules/cmake.toml")?),
            ("rules/edits.toml", table!("rules/edits.toml")?),
            ("rules/log.toml", table!("rules/log.toml")?),
            ("rules/other.toml", table!("rules/other.toml")?),
            ("rules/project.toml", table!("rules/project.toml")?),
            ("rules/python.toml", table!("rules/python.toml")?),
            ("rules/scripts.toml", table!("rules/scripts.toml")?),
        ];
        let hazards: HazardFile = table!("rules/hazards.toml")?;
        let files = files.into_iter();
        Ok(Self {
            rules: files
                .flat_map(|(name, file)| file.rule.into_iter().map(move |rule| (name, rule)))
                .collect(),
            hazards: hazards.hazard,
            printed: table!("rules/printed.toml")?,
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CodesFile {
    rule: Vec<Explanation>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HazardFile {
    hazard: Vec<HazardEntry>,
}

/// The example of a hazard's code.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HazardEntry {
    pub(super) code: String,
    pub(super) example: Example,
}
