//! The blocks of a file of `CMake`'s: branches, loops and functions.

use super::cause::Absence;
use super::condition::{Judged, Surroundings, judge, variable};
use super::value::{Value, Variables};
use super::walk::Walk;
use crate::syntax::cmake::Command;

impl Walk<'_> {
    pub(super) fn branches(
        &mut self,
        at: usize,
        variables: &mut Variables,
        path: Absence,
    ) -> Option<usize> {
        let commands = &self.file.commands;
        let before = variables.clone();
        let mut joined: Option<Variables> = None;
        let mut reaches = path;
        let mut arm = at;
        let mut has_else = false;
        let end = loop {
            let Some(opener) = commands.get(arm) else {
                break arm;
            };
            let judged = if opener.lower_name() == "else" {
                has_else = true;
                Judged::default()
            } else {
                self.judged(opener, variables)
            };
            let next = self.next_beside(arm)?;
            self.step(before.len())?;
            let mut here = before.clone();
            self.matched(opener, &mut here);
            self.run(arm + 1..next, &mut here, reaches.or(judged.holds))?;
            reaches = reaches.or(judged.fails);
            self.merge(&mut joined, here)?;
            match commands.get(next) {
                Some(more) if more.head == Some(at) => arm = next,
                _ => break next,
            }
        };
        if !has_else {
            self.merge(&mut joined, before)?;
        }
        *variables = joined.unwrap_or_default();
        Some(end + 1)
    }

    fn judged(&mut self, opener: &Command, variables: &Variables) -> Judged {
        let place = self.place(opener);
        let mut causes = std::mem::take(self.causes);
        let around = Surroundings {
            text: self.text,
            value: &|name| self.value(name, variables),
            newest: self.ground.newest,
            place,
            switches: self.ground.switches,
            knowledge: self.ground.knowledge,
        };
        let judged = judge(opener, self.file, &around, &mut causes);
        *self.causes = causes;
        judged
    }

    /// A pattern in a condition leaves behind what its groups took in.
    fn matched(&self, opener: &Command, variables: &mut Variables) {
        let words: Vec<&str> = opener.arguments.iter().map(|one| self.word(one)).collect();
        let mut matched = words
            .windows(2)
            .filter(|pair| pair.get(1) == Some(&"MATCHES"))
            .filter_map(|pair| pair.first())
            .map(|left| {
                self.value(variable(left).unwrap_or(left), variables)
                    .is_architecture
            })
            .peekable();
        if matched.peek().is_none() {
            return;
        }
        let value = if matched.all(|is_architecture| is_architecture) {
            Value::architectures()
        } else {
            Value::unknown()
        };
        variables.set("CMAKE_MATCH_", value);
    }

    fn merge(&mut self, joined: &mut Option<Variables>, other: Variables) -> Option<()> {
        self.step(other.len())?;
        match joined {
            None => *joined = Some(other),
            Some(all) => {
                let mut both = std::mem::take(all);
                both.join(&other, self.causes, &|name| self.unset(name));
                *all = both;
            }
        }
        Some(())
    }

    /// A loop: the second pass sees what the first one left.
    pub(super) fn repeated(
        &mut self,
        at: usize,
        variables: &mut Variables,
        path: Absence,
    ) -> Option<usize> {
        let end = self.next_beside(at)?;
        let opener = self.file.commands.get(at)?;
        let over = self.loop_over(opener, variables)?;
        let path = path.or_else(|| over.truth(self.causes));
        let passes = if self.loops == 0 { 2 } else { 1 };
        self.loops += 1;
        for _ in 0..passes {
            self.step(variables.len())?;
            let mut here = variables.clone();
            if let Some(first) = opener.arguments.first() {
                here.set(self.word(first), over.clone());
            }
            self.run(at + 1..end, &mut here, path)?;
            let mut joined = Some(std::mem::take(variables));
            self.merge(&mut joined, here)?;
            *variables = joined.unwrap_or_default();
        }
        self.loops -= 1;
        Some(end + 1)
    }

    /// What a loop goes over.
    fn loop_over(&mut self, opener: &Command, variables: &Variables) -> Option<Value> {
        if opener.lower_name() == "while" {
            return Some(Value::unknown());
        }
        let words: Vec<&str> = opener.arguments.iter().map(|one| self.word(one)).collect();
        match words.get(1) {
            Some(&"RANGE") => Some(Value::unknown()),
            Some(&"IN") => {
                let mut over = Value::default();
                let mut kind = "";
                for (argument, word) in opener.arguments.iter().zip(words).skip(2) {
                    match word {
                        "LISTS" | "ITEMS" | "ZIP_LISTS" => kind = word,
                        _ if kind == "LISTS" => over.add(&self.value(word, variables), self.causes),
                        _ if kind == "ITEMS" => {
                            let items = self.expand(std::slice::from_ref(argument), variables)?;
                            over.add(&items, self.causes);
                        }
                        _ => over.is_open = true,
                    }
                }
                Some(over)
            }
            _ => self.expand(opener.arguments.get(1..).unwrap_or_default(), variables),
        }
    }

    /// The body of a function or macro: whoever calls it hands it anything.
    pub(super) fn definition(&mut self, at: usize) -> Option<usize> {
        let end = self.next_beside(at)?;
        let outside = std::mem::replace(&mut self.in_function, true);
        let mut variables = Variables::default();
        self.run(at + 1..end, &mut variables, None)?;
        self.in_function = outside;
        Some(end + 1)
    }
}
