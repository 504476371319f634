//! What a run has to say, and the forms in which it says it.
//!
//! Architecture invariant: the only printer. Every renderer writes to a writer that it is handed,
//! with colours in it; the writer that `main` hands in takes them out where nobody wants them.

mod concise;
mod full;
mod human;
mod json;
pub mod map;
mod model;
mod style;

pub use concise::concise;
pub use full::{Excerpt, full};
pub use human::{Closing, human};
pub use json::json;
pub use model::{FileCounts, KeptPath, KeptRef, References, Report};
