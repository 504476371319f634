//! Files whose names leave open what they are, and which are known by what they hold: `[contents]` of
//! `mappings/files.toml`.

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
}

impl ContentTable {
    /// Whether what a file of this name holds may say what it is.
    pub fn may_tell(&self, name: &str) -> bool {
        let mut endings = self.endings.iter();
        endings.any(|ending| name.ends_with(ending.as_str()))
    }

    /// Whether a file of this name is a script of a shell, by its first command.
    pub fn is_script(&self, name: &str, text: &[u8]) -> bool {
        let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
        let command = first.and_then(|line| line.split(u8::is_ascii_whitespace).next());
        let is_one = |known: &String| command == Some(known.as_bytes());
        !name.contains('.') && self.commands.iter().any(is_one)
    }

    /// The language of a file that has all the keys of one.
    pub fn language(&self, name: &str, text: &[u8]) -> Option<BuildLanguage> {
        if !self.may_tell(name) {
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
