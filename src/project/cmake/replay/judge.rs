//! What a walk knows of conditions and architectures, where it is asked what no build for MUSA comes to.

use std::sync::Arc;

use super::architecture::of_pattern;
use super::arguments::PassedArgument;
use super::cause::{Cause, Excluded};
use super::condition::{ConditionJudgement, Surroundings, judge};
use super::expand::MATCH;
use super::run::Runner;
use super::sources::CommandPlace;
use super::value::{Item, Value};
use crate::platforms::cmake_condition::words;
use torchada_mapping::has;
use torchada_syntax::cmake_references::read_variable;

impl Runner<'_> {
    /// What the condition of a branch says.
    pub(super) fn judged(&self, file: usize, at: usize) -> ConditionJudgement {
        let (Some(judging), Some(source)) = (&self.judging, self.tree.file(file)) else {
            return ConditionJudgement::default();
        };
        let Some(opener) = source.commands.commands.get(at) else {
            return ConditionJudgement::default();
        };
        if opener.lower_name() == "else" {
            return ConditionJudgement::default();
        }
        let around = Surroundings {
            text: source.text,
            value: &|name| self.value_of(name),
            newest: judging.newest,
            place: (file, opener.name.start),
            switches: judging.switches,
            knowledge: self.knowledge,
        };
        judge(opener, source.commands, &around)
    }

    /// A pattern in a condition leaves behind what its groups took in.
    pub(super) fn matched(&mut self, file: usize, at: usize) {
        let Some(source) = self.tree.file(file).filter(|_| self.judging.is_some()) else {
            return;
        };
        let Some(opener) = source.commands.commands.get(at) else {
            return;
        };
        let words = words(source.text, opener);
        let mut matched = words
            .windows(2)
            .filter(|pair| pair.get(1) == Some(&"MATCHES"))
            .filter_map(|pair| pair.first())
            .map(|left| self.value_of(read_variable(left)).is_architecture)
            .peekable();
        if matched.peek().is_none() {
            return;
        }
        let mut value = Value::unknown(MATCH);
        value.is_architecture = matched.all(|is_architecture| is_architecture);
        self.scopes.set(MATCH, value);
    }

    /// Whether an element may be another one, where that is the question.
    pub(super) fn may_be_other(&self, item: &Item) -> bool {
        self.judging.is_some() && item.is_open()
    }

    /// Whether a variable has CUDA's architectures that the build is for.
    pub(super) fn is_architectures(&self, variable: &str) -> bool {
        let known = &self.knowledge.builds.reach.cmake.architectures;
        has(known, variable)
    }

    /// What a variable holds that nothing gave a value yet; `None` where that may be anything.
    pub(super) fn unset(&self, variable: &str) -> Option<Value> {
        let judging = self.judging.as_ref()?;
        if self.is_architectures(variable) {
            return Some(Value::unknown(variable).of_architectures());
        }
        let file = self.current_file();
        let is_own = self.in_function == 0 && judging.own.is_own(variable, file);
        is_own.then(Value::default)
    }

    /// As `unset`. Where the walk also says what no build for MUSA comes to, every other variable has a value that is not
    /// known.
    pub(super) fn before(&self, variable: &str) -> Option<Value> {
        let open = || self.judging.as_ref().map(|_| Value::unknown(variable));
        self.unset(variable).or_else(open)
    }

    /// A command that chooses architectures, and needs not be followed. Returns whether it is one.
    pub(super) fn chooses(
        &mut self,
        at: CommandPlace,
        name: &str,
        arguments: &[PassedArgument],
    ) -> bool {
        let mut rows = self.knowledge.builds.reach.cmake.choosing.iter();
        let Some(row) = rows.find(|row| row.command == name) else {
            return false;
        };
        let passed = |place: usize| arguments.iter().filter(move |one| one.place == place);
        let Some(variable) = passed(row.result).next().map(PassedArgument::text) else {
            return true;
        };
        let all = Value::unknown(&variable).of_architectures();
        let chosen = match (row.of, row.lowest) {
            (Some(of), _) => {
                let items = passed(of).flat_map(|one| one.value.items());
                let items = items.filter(|item| !item.text.is_empty());
                let chosen = items.map(|item| self.as_architecture(item, at)).collect();
                Value::list(chosen).of_architectures()
            }
            (None, Some(lowest)) => {
                let newer = self.newer(&all, &lowest.to_string(), at);
                newer.unwrap_or(all)
            }
            (None, None) => all,
        };
        self.scopes.set(&variable, chosen.with_absence(&self.path));
        true
    }

    /// An architecture that a build may be for.
    fn as_architecture(&self, item: &Item, at: CommandPlace) -> Item {
        let words = &self.knowledge.shapes.architecture;
        match words.number(&item.text) {
            None => Item::new("${}", None),
            Some(number) => {
                let newer = || Excluded::at(Cause::Newer(number), self.offset(at));
                let newest = self.judging.as_ref().map(|judging| judging.newest);
                let is_newer = newest.is_some_and(|newest| number >= newest);
                let absence = item.absence.clone();
                Item {
                    text: Arc::clone(&item.text),
                    origin: None,
                    absence: absence.or_else(|| is_newer.then(newer)),
                }
            }
        }
    }

    /// What a pattern leaves of a list of architectures, where it takes in only those that no build for MUSA has.
    pub(super) fn newer(&self, value: &Value, pattern: &str, at: CommandPlace) -> Option<Value> {
        let judging = self.judging.as_ref()?;
        let words = &self.knowledge.shapes.architecture;
        let number = of_pattern(words, pattern).filter(|&number| number >= judging.newest);
        let number = number.filter(|_| value.is_architecture)?;
        let item = Item {
            absence: Some(Excluded::at(Cause::Newer(number), self.offset(at))),
            ..Item::new("${}", None)
        };
        Some(Value::one(item).of_architectures())
    }

    /// The place of a command: its file and the offset in it.
    fn offset(&self, (file, at): CommandPlace) -> (usize, usize) {
        let command = self.tree.file(file);
        let command = command.and_then(|file| file.commands.commands.get(at));
        (file, command.map_or(0, |command| command.name.start))
    }
}
