//! What the codes of findings mean, for people: the texts of `mappings/rules/`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use super::query::near_misses;
use super::read_table::{builtin, table};
use super::{Evidence, Hazard, MappingError, Tables};

/// The texts, a file for each family of codes.
const FILES: [(&str, &str); 7] = [
    (
        "rules/cpp.toml",
        include_str!("../../mappings/rules/cpp.toml"),
    ),
    (
        "rules/cmake.toml",
        include_str!("../../mappings/rules/cmake.toml"),
    ),
    (
        "rules/edits.toml",
        include_str!("../../mappings/rules/edits.toml"),
    ),
    (
        "rules/other.toml",
        include_str!("../../mappings/rules/other.toml"),
    ),
    (
        "rules/project.toml",
        include_str!("../../mappings/rules/project.toml"),
    ),
    (
        "rules/python.toml",
        include_str!("../../mappings/rules/python.toml"),
    ),
    (
        "rules/scripts.toml",
        include_str!("../../mappings/rules/scripts.toml"),
    ),
];

/// Examples of the codes that hazards have; the rest is in the table of hazards.
const HAZARDS: (&str, &str) = (
    "rules/hazards.toml",
    include_str!("../../mappings/rules/hazards.toml"),
);

/// What the examples make the program print; generated.
const PRINTED: &str = include_str!("../../mappings/rules/printed.toml");

/// What one code means.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explanation {
    /// The code: `CPP002`.
    pub code: String,
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
#[derive(Debug, Deserialize)]
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

fn check_here() -> String {
    "check .".to_owned()
}

/// All explanations.
#[derive(Debug)]
pub struct Explanations {
    list: Vec<Explanation>,
    printed: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CodesFile {
    rule: Vec<Explanation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HazardFile {
    hazard: Vec<HazardEntry>,
}

/// The example of a hazard's code.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HazardEntry {
    code: String,
    example: Example,
}

impl Explanations {
    /// All texts that come with the program.
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<Explanations> = OnceLock::new();
        builtin(&BUILTIN, Self::load)
    }

    /// Read it.
    ///
    /// # Errors
    /// A fault in the table, with its line. The build script reads each table first, so a run never sees one.
    pub fn load() -> Result<Self, MappingError> {
        let mut rules: Vec<(&str, Explanation)> = Vec::new();
        for (name, text) in FILES {
            let file: CodesFile = table(name, text)?;
            rules.extend(file.rule.into_iter().map(|rule| (name, rule)));
        }
        let (name, text) = HAZARDS;
        let file: HazardFile = table(name, text)?;
        let of_hazards = file
            .hazard
            .into_iter()
            .map(|entry| (name, of_hazard(entry)));
        rules.extend(of_hazards);
        let mut list = Vec::new();
        for (name, rule) in rules {
            if let Some(fault) = fault(&rule, &list) {
                return Err(MappingError {
                    file: format!("mappings/{name}"),
                    line: 1,
                    fault: format!("`{}`: {fault}", rule.code),
                });
            }
            list.push(rule);
        }
        list.sort_by(|a, b| a.code.cmp(&b.code));
        Ok(Self {
            list,
            printed: table("rules/printed.toml", PRINTED)?,
        })
    }

    /// All of them, by code.
    pub fn iter(&self) -> impl Iterator<Item = &Explanation> {
        self.list.iter()
    }

    /// The explanation of a code.
    pub fn get(&self, code: &str) -> Option<&Explanation> {
        self.list.iter().find(|one| one.code == code)
    }

    /// What the program prints for the example of a code.
    pub fn printed(&self, code: &str) -> Option<&str> {
        let stored = self.printed.get(code).map(String::as_str);
        stored.or_else(|| self.get(code)?.example.printed.as_deref())
    }

    /// Whether `pattern` is a code or the front of one.
    pub fn has(&self, pattern: &str) -> bool {
        !pattern.is_empty() && self.list.iter().any(|one| one.code.starts_with(pattern))
    }

    /// What may have been meant by a pattern that no code answers to.
    pub fn suggestion(&self, pattern: &str) -> String {
        let upper = pattern.to_uppercase();
        if self.has(&upper) {
            return format!("did you mean `{upper}`?");
        }
        let codes = self.list.iter().map(|one| one.code.as_str());
        match near_misses(&upper, codes).as_slice() {
            [] => "`torchada rules` lists the codes".to_owned(),
            near => {
                let near: Vec<String> = near.iter().map(|code| format!("`{code}`")).collect();
                format!(
                    "did you mean {}? `torchada rules` lists the codes",
                    near.join(" or ")
                )
            }
        }
    }
}

/// A hazard's code, explained by the rows that have it.
fn of_hazard(entry: HazardEntry) -> Explanation {
    let rows = Tables::builtin().hazards().iter();
    let rows: Vec<&Hazard> = rows
        .filter(|row| row.code.as_deref() == Some(&entry.code))
        .collect();
    let joined = |say: &dyn Fn(&Hazard) -> String| {
        let joined: Vec<String> = rows.iter().map(|row| say(row)).collect();
        joined.join("\n")
    };
    Explanation {
        what: joined(&|row| {
            let find: Vec<String> = row.find.iter().map(|find| looked_for(find)).collect();
            format!("{}. Looked for: {}.", row.title, find.join(", "))
        }),
        why: joined(&|row| match row.targets.as_slice() {
            [] => row.why.to_string(),
            targets => format!("{} It concerns {}.", row.why, targets.join(" and ")),
        }),
        fix: joined(&|row| row.advice.to_string()),
        evidence: joined(&|row| {
            let word = match row.evidence {
                Evidence::Confirmed => "Confirmed",
                Evidence::Table => "A table's word",
                Evidence::Rule => "By rule",
                Evidence::Contested => "Contested",
            };
            format!("{word}: {}.", row.source.trim_end_matches('.'))
        }),
        code: entry.code,
        example: entry.example,
    }
}

/// What a row of the hazards looks for, as people write it.
fn looked_for(find: &str) -> String {
    match find.split_once(':') {
        Some(("prefix", text)) => format!("`{text}…`"),
        Some(("suffix", text)) => format!("`…{text}`"),
        Some(("member", text)) => format!("`.{text}`"),
        Some(("header", text)) => format!("headers `{text}…`"),
        Some(("asm", text)) => format!("`{text}` in assembly"),
        Some(("namespace", text)) => format!("`{text}::…`"),
        Some(("shape", text)) => text.replace('-', " "),
        Some((_, text)) => format!("`{text}`"),
        None => find.to_owned(),
    }
}

/// What is wrong with an explanation by itself.
fn fault(rule: &Explanation, before: &[Explanation]) -> Option<&'static str> {
    let texts = [&rule.what, &rule.why, &rule.fix, &rule.evidence];
    let example = &rule.example;
    if texts.iter().any(|text| text.trim().is_empty()) {
        Some("`what`, `why`, `fix` and `evidence` must say something")
    } else if before.iter().any(|other| other.code == rule.code) {
        Some("there is an explanation already")
    } else if example.not_run.is_some() != example.printed.is_some() {
        Some("`not_run` and `printed` go together")
    } else if example.not_run.is_none() && example.files.is_empty() {
        Some("the example has no files")
    } else {
        None
    }
}
