//! The one door through which mapping tables come in: TOML text to checked rows.

mod error;
mod schema;

pub use error::MappingError;
pub use schema::{Evidence, Relation, Row, Section, Since, Stem};
