//! Options that a clang takes for the files behind them alone, and nvcc for all: `nvcc main.cpp -x cu -o main`.

use super::option_list::{List, PlacedOption};
use torchada_syntax::script::{Word, WordPart};
use torchada_text::TextRange;

impl List<'_, '_> {
    /// Where an option of a command has to stand for mcc to take it for all sources: in front of the first of them, if one
    /// stands before the option.
    pub(super) fn place_before_sources(&self, at: usize, found: &PlacedOption) -> Option<usize> {
        let syntax = self.syntax();
        // `-x cuda` is a clang's already, and stands where it holds for what it is to hold for.
        let value = found.value.as_ref().and_then(Word::plain);
        let is_clangs =
            value.is_some_and(|value| self.view.of(value) == syntax.clang_language.as_bytes());
        let moves =
            self.is_command && !is_clangs && self.view.is(found.name, &syntax.for_files_behind);
        moves.then(|| self.first_source(at)).flatten()
    }

    /// `clang++ --cuda-gpu-arch=sm_70 k.cu`: put the option in front of the sources that says that they are MUSA's.
    pub(super) fn say_language(&mut self, found: &PlacedOption) {
        let (view, syntax) = (self.view, self.syntax());
        let says = |word: &Word| {
            let is_one = |text| view.is(text, &syntax.for_files_behind);
            word.plain().is_some_and(is_one)
        };
        if !view.is(found.name, &syntax.by_ending)
            || !self.is_command
            || self.words.iter().any(says)
        {
            return;
        }
        let files = &view.unit.context.knowledge.files;
        let is_source = |text: TextRange| files.is_cuda(&view.unit.shown(text));
        let source = self.words.iter().find(|word| word.texts().any(is_source));
        if let Some(start) = source.map(|word| word.range.start) {
            let place = TextRange::new(start, start);
            self.findings
                .replace(place, &format!("{} ", syntax.of_musa), None);
        }
    }

    /// Where the first source in front of a word starts.
    fn first_source(&self, at: usize) -> Option<usize> {
        let files = &self.view.unit.context.knowledge.files;
        let before = self.words.get(..at)?;
        let source = before.iter().find(|word| {
            word.parts.iter().any(|part| match part {
                WordPart::Text(text) => files.is_code(&self.view.unit.shown(*text)),
                // What make calls the files that a target is made of.
                WordPart::Result(result) => {
                    matches!(self.view.of(*result), b"$<" | b"$^" | b"$+" | b"$?")
                }
                WordPart::Variable { .. } => false,
            })
        });
        source.map(|word| word.range.start)
    }

    /// Put variables that hold such an option in front of the sources. Where the command links, libraries in them have to
    /// stand behind: there the option alone comes in front.
    pub(super) fn variables_before_sources(&mut self) {
        let view = self.view;
        let syntax = &view.unit.context.knowledge.builds.flags;
        if !self.is_command {
            return;
        }
        let files = &view.unit.context.knowledge.files;
        let is_code = |text: TextRange| files.is_code(&view.unit.shown(text));
        let has =
            |word: &Word, list: &[String]| word.plain().is_some_and(|text| view.is(text, list));
        let mut words = self.words.iter();
        let compiles = words.any(|word| has(word, &view.knowledge.not_linking));
        let mut first = None;
        for (at, word) in self.words.iter().enumerate() {
            let name = word.variable();
            if !name.is_some_and(|name| view.facts.language.contains(view.of(name))) {
                continue;
            }
            let first = *first.get_or_insert_with(|| self.first_source(self.words.len()));
            let Some(start) = first.filter(|&start| start < word.range.start) else {
                continue;
            };
            let place = TextRange::new(start, start);
            if !compiles {
                let at_source = self.words.partition_point(|word| word.range.start < start);
                let front = self.words.get(..at_source).unwrap_or_default();
                let is_named = front.iter().any(|word| has(word, &syntax.for_files_behind));
                // What make calls a target's files may be objects.
                let source = self.words.get(at_source);
                if !is_named && source.is_some_and(|word| word.texts().any(is_code)) {
                    self.findings
                        .replace(place, &format!("{} ", syntax.of_musa), None);
                }
                break;
            }
            self.findings
                .replace(place, &format!("{} ", view.unit.shown(word.range)), None);
            let range = self.with_blanks(at, word.range);
            self.findings.replace(range, "", None);
        }
    }
}
