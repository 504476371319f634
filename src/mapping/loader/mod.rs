//! Loads mapping tables, built-in and a user's alike: TOML text to checked rows.
//!
//! A table file, built in or a user's, has these parts; only the user's may leave out `[table]`,
//! the sources and the order of rows:
//!
//! ```toml
//! [table]
//! id = "cudart"                       # what reports call the library
//! title = "CUDA runtime"
//! rule = "proven"                     # or "unproven": whether rows of evidence "rule" may stand
//! stems = { cuda = "musa" }           # pieces of names that change by rule
//! marks = ["CUuuid"]                  # pieces that show a name to be CUDA's, without a rule
//! macros = ["CUDART_CB"]              # which of the names are macros of headers or the compiler
//! switches = ["CUDA_NO_HALF"]         # which are macros that builds or code define
//! native = ["PrivateUse1"]            # pieces of counterparts that CUDA's side declares, too
//!
//! [sources]                           # short names for sources that many rows share
//! general = "torch_musa's general.json"
//! [advice]                            # by family, and by kind of row for those without one
//! unknown = "Look the name up in the SDK's headers."
//! [needs]                             # short names for lists of headers
//! torch = ["ATen/", "c10/", "torch/"]
//!
//! [names]                             # or any other section: one row per line, sorted
//! cudaMalloc = { to = "musaMalloc", evidence = "confirmed", source = "…" }
//! ```
//!
//! A facts file is a table with a head `[facts]` besides, and with rows of evidence "sdk" alone.
//!
//! In a user's table a row may be just `cudaMalloc = "myMalloc"`, and `forbid = ["cudaFree"]`
//! names what is never to be translated.

mod check;
mod error;
mod extra;
mod facts;
mod head;
pub mod image;
mod parse;
mod parts;
mod row;
mod schema;
mod spelling;

pub use check::check_together;
pub use error::{MappingError, closest_word};
pub use extra::{Architecture, Hazard, Target, gpu_number};
pub use facts::Facts;
pub use head::USER;
pub use parse::{Forbidden, Placed, Table, TableInfo, parse_builtin, parse_facts, parse_overlay};
pub use schema::{Evidence, Nature, Relation, Row, Runtime, Section, Since, Stem};
