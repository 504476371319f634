//! Programs of NVIDIA's that people run by name, and how a program is run: `mappings/commands.toml`.

use serde::{Deserialize, Serialize};

use crate::word_list::has;

/// A program of NVIDIA's.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Command {
    /// Its name.
    pub name: String,
    /// The counterpart for MUSA.
    #[serde(default)]
    pub to: Option<String>,
    /// Whether it is the compiler, whose options are translated.
    #[serde(default)]
    pub compiler: bool,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// NVIDIA's programs, and how people run programs: the table `mappings/commands.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commands {
    /// Functions that run a command: the last part of their dotted names.
    pub runners: Vec<String>,
    /// Functions among `runners` that only look for the program.
    #[serde(rename = "looks-for")]
    pub looks_for: Vec<String>,
    /// Functions among `runners` that give the exit code of the program.
    #[serde(rename = "gives-code")]
    pub gives_code: Vec<String>,
    /// Programs that start others, without the number of a release at their ends.
    pub launchers: Vec<String>,
    /// Names of variables, parameters and keys that hold a command.
    pub exact: Vec<String>,
    /// Endings of such names.
    pub endings: Vec<String>,
    /// Keys that stand beside `nvcc` where both are keys of flags for compilers.
    #[serde(rename = "flag-keys")]
    pub flag_keys: Vec<String>,
    /// The programs.
    #[serde(rename = "command")]
    pub known: Vec<Command>,
    /// Where this comes from.
    pub source: String,
}

impl Commands {
    /// Whether a variable, parameter or key of this name holds a command.
    pub fn holds(&self, name: &[u8]) -> bool {
        let name = String::from_utf8_lossy(name).to_ascii_lowercase();
        let name = name.trim_start_matches('_');
        has(&self.exact, name)
            || self
                .endings
                .iter()
                .any(|ending| name.ends_with(ending.as_str()))
            || self
                .known
                .iter()
                .any(|one| one.name.replace('-', "_") == name)
    }

    /// The compilers of GPUs that have a counterpart, each with that.
    pub fn compilers(&self) -> impl Iterator<Item = (&str, &str)> {
        let compilers = self.known.iter().filter(|one| one.compiler);
        compilers.filter_map(|one| Some((one.name.as_str(), one.to.as_deref()?)))
    }

    /// Whether a function of this name runs a command.
    pub fn runs(&self, function: &[u8]) -> bool {
        has(&self.runners, function)
    }

    /// Whether a program of this name starts others: `python3.11`, `torchrun`.
    pub fn launches(&self, program: &str) -> bool {
        let name = program.trim_end_matches(|one: char| one.is_ascii_digit() || one == '.');
        has(&self.launchers, name)
    }

    /// Whether a function of this name only looks for a program.
    pub fn looks_for(&self, function: &[u8]) -> bool {
        has(&self.looks_for, function)
    }

    /// Whether a function of this name gives the exit code of a program that it runs.
    pub fn gives_code(&self, function: &[u8]) -> bool {
        has(&self.gives_code, function)
    }
}
