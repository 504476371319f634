//! Targets with CUDA sources: MUSA's commands make them, or the C++ compiler builds the sources with `-x musa`.

use torchada_mapping::has;

use super::compile_as_musa::{as_musa, listed, put_properties, wrapper};
use super::find_commands::{finds_compiler, finds_one_of, is_compiler_found};
use super::libraries::find_toolkit;
use super::packages::find_compiler;
use super::pass::Pass;
use super::sources::{are_wrapped, named};
use super::target_makers::{TargetCommand, Targets, all_made};
use crate::build::arch;
use crate::build::codes::OTHER_GPUS;
use torchada_diagnostic::codes::build::{ARCHITECTURES, NO_COUNTERPART};
use torchada_syntax::cmake::Command;
use torchada_text::contains;

/// Have MUSA make the targets, and say which these are.
pub(super) fn check(pass: &mut Pass<'_>) -> Targets {
    let mut targets = Targets::new();
    for command in pass.commands() {
        let name = command.lower_name();
        match name {
            "add_library" | "add_executable" => target(pass, command, &mut targets),
            _ if pass.table.makes_target(name) => {
                if let Some(first) = command.arguments.first() {
                    let made = TargetCommand {
                        at: command.at,
                        by_musa: true,
                    };
                    let name = pass.word(first).to_owned();
                    targets.entry(name).or_default().push(made);
                }
                mixed(pass, command);
                rename(pass, command);
            }
            _ if has(&pass.table.target_makers, name) => {
                as_musa(pass, command, 1, &mut targets);
            }
            _ if pass.table.commands.contains_key(name) => rename(pass, command),
            _ if !pass.table.is_plain(name) => {
                wrapper(pass, command, &mut targets);
            }
            _ => {}
        }
    }
    let by_musa = targets.values().flatten().filter(|made| made.by_musa);
    let by_musa: Vec<usize> = by_musa.map(|made| made.at).collect();
    if let Some(first) = by_musa.iter().copied().min() {
        let first = before_branches(pass, first, &by_musa);
        if !is_compiler_found(pass) {
            let lines = find_compiler(pass, first);
            let first = first_use(pass).map_or(first, |other| other.min(first));
            pass.insert_before(first, &lines);
        }
        with_torch(pass, first);
    }
    keywords(pass, &targets);
    targets
}

/// The place that every way through the file passes on which one of the commands at `all` is run, of which the one at
/// `first` is the first: itself, or the `if` in whose other branches some of them stand.
fn before_branches(pass: &Pass<'_>, first: usize, all: &[usize]) -> usize {
    let commands = &pass.file.commands;
    let mut place = first;
    while let Some(one) = commands.get(place)
        && let Some(block) = one.block
    {
        let mut others = all.iter().filter_map(|&at| commands.get(at));
        if !others.any(|other| pass.file.are_alternatives(pass.unit.text, one, other)) {
            break;
        }
        let head = commands.get(block).and_then(|opener| opener.head);
        place = head.unwrap_or(block);
    }
    place
}

/// The first use of a command that MUSA's module brings.
fn first_use(pass: &Pass<'_>) -> Option<usize> {
    let mut commands = pass.commands().into_iter();
    let first = commands.find(|command| {
        let row = pass.table.commands.get(command.lower_name());
        row.is_some_and(|row| row.to.is_some()) && pass.file.function_around(command.at).is_none()
    });
    first.map(|command| command.at)
}

/// A command of `FindCUDA`.
fn rename(pass: &mut Pass<'_>, command: &Command) {
    let name = command.lower_name();
    let Some(row) = pass.table.commands.get(name) else {
        return;
    };
    if let Some(to) = row.to.as_deref() {
        pass.edit(command.name, to);
        return;
    }
    let variable = pass.first_word(command);
    if let Some(variable) = variable.filter(|_| row.names_gpus) {
        // `cuda_select_nvcc_arch_flags(FLAGS Auto)`
        let new = format!("set({variable} {})", pass.gpu_options().join(" "));
        if pass.edit(command.range, &new) {
            let message = arch::became(name, &new);
            pass.report(ARCHITECTURES, command.range, message, OTHER_GPUS);
            return;
        }
    }
    // `cuda_add_cublas_to_target(app)` links by FindCUDA's keyword, as FindMUSA has it.
    if let (Some(target), Some(library)) = (variable, row.target.as_deref()) {
        let keyword = &pass.table.flags.link_keyword;
        let new = format!("target_link_libraries({target} ${{{keyword}}} {library})");
        if pass.edit(command.range, &new) {
            find_toolkit(pass, command.at);
            return;
        }
    }
    let instead = row.instead.clone().unwrap_or_default();
    let message = format!("`{name}` has no counterpart");
    pass.report(
        NO_COUNTERPART,
        command.range,
        message,
        format!("write {instead}"),
    );
}

