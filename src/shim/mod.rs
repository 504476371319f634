//! Headers that give every mapped MUSA name and header its CUDA meaning back, so that a compiler
//! for CUDA can read a port.
//!
//! They are made from the mapping tables alone: what a table calls absent or unknown gets no alias,
//! and its use fails. No header of CUDA's is read; a table says which names are macros.
//!
//! Architecture invariant: the same tables give the same bytes.

mod aliases;
mod headers;
mod parts;
mod text;

pub use aliases::Aliases;
pub use parts::WrapperHeader;

use crate::mapping::{Evidence, MappingError, Tables};
use parts::counterpart;
pub use parts::{FOLDER, ShimFile};

/// Everything that goes into a shim.
#[derive(Clone, Debug)]
pub struct Shim {
    /// Names and what they mean.
    pub aliases: Aliases,
    /// Headers, by MUSA's path.
    pub wrappers: Vec<WrapperHeader>,
}

impl Shim {
    /// The shim for `tables`, of rows whose evidence is `weakest` or better. `known` are paths of
    /// CUDA headers: where a row speaks for a whole folder, each of them in it gets a wrapper.
    pub fn new(tables: &Tables, weakest: Evidence, known: &[String]) -> Self {
        Self {
            aliases: Aliases::of(tables, weakest),
            wrappers: headers::wrappers(tables, weakest, known),
        }
    }

    /// Its files, sorted by path.
    ///
    /// # Errors
    /// A fault of the table of definitions.
    pub fn files(&self) -> Result<Vec<ShimFile>, MappingError> {
        let mut files = text::aliases(&self.aliases)?;
        files.extend(self.wrappers.iter().map(text::wrapper));
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }
}
