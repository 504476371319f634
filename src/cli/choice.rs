//! Choices: settings that are one of some words, on the command line and in the configuration.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::mapping::{Dialect, Evidence, Rename, Vendored};

/// The choices of a setting, each with its word and with what the help says of it.
pub type Choices<C> = &'static [(C, &'static str, &'static str)];

/// A setting that is one of some words.
pub trait Choice: Copy + PartialEq + Send + Sync + 'static {
    /// All of them.
    const ALL: Choices<Self>;

    /// Its word.
    fn word(self) -> &'static str {
        let mut all = Self::ALL.iter();
        all.find(|(one, ..)| *one == self)
            .map_or("", |(_, word, _)| word)
    }

    /// The choice of a word.
    fn of_word(text: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, word, _)| *word == text);
        found.map(|(one, ..)| *one)
    }
}

impl Choice for Rename {
    const ALL: Choices<Self> = &[
        (
            Self::Auto,
            "auto",
            "Where the build recognises MUSA's endings only, and where no build file names the file",
        ),
        (
            Self::Always,
            "always",
            "Wherever every file that names it can be edited",
        ),
        (Self::Never, "never", "Nowhere"),
    ];
}

impl Choice for Dialect {
    const ALL: Choices<Self> = &[
        (Self::Musa, "musa", "MUSA's throughout"),
        (
            Self::Portable,
            "portable",
            "CUDA's, so that the result still runs there; C++ is left to the build",
        ),
    ];
}

// The configuration alone has this choice.
impl Choice for Vendored {
    const ALL: Choices<Self> = &[(Self::Keep, "keep", ""), (Self::Swap, "swap", "")];
}

impl Choice for Evidence {
    const ALL: Choices<Self> = &[
        (
            Self::Sdk,
            "sdk",
            "The SDK itself has it, as a facts file says",
        ),
        (
            Self::Confirmed,
            "confirmed",
            "Public MUSA code declares or uses the name",
        ),
        (Self::Table, "table", "Somebody's table says so"),
        (Self::Rule, "rule", "Only the rule of its family says so"),
        (
            Self::Contested,
            "contested",
            "There is evidence against it, too",
        ),
    ];
}

/// The words of a choice.
pub fn words<C: Choice>() -> Vec<String> {
    C::ALL
        .iter()
        .map(|(_, word, _)| (*word).to_owned())
        .collect()
}

/// Reads a choice on the command line.
pub fn choice<C: Choice>() -> impl TypedValueParser<Value = C> {
    let values = C::ALL
        .iter()
        .map(|(_, word, help)| PossibleValue::new(*word).help(*help));
    PossibleValuesParser::new(values).try_map(|word| C::of_word(&word).ok_or("no such choice"))
}
