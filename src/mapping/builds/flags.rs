//! How options of nvcc are written: the part `[syntax]` of `mappings/flags.toml`, whose other parts are a table of names.

use std::collections::BTreeMap;

use crate::word_list::has;
use serde::{Deserialize, Serialize};

/// How options of nvcc are written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FlagSyntax {
    /// Options whose value is the next word, where none stands behind a `=`.
    pub with_values: Vec<String>,
    /// Options whose values are options of the host's compiler.
    pub for_the_host: Vec<String>,
    /// Options whose values are options of the linker.
    pub for_the_linker: Vec<String>,
    /// What a clang hands options to the linker on with.
    pub linker_prefix: String,
    /// What an option begins with that hands the rest of it on, commas and all.
    pub hands_on: Vec<String>,
    /// What options of Windows' compiler begin with.
    pub windows: String,
    /// What to do about such an option.
    pub windows_advice: String,
    /// Options whose value nvcc takes as the next word, too, and a clang only behind a `=`.
    pub joined: Vec<String>,
    /// Options whose value nvcc parts at its commas, with what a clang takes in front of each part.
    pub for_each: BTreeMap<String, String>,
    /// Variables that hold a processor.
    pub processor_variables: Vec<String>,
    /// Options that a clang takes for the files behind them alone, and nvcc for all.
    pub for_files_behind: Vec<String>,
    /// What a clang calls CUDA's language as a value of `-x`.
    pub clang_language: String,
    /// Options by which a clang compiles CUDA's sources, which it knows by their endings.
    pub by_ending: Vec<String>,
    /// The option that says of the files behind it that they are MUSA's.
    pub of_musa: String,
    /// Options with which a compiler prints something and compiles nothing.
    pub asking: Vec<String>,
    /// Options that other programs have, too.
    pub shared: Vec<String>,
    /// Options that say what is made.
    pub output: Vec<String>,
    /// Options that say that nothing is linked, besides what else they say.
    pub compiling: Vec<String>,
    /// The option that says so alone.
    pub compile_only: String,
    /// The family of the options that name GPUs.
    pub gpu_family: String,
    /// What a second value begins with that stands apart.
    pub gpu_code: String,
    /// mcc's option for a GPU, with `{}` for its number.
    pub gpu_option: String,
    /// The variable that lists the numbers of GPUs for `torch_musa`.
    pub gpu_list: String,
    /// The numbers of the GPUs that a port is for where the user names none.
    pub gpus: Vec<String>,
    /// What to do about GPUs of CUDA's that stay.
    pub gpu_advice: String,
    /// Where this comes from.
    pub source: String,
}

/// The parts of the file that are read here.
#[derive(Serialize, Deserialize)]
pub(super) struct FlagFile {
    pub(super) syntax: FlagSyntax,
}

impl FlagSyntax {
    /// The option that names a GPU of MUSA's by its number.
    pub fn for_gpu(&self, number: &str) -> String {
        self.gpu_option.replace("{}", number)
    }

    /// Whether an option takes the next word as its value, where none stands behind a `=`.
    pub fn takes_value(&self, option: &str) -> bool {
        let lists = [&self.with_values, &self.for_the_host, &self.for_the_linker];
        lists.iter().any(|list| has(list, option)) || self.for_each.contains_key(option)
    }
}