fn target(pass: &mut Pass<'_>, command: &Command, targets: &mut Targets) {
    let words = pass.words(command);
    let has = |word: &str| words.contains(&word);
    if has("INTERFACE") || has("ALIAS") || has("IMPORTED") {
        return;
    }
    let sources = named(pass, command, 1);
    if sources.is_empty() {
        return;
    }
    if is_without_cuda(pass, command) {
        return;
    }
    let wrapped = are_wrapped(pass, command, 1, command.arguments.len());
    if sources.renamed.is_empty() || wrapped || has("OBJECT") || shares(pass, command) {
        as_musa(pass, command, 1, targets);
        return;
    }
    let Some(to) = pass
        .table
        .musa_maker(command.lower_name())
        .map(str::to_owned)
    else {
        return;
    };
    pass.edit(command.name, &to);
    if is_elsewhere(pass, command) {
        both(pass, command, &to);
    }
    let made = TargetCommand {
        at: command.at,
        by_musa: true,
    };
    let target = words.first().copied().unwrap_or_default();
    targets.entry(target.to_owned()).or_default().push(made);
    mixed(pass, command);
}

/// Whether another branch of the same `if` makes the target by a command of `FindCUDA`, and this one stands for all else:
/// for builds without CUDA, which take no notice of its sources.
fn is_without_cuda(pass: &Pass<'_>, command: &Command) -> bool {
    let branch = command.block.and_then(|at| pass.file.commands.get(at));
    if branch.is_none_or(|branch| branch.lower_name() != "else") {
        return false;
    }
    let target = pass.first_word(command).unwrap_or_default();
    let makers = pass.table.gpu_makers();
    let mut others = makers.flat_map(|maker| pass.file.with_first(maker, target.as_bytes()));
    others.any(|other| pass.file.are_alternatives(pass.unit.text, command, other))
}

/// Whether a target has a source that another list of its folder hands to the compiler of C++: the properties of a source
/// hold for all targets of a folder, so that two compilers would get it.
fn shares(pass: &Pass<'_>, command: &Command) -> bool {
    let unit = pass.unit;
    let files = &unit.context.knowledge.files;
    let replay = unit.project.replay();
    let mut lists = replay.lists_given_by((unit.index, command.at));
    lists.any(|list| {
        let mut sources = list.sources.iter();
        sources.any(|source| replay.has_by_option(&list.folder, source, files))
    })
}

/// Whether MUSA is looked for in a branch only that this command does not stand in. Where a file above finds it, such a branch
/// is for the folder alone.
fn is_elsewhere(pass: &Pass<'_>, command: &Command) -> bool {
    let finders = pass.facts.finders_of_compiler.get_or_init(|| {
        let mut above = pass.above.iter();
        let is_found_above = above.any(|(text, file)| {
            let mut commands = file.commands.iter();
            commands.any(|one| one.block.is_none() && finds_compiler(pass.table, text, one))
        });
        if is_found_above {
            return Vec::new();
        }
        let finders = pass.file.commands.iter();
        let finders = finders.filter(|one| finds_compiler(pass.table, pass.unit.text, one));
        finders.map(|one| one.at).collect()
    });
    let own: Vec<usize> = pass.file.blocks(command.at).collect();
    let reaches = |finder: &usize| {
        let mut blocks = pass.file.blocks(*finder);
        blocks.all(|block| {
            own.iter().any(|&own| is_same_branch(pass, block, own)) || pass.is_only_way(block)
        })
    };
    !finders.is_empty() && !finders.iter().any(reaches)
}

/// Whether two branches are taken together: they are one, or they and the branches before them ask the same.
fn is_same_branch(pass: &Pass<'_>, one: usize, other: usize) -> bool {
    let (mut one, mut other) = (one, other);
    loop {
        if one == other {
            return true;
        }
        let opener = |at: usize| pass.file.commands.get(at);
        let (Some(first), Some(second)) = (opener(one), opener(other)) else {
            return false;
        };
        let name = first.lower_name();
        let asks = matches!(name, "if" | "elseif") && pass.words(first) == pass.words(second);
        if name != second.lower_name() || !asks && name != "else" {
            return false;
        }
        (one, other) = match (first.before, second.before) {
            (Some(one), Some(other)) => (one, other),
            (None, None) => return name == "if",
            _ => return false,
        };
    }
}

