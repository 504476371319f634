//! What the codes of findings mean, for people: the texts of `mappings/rules/`.

mod code;
mod texts;

use std::collections::BTreeMap;

use super::read_table::builtin_table;
use super::{Evidence, Hazard, MappingError, Tables};
use crate::names::query::near_misses;

pub use code::{Code, Severity};
pub use texts::{Example, Explanation};
use texts::{HAZARDS, HazardEntry, Texts};

/// The codes that the tables have, each by its `name`, with the letters of its number as a module; `ALL` has each once.
/// `MESSAGES` has the messages about one thing and about several. The build script writes them.
// Titles are for people, and have no backticks.
#[allow(clippy::doc_markdown)]
pub mod named {
    include!(concat!(env!("OUT_DIR"), "/codes.rs"));
}

/// All explanations.
#[derive(Debug)]
pub struct Explanations {
    list: Vec<Explanation>,
    printed: BTreeMap<String, String>,
}

builtin_table!(Explanations, Self::read());

impl Explanations {
    fn read() -> Result<Self, MappingError> {
        let texts = Texts::load()?;
        let mut rules = texts.rules;
        let of_hazards = texts.hazards.into_iter();
        rules.extend(of_hazards.map(|entry| (HAZARDS, of_hazard(entry))));
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
            printed: texts.printed,
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
    let first = rows.first();
    Explanation {
        name: None,
        one: None,
        many: None,
        severity: first.map_or(Severity::Warning, |row| Severity::of_word(&row.severity)),
        title: first.map_or_else(String::new, |row| row.title.to_string()),
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
                Evidence::Sdk => "Seen in the SDK",
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
        Some(("namespace", text)) => format!("`{}::…`", text.trim_end_matches("::")),
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
