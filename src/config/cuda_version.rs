//! The CUDA release whose numbers stand in place of CUDA's version macros.

use std::str::FromStr;

use crate::mapping::Version;

/// The word that leaves conditions on CUDA's version as they are.
pub(super) const OFF: &str = "off";

/// Which release decides conditions on CUDA's version.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum CudaVersion {
    /// The one that the project itself names.
    #[default]
    Project,
    /// None: the macros stay, and MUSA does not define them.
    Off,
    /// The user's.
    Is(Version),
}

impl CudaVersion {
    /// How it is written, where the user wrote it.
    pub fn written(&self) -> Option<String> {
        match self {
            Self::Project => None,
            Self::Off => Some(OFF.to_owned()),
            Self::Is(version) => Some(version.to_string()),
        }
    }
}

/// What to write.
pub(super) const HELP: &str = "write the number of a CUDA release, such as 12.4, or `off`";

impl FromStr for CudaVersion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            OFF => Ok(Self::Off),
            release => release.parse().map(Self::Is),
        }
    }
}
