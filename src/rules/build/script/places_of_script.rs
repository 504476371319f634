//! The places of CUDA's that a script has a hand in.

use std::collections::BTreeSet;

/// The places of CUDA's that a script has a hand in.
#[derive(Default)]
pub(super) struct PlacesOfScript {
    /// Whether a question for the toolkit's folder is one for CUDA's: the script links, removes or moves that folder, or
    /// tells machines apart by releases of it.
    pub(super) are_asked_for: bool,
    /// Libraries' files that it links, removes or moves, without their versions.
    pub(super) libraries: BTreeSet<Vec<u8>>,
}

impl PlacesOfScript {
    /// Whether a library's file is one that the script places.
    pub(super) fn has_library(&self, name: &[u8]) -> bool {
        self.libraries.contains(name)
    }
}
