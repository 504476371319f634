//! What can be wrong with a table, and where.

/// A fault in a mapping table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}: {fault}")]
pub struct MappingError {
    /// The file as the caller named it.
    pub file: String,
    /// The 1-based line on which the fault starts.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub fault: String,
}
