//! Names and options of Triton's that are NVIDIA's: `mappings/triton.toml`.

use memchr::memmem;
use serde::{Deserialize, Serialize};

use crate::Evidence;
use crate::read_table::{builtin_table, table};
use crate::word_list::WordList;

/// What a block of threads may hold.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Threads {
    /// Threads in a block.
    pub block: u32,
    /// Where this comes from.
    pub source: String,
}

/// Options of launches.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LaunchOptions {
    /// The number of warps.
    pub warps: String,
    /// The number of blocks in a cluster.
    pub clusters: String,
    /// Options of NVIDIA's backend.
    pub nvidia: Vec<String>,
    /// What makes a configuration with options in it.
    pub configuration: String,
    /// What to do about clusters.
    pub advice_clusters: String,
    /// What to do about options of NVIDIA's.
    pub advice_nvidia: String,
}

/// A name of NVIDIA's backend.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TritonName {
    /// The dotted name.
    pub name: String,
    /// What has its place.
    pub to: Option<String>,
    /// What stands behind that.
    pub evidence: Option<Evidence>,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

impl TritonName {
    /// The first part of the dotted name that changes, and what it becomes.
    pub fn moved(&self) -> Option<(&str, &str)> {
        let mut parts = self.name.split('.').zip(self.to.as_deref()?.split('.'));
        parts.find(|(old, new)| old != new)
    }
}

/// How the target of a kernel is named.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetNames {
    /// Its class.
    pub class: String,
    /// The last name of its class.
    pub word: String,
    /// The member that holds the backend.
    pub member: String,
    /// The last name of what gives the target that runs.
    pub getter: String,
    /// CUDA's backend.
    pub cuda: String,
    /// MUSA's.
    pub musa: String,
    /// What to do about a target of CUDA's.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// Constants for the threads in a warp.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WarpConstants {
    /// Their names, in lower case and without underscores before them.
    pub names: WordList,
    /// The threads in a warp of CUDA's.
    pub threads: u32,
    /// What to do about them.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// The table `mappings/triton.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Triton {
    /// A file without this word is not looked at.
    pub word: String,
    /// Threads in a block.
    pub threads: Threads,
    /// Options.
    pub options: LaunchOptions,
    /// Names.
    #[serde(rename = "name")]
    pub names: Vec<TritonName>,
    /// Targets.
    pub target: TargetNames,
    /// Warps.
    pub warp: WarpConstants,
}

builtin_table!(Triton, table!("triton.toml"));

impl Triton {
    /// Whether a module has, besides the word, what a row speaks of: an option, a target, a constant, or each part of a name.
    pub fn may_matter(&self, text: &[u8]) -> bool {
        let has = |word: &str| memmem::find(text, word.as_bytes()).is_some();
        let (options, target) = (&self.options, &self.target);
        let words = [
            &options.warps,
            &options.clusters,
            &target.word,
            &target.getter,
        ];
        has(&self.word)
            && (words
                .into_iter()
                .chain(&options.nvidia)
                .any(|word| has(word))
                || self.may_name_one(has)
                || self.warp.names.is_in_any_case(text))
    }

    /// Whether a module has each part of a name, by a function that says whether it has a word.
    pub fn may_name_one(&self, has: impl Fn(&str) -> bool) -> bool {
        let has_all_parts = |row: &TritonName| row.name.split('.').all(&has);
        self.names.iter().any(has_all_parts)
    }

    /// The row for a dotted name: the longest that it is, or that it is inside.
    pub fn holding(&self, path: &str) -> Option<&TritonName> {
        let inside = |row: &&TritonName| {
            path.strip_prefix(row.name.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let rows = self.names.iter().filter(inside);
        rows.max_by_key(|row| row.name.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_name_answers() {
        let triton = Triton::builtin();
        let to = |path| triton.holding(path).map(|row| row.to.is_some());
        assert_eq!(to("triton.language.extra.cuda.libdevice.rsqrt"), Some(true));
        assert_eq!(to("triton.language.extra.cuda.smid"), Some(false));
        assert_eq!(to("triton.language.load"), None);
        for row in &triton.names {
            assert_eq!(row.to.is_some(), row.evidence.is_some(), "{}", row.name);
        }
    }
}
