//! Sources that a build of the tree hands to nvcc, and the port's build to no compiler of MUSA's.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::ported::{Ported, shown};
use torchada_diagnostic::codes::build::{NOT_COMPILED_ONCE, NOT_FOLLOWED};
use torchada_diagnostic::{Code, Finding};
use torchada_project::Source;
use torchada_project::replay::{CommandPlace, Compiled, SourceKey};
use torchada_syntax::cmake::Cmake;

pub(super) fn check(ported: &Ported<'_>, found: &mut Vec<(usize, Finding)>) {
    let (project, knowledge) = (ported.project, ported.context.knowledge);
    let before = project.replay();
    let wanted = before.for_nvcc(knowledge);
    if before.targets.is_empty() && before.stopped.is_none() {
        return;
    }
    // A build that the port leaves as it is still hands its sources to nvcc.
    let mut lists = project.cmake_texts();
    if !lists.any(|(index, _)| !ported.edits(index).is_empty()) {
        return;
    }
    not_followed(ported, found);
    if let Some(place) = before.stopped {
        let message = "the build was not followed beyond this command: it runs too many";
        let help = "see by hand that each source behind it reaches a compiler";
        found.extend(at(ported, place, NOT_FOLLOWED, message.to_owned(), help));
    }
    if wanted.is_empty() {
        return;
    }
    let changed = |index| (!ported.edits(index).is_empty()).then(|| ported.new_text(index));
    let after = project.replay_port(&changed, knowledge);
    let reached = after.for_mcc(knowledge);
    // By the command of the list that gives them: those that no compiler gets, and those that two get.
    let mut lost: BTreeMap<CommandPlace, Vec<Compiled<'_>>> = BTreeMap::new();
    let mut twice: BTreeMap<CommandPlace, Vec<Compiled<'_>>> = BTreeMap::new();
    let mut ways = Ways::of(ported);
    let is_others = |compiled: &Compiled<'_>| project.is_in_vendor_folder(compiled.list.from.0);
    for (wanted, compiled) in wanted.into_iter().filter(|(_, one)| !is_others(one)) {
        match reached.get(&wanted) {
            None => lost.entry(compiled.list.from).or_default().push(compiled),
            Some(one) if ways.are_some_together(&one.twice) => {
                twice.entry(compiled.list.from).or_default().push(compiled);
            }
            Some(_) => {}
        }
    }
    for (place, sources) in lost {
        let message = format!(
            "`{}` hands nvcc sources that no compiler gets as MUSA's in the port: {}",
            targets(&sources),
            names(ported, &sources)
        );
        let help = "CMake takes no source of MUSA's by itself: give them `LANGUAGE CXX` and `COMPILE_OPTIONS \"-x;musa\"` by `set_source_files_properties` in the folder of the target";
        found.extend(at(ported, place, NOT_COMPILED_ONCE, message, help));
    }
    for (place, sources) in twice {
        let message = format!(
            "`{}` has sources that FindMUSA compiles and the compiler of C++ as well: {}",
            targets(&sources),
            names(ported, &sources)
        );
        let help = "leave one of both out";
        found.extend(at(ported, place, NOT_COMPILED_ONCE, message, help));
    }
}

/// How many pairs of commands are looked at that compile one source.
const MOST_PAIRS: usize = 16;

/// The port's files of `CMake`'s, as far as the ways through them were asked for.
struct Ways<'a> {
    ported: &'a Ported<'a>,
    read: FxHashMap<usize, (Vec<u8>, Cmake)>,
}

impl<'a> Ways<'a> {
    fn of(ported: &'a Ported<'a>) -> Self {
        let read = FxHashMap::default();
        Self { ported, read }
    }

    /// Whether a build runs both commands of one of some pairs, of which the first are looked at.
    fn are_some_together(&mut self, pairs: &[(CommandPlace, CommandPlace)]) -> bool {
        let mut pairs = pairs.iter().take(MOST_PAIRS);
        pairs.any(|&(one, other)| !self.are_apart(one, other))
    }

    /// Whether no build runs both of two commands of the port.
    fn are_apart(&mut self, (file, one): CommandPlace, other: CommandPlace) -> bool {
        if file != other.0 {
            return false;
        }
        let (text, read) = self.read.entry(file).or_insert_with(|| {
            let text = self.ported.new_text(file);
            let read = Cmake::read(&text);
            (text, read)
        });
        let (one, other) = (read.commands.get(one), read.commands.get(other.1));
        let both = one.zip(other);
        both.is_some_and(|(one, other)| read.are_alternatives(text, one, other))
    }
}

/// Lists whose values come from outside of the files, where sources of the tree stand in no other list.
fn not_followed(ported: &Ported<'_>, found: &mut Vec<(usize, Finding)>) {
    let project = ported.project;
    let before = project.replay();
    let listed = before
        .sites
        .values()
        .flat_map(|site| site.arguments.values());
    let listed: std::collections::BTreeSet<usize> = listed
        .flat_map(|argument| argument.sources.values())
        .filter_map(|source| match source.key {
            SourceKey::File(file) => Some(file),
            SourceKey::Text(_) => None,
        })
        .collect();
    let cuda = |file: &Source| ported.context.knowledge.files.is_cuda(&file.path);
    let mut seen = std::collections::BTreeSet::new();
    for list in &before.targets {
        let Some(unknown) = list
            .unknown
            .iter()
            .find(|name| before.assigned.contains(&***name))
        else {
            continue;
        };
        let below = format!("{}/", list.folder);
        let files = project.files.iter().enumerate();
        let open: Vec<&str> = files
            .filter(|(at, file)| {
                file.is_renamed()
                    && cuda(file)
                    && !listed.contains(at)
                    && (list.folder.is_empty() || file.path.starts_with(&below))
            })
            .map(|(_, file)| &*file.path)
            .collect();
        if open.is_empty() || !seen.insert(list.from) {
            continue;
        }
        let message = format!(
            "what `{unknown}` holds for `{}` is not clear from the files, and these sources stand in no other list: {}",
            list.target,
            shown(&open)
        );
        let help = "see by hand that each of them reaches a compiler of MUSA's under its new name";
        found.extend(at(ported, list.from, NOT_FOLLOWED, message, help));
    }
}

fn at(
    ported: &Ported<'_>,
    place: CommandPlace,
    code: Code,
    message: String,
    help: &str,
) -> Option<(usize, Finding)> {
    let (file, at) = place;
    let command = ported.project.cmake(file)?.commands.get(at)?;
    ported.finding(file, code, command.name, message, help.to_owned())
}

fn targets(sources: &[Compiled<'_>]) -> String {
    let mut names: Vec<&str> = sources.iter().map(|one| &*one.list.target).collect();
    names.sort_unstable();
    names.dedup();
    shown(&names)
}

fn names(ported: &Ported<'_>, sources: &[Compiled<'_>]) -> String {
    let name = |one: &Compiled<'_>| match &one.source.key {
        SourceKey::File(file) => {
            let file = ported.project.files.get(*file);
            file.map_or_else(String::new, |file| file.path.to_string())
        }
        SourceKey::Text(text) => text.to_string(),
    };
    let mut names: Vec<String> = sources.iter().map(name).collect();
    names.sort_unstable();
    names.dedup();
    shown(&names)
}
