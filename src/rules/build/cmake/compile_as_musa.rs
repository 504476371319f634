//! Sources that MUSA's own commands can't build: the C++ compiler builds them with `-x musa`.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::find_commands::has_language;
use super::own::is_upper;
use super::pass::Pass;
use super::runtime_library;
use super::source_options::are_set_before;
use super::sources::{Sources, are_wrapped, named_between, site};
use super::target_makers::{TargetCommand, Targets};
use torchada_diagnostic::codes::build::AS_MUSA;
use torchada_project::paths;
use torchada_project::replay::unwrapped;
use torchada_syntax::cmake::Command;

/// A function of the project's own that makes a target of sources, wherever it is defined.
pub(super) fn wrapper(pass: &mut Pass<'_>, command: &Command, targets: &mut Targets) {
    let unit = pass.unit;
    let place = (unit.index, command.at);
    let made = unit.project.replay().lists_from(place);
    let (by_module, others): (Vec<_>, Vec<_>) =
        made.partition(|one| pass.table.makes_target(&one.maker));
    // Where there is no language of CUDA's, FindCUDA's command of those in the function takes the sources.
    let by_module = !by_module.is_empty() && (others.is_empty() || !has_language(pass));
    if !by_module && site(pass, command).is_some_and(|site| site.makes_target) {
        as_musa(pass, command, 0, targets);
    }
}

/// Let the compiler of C++ take all sources of CUDA's that a command names for MUSA's.
pub(super) fn as_musa(pass: &mut Pass<'_>, command: &Command, first: usize, targets: &mut Targets) {
    let listed = listed(pass, command, first, |_| true);
    if listed.is_empty() {
        return;
    }
    let target = pass.first_word(command).map(str::to_owned);
    let made = TargetCommand {
        at: command.at,
        by_musa: false,
    };
    let all = targets.entry(target.unwrap_or_default()).or_default();
    // What gives a target more sources makes none.
    let commands = &pass.file.commands;
    let mut earlier = all.iter().filter_map(|made| commands.get(made.at));
    if earlier.all(|one| pass.file.are_alternatives(pass.unit.text, one, command)) {
        all.push(made);
    }
    runtime_library::link(pass, command.at);
    put_properties(pass, command, &listed);
}

/// Names of sources as a command gives them.
#[derive(Default)]
pub(super) struct ListedSources {
    /// Names, and variables that hold nothing else.
    alone: Vec<String>,
    /// Arguments that hold other sources, too.
    mixed: Vec<String>,
    /// The endings of sources in `mixed`, with their dots.
    endings: BTreeSet<String>,
}

impl ListedSources {
    pub(super) fn is_empty(&self) -> bool {
        self.alone.is_empty() && self.mixed.is_empty()
    }

    /// The list without the sources that have MUSA's ending, which MUSA's commands compile.
    pub(super) fn without_renamed(mut self, pass: &Pass<'_>) -> Self {
        let musas = &pass.unit.context.knowledge.files.rename;
        self.endings
            .retain(|one| !musas.values().any(|new| new == one));
        self
    }
}

/// The sources of CUDA's that the arguments of a command name from one on, as far as `wanted` wants them.
pub(super) fn listed(
    pass: &Pass<'_>,
    command: &Command,
    first: usize,
    wanted: impl Fn(&Sources) -> bool,
) -> ListedSources {
    let mut listed = ListedSources::default();
    for (place, argument) in command.arguments.iter().enumerate().skip(first) {
        let sources = named_between(pass, command, place, place + 1);
        if sources.is_empty() || !wanted(&sources) {
            continue;
        }
        // A property is set for a name, and no expression.
        let is_wrapped = are_wrapped(pass, command, place, place + 1);
        let bare = |text: &str| {
            let inside = if is_wrapped { unwrapped(text) } else { text };
            inside.to_owned()
        };
        let word = bare(pass.word(argument));
        let is_variable = word.starts_with("${") && word.ends_with('}');
        // A list in quotes is one name to the command that sets properties.
        let range = if is_variable || word.contains(';') {
            argument.inner
        } else {
            argument.range
        };
        let text = bare(&pass.edited(range));
        if !word.contains(['$', ';']) {
            listed.alone.push(text);
            continue;
        }
        let is_pure = !sources.others
            && !sources.headers
            && (sources.kept.is_empty() || sources.renamed.is_empty());
        if is_pure || !is_variable && !word.contains(';') {
            listed.alone.push(text);
            continue;
        }
        listed.mixed.push(text);
        listed.endings.extend(endings_of(pass, &sources));
    }
    listed
}

/// The endings that sources of CUDA's have in the port.
pub(super) fn endings_of(pass: &Pass<'_>, sources: &Sources) -> BTreeSet<String> {
    let files = &pass.unit.context.knowledge.files;
    let mut found = BTreeSet::new();
    for ending in files.kinds.get("cuda").into_iter().flatten() {
        if !sources.renamed.is_empty() {
            found.extend(files.rename.get(ending).cloned());
        }
        if !sources.kept.is_empty() || sources.unsure {
            found.insert(ending.clone());
        }
    }
    found
}

