//! SARIF 2.1.0, the format that code scanning and editors read.
//!
//! A small part of the OASIS standard "Static Analysis Results Interchange Format (SARIF) Version
//! 2.1.0": section 3.13 (sarifLog), 3.14 (run), 3.49 (reportingDescriptor), 3.27 (result), 3.30
//! (region), 3.35 (suppression).

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::Cause;
use super::{TextOf, fingerprints, uri, whole_message};
use crate::diagnostic::{Code, Finding};
use crate::mapping::codes::Explanation;

/// The name under which fingerprints stand; another way to make them takes another name.
const FINGERPRINT: &str = "torchada/v1";

/// Findings that are not shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hidden<'a> {
    /// Findings that a comment in the source hides.
    pub in_source: &'a [Finding],
    /// Findings that the configuration suppresses.
    pub external: &'a [Finding],
}

/// The log's bytes, with a line end. `causes` are those of `findings`; `texts` says what a code means.
pub fn sarif<'e>(
    findings: &[Finding],
    causes: &[Cause],
    hidden: Hidden<'_>,
    texts: &dyn Fn(&str) -> Option<&'e Explanation>,
    text_of: TextOf<'_, '_>,
) -> Vec<u8> {
    let mut codes: BTreeMap<&'static str, Code> = BTreeMap::new();
    let (in_source, external) = (hidden.in_source, hidden.external);
    let all: Vec<Finding> = [findings, in_source, external].concat();
    for finding in &all {
        codes.insert(finding.code.id, finding.code);
    }
    let places: BTreeMap<&str, usize> = codes.keys().copied().zip(0..).collect();
    let mut cause_of: BTreeMap<usize, &str> = BTreeMap::new();
    for cause in causes {
        cause_of.extend(cause.members.iter().map(|at| (*at, &*cause.title)));
    }
    let prints = fingerprints(&all, text_of);
    let results = all.iter().zip(prints).enumerate();
    let results = results.map(|(at, (finding, print))| Result {
        rule_id: finding.code.id,
        rule_index: places.get(finding.code.id).copied().unwrap_or_default(),
        level: finding.code.severity.as_str(),
        message: Text {
            text: without_links(&whole_message(finding)),
        },
        locations: [Location::of(finding)],
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, print)]),
        properties: cause_of.get(&at).map(|cause| Properties { cause }),
        suppressions: match at {
            at if at < findings.len() => None,
            at if at < findings.len() + in_source.len() => Some("inSource"),
            _ => Some("external"),
        }
        .map(|kind| [Suppression { kind }]),
    });
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "torchada",
                    information_uri: env!("CARGO_PKG_HOMEPAGE"),
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    rules: codes
                        .values()
                        .map(|code| Rule::of(code, texts(code.id)))
                        .collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            results: results.collect(),
        }],
    };
    // Strings, numbers and lists always serialize.
    let mut bytes = serde_json::to_vec_pretty(&log).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// A message that has no link, whatever it quotes: `[text](target)` in it would be one (section 3.11.6).
fn without_links(text: &str) -> String {
    if !text.contains("](") {
        return text.to_owned();
    }
    text.replace('\\', "\\\\")
        .replace('[', "\\[")
        .replace(']', "\\]")
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    column_kind: &'static str,
    results: Vec<Result<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'static str,
    information_uri: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'a> {
    id: &'static str,
    short_description: Text<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_description: Option<Text<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Text<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<String>,
    default_configuration: Configuration,
}

/// Where a repository shows what a code means; nowhere, while the package names no repository.
fn help_uri(repository: &str, code: &str) -> Option<String> {
    let anchor = code.to_ascii_lowercase();
    let page = concat!("/blob/v", env!("CARGO_PKG_VERSION"), "/docs/rules.md#");
    (!repository.is_empty()).then(|| format!("{}{page}{anchor}", repository.trim_end_matches('/')))
}

/// The page on which the package's repository shows what a code means, if there is one.
pub fn page_of_code(code: &str) -> Option<String> {
    help_uri(env!("CARGO_PKG_REPOSITORY"), code)
}

impl<'a> Rule<'a> {
    fn of(code: &Code, text: Option<&'a Explanation>) -> Self {
        Self {
            id: code.id,
            short_description: Text { text: code.title },
            full_description: text.map(|text| Text {
                text: text.what.trim(),
            }),
            help: text.map(|text| Text {
                text: text.fix.trim(),
            }),
            help_uri: page_of_code(code.id),
            default_configuration: Configuration {
                // SARIF's levels have the names of severities.
                level: code.severity.as_str(),
            },
        }
    }
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Text<T> {
    text: T,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Result<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text<String>,
    locations: [Location; 1],
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<Properties<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressions: Option<[Suppression; 1]>,
}

/// What the standard leaves to programs (section 3.8).
#[derive(Serialize)]
struct Properties<'a> {
    /// What results with the same cause have in common.
    cause: &'a str,
}

#[derive(Serialize)]
struct Suppression {
    kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
}

impl Location {
    fn of(finding: &Finding) -> Self {
        // A line of a cell is none of the notebook's file.
        let has_region = finding.cell.is_none() && !finding.is_whole();
        Self {
            physical_location: Physical {
                artifact_location: Artifact {
                    uri: uri(&finding.path),
                },
                region: has_region.then_some(Region {
                    start_line: finding.start.line,
                    start_column: finding.start.column,
                    end_line: finding.end.line,
                    end_column: finding.end.column,
                }),
            },
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

#[cfg(test)]
mod tests {
    use super::{help_uri, without_links};

    #[test]
    fn a_code_is_explained_in_the_repository_where_there_is_one() {
        let page = help_uri("https://host/owner/name/", "CPP002").expect("a page");
        assert!(page.starts_with("https://host/owner/name/blob/v"), "{page}");
        assert!(page.ends_with("/docs/rules.md#cpp002"), "{page}");
        assert_eq!(help_uri("", "CPP002"), None);
    }

    #[test]
    fn what_a_message_quotes_is_no_link() {
        let quoted = "`[a](http://b)` and `c\\[0]`";
        let escaped = "`\\[a\\](http://b)` and `c\\\\\\[0\\]`";
        assert_eq!(without_links(quoted), escaped);
        assert_eq!(without_links("`a[0]`"), "`a[0]`");
    }
}