/// Keep `CMake`'s own command where MUSA was not looked for.
fn both(pass: &mut Pass<'_>, command: &Command, to: &str) {
    let edits = &pass.out.edits;
    let is_edited = edits
        .within(command.range)
        .any(|edit| edit.range != command.name);
    if is_edited {
        let message =
            format!("`{to}` is known only where MUSA was looked for, and this is no such branch");
        let help = format!(
            "ask `if(COMMAND {to})` here, and keep CMake's own command behind its `else()`"
        );
        pass.report(NO_COUNTERPART, command.name, message, help);
        return;
    }
    pass.insert_before(command.at, &[format!("if(COMMAND {to})")]);
    let own = pass.text_of(command.range).to_owned();
    pass.insert_behind(
        command.at,
        &["else()".to_owned(), own, "endif()".to_owned()],
    );
}

/// MUSA's commands build what ends in `.mu`; what does not is another matter.
fn mixed(pass: &mut Pass<'_>, command: &Command) {
    let sources = named(pass, command, 1);
    if sources.kept.is_empty() {
        return;
    }
    let kept = listed(pass, command, 1, |sources| !sources.kept.is_empty());
    put_properties(pass, command, &kept.without_renamed(pass));
}

/// Add the options that builds against `PyTorch` pass to mcc.
fn with_torch(pass: &mut Pass<'_>, first: usize) {
    let (table, text) = (pass.table, pass.unit.text);
    let mut commands = pass.file.commands.iter();
    let finds_torch = commands.any(|one| finds_one_of(table, text, one, &table.find.torch));
    let flags = &pass.table.flags;
    if finds_torch && !contains(text, &flags.with_torch) {
        let line = format!(
            "string(APPEND {} \" {}\")",
            flags.variable, flags.with_torch
        );
        pass.insert_before(first, &[line]);
    }
}

/// `musa_add_library` links by itself, with the keyword that a variable names: `CMake` takes all calls for a target
/// with keywords, or none.
fn keywords(pass: &mut Pass<'_>, targets: &Targets) {
    let variable = pass.table.flags.link_keyword.clone();
    let table = pass.table;
    let sets = |text: &[u8]| {
        let mut names = std::iter::once(variable.as_str()).chain(table.variables_of(&variable));
        names.any(|name| contains(text, name))
    };
    if sets(pass.unit.text) {
        return;
    }
    let is_set = pass.above.iter().any(|(text, _)| sets(text));
    // What a target above links by keywords sets it, where the target is MUSA's.
    let may_be_set = is_set
        || pass.above.iter().any(|(text, file)| {
            let mut links = file.commands.iter();
            links.any(|one| one.lower_name() == "target_link_libraries" && by_keyword(text, one))
        });
    let mut current = is_set.then_some(true);
    // The block that the last line stands in.
    let mut block = None;
    let by_musa = all_made(targets).filter(|(_, made)| made.by_musa);
    let mut ordered: Vec<(&str, usize)> = by_musa.map(|(name, made)| (name, made.at)).collect();
    ordered.sort_by_key(|(_, at)| *at);
    for (target, at) in ordered {
        let text = pass.unit.text;
        let links = |one: &&Command| {
            one.lower_name() == "target_link_libraries" && pass.first_word(one) == Some(target)
        };
        let written = pass.file.commands.iter().find(links);
        let written = written.map(|one| by_keyword(text, one));
        let known = pass.unit.project.replay().links.get(target);
        let Some(wants) = written.or_else(|| known.copied()) else {
            continue;
        };
        let reaches = block.is_none_or(|block| pass.file.is_inside(at, block));
        if reaches && current == Some(wants) || current.is_none() && !wants && !may_be_set {
            continue;
        }
        let keyword = if wants { " PUBLIC" } else { "" };
        pass.insert_before(at, &[format!("set({variable}{keyword})")]);
        current = Some(wants);
        block = pass.file.commands.get(at).and_then(|one| one.block);
    }
}

fn by_keyword(text: &[u8], command: &Command) -> bool {
    let mut words = command.arguments.iter().map(|one| one.inner.of(text));
    words.any(|word| matches!(word, b"PUBLIC" | b"PRIVATE" | b"INTERFACE"))
}
