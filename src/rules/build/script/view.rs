//! A script with what is known around it, as all rules for scripts see it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::facts::VariableFacts;
use super::labels::{is_labelled, without_quotes};
use super::places_of_script::PlacesOfScript;
use crate::build::BuildUnit;
use torchada_mapping::builds::Scripts as Knowledge;
use torchada_mapping::{VariableValue, has};
use torchada_syntax::script::{Statement, StatementKind, Word, WordPart};
use torchada_text::TextRange;

/// The file, its facts and the knowledge base, as all functions that look at a statement need them.
pub(super) struct ScriptView<'a> {
    pub(super) unit: &'a BuildUnit<'a>,
    pub(super) facts: Cow<'a, VariableFacts>,
    pub(super) knowledge: &'a Knowledge,
    /// What the script removes, links or moves.
    pub(super) places: PlacesOfScript,
    /// Programs that stay.
    pub(super) kept: BTreeSet<String>,
    /// Variables that get a value which CUDA's variables alone take, each with the value's row.
    pub(super) only_cudas: Vec<(TextRange, &'a VariableValue)>,
    /// Variables that stay: with places of CUDA's that they hold, or with values that CUDA's variables alone take.
    pub(super) with_places: BTreeSet<Vec<u8>>,
    /// Variables that get CUDA's numbers of GPUs: `ARG archs="8.0;9.0"`.
    pub(super) numbered: BTreeSet<&'a [u8]>,
    /// Variables of single libraries' that the file reads itself.
    pub(super) read: BTreeSet<&'a [u8]>,
}

/// The number of words at the front of a command among which a program is looked for.
const FRONT: usize = 5;

impl ScriptView<'_> {
    pub(super) fn of(&self, range: TextRange) -> &[u8] {
        range.of(self.unit.text)
    }

    /// Whether a range is one of some words.
    pub(super) fn is(&self, range: TextRange, known: &[String]) -> bool {
        has(known, self.of(range))
    }

    /// The program that a word runs: the last part of its path, without `.exe`.
    pub(super) fn program(&self, word: &Word) -> Option<TextRange> {
        let last = match word.parts.last()? {
            WordPart::Text(range) => *range,
            _ => return None,
        };
        let bytes = self.of(last);
        let start = memchr::memrchr2(b'/', b'\\', bytes).map_or(0, |at| at + 1);
        let name = bytes.get(start..)?;
        let len = name.strip_suffix(b".exe").unwrap_or(name).len();
        (len > 0).then(|| TextRange::new(last.start + start, last.start + start + len))
    }

    /// Whether a word runs one of some programs.
    pub(super) fn runs_one_of(&self, word: &Word, known: &[String]) -> bool {
        self.program(word).is_some_and(|name| self.is(name, known))
    }

    /// Whether one of the words at the front of a command runs one of some programs: `sudo -E python3 -m pip install`.
    pub(super) fn begins_with_one_of(&self, one: &Statement, known: &[String]) -> bool {
        let mut front = one.words.iter().take(FRONT);
        front.any(|word| self.runs_one_of(word, known))
    }

    /// The word of a command that names the program, behind those that only start it.
    pub(super) fn program_word<'s>(&self, one: &'s Statement) -> Option<&'s Word> {
        one.words.get(self.behind_wrappers(&one.words))
    }

    /// The index of the command behind those that only start it: `sudo -E env`.
    pub(super) fn behind_wrappers(&self, words: &[Word]) -> usize {
        let wraps = |word: &Word| self.runs_one_of(word, &self.knowledge.wrappers);
        // Their options, and numbers.
        let is_option = |word: &Word| {
            let front = word.front().map_or(&b""[..], |front| self.of(front));
            front.starts_with(b"-") || front.first().is_some_and(u8::is_ascii_digit)
        };
        let mut at = 0;
        while words.get(at).is_some_and(wraps) {
            at += 1;
            while words.get(at).is_some_and(is_option) {
                at += 1;
            }
        }
        // `$(V) nvcc -c`, `$(V) $(NVCC) -c`
        let compiles = |word: &Word| self.facts.runs(self.unit.text, word);
        let is_behind = words.get(at).and_then(Word::variable).is_some();
        at + usize::from(is_behind && words.get(at + 1).is_some_and(compiles))
    }

    /// Whether a word of a test compares those beside it: `==`.
    pub(super) fn is_comparison(&self, word: &Word) -> bool {
        word.plain()
            .is_some_and(|text| self.is(text, &self.knowledge.comparisons))
    }

    /// Whether the script itself gives a variable a value that one of some words is.
    pub(super) fn sets_one_of(&self, words: &[Word]) -> bool {
        let mut names = words.iter().flat_map(Word::variables);
        names.any(|name| self.facts.assigned.contains(self.of(name)))
    }

    /// Whether words have a variable that stands in names of CUDA's packages.
    pub(super) fn names_package(&self, words: &[Word]) -> bool {
        let mut names = words.iter().flat_map(Word::variables);
        names.any(|name| self.facts.package_parts.contains(self.of(name)))
    }

    /// Whether what a command is given is for people: it goes into no file, or has a label in front.
    pub(super) fn is_message(&self, one: &Statement) -> bool {
        let mut words = one.words.iter().skip(1);
        let mut has_label = || {
            let first = words.find(|word| !self.of(word.range).starts_with(b"-"));
            first.is_some_and(|word| {
                is_labelled(self.of(without_quotes(self.unit.text, word.range)))
            })
        };
        matches!(one.kind, StatementKind::Command | StatementKind::Call)
            && self.is(one.head, &self.knowledge.messages)
            && (one.into.is_none() || has_label())
    }
}
