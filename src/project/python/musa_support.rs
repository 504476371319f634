//! Whether the Python of a tree supports MUSA already: it asks whether it runs there, or has modules of its own for it.

use crate::Context;
use crate::tree::source::{Disposition, Source};
use torchada_classify::FileKind;
use torchada_mapping::python::gpus::Gpus;
use torchada_mapping::stub::StubKnowledge;
use torchada_mapping::{contains_one, has};
use torchada_parallel as parallel;
use torchada_syntax::is_identifier_part;
use torchada_text::TextRange;

/// What a module has for MUSA.
#[derive(Clone, Copy, Debug)]
pub struct MusaSupport {
    /// The index of its file.
    pub file: usize,
    /// The first name that asks for MUSA: `is_musa`, `_use_musa`, `is_torch_musa_available`.
    pub question: Option<TextRange>,
    /// Whether a text of it is the name of MUSA's device: `"musa"`, `'musa:0'`.
    pub names_device: bool,
    /// Whether a text of it is the name of MUSA's backend of process groups: `"mccl"`.
    pub names_backend: bool,
    /// The first import of the package for run time, `import torchada`.
    pub imports_runtime: Option<TextRange>,
    /// How many bytes of its path say that it is MUSA's: those of `a/musa` in `a/musa/b.py`, all of `a/c_musa.py`.
    pub own_path: Option<usize>,
}

/// The modules of a tree that have something for MUSA. `may_have` says of a file whether a text may stand in it.
pub(crate) fn musa_support(
    files: &[Source],
    may_have: impl Fn(usize, &[u8]) -> bool + Sync,
    context: Context<'_>,
) -> Vec<MusaSupport> {
    let python = &context.knowledge.python_values;
    // A plug-in's device may be anybody's, so its general name says nothing of MUSA.
    let devices = context.knowledge.devices.iter();
    let targets: Vec<String> = devices.map(|one| one.to.clone()).collect();
    let backends = StubKnowledge::builtin().backends.iter();
    let backends =
        backends.flat_map(|one| ['"', '\''].map(|quote| format!("{quote}{}{quote}", one.musa)));
    let backends: Vec<String> = backends.collect();
    let runtime = format!("import {}", python.entry.import);
    let runtime = memchr::memmem::Finder::new(&runtime);
    parallel::flat_map(files.iter().enumerate(), |(file, source)| {
        // What a port in place wrote itself is no support of the project's.
        if source.class.kind != FileKind::Python || is_of_runtime_package(source, context) {
            return None;
        }
        let own_path = own_path(&source.path, &targets);
        let mut devices = targets.iter();
        if own_path.is_none() && !devices.any(|one| may_have(file, one.as_bytes())) {
            return None;
        }
        let text: &[u8] = &source.text.as_ref()?.once();
        let (question, names_device) = in_code(text, &targets, python.entry.asks.as_bytes());
        let mut found = MusaSupport {
            file,
            question,
            names_device,
            names_backend: false,
            imports_runtime: runtime
                .find(text)
                .map(|at| TextRange::new(at, at + runtime.needle().len())),
            own_path,
        };
        if found.question.is_none() && !found.names_device && found.own_path.is_none() {
            return None;
        }
        found.names_backend = contains_one(text, &backends);
        Some(found)
    })
}

/// Whether a file belongs to the package for run time that a port wrote.
pub(super) fn is_of_runtime_package(source: &Source, context: Context<'_>) -> bool {
    let package = &context.knowledge.python_values.entry.import;
    let inside = source.path.strip_prefix(package.as_str());
    source.disposition == Disposition::Copied && inside.is_some_and(|rest| rest.starts_with('/'))
}

fn own_path(path: &str, targets: &[String]) -> Option<usize> {
    let mut start = 0;
    for part in path.split('/') {
        let end = start + part.len();
        let name = part.split('.').next().unwrap_or(part);
        let mut words = name.split(['_', '-']);
        if words.any(|word| has(targets, word)) {
            return Some(end);
        }
        start = end + 1;
    }
    None
}

/// The first question, and whether a text names MUSA's device. The question of the package for run time, `ours`, is no
/// project's own.
fn in_code(text: &[u8], targets: &[String], ours: &[u8]) -> (Option<TextRange>, bool) {
    let asks = &Gpus::builtin().asking.asks;
    let mut question = None;
    let mut names_device = false;
    for target in targets {
        for at in memchr::memmem::find_iter(text, target.as_bytes()) {
            let (before, after) = text.split_at(at);
            let line = before.rsplit(|&byte| byte == b'\n').next();
            if line.is_some_and(|line| line.contains(&b'#')) {
                continue;
            }
            let quote = before.last().filter(|one| matches!(one, b'"' | b'\''));
            let behind = after.get(target.len());
            names_device |= quote.is_some() && (behind == quote || behind == Some(&b':'));
            let is_part = |byte: &&u8| is_identifier_part(**byte);
            let start = at - before.iter().rev().take_while(is_part).count();
            let end = at + after.iter().take_while(is_part).count();
            let range = TextRange::new(start, end);
            let name = range.of(text);
            let mut words = name.split(|&byte| byte == b'_');
            let is_target = |word: &[u8]| word == target.as_bytes();
            let asks = words.clone().any(|word| has(asks, word));
            if question.is_none() && name != ours && asks && words.any(is_target) {
                question = Some(range);
            }
        }
    }
    (question, names_device)
}
