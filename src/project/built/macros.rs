//! Macros that builds define only where no build for MUSA gets, and the branches of C++ that are left out without them.

use std::sync::Arc;

use aho_corasick::AhoCorasick;
use rustc_hash::{FxHashMap, FxHashSet};

use super::tree::Tree;
use crate::cmake::replay::{Absence, Excluded, HandedFiles};
use crate::context::Context;
use crate::tree::finder::finder;
use crate::tree::source::Source;
use torchada_classify::FileKind;
use torchada_mapping::builds::Reach;
use torchada_mapping::files::BuildLanguage;
use torchada_parallel as parallel;
use torchada_syntax::{Conditionals, LexOptions, Macro, evaluate, lex};
use torchada_text::TextRange;

/// Branches that no build for MUSA compiles, by file.
pub(super) type Branches = FxHashMap<usize, LeftOut>;

/// Branches of a file, each with the cause why no build for MUSA compiles it.
type LeftOut = Vec<(TextRange, Arc<Excluded>)>;

/// The branches of a tree that are left out because of macros that no build for MUSA defines.
pub(super) fn branches(tree: Tree<'_>, handed: &HandedFiles, context: Context<'_>) -> Branches {
    let macros = handed.macros.iter();
    let absent: Vec<(&str, &Arc<Excluded>)> = macros
        .filter_map(|(name, absence)| Some((&**name, absence.as_ref()?)))
        .collect();
    let names: Vec<&str> = absent.iter().map(|(name, _)| *name).collect();
    let Some(finder) = finder(&names).ok().filter(|_| !names.is_empty()) else {
        return Branches::default();
    };
    let table = &context.knowledge.builds.reach;
    // A program names a macro in an option: `-DNAME`.
    let options: Vec<String> = names.iter().map(|name| format!("D{name}")).collect();
    let words = names
        .iter()
        .copied()
        .chain(options.iter().map(String::as_str));
    let may_have = tree.may_have(words.map(str::as_bytes));
    let spoken = parallel::map(tree.files.iter().zip(may_have), |(file, may_have)| {
        if may_have {
            MacroUses::of(file, &finder, table)
        } else {
            MacroUses::default()
        }
    });
    let defined: FxHashSet<usize> = spoken
        .iter()
        .flat_map(|one| one.defined.iter().copied())
        .collect();
    let files: Vec<usize> = (0..tree.files.len())
        .filter(|&at| {
            let file = spoken.get(at);
            file.is_some_and(|file| file.used.iter().any(|name| !defined.contains(name)))
        })
        .collect();
    let known: FxHashMap<&[u8], &Arc<Excluded>> = absent
        .iter()
        .enumerate()
        .filter(|(at, _)| !defined.contains(at))
        .map(|(_, (name, cause))| (name.as_bytes(), *cause))
        .collect();
    let found: Vec<(usize, LeftOut)> = parallel::map(files, |at| {
        (at, left_out(tree.files.get(at), &known, context))
    });
    found.into_iter().collect()
}

/// What a file does with some macros, by their numbers.
#[derive(Default)]
struct MacroUses {
    /// The macros that the file defines, or may define.
    defined: Vec<usize>,
    /// The macros that its code has in another place than a definition.
    used: Vec<usize>,
}

impl MacroUses {
    fn of(file: &Source, finder: &AhoCorasick, table: &Reach) -> Self {
        let mut spoken = Self::default();
        let Some(text) = &file.text else {
            return spoken;
        };
        let text: &[u8] = &text.once();
        let language = file.class.language;
        let is_program = file.class.kind == FileKind::Python;
        if language == Some(BuildLanguage::CMake)
            || is_program && table.only_reads(&file.path, text)
        {
            return spoken;
        }
        let off = if language == Some(BuildLanguage::Make) {
            off_lines(text)
        } else {
            Vec::new()
        };
        for one in finder.find_overlapping_iter(text) {
            let name = one.pattern().as_usize();
            let before = text.get(..one.start()).unwrap_or_default();
            let is_part = |byte: Option<&u8>| {
                byte.is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_')
            };
            let is_option = before.ends_with(b"-D") || before.ends_with(b"/D");
            if is_part(text.get(one.end())) || is_part(before.last()) && !is_option {
                continue;
            }
            let known = if file.class.kind.is_cpp() {
                let defines = before.trim_ascii_end().ends_with(b"define");
                spoken.used.push(name);
                defines
            } else if is_program {
                true
            } else {
                is_option && !off.iter().any(|off| off.contains(one.start()))
            };
            if known {
                spoken.defined.push(name);
            }
        }
        spoken
    }
}

/// The stretches of a makefile that are left out unless somebody sets a variable which the file sets to 0.
fn off_lines(text: &[u8]) -> Vec<TextRange> {
    let text = String::from_utf8_lossy(text);
    let mut values: FxHashMap<&str, bool> = FxHashMap::default();
    for line in text.lines() {
        if let Some((name, value)) = line.split_once('=') {
            let name = name.trim_end_matches([':', '?', '+']).trim();
            let is_off = value.trim() == "0";
            *values.entry(name).or_insert(true) &= is_off;
        }
    }
    let mut open: Vec<bool> = Vec::new();
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let words = line.trim();
        if words.starts_with("if") {
            let condition = words.strip_prefix("ifeq").map(str::trim_start);
            let condition = condition.and_then(|rest| rest.strip_prefix("($(")?.split_once(')'));
            let is_off = condition.is_some_and(|(name, rest)| {
                let is = rest.trim_start_matches(',').trim_end_matches(')').trim();
                is == "1" && values.get(name.trim()) == Some(&true)
            });
            open.push(is_off);
        } else if words.starts_with("else") {
            if let Some(last) = open.last_mut() {
                *last = false;
            }
        } else if words.starts_with("endif") {
            open.pop();
        } else if open.contains(&true) {
            found.push(TextRange::new(start, end));
        }
        start = end;
    }
    found
}

/// The branches of a file that are left out where these macros are not defined.
fn left_out(
    file: Option<&Source>,
    absent: &FxHashMap<&[u8], &Arc<Excluded>>,
    context: Context<'_>,
) -> LeftOut {
    let Some((file, text)) = file.and_then(|file| Some((file, file.text.as_deref()?))) else {
        return Vec::new();
    };
    let tokens = lex(
        text,
        LexOptions {
            template: file.class.template,
        },
    );
    let conditionals = Conditionals::new(text, &tokens);
    let state = |name: &[u8]| match absent.get(name) {
        Some(_) => Macro::Undefined,
        None => context.on_musa(name),
    };
    let mut found = Vec::new();
    for conditional in conditionals.all() {
        let mut blamed: Absence = None;
        let mut causes = Vec::new();
        let never = conditional.never_taken(&tokens, |_, directive| {
            let named = tokens.tokens.get(directive.tokens.clone());
            let mut named = named.unwrap_or_default().iter();
            let cause = named.find_map(|token| absent.get(token.text(text)).copied());
            blamed = cause.cloned().or(blamed.take());
            causes.push(blamed.clone());
            evaluate(text, &tokens, directive, &state)
        });
        let bodies = conditional.bodies(&never).into_iter();
        let causes = never.iter().map(|&at| causes.get(at).cloned().flatten());
        found.extend(
            bodies
                .zip(causes)
                .filter_map(|(body, cause)| Some((body, cause?))),
        );
    }
    found
}