/// The expression that names with one of these endings match, as `CMake` has it in quotes.
pub(super) fn ends_in(endings: &BTreeSet<String>) -> String {
    let endings = endings.iter().map(|one| one.trim_start_matches('.'));
    let endings = match endings.collect::<Vec<_>>().as_slice() {
        [one] => (*one).to_owned(),
        all => format!("({})", all.join("|")),
    };
    format!("\"\\\\.{endings}$\"")
}

/// Let the compiler of C++ take sources for MUSA's.
pub(super) fn put_properties(pass: &mut Pass<'_>, command: &Command, sources: &ListedSources) {
    let lines = property_lines(pass, command, sources);
    // Somebody did so before.
    if lines.iter().skip(1).all(|line| pass.is_written(line)) {
        return;
    }
    pass.insert_before(command.at, &lines);
    let message = format!(
        "the sources of CUDA's in `{}` are compiled with `-x musa` by the compiler of C++",
        shown_target(pass, command)
    );
    report_as_musa(pass, command, message);
}

/// The lines that make the compiler of C++ take sources for MUSA's.
fn property_lines(pass: &Pass<'_>, command: &Command, sources: &ListedSources) -> Vec<String> {
    let table = &pass.table.flags;
    let list = &table.sources;
    let mut lines = table.options.clone();
    // Only commands such as `file(GLOB …)` know patterns; a function of the project's own may hand its arguments to one.
    let (patterns, mut names): (Vec<String>, Vec<String>) = sources
        .alone
        .iter()
        .cloned()
        .partition(|one| one.contains('*'));
    if !patterns.is_empty() {
        lines.push(format!("file(GLOB {list} {})", patterns.join(" ")));
        names.push(format!("${{{list}}}"));
    }
    if !sources.mixed.is_empty() {
        names.extend(sources.mixed.iter().cloned());
        lines.push(format!("set({list} {})", names.join(" ")));
        let pattern = ends_in(&sources.endings);
        lines.push(format!("list(FILTER {list} INCLUDE REGEX {pattern})"));
        names = vec![format!("${{{list}}}")];
    }
    let folder = match target_elsewhere(pass, command) {
        Some(target) => format!(" TARGET_DIRECTORY {target}"),
        None => String::new(),
    };
    let names = names.join(" ");
    if are_set_before(pass, command.at) {
        let (language, options) = (&table.as_cxx, &table.more_options);
        lines.push(format!(
            "set_source_files_properties({names}{folder} {language})"
        ));
        lines.push(format!("set_property(SOURCE {names}{folder} {options})"));
    } else {
        let properties = &table.as_musa;
        lines.push(format!(
            "set_source_files_properties({names}{folder} {properties})"
        ));
    }
    lines
}

/// What messages call the target that a command gives sources to: by the name that a function of the project's own gives it,
/// where there is one.
fn shown_target(pass: &Pass<'_>, command: &Command) -> String {
    let unit = pass.unit;
    let arguments = site(pass, command).into_iter();
    let arguments = arguments.flat_map(|site| site.arguments.values());
    let named = arguments.flat_map(|one| one.sources.values());
    let named: FxHashSet<_> = named.map(|source| &source.key).collect();
    let place = (unit.index, command.at);
    let mut made = unit.project.replay().lists_from(place);
    // What a function makes of the sources has the name that the function gives it, and the function may make more.
    let made = made.find(|one| {
        let is_inside = one.at != one.from;
        is_inside && one.sources.iter().any(|one| named.contains(&one.key))
    });
    // `add_demo(NAME demo FILES demo.cu)`
    let is_own = unit.project.cmake_defining(command.lower_name()).is_some();
    let mut words = pass.words(command).into_iter();
    let is_keyword = |word: &str| is_own && is_upper(word) && !word.contains('$');
    let first = words.find(|word| !is_keyword(word));
    let first = first.unwrap_or_default();
    match made {
        // The name that the function gives it is not known.
        Some(one) if one.target.is_empty() => pass.text_of(command.name).to_owned(),
        Some(one) => one.target.to_string(),
        None => first.to_owned(),
    }
}

/// Report that the compiler of C++ takes sources for MUSA's, which has to be MUSA's own.
pub(super) fn report_as_musa(pass: &mut Pass<'_>, command: &Command, message: String) {
    let help = "configure with MUSA's: `-DCMAKE_CXX_COMPILER=/usr/local/musa/bin/clang++`, as ggml does for MUSA";
    pass.report(AS_MUSA, command.name, message, help);
}

/// The target that a command gives sources to and that belongs to another folder, where properties of this one do not
/// hold.
fn target_elsewhere(pass: &Pass<'_>, command: &Command) -> Option<String> {
    let unit = pass.unit;
    let lists = unit.project.replay();
    let lists = lists.lists_given_by((unit.index, command.at));
    let mut here = lists.filter(|one| one.from == one.at);
    let folder = paths::folder(&unit.file.path);
    let is_elsewhere = here.any(|one| &*one.maker == "target_sources" && &*one.folder != folder);
    let target = pass.first_word(command).filter(|_| is_elsewhere);
    target.map(str::to_owned)
}
