//! The places of a build file that only a build for MUSA has.

use crate::context::Context;
use crate::platforms::cmake_condition::{ConditionPlatform, platform_of_condition, words};
use crate::tree::source::Input;
use torchada_classify::FileKind;
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::{contains_one, ends_with_one, has};
use torchada_syntax::cmake::Command;
use torchada_syntax::{defined_name, hash_comments, identifier_at, is_identifier_part};
use torchada_text::TextRange;

/// The kinds of builds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BuildWay {
    /// `CMake`'s.
    CMake,
    /// Make's.
    Make,
    /// A script of Python's that builds extensions.
    Python,
    /// A script of Python's that translates CUDA sources and then builds them.
    PortingPython,
}

/// What one build file says of MUSA.
#[derive(Debug)]
pub(super) struct MusaPart {
    /// The file.
    pub(super) file: usize,
    /// The kind of its build.
    pub(super) way: BuildWay,
    /// The first place that only a build for MUSA has, if there is one.
    pub(super) mark: Option<TextRange>,
    /// Options of the project's that it declares for MUSA.
    pub(super) declares: Vec<String>,
    /// Variables of MUSA's that its conditions test.
    pub(super) tests: Vec<String>,
}

/// What a build file says of MUSA, if it says anything.
pub(super) fn musa_part(file: usize, input: &Input, context: Context<'_>) -> Option<MusaPart> {
    let is_build = match input.class.language {
        Some(BuildLanguage::CMake | BuildLanguage::Make) => true,
        _ => input.class.kind == FileKind::Python,
    };
    let text = input.text.as_ref();
    let text: &[u8] = &text.filter(|_| is_build && !input.class.template)?.once();
    let table = &context.knowledge.builds.musa;
    if !table.words.is_in(text) {
        return None;
    }
    let part = |way, mark| MusaPart {
        file,
        way,
        mark,
        declares: Vec::new(),
        tests: Vec::new(),
    };
    match (input.class.kind, input.class.language) {
        (_, Some(BuildLanguage::CMake)) => Some(cmake(file, input, text, context)),
        (_, Some(BuildLanguage::Make)) => {
            let comments = hash_comments(text);
            let mark = first_of(text, &table.make.options, &|at| is_in(&comments, at));
            mark.map(|mark| part(BuildWay::Make, Some(mark)))
        }
        (FileKind::Python, _) => {
            let comments = hash_comments(text);
            let skipped = |at: usize| is_in(&comments, at) || !is_call(text, at);
            let mark = first_of(text, &table.python.builders, &skipped)?;
            let ports = first_of(text, &table.python.porters, &skipped).is_some();
            let way = if ports {
                BuildWay::PortingPython
            } else {
                BuildWay::Python
            };
            Some(part(way, Some(mark)))
        }
        _ => None,
    }
}

fn cmake(file: usize, input: &Input, text: &[u8], context: Context<'_>) -> MusaPart {
    let read = input.cmake(text);
    let mut part = MusaPart {
        file,
        way: BuildWay::CMake,
        mark: None,
        declares: Vec::new(),
        tests: Vec::new(),
    };
    let table = &context.knowledge.builds.musa.cmake;
    for command in &read.commands {
        let words = words(text, command);
        let name = command.lower_name();
        if has(&table.switches, name) {
            let switch = words.first().filter(|one| is_musas(one, context));
            part.declares.extend(switch.map(|one| (*one).to_owned()));
        } else if matches!(name, "if" | "elseif") {
            let asks = platform_of_condition(&words, context.knowledge);
            let mut tested = words.iter().filter(|one| {
                let is_result = ends_with_one(one, &table.results);
                is_musas(one, context) && !is_result
            });
            if asks == Some(ConditionPlatform::Musa) {
                part.tests
                    .extend(tested.next().map(|one| (*one).to_owned()));
            }
        } else if part.mark.is_none() && is_mark(command, text, context) {
            part.mark = Some(command.range);
        }
    }
    part
}

/// Whether only a build for MUSA has such a command.
pub(super) fn is_mark(command: &Command, text: &[u8], context: Context<'_>) -> bool {
    let builds = &context.knowledge.builds;
    let table = &builds.musa.cmake;
    let name = command.lower_name();
    let words = words(text, command);
    if has(&table.language_commands, name) {
        // The first word of `project` is the project's name.
        let languages = words.iter().skip(usize::from(name == "project"));
        return languages.into_iter().any(|one| *one == table.language);
    }
    if name == "find_package" {
        let first = words.first();
        let mut rows = builds.cmake.packages.values();
        return rows.any(|row| row.to.is_some() && row.to.as_deref() == first.copied());
    }
    let mut commands = builds.cmake.commands.values();
    if commands.any(|row| row.to.as_deref() == Some(name)) {
        return true;
    }
    if has(&builds.words.lints.definition_commands, name) {
        return words.iter().any(|one| is_musas(defined_name(one), context));
    }
    // `-x` and `musa` may be two arguments.
    let joined = words.join(" ");
    contains_one(joined, &table.options)
}

/// Whether a name is one of MUSA's and nothing else than a name.
fn is_musas(name: &str, context: Context<'_>) -> bool {
    !name.is_empty()
        && name.bytes().all(is_identifier_part)
        && context
            .knowledge
            .is_target_macro(name.to_ascii_uppercase().as_bytes())
}

fn is_in(comments: &[TextRange], at: usize) -> bool {
    let behind = comments.partition_point(|one| one.start <= at);
    let last = behind.checked_sub(1).and_then(|last| comments.get(last));
    last.is_some_and(|one| one.contains(at))
}

/// Whether the word at `at` is called, and not defined.
fn is_call(text: &[u8], at: usize) -> bool {
    let front = text.get(..at).unwrap_or_default().trim_ascii_end();
    let is_defined = front.ends_with(b"def") || front.ends_with(b"class");
    let before = at.checked_sub(1).and_then(|before| text.get(before));
    let is_whole = before.is_none_or(|&byte| !is_identifier_part(byte));
    let end = identifier_at(text, at).end;
    !is_defined && is_whole && text.get(end) == Some(&b'(')
}

/// The first place of one of some texts that is not skipped.
fn first_of(text: &[u8], marks: &[String], skipped: &dyn Fn(usize) -> bool) -> Option<TextRange> {
    let places = marks.iter().filter_map(|mark| {
        let mut found = memchr::memmem::find_iter(text, mark.as_bytes());
        let at = found.find(|&at| !skipped(at))?;
        Some(TextRange::new(at, at + mark.len()))
    });
    places.min_by_key(|place| place.start)
}
