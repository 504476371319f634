//! The runtime's library: nvcc links it by itself, and mcc does not.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::pass::ScriptPass;
use super::runtime_names::{names, naming_runtime, references};
use super::view::ScriptView;
use torchada_diagnostic::codes::build::RUNTIME;
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::{ends_with_one, has};
use torchada_syntax::script::{Statement, StatementKind, Word, WordPart};
use torchada_text::TextRange;

/// Facts about linking that the words of a command line show.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct LinkFacts {
    /// A file is written.
    output: bool,
    /// The compiler is to stop before it links.
    stop: bool,
    /// Something is there that can be linked.
    linked: bool,
}

impl LinkFacts {
    fn with(self, other: Self) -> Self {
        Self {
            output: self.output || other.output,
            stop: self.stop || other.stop,
            linked: self.linked || other.linked,
        }
    }
}

/// Give commands that link device code the library, where nothing names it.
pub(super) fn linked(pass: &mut ScriptPass<'_>, found: &[Statement]) {
    let view = pass.view;
    let text = view.unit.text;
    // A rule for objects compiles, whatever options its variables hold that another file sets.
    let mut makes_object = false;
    let runs = |one: &&Statement| {
        if one.kind == StatementKind::Rule {
            let target = one
                .words
                .first()
                .map_or(&b""[..], |word| view.of(word.range));
            let target = target.strip_suffix(b":").unwrap_or(target);
            makes_object = ends_with_one(target, &view.knowledge.objects);
        }
        one.kind == StatementKind::Command && !makes_object && view.facts.runs_compiler(text, one)
    };
    let mut commands = found.iter().filter(runs).peekable();
    if commands.peek().is_none() {
        return;
    }
    let named = RuntimeNames::new(view, found);
    let variables = variables(view, found);
    let scripts = &view.unit.context.knowledge.builds.scripts;
    let libraries = format!(" {}", scripts.runtime_options);
    let chosen = chosen(view, found);
    let mut is_reported = false;
    for one in commands {
        let Some((first, arguments)) = one.words.split_first() else {
            continue;
        };
        let says = arguments.iter().fold(LinkFacts::default(), |says, word| {
            let used = used(view.unit.text, word).filter_map(|name| variables.get(name));
            used.fold(says.with(own(view, word)), |says, one| says.with(*one))
        });
        // It writes a file, from others that are linked.
        let links = says.output && says.linked && !says.stop;
        if links && !named.are_in(view, one) && !is_other(view, one) {
            let at = arguments
                .last()
                .map_or(first.range.end, |last| last.range.end);
            let name = view.program_word(one).and_then(Word::variable);
            let name = name.filter(|name| chosen.contains(name.of(text)));
            let added = match name {
                Some(name) => format!(" {}", where_chosen(view, name, libraries.trim_start())),
                None => libraries.clone(),
            };
            pass.findings.replace(TextRange::new(at, at), &added, None);
            // One place is enough: the edits show the others.
            if !std::mem::replace(&mut is_reported, true) {
                // `$(EXEC) $(NVCC)`
                let compiler = view.program_word(one);
                let compiler = compiler.map_or(first.range, |word| word.range);
                let shown = format!("`{}`", view.unit.shown(compiler));
                pass.findings.report_as(RUNTIME, compiler, shown, "");
            }
        }
    }
}

/// What names the runtime's library for a script.
struct RuntimeNames {
    /// Variables: the script's own, and those of other makefiles of the tree, which may hand them on, as far as the script
    /// does not set them anew.
    variables: BTreeSet<Vec<u8>>,
}

impl RuntimeNames {
    fn new(view: &ScriptView<'_>, found: &[Statement]) -> Self {
        let text = view.unit.text;
        let all: Vec<(&[u8], &Statement)> = found.iter().map(|one| (text, one)).collect();
        let sets = |one: &&Statement| one.kind == StatementKind::Assignment && replaces(text, one);
        let set: FxHashSet<&[u8]> = found
            .iter()
            .filter(sets)
            .map(|one| one.head.of(text))
            .collect();
        let others = view.facts.runtime.iter().map(Vec::as_slice);
        let others = others.filter(|name| !set.contains(name));
        let runtimes = &view.unit.context.knowledge.builds.scripts.runtimes;
        Self {
            variables: naming_runtime(&all, others, runtimes),
        }
    }

