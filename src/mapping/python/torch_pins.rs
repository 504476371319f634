//! Requirements of one version of torch: each release of `torch_musa` is built for one release of torch.

use serde::{Deserialize, Serialize};

use crate::doctor::{DoctorTable, begins};

/// How a requirement pins torch.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TorchPins {
    /// What lists of requirements call torch.
    requires: Vec<String>,
    /// The operators that ask for one version, the longest first.
    operators: Vec<String>,
    /// Words of conditions under which a requirement is for machines that MUSA's GPUs are not in.
    elsewhere: Vec<String>,
    /// What to do.
    pub advice: String,
}

impl TorchPins {
    /// Whether a requirement, with its condition, asks for a version of torch that no release of `torch_musa` is built for.
    pub fn are_unfit(&self, requirement: &str) -> bool {
        let (requirement, condition) = requirement.split_once(';').unwrap_or((requirement, ""));
        if self.elsewhere.iter().any(|word| condition.contains(word)) {
            return false;
        }
        let Some(version) = self.version(requirement.trim()) else {
            return false;
        };
        let mut releases = DoctorTable::builtin().release.iter();
        !releases.any(|release| begins(version, &release.torch))
    }

    /// Whether a requirement asks for a version of torch that the program puts in: `torch==` before a hole.
    pub fn is_open(&self, requirement: &str, hole: &str) -> bool {
        self.behind(requirement)
            .is_some_and(|behind| behind.starts_with(hole))
    }

    /// How requirements of one version begin in Python: `"torch==`, or ` torch==` within a command.
    pub fn words(&self) -> impl Iterator<Item = String> {
        let pip = self.operators.iter().filter(|one| one.len() > 1);
        let pinned = pip.flat_map(|one| self.requires.iter().map(move |name| (name, one)));
        pinned.flat_map(|(name, operator)| {
            [("\"", ""), ("\"", " "), ("'", ""), ("'", " "), (" ", "")]
                .map(|(quote, gap)| format!("{quote}{name}{gap}{operator}"))
        })
    }

    /// The version that a requirement asks for: `2.4.1` of `torch==2.4.1`. What says its platform (`+cu118`) is none.
    fn version<'r>(&self, requirement: &'r str) -> Option<&'r str> {
        let behind = self.behind(requirement)?;
        let is_part = |one: char| one.is_ascii_alphanumeric() || matches!(one, '.' | '*' | '+');
        let version = behind.split(|one| !is_part(one)).next()?;
        (version.starts_with(|one: char| one.is_ascii_digit()) && !version.contains('+'))
            .then_some(version)
    }

    /// What stands behind the operator of a requirement of one version of torch.
    fn behind<'r>(&self, requirement: &'r str) -> Option<&'r str> {
        let mut names = self.requires.iter();
        let behind = names.find_map(|name| {
            let behind = requirement.strip_prefix(name.as_str())?.trim_start();
            let mut operators = self.operators.iter();
            operators.find_map(|one| behind.strip_prefix(one.as_str()))
        })?;
        Some(behind.trim_start())
    }
}

#[cfg(test)]
mod tests {
    use crate::python::packages::Packages;

    #[test]
    fn only_a_version_that_no_release_is_built_for_is_unfit() {
        let pins = &Packages::builtin().torch;
        for unfit in [
            "torch==2.4.1",
            "torch == 1.13.1",
            "pytorch=1.12.1",
            "torch===2.6",
            "torch==2.4.1 ; sys_platform == 'linux'",
        ] {
            assert!(pins.are_unfit(unfit), "{unfit}");
        }
        for fits in [
            "torch",
            "torch>=1.13",
            "torch==2.7.1",
            "torch==2.9.*",
            "pytorch=2.5.1",
            "torch==2.4.1+cu118",
            "torch==${TORCH}",
            "torchvision==0.19.1",
            "torch==2.4.1 ; sys_platform == 'darwin'",
        ] {
            assert!(!pins.are_unfit(fits), "{fits}");
        }
    }
}
