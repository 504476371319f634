//! What the program and the build script share of reading tables: rows with their places, and faults.

use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::Spanned;

use crate::MappingError;

/// A row, and the byte at which it starts in the text of its table.
pub(crate) struct RowAt<T> {
    row: T,
    start: usize,
}

impl<T> RowAt<T> {
    pub(crate) fn get_ref(&self) -> &T {
        &self.row
    }

    pub(crate) fn into_inner(self) -> T {
        self.row
    }

    /// The byte at which it starts.
    pub(crate) fn start(&self) -> usize {
        self.start
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for RowAt<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // A text has places, which an image keeps as numbers.
        if deserializer.is_human_readable() {
            let spanned = Spanned::deserialize(deserializer)?;
            let start = spanned.span().start;
            let row = spanned.into_inner();
            return Ok(Self { row, start });
        }
        let (row, start) = Deserialize::deserialize(deserializer)?;
        Ok(Self { row, start })
    }
}

impl<T: Serialize> Serialize for RowAt<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.row, self.start).serialize(serializer)
    }
}

/// A table of the program's own, read on first use.
pub(crate) fn builtin<T>(
    once: &'static OnceLock<T>,
    load: fn() -> Result<T, MappingError>,
) -> &'static T {
    // The build script has read the same table with the same code.
    once.get_or_init(|| {
        load().unwrap_or_else(|fault| panic!("{fault}: this is a bug, please report it"))
    })
}

/// Gives a table of the program's own a reader, and a run the one copy that it has of it.
macro_rules! builtin_table {
    ($table:ty, $read:expr) => {
        impl $table {
            /// The table that comes with the program.
            pub fn builtin() -> &'static Self {
                static BUILTIN: std::sync::OnceLock<$table> = std::sync::OnceLock::new();
                $crate::read_table::builtin(&BUILTIN, Self::load)
            }

            /// Read it.
            ///
            /// # Errors
            /// A fault in the table, with its line. The build script reads each table first, so a run never sees one.
            pub fn load() -> Result<Self, $crate::MappingError> {
                $read
            }
        }
    };
}
pub(crate) use builtin_table;

/// A fault of a table at a byte offset of its text.
pub(crate) fn fault(
    name: &str,
    text: &str,
    offset: usize,
    fault: impl Into<String>,
) -> MappingError {
    let before = text.get(..offset).unwrap_or_default();
    MappingError {
        file: format!("mappings/{name}"),
        line: before.matches('\n').count() + 1,
        fault: fault.into(),
    }
}
