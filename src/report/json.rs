//! The report as JSON; `docs/report.md` describes it.

use super::Report;

/// The report's bytes, with a line end. `report` must be sorted.
pub fn json(_report: &Report) -> Vec<u8> {
    unimplemented!()
}
