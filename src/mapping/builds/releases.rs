//! How packages, wheels and images that are built for a release of CUDA's are marked.

use crate::word_list::{contains_one, ends_with_one};
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// The marks of builds for a release of CUDA's: `torch==2.7.1+cu128`, `…/whl/cu118/`, `ray:2.57.0-py312-cu130`,
/// `…%2Bcu12torch2.7-…`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ReleaseMarks {
    /// What stands before the number of the release.
    mark: String,
    /// The numbers, from the first to the last of each range.
    numbers: Vec<(u32, u32)>,
    /// Words that may follow the number without a sign between.
    behind: Vec<String>,
    /// Signs before the mark in a version.
    in_version: Vec<String>,
    /// Signs before the mark in addresses and in tags of images.
    in_address: Vec<String>,
    /// How the parts of indices for one release begin, whatever gives its number.
    indices: Vec<String>,
}

impl ReleaseMarks {
    /// Whether a text is nothing but the mark of a release: `cu121`.
    pub fn is_mark(&self, text: &str) -> bool {
        let number = text.strip_prefix(&self.mark);
        number.is_some_and(|number| self.is_number(number))
    }

    /// Whether a version is that of a build for a release.
    pub fn are_in_version(&self, text: &str) -> bool {
        self.are_behind(text, &self.in_version)
    }

    /// Whether an address, or the tag of an image, leads to a build for a release.
    pub fn are_in_address(&self, text: &str) -> bool {
        contains_one(text, &self.indices) || self.are_behind(text, &self.in_address)
    }

    /// What a text has in it that has such a mark anywhere: the sign, the mark, and the first byte behind it.
    pub fn beginnings(&self) -> impl Iterator<Item = String> {
        let signs: BTreeSet<&String> = self.in_version.iter().chain(&self.in_address).collect();
        let all = signs.into_iter().flat_map(move |sign| {
            let behind = ('0'..='9').chain(['$']);
            behind.map(move |first| format!("{sign}{}{first}", self.mark))
        });
        all.chain(self.indices.iter().cloned())
    }

    fn is_number(&self, text: &str) -> bool {
        let mut ranges = self.numbers.iter();
        text.parse()
            .is_ok_and(|number: u32| ranges.any(|&(first, last)| (first..=last).contains(&number)))
    }

    fn are_behind(&self, text: &str, signs: &[String]) -> bool {
        text.match_indices(&self.mark).any(|(at, mark)| {
            let (front, rest) = text.split_at(at);
            let rest = rest.get(mark.len()..).unwrap_or_default();
            let end = rest.find(|one: char| !one.is_ascii_digit());
            let (number, behind) = rest.split_at(end.unwrap_or(rest.len()));
            let is_given = number.is_empty() && behind.starts_with('$');
            let is_number = is_given || self.is_number(number);
            let ends = !behind.starts_with(|one: char| one.is_ascii_alphanumeric());
            let follows = |word: &String| behind.starts_with(word.as_str());
            is_number && (ends || self.behind.iter().any(follows)) && ends_with_one(front, signs)
        })
    }
}
