//! Files whose names leave open what they are, and which are known by what they hold: `[contents]` of
//! `mappings/files.toml`.

use crate::word_list::ends_with_one;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::build_language::BuildLanguage;

/// Files that are known by keys that they have.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentTable {
    /// Endings of their names.
    endings: Vec<String>,
    /// What begins lines of theirs, by their language.
    keys: BTreeMap<BuildLanguage, Vec<String>>,
    /// The first commands of scripts of a shell whose names have no ending.
    commands: Vec<String>,
    /// How lines of such scripts begin that give the environment a value.
    exports: Vec<String>,
    /// Endings of data, which is not looked into.
    data: Vec<String>,
    /// How many bytes a file may have that is looked into because its ending says nothing.
    most: u64,
    /// What tells a file of make's.
    make: MakeContents,
}

/// What tells a file of make's.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MakeContents {
    /// Endings of names that leave open whether the file is one of make's.
    endings: Vec<String>,
    /// What its first line begins with.
    fronts: Vec<String>,
    /// What stands behind the name in its first line.
    assignments: Vec<String>,
    /// What it has somewhere.
    reference: String,
}

impl ContentTable {
    /// Whether what a file of this name holds may say what it is.
    pub fn may_decide(&self, name: &str) -> bool {
        ends_with_one(name, &self.endings)
    }

    /// Whether a file whose ending nobody knows may be code, so that one has to look into it.
    pub fn may_be_code(&self, name: &str, bytes: u64) -> bool {
        bytes <= self.most && !self.is_data(name)
    }

    /// Whether a name is that of a file with data.
    pub fn is_data(&self, name: &str) -> bool {
        ends_with_one(name.to_ascii_lowercase(), &self.data)
    }

    /// Whether a file of this name is a script of a shell, by its first command, or by a line that exports a variable.
    pub fn is_script(&self, name: &str, text: &[u8]) -> bool {
        let (_, ending) = name.rsplit_once('.').unwrap_or_default();
        if ending.bytes().any(|byte| !byte.is_ascii_digit()) {
            return false;
        }
        let command = statements(text).next();
        let command = command.and_then(|line| line.split(u8::is_ascii_whitespace).next());
        let is_one = |known: &String| command == Some(known.as_bytes());
        let exports = |line: &[u8]| {
            let mut fronts = self.exports.iter();
            let rest = fronts.find_map(|front| line.strip_prefix(front.as_bytes()));
            rest.is_some_and(|rest| matches!(behind_name(rest), [b'=', ..]))
        };
        self.commands.iter().any(is_one) || statements(text).any(exports)
    }

    /// Whether a file whose name leaves that open is one of make's.
    pub fn may_be_make(&self, name: &str) -> bool {
        ends_with_one(name, &self.make.endings)
    }

    /// Whether a file is one of make's, by its first line and by what it has.
    pub fn is_make(&self, text: &[u8]) -> bool {
        let make = &self.make;
        let Some(first) = statements(text).next() else {
            return false;
        };
        let begins = |front: &String| first.starts_with(front.as_bytes());
        let value = behind_name(first).trim_ascii_start();
        let assigns = |sign: &String| {
            let rest = value.strip_prefix(sign.as_bytes());
            rest.is_some_and(|rest| !rest.starts_with(b"=")) && value.len() < first.len()
        };
        (make.fronts.iter().any(begins) || make.assignments.iter().any(assigns))
            && memchr::memmem::find(text, make.reference.as_bytes()).is_some()
    }

    /// The language of a file that has all the keys of one.
    pub fn language(&self, name: &str, text: &[u8]) -> Option<BuildLanguage> {
        if !self.may_decide(name) {
            return None;
        }
        let begins_line = |key: &String| {
            let mut places = memchr::memmem::find_iter(text, key.as_bytes());
            places.any(|at| {
                at.checked_sub(1)
                    .is_none_or(|before| text.get(before) == Some(&b'\n'))
            })
        };
        let mut languages = self.keys.iter();
        let found = languages.find(|(_, keys)| keys.iter().all(begins_line));
        found.map(|(&language, _)| language)
    }
}

/// The lines of a text that are neither empty nor comments of a shell's.
fn statements(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| !line.is_empty() && !line.starts_with(b"#"))
}

/// What stands behind the name that a line begins with.
fn behind_name(line: &[u8]) -> &[u8] {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let name = line.iter().take_while(is_part).count();
    line.get(name..).unwrap_or_default()
}
