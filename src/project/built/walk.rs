//! Goes through a file of `CMake`'s as a build for MUSA does, and writes down what it is given to build.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::architecture::{architecture, of_pattern};
use super::cause::{Absence, Cause, CauseId, Causes};
use super::names::Names;
use super::switches::Switches;
use super::value::{Item, Value, Variables};
use crate::mapping::builds::Reach;
use crate::mapping::knowledge::Knowledge;
use crate::syntax::cmake::{Argument, Cmake, Command};
use crate::text::LineIndex;

/// How many steps the files of one tree may take. What is left then counts as built.
pub(super) const STEPS: usize = 20_000_000;

/// A word that a file hands to something that may build it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Use {
    /// The word.
    pub(super) text: Arc<str>,
    /// Why a build for MUSA does not hand it on.
    pub(super) absence: Absence,
}

/// What a file hands on.
#[derive(Default, Debug)]
pub(super) struct Handed {
    /// Words that may be sources.
    pub(super) words: Vec<Use>,
    /// Macros that are defined.
    pub(super) macros: Vec<Use>,
    /// Words that are installed.
    pub(super) installed: Vec<Arc<str>>,
    /// Other files of `CMake`'s that are read, or the folders of such.
    pub(super) files: Vec<Use>,
}

/// A word as it stands in the file.
pub(super) struct Site {
    pub(super) text: Arc<str>,
    /// Why a variable does not get it, once one is to get it.
    pub(super) absence: Option<Absence>,
    /// Whether the file hands it on itself.
    pub(super) is_used: bool,
}

/// What there is to know about a tree before its files are gone through.
pub(super) struct Ground<'a> {
    pub(super) names: &'a Names,
    pub(super) switches: &'a Switches,
    pub(super) knowledge: &'a Knowledge,
    /// The lowest of CUDA's architectures whose code no build for MUSA has.
    pub(super) newest: u32,
}

/// One file.
pub(super) struct Walk<'a> {
    pub(super) ground: &'a Ground<'a>,
    pub(super) file: &'a Cmake,
    pub(super) text: &'a [u8],
    lines: LineIndex,
    index: usize,
    pub(super) causes: &'a mut Causes,
    pub(super) handed: Handed,
    pub(super) sites: Vec<Site>,
    pub(super) site_at: FxHashMap<usize, usize>,
    pub(super) steps: &'a mut usize,
    pub(super) in_function: bool,
    pub(super) loops: usize,
}

/// Go through a file; `None` where that takes too many steps.
pub(super) fn walk(
    ground: &Ground<'_>,
    (index, text, file): (usize, &[u8], &Cmake),
    causes: &mut Causes,
    steps: &mut usize,
) -> Option<Handed> {
    let mut walk = Walk {
        ground,
        file,
        text,
        lines: LineIndex::new(text),
        index,
        causes,
        handed: Handed::default(),
        sites: Vec::new(),
        site_at: FxHashMap::default(),
        steps,
        in_function: false,
        loops: 0,
    };
    let mut variables = Variables::default();
    walk.run(0..file.commands.len(), &mut variables, None)?;
    let left = walk.sites.into_iter().filter(|site| !site.is_used);
    let mut handed = walk.handed;
    handed.words.extend(left.map(|site| Use {
        text: site.text,
        absence: site.absence.flatten(),
    }));
    Some(handed)
}

impl<'a> Walk<'a> {
    fn table(&self) -> &'a Reach {
        &self.ground.knowledge.builds.reach
    }

    pub(super) fn step(&mut self, count: usize) -> Option<()> {
        *self.steps = self.steps.checked_sub(count)?;
        Some(())
    }

    /// The index of the file and the line of a command.
    pub(super) fn place(&self, command: &Command) -> (usize, usize) {
        let line = self.lines.position(self.text, command.name.start).line;
        (self.index, line)
    }

    pub(super) fn newer(&mut self, number: u32, command: &Command) -> CauseId {
        let place = Some(self.place(command));
        self.causes.id(Cause::Newer(number), place)
    }

    pub(super) fn word(&self, argument: &Argument) -> &'a str {
        std::str::from_utf8(argument.inner.of(self.text)).unwrap_or_default()
    }

    fn is_architectures(&self, name: &str) -> bool {
        let known = &self.table().cmake.architectures;
        known.iter().any(|known| known == name)
    }

    /// What a variable is that the file has given no value yet.
    pub(super) fn unset(&self, name: &str) -> Value {
        if self.is_architectures(name) {
            Value::architectures()
        } else if !self.in_function && self.ground.names.is_own(name, self.index) {
            Value::default()
        } else {
            Value::unknown()
        }
    }

    pub(super) fn value(&self, name: &str, variables: &Variables) -> Value {
        // What a group of a pattern took in, whatever its number.
        let name = if name.starts_with("CMAKE_MATCH_") {
            "CMAKE_MATCH_"
        } else {
            name
        };
        variables
            .get(name)
            .map_or_else(|| self.unset(name), Value::clone)
    }

    pub(super) fn set(&self, name: &str, mut value: Value, variables: &mut Variables) {
        if self.is_architectures(name) {
            value.is_architecture = true;
            value.is_open = true;
        }
        value.is_open |= !self.in_function && !self.ground.names.is_own(name, self.index);
        variables.set(name, value);
    }

    /// The commands of a range, one after another.
    pub(super) fn run(
        &mut self,
        range: Range<usize>,
        variables: &mut Variables,
        path: Absence,
    ) -> Option<()> {
        let commands = &self.file.commands;
        let mut at = range.start;
        while at < range.end {
            let Some(command) = commands.get(at) else {
                break;
            };
            self.step(1 + command.arguments.len())?;
            at = match command.lower_name() {
                "if" => self.branches(at, variables, path)?,
                "foreach" | "while" => self.repeated(at, variables, path)?,
                "function" | "macro" => self.definition(at)?,
                _ => {
                    self.command(command, variables, path)?;
                    at + 1
                }
            };
        }
        Some(())
    }

    /// The next command at the level of the one at `at`.
    pub(super) fn next_beside(&mut self, at: usize) -> Option<usize> {
        let commands = &self.file.commands;
        let level = commands.get(at).and_then(|one| one.block);
        let mut next = at + 1;
        while commands.get(next).is_some_and(|one| one.block != level) {
            next += 1;
        }
        self.step(next - at)?;
        Some(next)
    }

    /// The architectures among some values that a build may be for.
    pub(super) fn chosen(&mut self, of: &Value, command: &Command) -> Value {
        let mut chosen = Value {
            is_architecture: true,
            is_open: of.is_open,
            ..Value::default()
        };
        for item in &of.items {
            let number = architecture(&item.text);
            let Some(number) = number else {
                chosen.is_open = true;
                continue;
            };
            let newer = number >= self.ground.newest;
            chosen.items.push(Item {
                text: Arc::clone(&item.text),
                absence: if newer {
                    item.absence.or_else(|| Some(self.newer(number, command)))
                } else {
                    item.absence
                },
                site: None,
            });
        }
        chosen
    }

    /// What is left of a list of architectures where a pattern chooses.
    pub(super) fn filtered(&mut self, value: Value, pattern: &str, command: &Command) -> Value {
        let number = of_pattern(pattern).filter(|&number| number >= self.ground.newest);
        let Some(number) = number.filter(|_| value.is_architecture) else {
            return value;
        };
        let absence = Some(self.newer(number, command));
        Value {
            is_architecture: true,
            is_open: false,
            items: vec![Item {
                text: "".into(),
                absence,
                site: None,
            }],
        }
    }
}
