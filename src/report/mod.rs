//! Formats the results of a run.
//!
//! Architecture invariant: the only printer. Every renderer writes to a writer that it is handed,
//! with colours in it; the writer that `main` hands in takes them out where nobody wants them.

mod answers;
mod bar;
mod causes;
mod ci;
mod counts;
mod doubts;
mod format;
mod json;
mod json_rows;
mod model;
mod page;
mod part;
mod placed;
mod summary;

pub use answers::alias::{Aliased, ByHand, aliased};
pub use answers::learned::{LearnedSummary, learned};
pub use answers::log::{LogCounts, is_of_log, log_causes, log_summary};
pub use answers::packages::{PackageRow, package_rows, packages, packages_json};
pub use answers::settings::{SettingRow, SettingsReport, TableRow, settings};
pub use answers::step::{Differing, InStep, OutOfStep, in_step};
pub use answers::timings::timings;
pub use answers::watch::{Round, failed_round, round, watching};
pub use answers::{doctor, explain, map};
pub use bar::{Bar, PATIENCE};
pub use causes::Cause;
pub use ci::{Hidden, TextOf, fingerprints, github, gitlab, junit, page_of_code, sarif};
pub use counts::{EditCounts, FileCounts, KnownFindings, References};
pub use doubts::doubts;
pub use format::concise::concise;
pub use format::fitted::fitted;
pub use format::full::{Excerpt, SourceLines, findings, full};
pub use format::plain::{lines as plain_lines, one_line};
pub use json::{is_report, json};
pub use model::{
    FactsUsed, FileEffort, FindingsPlace, KeptPath, KeptRef, LogRow, NotBuiltFinding, OptionalCode,
    PackageLoss, Report, TranslatedStatement,
};
pub use page::{
    MARK as PAGE_MARK, Piece, Read as ReadReport, ReadError, SideBySide, SidesOfFile, page,
};
pub use placed::{PlacedFinding, PlacedKept, PlacedLists};
pub use summary::check::checked;
pub use summary::port::{Closing, ported};
pub use summary::single_file::{package_not_in_diff, ported_file};
