//! Where a project names the CUDA release that it is written for: `mappings/cuda_version.toml`.

use serde::Deserialize;
use serde::de::{Deserializer, Error};

/// The table `mappings/cuda_version.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CudaReleases {
    /// The oldest release, major and minor, that is taken without a word of the user's.
    #[serde(deserialize_with = "release")]
    pub oldest: (u32, u32),
    /// The newest.
    #[serde(deserialize_with = "release")]
    pub newest: (u32, u32),
    /// What a condition that compares a version says of the project, in words with `{release}`.
    pub condition: String,
    /// The kinds of places that name a release, the surest first.
    #[serde(rename = "source")]
    pub sources: Vec<ReleaseSource>,
}

/// A kind of place that names a release.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseSource {
    /// What the number says of the project, in words with `{release}`.
    pub what: String,
    /// The texts that the number stands behind.
    pub before: Vec<String>,
}

fn release<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(u32, u32), D::Error> {
    let text = String::deserialize(deserializer)?;
    let parts = text
        .split_once('.')
        .map(|(major, minor)| (major.parse(), minor.parse()));
    match parts {
        Some((Ok(major), Ok(minor))) => Ok((major, minor)),
        _ => Err(D::Error::custom("a release is written like 12.4")),
    }
}
