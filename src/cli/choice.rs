//! Choices: settings that are one of some words. The words are those of the variants of a type, and stand nowhere else.

use clap::ValueEnum;

/// A setting that is one of some words, on the command line and in the configuration.
pub trait Choice: ValueEnum + Copy {
    /// Its word.
    fn word(self) -> String {
        let shown = self.to_possible_value();
        shown.map_or_else(String::new, |one| one.get_name().to_owned())
    }

    /// All choices, each with its word.
    fn all() -> Vec<(String, Self)> {
        let all = Self::value_variants().iter();
        all.map(|&one| (one.word(), one)).collect()
    }
}

impl<T: ValueEnum + Copy> Choice for T {}

/// The words of a choice.
pub fn words<C: Choice>() -> Vec<String> {
    C::all().into_iter().map(|(word, _)| word).collect()
}
