//! A finding as it is stored.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::codes::{Codes, StoredCode};
use crate::diagnostic::{Finding, FindingCell, SourceLine};
use crate::text::{Position, TextRange};

/// A finding, field by field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct StoredFinding<'f> {
    code: StoredCode<'f>,
    path: Cow<'f, str>,
    range: TextRange,
    cell: Option<StoredCell>,
    start: Position,
    end: Position,
    message: Cow<'f, str>,
    help: Option<Cow<'f, str>>,
    source: Option<Cow<'f, SourceLine>>,
    auxiliary: bool,
    beside: Option<Cow<'f, str>>,
    at_start: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct StoredCell {
    number: usize,
    source: Vec<u8>,
    range: TextRange,
}

impl<'f> From<&'f Finding> for StoredFinding<'f> {
    fn from(finding: &'f Finding) -> Self {
        let cell = finding.cell.as_deref().map(|cell| StoredCell {
            number: cell.number,
            source: cell.source.to_vec(),
            range: cell.range,
        });
        Self {
            code: finding.code.into(),
            path: Cow::from(&finding.path),
            range: finding.range,
            cell,
            start: finding.start,
            end: finding.end,
            message: Cow::from(&finding.message),
            help: finding.help.as_deref().map(Cow::from),
            source: finding.source.as_deref().map(Cow::Borrowed),
            auxiliary: finding.auxiliary,
            beside: finding.beside.as_deref().map(Cow::from),
            at_start: finding.at_start,
        }
    }
}

impl StoredFinding<'_> {
    /// The finding; `None` where its code is none of the program's.
    fn revive(self, codes: &Codes) -> Option<Finding> {
        let cell = self.cell.map(|cell| {
            Box::new(FindingCell {
                number: cell.number,
                source: Arc::from(cell.source),
                range: cell.range,
            })
        });
        Some(Finding {
            code: codes.find(&self.code)?,
            path: self.path.into_owned(),
            range: self.range,
            cell,
            start: self.start,
            end: self.end,
            message: self.message.into_owned(),
            help: self.help.map(Cow::into_owned),
            source: self.source.map(|line| Box::new(line.into_owned())),
            auxiliary: self.auxiliary,
            beside: self.beside.map(Cow::into_owned),
            at_start: self.at_start,
        })
    }
}

/// Findings, each of which is made into what is stored of it when it is written.
#[derive(Clone, Debug)]
pub(super) enum StoredFindings<'f> {
    /// The findings of a report.
    Reported(Vec<&'f Finding>),
    /// Findings that were read.
    Read(Vec<ReadFinding>),
}

/// A finding that was read.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ReadFinding(StoredFinding<'static>);

impl<'f> StoredFindings<'f> {
    /// Findings of a file, to be stored.
    pub(super) fn of(findings: impl IntoIterator<Item = &'f Finding>) -> Self {
        Self::Reported(findings.into_iter().collect())
    }

    /// The findings; `None` where the code of one is none of the program's.
    pub(super) fn revive(self, codes: &Codes) -> Option<Vec<Finding>> {
        match self {
            Self::Reported(findings) => Some(findings.into_iter().cloned().collect()),
            Self::Read(stored) => stored.into_iter().map(|one| one.0.revive(codes)).collect(),
        }
    }
}

impl Serialize for StoredFindings<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Reported(findings) => {
                out.collect_seq(findings.iter().map(|one| StoredFinding::from(*one)))
            }
            Self::Read(stored) => out.collect_seq(stored.iter().map(|one| &one.0)),
        }
    }
}

impl<'de> Deserialize<'de> for StoredFindings<'_> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Vec::deserialize(from).map(Self::Read)
    }
}
