//! Merges the command line and the configuration file into the settings of a run.
//!
//! Architecture invariant: this is the only loader of configuration. Every value knows where it
//! came from, so that a message about it can say so.

mod codes;
mod confine;
mod cuda_version;
mod discover;
mod error;
mod facts;
mod file;
mod ignores;
mod layout;
mod listing;
mod mode;
mod output;
mod overlay;
mod paths;
mod precedence;
mod reader;
mod resolve;
mod set;
mod settings;
mod stamp;
mod versions;

pub use cuda_version::CudaVersion;
pub use discover::{CONFIG_NAMES, nearest_config};
pub use error::{ConfigError, Fault};
pub use facts::{
    FactsInUse, of_arguments as facts_of_arguments, of_sdk as facts_of_sdk,
    of_text as facts_of_text,
};
pub use ignores::PerFileIgnores;
pub use listing::{EffectiveSetting, default_paths};
pub use mode::{LayoutPair, Mode, Sink};
pub use overlay::read_overlays;
pub use paths::{absolute, display_path, normalized};
pub use set::{Origin, Set};
pub use settings::{Settings, Write};
pub use versions::named_versions;

// `emit` does what this setting says, and does not enter `cli`.
pub use crate::cli::OnConflict;
