//! Options and languages of single sources, beside the option that lets the compiler of C++ take them for MUSA's.

use rustc_hash::FxHashSet;

use super::pass::Pass;
use super::sources::named_between;
use super::target_makers::Targets;
use torchada_diagnostic::codes::build::FLAGS_TOO_LATE;
use torchada_project::replay::{SourceKey, TargetSources};
use torchada_syntax::cmake::Command;
use torchada_text::TextRange;

/// The property with a list of options.
const OPTIONS: &str = "COMPILE_OPTIONS";

/// Look at a command that sets properties of sources, where their options stand from the argument `first` on.
pub(super) fn check(pass: &mut Pass<'_>, command: &Command, first: usize, targets: &Targets) {
    let words = pass.words(command);
    let by_pairs = command.lower_name() == "set_source_files_properties";
    let of_source = by_pairs || words.first() == Some(&"SOURCE");
    let sets_language = words.contains(&"LANGUAGE");
    if !of_source || sets_language {
        return;
    }
    let handed = handed_to(pass, command);
    if handed.is_empty() && named_between(pass, command, 0, first).is_empty() {
        return;
    }
    let by_musa = targets.values().flatten().any(|made| made.by_musa);
    let by_cxx = targets.values().flatten().any(|made| !made.by_musa)
        || are_compiled_by_option(pass, &handed);
    if by_cxx && appends(pass, command, first, by_pairs) && !by_musa {
        return;
    }
    let values = TextRange::new(command.range_of(first).end, command.range.end);
    let is_mark = |byte: u8| byte.is_ascii_whitespace() || b"\")".contains(&byte);
    if pass.edited(values).bytes().all(is_mark) {
        return;
    }
    let message = "FindMUSA reads MUSA_MCC_FLAGS, and no options of single sources";
    let help = "give the sources a target of their own, with the options in MUSA_MCC_FLAGS while it is made";
    pass.report(FLAGS_TOO_LATE, command.name, message, help);
}

/// The sources of CUDA's that a command sets a property of, those among them that a caller hands to the function around
/// it.
pub(super) fn handed_to<'a>(pass: &Pass<'a>, command: &Command) -> FxHashSet<&'a SourceKey> {
    let (files, index) = (&pass.unit.context.knowledge.files, pass.unit.index);
    let set = pass.unit.project.replay().set_by((index, command.at));
    let sources = set.flat_map(|one| &one.sources);
    let cudas = sources.filter(|one| files.is_cuda(&one.text));
    cudas.map(|one| &one.key).collect()
}

/// Whether an option lets the compiler of C++ take one of these sources for a target that a caller makes.
fn are_compiled_by_option(pass: &Pass<'_>, keys: &FxHashSet<&SourceKey>) -> bool {
    let lists = pass.unit.project.replay().lists_with(keys.iter().copied());
    lists.into_iter().any(TargetSources::is_by_option)
}

/// Put options behind those that are there, among them MUSA's, instead of in their place. Returns whether they are.
fn appends(pass: &mut Pass<'_>, command: &Command, first: usize, by_pairs: bool) -> bool {
    let words = pass.words(command);
    if words.get(first) != Some(&OPTIONS) {
        return false;
    }
    let keyword = first
        .checked_sub(1)
        .and_then(|at| command.arguments.get(at));
    let (Some(keyword), Some(start)) = (keyword, command.arguments.first()) else {
        return false;
    };
    if words.contains(&"APPEND") {
        return true;
    }
    let before = TextRange::new(keyword.range.start, keyword.range.start);
    if !by_pairs {
        return pass.edit(before, "APPEND ");
    }
    if words.len() != first + 2 {
        return false;
    }
    let group = pass.out.group();
    let at_start = TextRange::new(start.range.start, start.range.start);
    pass.edit_in(command.name, "set_property", group)
        && pass.edit_in(at_start, "SOURCE ", group)
        && pass.edit_in(keyword.range, "APPEND PROPERTY", group)
}

/// Whether a command above sets options of sources, which another one would take back.
pub(super) fn are_set_before(pass: &Pass<'_>, at: usize) -> bool {
    let mut commands = pass.file.commands.iter();
    let find = || commands.position(|one| sets_options(pass, one));
    let first = pass.facts.sets_options_first.get_or_init(find);
    first.is_some_and(|first| first < at)
}

fn sets_options(pass: &Pass<'_>, command: &Command) -> bool {
    let name = command.lower_name();
    if !matches!(name, "set_source_files_properties" | "set_property") {
        return false;
    }
    let words = pass.words(command);
    let of_source = name == "set_source_files_properties" || words.first() == Some(&"SOURCE");
    let place = words.iter().position(|word| *word == OPTIONS);
    let is_ours = words.contains(&"LANGUAGE");
    of_source
        && !is_ours
        && place.is_some_and(|place| !named_between(pass, command, 0, place).is_empty())
}
