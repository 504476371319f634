//! Shows findings in the format that was asked for, whatever command found them.

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZeroUsize;

use anyhow::Result;

use super::analysis;
use crate::cli::{FailOn, Format};
use crate::diagnostic::{Finding, Severity};
use crate::mapping::codes::Explanations;
use crate::project::FileText;
use crate::report::{self, Report};

/// How findings are shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    /// The format.
    pub(super) format: Format,
    /// The least severity that is a failure.
    pub(super) fail_on: FailOn,
    /// How many threads may work on it.
    pub(super) jobs: Option<NonZeroUsize>,
}

/// How many findings are put into words before they are shown.
const TOGETHER: usize = 1024;

/// Show the findings of a report. `texts` has the texts of their files.
pub(super) fn show(
    report: &Report,
    texts: &BTreeMap<String, FileText>,
    how: Shown,
    out: &mut dyn Write,
) -> Result<()> {
    let text_of = |path: &str| texts.get(path).map(|text| &**text);
    let findings = &report.findings;
    match how.format {
        Format::Full => {
            let threads = analysis::threads(how.jobs)?;
            for part in findings.chunks(TOGETHER) {
                // A text that was read again for this part of the findings leaves memory before the next part.
                let near = part.iter().filter_map(|one| texts.get_key_value(&one.path));
                let near: BTreeMap<&str, FileText> = near
                    .map(|(path, text)| (path.as_str(), text.clone()))
                    .collect();
                let text_of = |path: &str| near.get(path).map(|text| &**text);
                for finding in threads.install(|| report::findings(part, &text_of)) {
                    writeln!(out, "{finding}\n")?;
                }
            }
        }
        Format::Summary => {}
        Format::Json => report::json(report, out)?,
        Format::Concise => report::concise(findings, out)?,
        Format::Github => report::github(findings, out)?,
        Format::Gitlab => out.write_all(&report::gitlab(findings, &text_of))?,
        Format::Sarif => {
            let texts = Explanations::builtin();
            let text = |code: &str| texts.get(code);
            let hidden = report::Hidden {
                in_source: &report.suppressed,
                external: &report.ignored,
            };
            let log = report::sarif(findings, &report.causes, hidden, &text, &text_of);
            out.write_all(&log)?;
        }
        Format::Junit => report::junit(findings, least(how.fail_on), out)?,
    }
    Ok(())
}

/// The least severity that is a failure.
pub(super) fn least(fail_on: FailOn) -> Option<Severity> {
    match fail_on {
        FailOn::Error => Some(Severity::Error),
        FailOn::Warning => Some(Severity::Warning),
        FailOn::Note => Some(Severity::Note),
        FailOn::Never => None,
    }
}

/// The findings of `now` that are not among those of `before`, wherever in their files they stand, and how many findings of
/// `before` are gone.
pub(super) fn new_since<'f>(before: &[Finding], now: &'f [Finding]) -> (Vec<&'f Finding>, usize) {
    let mut known: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    for one in before {
        let key = (one.path.as_str(), one.code.id, one.message.as_str());
        *known.entry(key).or_default() += 1;
    }
    let mut new = Vec::new();
    for one in now {
        let key = (one.path.as_str(), one.code.id, one.message.as_str());
        match known.get_mut(&key) {
            Some(count) if *count > 0 => *count -= 1,
            _ => new.push(one),
        }
    }
    (new, known.values().sum())
}
