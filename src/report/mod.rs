//! Formats the results of a run.
//!
//! Architecture invariant: the only printer. Every renderer writes to a writer that it is handed,
//! with colours in it; the writer that `main` hands in takes them out where nobody wants them.

mod alias;
mod bar;
mod cause_key;
mod cause_rows;
mod causes;
mod check;
mod ci;
mod concise;
pub mod doctor;
mod doubts;
mod effort;
pub mod explain;
mod findings;
mod full;
mod human;
mod json;
mod learned;
mod log;
pub mod map;
mod model;
mod next;
mod not_built;
mod optional;
mod outside_packages;
mod packages;
mod page;
mod part;
mod placed;
mod plain;
mod row;
mod settings;
mod start;
mod step;
mod style;
mod timings;
mod watch;

pub use alias::{Aliased, ByHand, aliased};
pub use bar::{Bar, PATIENCE};
pub use causes::Cause;
pub use check::checked;
pub use ci::{Hidden, TextOf, fingerprints, github, gitlab, junit, page_of_code, sarif};
pub use concise::concise;
pub use doubts::doubts;
pub use full::{Excerpt, SourceLines, findings, full};
pub use human::{Closing, human};
pub use json::json;
pub use learned::{LearnedSummary, learned};
pub use log::{LogCounts, log_causes, log_summary};
pub use model::{
    EditCounts, FactsUsed, FileCounts, FileEffort, KeptPath, KeptRef, KnownFindings, LogRow,
    NotBuiltFinding, OptionalCode, PackageLoss, References, Report, TranslatedStatement,
};
pub use packages::{PackageRow, package_rows, packages, packages_json};
pub use page::{
    MARK as PAGE_MARK, Piece, Read as ReadReport, ReadError, SideBySide, SidesOfFile, page,
};
pub use placed::{PlacedFinding, PlacedKept, PlacedLists};
pub use plain::{lines as plain_lines, one_line};
pub use settings::{SettingRow, SettingsReport, TableRow, settings};
pub use step::{Differing, InStep, OutOfStep, in_step};
pub use timings::timings;
pub use watch::{Round, failed_round, round, watching};
