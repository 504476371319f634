//! Where a project names the CUDA release that it is written for: `mappings/cuda_version.toml`.

use serde::{Deserialize, Serialize};

/// The table `mappings/cuda_version.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CudaReleases {
    /// The oldest release, major and minor, that is taken without a word of the user's.
    pub oldest: Release,
    /// The newest.
    pub newest: Release,
    /// The least number that names no major release, but the value of CUDA's macro: `11020` for 11.2.
    #[serde(rename = "least-of-macro")]
    pub least_of_macro: u32,
    /// The least number that is that of a package's tag: `128` for 12.8.
    #[serde(rename = "least-of-tag")]
    pub least_of_tag: u32,
    /// What a condition that compares a version says of the project, in words with `{release}`.
    pub condition: String,
    /// What a condition of `CMake`'s that stops the build with older releases says of the project, likewise.
    pub required: String,
    /// What a proposal adds if other places of the same kind name newer releases.
    pub others: String,
    /// The kinds of places that name a release, the surest first.
    #[serde(rename = "source")]
    pub sources: Vec<ReleaseSource>,
}

/// A kind of place that names a release.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseSource {
    /// What the number says of the project, in words with `{release}`.
    pub what: String,
    /// The texts that the number stands behind.
    pub before: Vec<String>,
}

/// A release, major and minor; in a table a text such as `12.4`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Release(u32, u32);

impl Release {
    /// Major and minor.
    pub fn numbers(self) -> (u32, u32) {
        (self.0, self.1)
    }
}

impl TryFrom<String> for Release {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let parts = text
            .split_once('.')
            .map(|(major, minor)| (major.parse(), minor.parse()));
        match parts {
            Some((Ok(major), Ok(minor))) => Ok(Self(major, minor)),
            _ => Err("a release is written like 12.4"),
        }
    }
}

impl From<Release> for String {
    fn from(Release(major, minor): Release) -> Self {
        format!("{major}.{minor}")
    }
}
