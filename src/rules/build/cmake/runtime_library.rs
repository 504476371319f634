//! The runtime's library: `CMake` links CUDA's to every target with sources of its language, `musa_add_library` links
//! MUSA's, and the compiler of C++, which takes the other sources, links none.

use super::pass::Pass;
use super::target_makers::Targets;
use torchada_text::contains;

/// Link the library to the target that the command at `at` makes of sources of MUSA's, or gives some.
pub(super) fn link(pass: &mut Pass<'_>, at: usize) {
    if is_named(pass) {
        return;
    }
    let line = pass.table.flags.link_runtime.clone();
    let command = pass.file.commands.get(at);
    let Some(command) = command.filter(|_| !pass.has_line(&line, at)) else {
        return;
    };
    // What is linked in a folder is linked to targets that are made behind it.
    let target = pass.first_word(command);
    match target.filter(|_| command.lower_name() == "target_sources") {
        Some(target) => {
            let property = &pass.table.flags.with_runtime;
            let line = format!("set_property(TARGET {target} {property})");
            pass.insert_before(at, &[line]);
        }
        None => pass.insert_before(at, &[line]),
    }
}

/// Link MUSA's runtime to the targets of sources that the command at `at` makes MUSA's, whatever their endings.
pub(super) fn link_targets_of(pass: &mut Pass<'_>, at: usize, targets: &Targets) {
    let mut made = targets.values().flatten();
    if made.any(|one| one.by_musa) {
        return;
    }
    let replay = pass.unit.project.replay();
    let place = (pass.unit.index, at);
    let set = replay.set_by(place);
    let sources = set.flat_map(|one| &one.sources).map(|one| &one.key);
    let lists = replay.lists_with(sources).into_iter();
    // What a function makes of the sources that it gets is made before it gives them a language.
    let function = pass.file.function_around(at);
    let is_here = |one: usize| function.is_some() && pass.file.function_around(one) == function;
    let lists = lists.filter(|one| one.at.0 == pass.unit.index);
    let lists = lists.filter(|one| one.from == one.at || is_here(one.at.1));
    let first = lists.map(|one| one.at.1).min();
    link(pass, first.map_or(at, |first| first.min(at)));
}

/// Whether this file or one above it links the library by name.
fn is_named(pass: &Pass<'_>) -> bool {
    let names = &pass.table.flags.runtimes;
    let find = || {
        pass.files().any(|(text, _)| {
            let mut names = names.iter();
            names.any(|name| contains(text, name))
        })
    };
    *pass.facts.names_runtime.get_or_init(find)
}
