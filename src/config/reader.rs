//! Values of a configuration file, checked one by one with their places.

use std::ops::Range;
use std::str::FromStr;

use toml::Spanned;
use toml::de::DeValue;

use super::facts::FactsChoice;
use super::{Fault, Origin, PerFileIgnores};
use crate::cli::Choice;
use crate::mapping::closest_word;
use crate::mapping::codes::Explanations;
use crate::text::LineIndex;

/// A configuration file that is being read: takes values apart, and says where a fault is.
pub(super) struct Reader<'a> {
    /// The file, as messages name it.
    pub(super) file: String,
    /// Its whole text.
    pub(super) text: &'a str,
    /// Its lines.
    pub(super) lines: LineIndex,
}

impl Reader<'_> {
    pub(super) fn strings(
        &self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<String>, Fault> {
        let expected = || format!("`{key}` is a list of strings");
        let Some(items) = value.get_ref().as_array() else {
            return Err(self.fault(value.span(), expected(), None));
        };
        items
            .iter()
            .map(|item| match item.get_ref().as_str() {
                Some(text) => Ok(text.to_owned()),
                None => Err(self.fault(item.span(), expected(), None)),
            })
            .collect()
    }

    /// Read a list of identifiers: a glob or a qualified name would match none, and nobody would notice.
    pub(super) fn identifiers(
        &self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<String>, Fault> {
        let names = self.strings(key, value)?;
        let items = value.get_ref().as_array().into_iter().flatten();
        let is_part = |one: char| one.is_alphanumeric() || one == '_' || one == '$';
        for (name, item) in names.iter().zip(items) {
            if name.is_empty() || !name.chars().all(is_part) {
                let message = format!("`{name}` is no identifier");
                let help = "write each name out, without its namespace: there are no globs here";
                return Err(self.fault(item.span(), message, Some(help.to_owned())));
            }
        }
        Ok(names)
    }

    pub(super) fn codes(
        &self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<String>, Fault> {
        let patterns = self.strings(key, value)?;
        let items = value.get_ref().as_array().into_iter().flatten();
        for (pattern, item) in patterns.iter().zip(items) {
            if let Some((message, help)) = fault(pattern) {
                return Err(self.fault(item.span(), message, Some(help)));
            }
        }
        Ok(patterns)
    }

    /// Read a release, or what else `T` takes in its place. `help` says how that is written.
    pub(super) fn version<T: FromStr<Err = String>>(
        &self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        help: &str,
    ) -> Result<T, Fault> {
        let Some(text) = value.get_ref().as_str() else {
            let message = format!("`{key}` is a version in quotes");
            return Err(self.fault(value.span(), message, Some(help.to_owned())));
        };
        text.parse()
            .map_err(|fault: String| self.fault(value.span(), fault, Some(help.to_owned())))
    }

    pub(super) fn boolean(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<bool, Fault> {
        value.get_ref().as_bool().ok_or_else(|| {
            let message = format!("`{key}` is true or false");
            self.fault(value.span(), message, None)
        })
    }

    pub(super) fn facts(&self, value: &Spanned<DeValue<'_>>) -> Result<FactsChoice, Fault> {
        let value_ref = value.get_ref();
        match (value_ref.as_str(), value_ref.as_bool()) {
            (Some(path), _) => Ok(FactsChoice::File(path.to_owned())),
            (None, Some(false)) => Ok(FactsChoice::Off),
            _ => {
                let message = "`facts` is the path of a facts file, or false";
                Err(self.fault(value.span(), message, None))
            }
        }
    }

    pub(super) fn choice<C: Choice>(
        &self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<C, Fault> {
        let words: Vec<&str> = C::ALL.iter().map(|(_, word, _)| *word).collect();
        let Some(text) = value.get_ref().as_str() else {
            let message = format!("`{key}` is one of {}", quoted(&words));
            return Err(self.fault(value.span(), message, None));
        };
        C::of_word(text).ok_or_else(|| {
            let message = format!("`{key}` can't be `{text}`");
            self.fault(value.span(), message, Some(suggest(text, &words)))
        })
    }

    pub(super) fn layout(
        &self,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<(String, String)>, Fault> {
        let expected = "`layout` is a table of folders: \"csrc/cuda\" = \"csrc/musa\"";
        let Some(table) = value.get_ref().as_table() else {
            return Err(self.fault(value.span(), expected, None));
        };
        table
            .iter()
            .map(|(from, to)| match to.get_ref().as_str() {
                Some(to) => Ok((from.get_ref().to_string(), to.to_owned())),
                None => Err(self.fault(to.span(), expected, None)),
            })
            .collect()
    }

    pub(super) fn per_file_ignores(
        &self,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<PerFileIgnores, Fault> {
        let Some(table) = value.get_ref().as_table() else {
            let message = "`per-file-ignores` is a table of globs: \"tests/\" = [\"PY\"]";
            return Err(self.fault(value.span(), message, None));
        };
        let mut ignores = PerFileIgnores::default();
        for (glob, codes) in table {
            let name = glob.get_ref();
            let codes = self.codes(name, codes)?;
            ignores
                .add(name, codes)
                .map_err(|error| self.fault(glob.span(), error, None))?;
        }
        Ok(ignores)
    }

    pub(super) fn origin(&self, span: &Range<usize>) -> Origin {
        Origin::File {
            file: self.file.clone(),
            line: self.lines.position(self.text.as_bytes(), span.start).line,
        }
    }

    pub(super) fn fault(
        &self,
        span: Range<usize>,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Fault {
        Fault {
            file: self.file.clone(),
            text: self.text.to_owned(),
            span,
            message: message.into(),
            help,
        }
    }
}

/// The nearest of the known words, or all of them.
pub(super) fn suggest(unknown: &str, known: &[&str]) -> String {
    match closest_word(unknown, known.iter().copied()) {
        Some(word) => format!("did you mean `{word}`?"),
        None => format!("it is one of {}", quoted(known)),
    }
}

/// What to write in place of a key that there is none of.
pub(super) fn key_help(unknown: &str, known: &[&str]) -> String {
    if unknown == "tool" {
        return "the table `[tool.torchada]` belongs into a pyproject.toml: without that line the keys are right here"
            .to_owned();
    }
    suggest(unknown, known)
}

fn quoted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

/// What is wrong with a code or the front of one, and what was meant; `None` where it is known.
pub(super) fn fault(pattern: &str) -> Option<(String, String)> {
    let known = Explanations::builtin();
    (!known.has(pattern)).then(|| {
        (
            format!("no code of a finding starts with `{pattern}`"),
            known.suggestion(pattern),
        )
    })
}
