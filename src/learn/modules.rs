//! The targets that the SDK's modules of `CMake`'s make.

use std::collections::BTreeMap;

use super::listing::{self, Root};
use crate::files;
use crate::mapping::learn::LearnTable;
use crate::syntax::cmake::Cmake;
use crate::text::LineIndex;

/// What the modules say.
#[derive(Default, Debug)]
pub(super) struct Modules {
    /// Targets such as `MUSA::musart`, each with the place that names it.
    targets: BTreeMap<String, String>,
    count: usize,
}

impl Modules {
    /// Read the modules below folders.
    pub(super) fn read(roots: &[Root], unread: &mut Vec<String>) -> Self {
        let table = LearnTable::builtin();
        let names = &table.modules;
        let mut found = Self::default();
        for file in listing::files(roots, &table.limits, unread) {
            let ending = file.path.extension().and_then(|ending| ending.to_str());
            if ending != Some(names.ending.as_str()) {
                continue;
            }
            match files::read_named(&file.path, table.limits.module) {
                Ok(text) => {
                    found.count += 1;
                    found.add(&text, &file.shown);
                }
                Err(error) => unread.push(format!("{}: {error}", file.shown)),
            }
        }
        found
    }

    fn add(&mut self, text: &[u8], shown: &str) {
        let names = &LearnTable::builtin().modules;
        let lines = LineIndex::new(text);
        for command in &Cmake::read(text).commands {
            let line = || lines.position(text, command.range.start).line;
            let makes = |maker: &String| command.lower.ends_with(maker.as_str());
            for (at, argument) in command.arguments.iter().enumerate() {
                let word = String::from_utf8_lossy(argument.inner.of(text)).into_owned();
                let target = if word.contains("::") {
                    word
                } else if at == 0 && names.makers.iter().any(makes) {
                    format!("{}{word}", names.namespace)
                } else {
                    continue;
                };
                let place = || format!("{shown}:{}", line());
                self.targets.entry(target).or_insert_with(place);
            }
        }
    }

    /// The place that names a target.
    pub(super) fn target(&self, name: &str) -> Option<&str> {
        self.targets.get(name).map(String::as_str)
    }

    /// Whether the modules make targets in the SDK's namespace, so that one which they don't name is missing.
    pub(super) fn has_targets(&self) -> bool {
        let namespace = &LearnTable::builtin().modules.namespace;
        self.targets
            .keys()
            .any(|target| target.starts_with(namespace.as_str()))
    }

    /// How many modules were read.
    pub(super) fn count(&self) -> usize {
        self.count
    }
}
