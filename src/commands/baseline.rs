//! The baseline of a check, a file of known findings: `torchada check --baseline FILE`.
//!
//! A finding is known by its fingerprint, so that lines may be added and removed around it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::own_file::OwnFile;
use crate::config::{ConfigError, display_path};
use crate::diagnostic::Finding;
use crate::emit;
use crate::files;
use crate::mapping::safety;
use crate::report::KnownFindings;

/// The version of the file's shape.
const SCHEMA_VERSION: u32 = 1;

/// A person's judgement of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    /// Somebody has to look at it.
    #[default]
    Open,
    /// The finding is fine as it is.
    Accepted,
    /// The finding is mended. If it is found all the same, it is a finding like any other.
    Fixed,
    /// The code was tried on MUSA's hardware, and is fine.
    VerifiedOnHardware,
}

/// The file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Tells the file from others, which may ask for the sources that they name.
    tool: String,
    schema_version: u32,
    findings: Vec<KnownFinding>,
}

/// A finding that is known.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownFinding {
    fingerprint: String,
    code: String,
    path: String,
    message: String,
    #[serde(default)]
    state: State,
    /// Why the state is what it is, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// The known findings of a file.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    known: BTreeMap<String, KnownFinding>,
}

impl Baseline {
    /// Read a file.
    ///
    /// # Errors
    /// Where it is not there, or not in the form that `check --update-baseline` writes.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let shown = display_path(path);
        let wrong = |what: String| {
            ConfigError::usage(
                what,
                "correct it, or move it aside and have it written anew with --update-baseline",
            )
        };
        let text = files::read_named(path, safety::BYTES_BASELINE).map_err(|error| {
            ConfigError::usage(
                format!("can't read the baseline {shown}: {error}"),
                "`torchada check --baseline FILE --update-baseline` writes it",
            )
        })?;
        let file: File = serde_json::from_slice(&text)
            .map_err(|error| wrong(format!("{shown} is no baseline: {error}")))?;
        if file.schema_version != SCHEMA_VERSION {
            let version = file.schema_version;
            return Err(wrong(format!("{shown} has version {version}, which is unknown")).into());
        }
        let known = file.findings.into_iter();
        Ok(Self {
            known: known.map(|one| (one.fingerprint.clone(), one)).collect(),
        })
    }

    /// The baseline that is to be written anew: that of the file, or an empty one where there is no file.
    ///
    /// # Errors
    /// Where the file can't be read, or can't be written at this place.
    pub(super) fn to_renew(path: &Path) -> Result<Self> {
        if path.symlink_metadata().is_ok() {
            return Self::read(path);
        }
        let place = OwnFile {
            path,
            option: "--baseline",
            otherwise: "no baseline",
        };
        place.check(|_| true)?;
        Ok(Self::default())
    }

    /// Take the known ones out of some findings, which have these fingerprints, and count them. Findings with the
    /// fingerprints `elsewhere` are still there, in files that no build for MUSA compiles.
    pub(super) fn take(
        &self,
        findings: &mut Vec<Finding>,
        prints: &[String],
        elsewhere: &[String],
    ) -> KnownFindings {
        let still = elsewhere
            .iter()
            .filter(|print| self.known.contains_key(*print));
        let mut counts = KnownFindings {
            gone: self.known.len() - still.count(),
            ..KnownFindings::default()
        };
        let mut prints = prints.iter();
        findings.retain(|_| {
            let Some(known) = prints.next().and_then(|print| self.known.get(print)) else {
                return true;
            };
            counts.gone -= 1;
            match known.state {
                State::Open => counts.open += 1,
                State::Accepted | State::VerifiedOnHardware => counts.accepted += 1,
                State::Fixed => return true,
            }
            false
        });
        counts
    }

    /// The baseline that knows these findings, and what this one knows of files that `looked_at` leaves out.
    /// The state and the note that people gave a finding stay.
    pub(super) fn renewed(
        &self,
        findings: &[Finding],
        prints: &[String],
        looked_at: &dyn Fn(&str) -> bool,
    ) -> Self {
        let today = findings.iter().zip(prints).map(|(finding, print)| {
            let known = self.known.get(print);
            KnownFinding {
                fingerprint: print.clone(),
                code: finding.code.id.to_owned(),
                path: finding.path.clone(),
                message: finding.message.clone(),
                // What is found can't be fixed.
                state: known
                    .map(|known| known.state)
                    .filter(|state| *state != State::Fixed)
                    .unwrap_or_default(),
                note: known.and_then(|known| known.note.clone()),
            }
        });
        let mut known: BTreeMap<String, KnownFinding> =
            today.map(|one| (one.fingerprint.clone(), one)).collect();
        for (print, one) in &self.known {
            if !looked_at(&one.path) {
                known.entry(print.clone()).or_insert_with(|| one.clone());
            }
        }
        Self { known }
    }

    /// Write the baseline to a file, by path and code.
    ///
    /// # Errors
    /// Where it can't be written; the old one is there then.
    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let mut findings: Vec<KnownFinding> = self.known.values().cloned().collect();
        findings.sort_by(|a, b| (&a.path, &a.code).cmp(&(&b.path, &b.code)));
        let file = File {
            tool: "torchada".to_owned(),
            schema_version: SCHEMA_VERSION,
            findings,
        };
        let mut bytes = serde_json::to_vec_pretty(&file)?;
        bytes.push(b'\n');
        emit::file(path, &bytes, true, None).map_err(|error| {
            let reason = anyhow::Error::from(error);
            ConfigError::usage(
                format!(
                    "can't write the baseline {}: {reason:#}",
                    display_path(path)
                ),
                "give another FILE to --baseline",
            )
        })?;
        Ok(())
    }
}
