//! Sources that MUSA's own commands can't build: the C++ compiler builds them with `-x musa`.

use std::collections::BTreeMap;

use super::codes::AS_MUSA;
use super::pass::Pass;
use super::sources::named;
use crate::syntax::cmake::Command;

/// A function of the project's own that makes a target of sources.
pub(super) fn wrapper(
    pass: &mut Pass<'_, '_>,
    at: usize,
    command: &Command,
    name: &str,
    targets: &mut Targets,
) {
    if !named(pass, command, 0).is_empty() && makes_target(pass, name) {
        as_musa(pass, at, command, 0, targets);
    }
}

/// Let the compiler of C++ take all sources of CUDA's that a command names for MUSA's.
pub(super) fn as_musa(
    pass: &mut Pass<'_, '_>,
    at: usize,
    command: &Command,
    first: usize,
    targets: &mut Targets,
) {
    let mut listed: Vec<String> = Vec::new();
    for (place, argument) in command.arguments.iter().enumerate().skip(first) {
        let alone = Command {
            arguments: vec![*argument],
            ..command.clone()
        };
        let sources = named(pass, &alone, 0);
        if sources.is_empty() {
            continue;
        }
        let word = pass.word(argument);
        let is_variable =
            (place > 0 || first == 0) && word.starts_with("${") && word.ends_with('}');
        if is_variable && !sources.others {
            listed.push(word.to_owned());
        } else {
            let all = [sources.renamed, sources.kept].concat();
            listed.extend(
                all.iter()
                    .filter(|one| !one.contains('*'))
                    .map(|one| moved(pass, one)),
            );
        }
    }
    if listed.is_empty() {
        return;
    }
    let target = command
        .arguments
        .first()
        .map(|one| pass.word(one).to_owned());
    targets
        .entry(target.unwrap_or_default())
        .or_insert(TargetCommand { at, by_musa: false });
    put_properties(pass, at, command, &listed);
}

/// Whether a function that is defined here or above makes a target.
fn makes_target(pass: &Pass<'_, '_>, name: &str) -> bool {
    let makes_one = |one: &Command| {
        matches!(
            one.lower_name(),
            "add_library" | "add_executable" | "target_sources"
        )
    };
    pass.files().any(|(_, file)| {
        let mut definitions = file.definitions(name);
        definitions.any(|definition| file.inside(definition).any(makes_one))
    })
}

/// Let the compiler of C++ take sources for MUSA's.
pub(super) fn put_properties(
    pass: &mut Pass<'_, '_>,
    at: usize,
    command: &Command,
    sources: &[String],
) {
    let table = &pass.table.flags;
    let line = format!(
        "set_source_files_properties({} {})",
        sources.join(" "),
        table.as_musa
    );
    // Somebody did so before.
    if memchr::memmem::find(pass.unit.text, line.as_bytes()).is_some() {
        return;
    }
    pass.insert_before(at, &[table.options.clone(), line]);
    let shown = pass
        .words(command)
        .first()
        .copied()
        .unwrap_or_default()
        .to_owned();
    let message = format!(
        "the sources of CUDA's in `{shown}` are compiled with `-x musa` by the compiler of C++"
    );
    let help = "configure with MUSA's: `-DCMAKE_CXX_COMPILER=/usr/local/musa/bin/clang++`, as ggml does for MUSA";
    pass.report(AS_MUSA, command.name, message, help);
}

/// The name of a source once the file is translated.
fn moved(pass: &Pass<'_, '_>, source: &str) -> String {
    let text = pass.unit.text;
    let endings = &pass.unit.context.knowledge.files.rename;
    let edited = pass.out.edits.iter().any(|edit| {
        let end = edit.range.end;
        let start = end.checked_sub(source.len());
        start.is_some_and(|start| text.get(start..end) == Some(source.as_bytes()))
            && endings
                .values()
                .any(|ending| ending.as_bytes() == edit.replacement)
    });
    let pair = endings
        .iter()
        .find(|(old, _)| source.ends_with(old.as_str()));
    match pair.filter(|_| edited) {
        Some((old, new)) => format!("{}{new}", source.trim_end_matches(old.as_str())),
        None => source.to_owned(),
    }
}

/// A command that makes a target.
#[derive(Clone, Copy, Debug)]
pub(super) struct TargetCommand {
    /// The place of the command.
    pub(super) at: usize,
    /// Whether the command is one of MUSA's.
    pub(super) by_musa: bool,
}

/// The targets with sources of CUDA's, by name.
pub(super) type Targets = BTreeMap<String, TargetCommand>;
