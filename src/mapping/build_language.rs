//! The languages of build files.

use serde::{Deserialize, Serialize};

/// The language of a file that says how a tree is built, shipped or set up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BuildLanguage {
    /// `CMake`.
    #[serde(rename = "cmake")]
    CMake,
    /// Make.
    Make,
    /// Ninja.
    Ninja,
    /// Bazel, and Starlark beside it.
    Bazel,
    /// Scripts of the shell.
    Shell,
    /// Recipes of images.
    Docker,
    /// Lists of packages for pip.
    Requirements,
    /// Environments and recipes of conda.
    Conda,
    /// Pipelines of hosts of code.
    Workflow,
    /// What setuptools packs.
    Manifest,
    /// `pyproject.toml`.
    Pyproject,
    /// `setup.cfg`.
    SetupCfg,
}

impl BuildLanguage {
    /// Whether its files hand sources to compilers.
    pub fn compiles(self) -> bool {
        matches!(self, Self::Bazel | Self::CMake | Self::Make | Self::Ninja)
    }

    /// Whether files of the kind list packages to install, which the port in either dialect has to find.
    pub fn lists_packages(self) -> bool {
        matches!(
            self,
            Self::Requirements | Self::Conda | Self::Pyproject | Self::SetupCfg
        )
    }
}
