//! What is looked for on the machine that the program runs on: `mappings/machine.toml`.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::read_table::{builtin_table, table};

/// Names and places on a machine.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineTable {
    /// How long programs are waited for, and how much is read.
    pub limits: MachineLimits,
    /// The Python that is asked.
    pub python: PythonNames,
    /// The MUSA SDK.
    pub sdk: SdkTable,
}

/// How long programs are waited for, and how much is read.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct MachineLimits {
    /// Seconds for a program that says what it is.
    pub seconds: u64,
    /// Bytes of an answer.
    pub answer: u64,
    /// Seconds for a Python that imports torch.
    pub python_seconds: u64,
    /// Files and folders of an SDK.
    pub listed: usize,
    /// Bytes of a file that says a version.
    pub version_file: u64,
}

impl MachineLimits {
    /// The time for a program that says what it is.
    pub fn program(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    /// The time for a Python that imports torch.
    pub fn python(&self) -> Duration {
        Duration::from_secs(self.python_seconds)
    }
}

/// The Python that is asked, and what it takes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PythonNames {
    /// Names of programs, the first on the PATH counts.
    pub programs: Vec<String>,
    /// Endings of files that it runs.
    pub endings: Vec<String>,
    /// Letters of options that are the last of its own.
    pub last_options: Vec<char>,
    /// Letters of options that take a value.
    pub value_options: Vec<char>,
    /// Letters of options with which it imports nothing at its start.
    pub bare_options: Vec<char>,
    /// The variable that has `import torch` load `torch_musa`.
    pub autoload: String,
}

/// Where the MUSA SDK lies, and what it has.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SdkTable {
    /// Variables that name its folder; the first that is set counts.
    pub variables: Vec<String>,
    /// Places where no variable names one.
    pub places: Vec<String>,
    /// Folders with headers.
    pub include: Vec<String>,
    /// Folders with libraries.
    pub libraries: Vec<String>,
    /// Folders with programs.
    pub programs: Vec<String>,
    /// Folders with modules of `CMake`'s.
    pub cmake: Vec<String>,
    /// The compiler's name.
    pub compiler: String,
    /// Paths of which an SDK has one.
    pub marks: Vec<String>,
    /// The first release whose version macros and library names are right.
    pub right_since: String,
    /// What says the version, surest first.
    pub version: Vec<VersionSource>,
    /// How numbers stand for versions.
    pub scheme: Vec<VersionScheme>,
}

/// One place that says the SDK's version.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionSource {
    /// How it says so.
    #[serde(rename = "at")]
    pub form: VersionSourceForm,
    /// How we know.
    pub source: String,
}

/// How a place says the SDK's version.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum VersionSourceForm {
    /// A value in a file of JSON.
    Json {
        /// The file.
        file: String,
        /// The keys that lead to it.
        keys: Vec<String>,
    },
    /// The end of a library's name.
    Library {
        /// The folder.
        folder: String,
        /// The name before it.
        library: String,
    },
    /// A macro of a header.
    Macro {
        /// The header.
        file: String,
        /// The macro.
        r#macro: String,
    },
}

/// How a number stands for a version.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionScheme {
    /// The least number of this kind.
    pub from: u64,
    /// What the first number of the version is multiplied with.
    pub major: u64,
    /// The second one.
    pub minor: u64,
    /// The third one.
    pub patch: u64,
}

impl SdkTable {
    /// The version that a number stands for: `5.2.0` for 50200.
    pub fn version_of(&self, number: u64) -> Option<String> {
        let scheme = self.scheme.iter().find(|scheme| number >= scheme.from)?;
        let part = |unit: u64, above: u64| (number % above).checked_div(unit);
        let major = number.checked_div(scheme.major)?;
        let minor = part(scheme.minor, scheme.major)?;
        let patch = part(scheme.patch, scheme.minor)?;
        Some(format!("{major}.{minor}.{patch}"))
    }
}

builtin_table!(MachineTable, table!("machine.toml"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_schemes_of_version_macros_are_read() {
        let sdk = &MachineTable::builtin().sdk;
        for (number, version) in [
            (4030, "4.3.0"),
            (40300, "4.3.0"),
            (50200, "5.2.0"),
            (3010, "3.1.0"),
        ] {
            assert_eq!(sdk.version_of(number).as_deref(), Some(version), "{number}");
        }
        assert_eq!(sdk.version_of(7), None);
    }
}
