//! What `torchada doctor` looks at, and what it says about it: `mappings/doctor.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::read_table::{builtin_table, table};

/// All that a machine is compared with.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DoctorTable {
    /// Programs of the driver.
    pub tool: Vec<Tool>,
    /// The nodes of devices.
    pub nodes: Nodes,
    /// Where the loader of programs looks.
    pub loader: LoaderPlaces,
    /// Libraries that programs load.
    pub library: Vec<LoadedLibrary>,
    /// Parts of an SDK.
    pub part: Vec<Part>,
    /// Versions that go together.
    pub release: Vec<Release>,
    /// What versions say of the platform that a package was built for.
    pub builds: Builds,
    /// The package for run time.
    pub runtime: RuntimePackage,
    /// Variables that contradict each other.
    pub variables: Vec<VariablePair>,
    /// How the needs of a project are read.
    pub project: ProjectReading,
    /// The architectures of GPUs.
    pub gpu: Vec<GpuName>,
    /// The checks, in the order in which they are shown.
    pub check: Vec<CheckText>,
}

/// A program that lists devices.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Its name.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The words before a device's name.
    pub device: String,
    /// The words before the driver's version.
    pub driver: String,
    /// How we know.
    pub source: String,
}

/// The nodes of devices.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nodes {
    /// Their folder.
    pub folder: String,
    /// What their names begin with.
    pub front: String,
    /// How we know.
    pub source: String,
}

/// Where the loader of programs looks for libraries.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoaderPlaces {
    /// The variable with folders.
    pub variable: String,
    /// The cache.
    pub cache: String,
    /// Files, and folders of files, with the folders that the cache is made of.
    pub configurations: Vec<String>,
    /// Folders besides.
    pub folders: Vec<String>,
    /// The largest cache that is read.
    pub bytes: u64,
}

/// A library that programs load at their start.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadedLibrary {
    /// What its name begins with: `libmusart.so`.
    pub name: String,
    /// Whether it lies in the SDK.
    pub sdk: bool,
    /// Whether nothing runs without it.
    pub needed: bool,
    /// What it is.
    pub what: String,
}

/// A part of an SDK.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// One of these paths is there.
    pub paths: Vec<String>,
    /// Whether nothing is built without it.
    pub needed: bool,
    /// What it is.
    pub what: String,
    /// What the packages of the SDK begin with that have it.
    pub packages: String,
}

/// Which torch and SDK a release of `torch_musa` is for.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Release {
    /// The beginning of its version.
    pub torch_musa: String,
    /// The beginning of torch's version.
    pub torch: String,
    /// The version of torch below which it raises an error.
    #[serde(default)]
    pub torch_least: Option<String>,
    /// The oldest SDK.
    #[serde(default)]
    pub sdk_least: Option<String>,
    /// How we know.
    pub source: String,
}

/// What versions and names say of the platform that a package was built for.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Builds {
    /// Parts of versions that were built for CUDA.
    pub cuda: Vec<String>,
    /// Parts of versions that were built for MUSA.
    pub musa: Vec<String>,
    /// Ends of names of what is built for one version of CUDA.
    pub names: Vec<String>,
}

/// How `doctor` distinguishes the package for run time from another package of the same name.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RuntimePackage {
    /// Its name.
    pub module: String,
    /// Files of ours.
    pub own: Vec<String>,
    /// What pip calls the distribution that has it.
    pub distribution: String,
    /// What pip calls the distribution of the adapter.
    pub namesake: String,
    /// Files of the other one.
    pub other: Vec<String>,
}

/// How two variables are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairForm {
    /// Both are set, and differ.
    Differ,
    /// Both are set, and lead to different folders.
    Paths,
    /// The first is set, and the second is not.
    Alone,
    /// The first has the value.
    Is,
}

/// Variables that contradict each other.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariablePair {
    /// How they are compared.
    pub form: PairForm,
    /// The first one.
    pub first: String,
    /// The second one.
    #[serde(default)]
    pub second: Option<String>,
    /// The value.
    #[serde(default)]
    pub value: Option<String>,
    /// What follows.
    pub says: String,
    /// What to do.
    pub fix: String,
}

/// How the needs of a project are read off its port.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProjectReading {
    /// What paths of headers begin with that other packages bring.
    pub elsewhere: Vec<String>,
    /// What the names of `CMake`'s targets begin with.
    pub target_front: String,
    /// Libraries whose targets are called otherwise.
    pub targets: BTreeMap<String, String>,
    /// Codes of findings about names that MUSA lacks.
    pub absent: Vec<String>,
    /// Codes of findings about names that nothing proves.
    pub unsure: Vec<String>,
}

/// The architecture of a GPU.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuName {
    /// What the driver calls it.
    pub name: String,
    /// Its architecture.
    pub target: String,
    /// How we know.
    pub source: String,
}

/// The texts of a check.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckText {
    /// What the program calls it.
    pub name: String,
    /// What people call it: `DOC001`.
    pub code: String,
    /// The group that it is shown in.
    pub group: String,
    /// A few words.
    pub title: String,
    /// What holds where it is well.
    pub what: String,
    /// What to do where it is not.
    pub fix: String,
}

builtin_table!(DoctorTable, table!("doctor.toml"));

impl DoctorTable {
    /// The check that the program calls so.
    pub fn check(&self, name: &str) -> Option<&CheckText> {
        self.check.iter().find(|check| check.name == name)
    }

    /// Whether a check's code starts so, in whatever case.
    pub fn has(&self, front: &str) -> bool {
        let front = front.to_ascii_uppercase();
        !front.is_empty() && self.check.iter().any(|one| one.code.starts_with(&front))
    }

    /// The check with a code, in whatever case.
    pub fn by_code(&self, code: &str) -> Option<&CheckText> {
        let mut checks = self.check.iter();
        checks.find(|check| check.code.eq_ignore_ascii_case(code))
    }

    /// What is known of a release of `torch_musa`.
    pub fn release(&self, torch_musa: &str) -> Option<&Release> {
        let mut releases = self.release.iter();
        releases.find(|release| begins(torch_musa, &release.torch_musa))
    }
}

/// Whether a version is one of those that begin with the same numbers: 2.7.1 is a 2.7, and 2.70 is none.
pub fn begins(version: &str, with: &str) -> bool {
    let rest = version.strip_prefix(with);
    rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_check_has_a_name_and_a_code_of_its_own() {
        let checks = &DoctorTable::builtin().check;
        for (index, check) in checks.iter().enumerate() {
            let twice = checks
                .iter()
                .skip(index + 1)
                .find(|other| other.name == check.name || other.code == check.code);
            assert!(twice.is_none(), "{} stands twice", check.code);
        }
        assert!(checks.is_sorted_by_key(|check| &check.code));
    }
}
