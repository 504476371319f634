//! A report as one HTML page that needs nothing else: no network, and no script for its tables.

mod causes;
mod lists;
mod map;
mod read;
mod rows;
mod shares;
mod sides;
mod treemap;
mod trend;
mod view;

use askama::Template;

use crate::mapping::effort::Effort;
use read::Document;
use view::Page;

pub use read::ReadError;
pub use sides::{Piece, SideBySide, SidesOfFile};

/// What every page has in its head, by which it is known again.
pub const MARK: &str = "<meta name=\"generator\" content=\"torchada report\">";

/// A report that can be shown.
#[derive(Debug)]
pub struct Read(Document);

impl Read {
    /// Read a report's JSON.
    ///
    /// # Errors
    /// Where the text is no report, or a report of another version.
    pub fn new(text: &[u8]) -> Result<Self, ReadError> {
        Document::read(text).map(Self)
    }
}

/// The page of a report, with what changed since an older one, and with the lines that the port changed.
///
/// # Errors
/// A fault of the template's, which is no fault of the report.
pub fn page(
    report: &Read,
    since: Option<&Read>,
    sides: &[SidesOfFile],
    scale: &'static Effort,
) -> Result<String, askama::Error> {
    let Read(now) = report;
    let trend = since.map(|Read(before)| (before, trend::trend(now, before)));
    let before = trend.as_ref().map(|(before, trend)| (*before, trend));
    Page::new(now, before, sides, scale).render()
}
