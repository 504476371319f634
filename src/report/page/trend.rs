//! Compares the findings of a report with those of an older report.

use std::collections::BTreeMap;

use super::read::{Document, ReportedFinding};

/// The difference between two reports.
#[derive(Debug, Default)]
pub(super) struct Trend {
    /// For each finding of the newer one whether the older one lacks it.
    pub(super) new: Vec<bool>,
    /// The places in the older one's list of what the newer one lacks.
    pub(super) gone: Vec<usize>,
    /// How many both have.
    pub(super) same: usize,
}

/// What makes a finding the same when lines come and go above it.
type FindingKey<'a> = (&'a str, &'a str, &'a str);

fn key(found: &ReportedFinding, by_source: bool) -> FindingKey<'_> {
    let source = found.source.as_ref().filter(|_| by_source);
    let about = source.map_or(found.message.as_str(), |line| line.text.trim());
    (&found.code, &found.path, about)
}

/// Compare a report with an older one.
pub(super) fn trend(now: &Document, before: &Document) -> Trend {
    // The older one may be from before reports had lines of source.
    let has_source = |one: &Document| one.findings.iter().any(|found| found.source.is_some());
    let by_source = has_source(now) && has_source(before);
    let mut left: BTreeMap<FindingKey<'_>, Vec<usize>> = BTreeMap::new();
    for (at, found) in before.findings.iter().enumerate().rev() {
        left.entry(key(found, by_source)).or_default().push(at);
    }
    let mut trend = Trend::default();
    for found in &now.findings {
        let known = left.get_mut(&key(found, by_source)).and_then(Vec::pop);
        trend.new.push(known.is_none());
        trend.same += usize::from(known.is_some());
    }
    // What is counted apart now is not gone.
    for found in &now.not_built {
        left.get_mut(&key(found, by_source)).and_then(Vec::pop);
    }
    trend.gone = left.into_values().flatten().collect();
    trend.gone.sort_unstable();
    trend
}