    /// Whether a command names the library, by itself or through variables.
    fn are_in(&self, view: &ScriptView<'_>, one: &Statement) -> bool {
        let runtimes = &view.unit.context.knowledge.builds.scripts.runtimes;
        let mut words = one.words.iter().map(|word| view.of(word.range));
        words.any(|word| {
            names(word, runtimes) || references(word).any(|name| self.variables.contains(name))
        })
    }
}

/// Whether an assignment gives its variable a value whatever it held: `+=` and `?=` leave what another makefile gave it.
fn replaces(text: &[u8], one: &Statement) -> bool {
    let behind = text.get(one.head.end..).unwrap_or_default();
    !matches!(behind.trim_ascii_start().first(), Some(b'+' | b'?'))
}

/// The facts that the texts and results in a word show.
fn own(view: &ScriptView<'_>, word: &Word) -> LinkFacts {
    let knowledge = view.knowledge;
    let mut says = LinkFacts::default();
    for part in &word.parts {
        let (WordPart::Text(range) | WordPart::Result(range)) = part else {
            continue;
        };
        let bytes = view.of(*range);
        let automatic = matches!(bytes, b"$^" | b"$<" | b"$+" | b"$?");
        says = says.with(LinkFacts {
            output: has(&knowledge.outputs, bytes),
            stop: has(&knowledge.not_linking, bytes),
            linked: automatic || ends_with_one(bytes, &knowledge.linked),
        });
    }
    says
}

/// The variables in a word.
fn used<'t>(text: &'t [u8], word: &'t Word) -> impl Iterator<Item = &'t [u8]> {
    word.variables().map(|name| name.of(text))
}

/// The facts that the value of each variable shows, the values of variables in it included.
fn variables<'t>(view: &ScriptView<'t>, found: &'t [Statement]) -> FxHashMap<&'t [u8], LinkFacts> {
    let text = view.unit.text;
    let mut variables: FxHashMap<&[u8], LinkFacts> = FxHashMap::default();
    let mut users: FxHashMap<&[u8], Vec<&[u8]>> = FxHashMap::default();
    let assigned = found
        .iter()
        .filter(|one| one.kind == StatementKind::Assignment);
    for one in assigned {
        let name = one.head.of(text);
        for word in &one.words {
            let says = variables.entry(name).or_default();
            *says = says.with(own(view, word));
            for part in used(text, word) {
                users.entry(part).or_default().push(name);
            }
        }
    }
    let mut changed: Vec<&[u8]> = variables.keys().copied().collect();
    changed.sort_unstable();
    while let Some(name) = changed.pop() {
        let says = variables.get(name).copied().unwrap_or_default();
        for user in users.get(name).into_iter().flatten() {
            let before = variables.get(user).copied().unwrap_or_default();
            let after = before.with(says);
            if after != before {
                variables.insert(user, after);
                changed.push(user);
            }
        }
    }
    variables
}

/// The variables of a makefile that some branches give the compiler and others another one: `CXX = nvcc` beside `CXX =
/// g++`.
fn chosen<'v>(view: &ScriptView<'v>, found: &[Statement]) -> FxHashSet<&'v [u8]> {
    let text = view.unit.text;
    let mut given: FxHashMap<&[u8], (bool, bool)> = FxHashMap::default();
    let is_make = view.unit.language == BuildLanguage::Make;
    for one in found.iter().filter(|_| is_make) {
        let is_choice = !one.branches.is_empty() && !one.words.is_empty();
        if one.kind == StatementKind::Assignment && is_choice {
            let (compiler, other) = given.entry(one.head.of(text)).or_default();
            let runs = view.facts.runs_compiler(text, one);
            *compiler |= runs;
            *other |= !runs;
        }
    }
    let both = given.into_iter().filter(|(_, both)| *both == (true, true));
    both.map(|(name, _)| name).collect()
}

/// Options for a command that counts them in only where its variable holds MUSA's compiler.
fn where_chosen(view: &ScriptView<'_>, name: TextRange, options: &str) -> String {
    let chosen = &view.unit.context.knowledge.builds.scripts.where_chosen;
    let shown = view.unit.shown(name);
    chosen.replace("NAME", &shown).replace("OPTIONS", options)
}

/// Whether a command stands where another vendor is the platform.
fn is_other(view: &ScriptView<'_>, one: &Statement) -> bool {
    let mut branches = one.branches.iter();
    branches.any(|branch| super::vendor::is_branch_of_another(view.unit, *branch))
}
