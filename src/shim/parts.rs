//! The files of the shim, and the rows of the tables that each file is made of.

use crate::mapping::{Evidence, Row};

/// The folder of a shim that holds the aliases; wrappers stand beside it under MUSA's names.
pub const FOLDER: &str = "torchada_shim";

/// One file of a shim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShimFile {
    /// Its path in the shim.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The counterpart in a row that is strong enough.
pub(super) fn counterpart(row: &Row, weakest: Evidence) -> Option<&str> {
    let strong = row.evidence.is_some_and(|evidence| evidence <= weakest);
    row.to.as_deref().filter(|_| strong)
}

/// A header under MUSA's name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrapperHeader {
    /// Its path, as code includes it.
    pub musa: String,
    /// The CUDA headers that it stands for: the first one that is there is included.
    pub cuda: Vec<String>,
}
