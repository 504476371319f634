//! Whether the Python of a tree supports MUSA already: it asks whether it runs there, or has modules of its own for it.

use crate::classify::FileKind;
use crate::mapping::gpus::Gpus;
use crate::project::{Context, Project};
use crate::syntax::is_identifier_part;
use crate::text::TextRange;

/// What a module has for MUSA.
#[derive(Clone, Copy, Debug)]
pub struct MusaSupport<'p> {
    /// The index of its file.
    pub file: usize,
    /// The first name that asks for MUSA: `is_musa`, `_use_musa`, `is_torch_musa_available`.
    pub question: Option<TextRange>,
    /// The part of its path that says that it is MUSA's: `a/musa` of `a/musa/b.py`, `a/c_musa.py`.
    pub folder: Option<&'p str>,
}

/// The modules of a tree that have something for MUSA.
pub fn musa_support<'p>(
    project: &'p Project,
    context: Context<'_>,
) -> impl Iterator<Item = MusaSupport<'p>> {
    let python = &context.knowledge.python_values;
    let targets = &python.vendors.target;
    let files = project.files.iter().enumerate();
    files.filter_map(move |(file, source)| {
        let text = source.text.as_deref()?;
        if source.class.kind != FileKind::Python {
            return None;
        }
        let found = MusaSupport {
            file,
            question: question(text, targets, python.entry.asks.as_bytes()),
            folder: own_folder(&source.path, targets),
        };
        (found.question.is_some() || found.folder.is_some()).then_some(found)
    })
}

fn own_folder<'p>(path: &'p str, targets: &[String]) -> Option<&'p str> {
    let mut start = 0;
    for part in path.split('/') {
        let end = start + part.len();
        let name = part.split('.').next().unwrap_or(part);
        let mut words = name.split(['_', '-']);
        if words.any(|word| targets.iter().any(|one| one == word)) {
            return path.get(..end);
        }
        start = end + 1;
    }
    None
}

/// The first question. That of the package for run time, `ours`, is no project's own.
fn question(text: &[u8], targets: &[String], ours: &[u8]) -> Option<TextRange> {
    let asks = &Gpus::builtin().asking.asks;
    targets.iter().find_map(|target| {
        memchr::memmem::find_iter(text, target.as_bytes()).find_map(|at| {
            let (before, after) = text.split_at(at);
            let is_part = |byte: &&u8| is_identifier_part(**byte);
            let start = at - before.iter().rev().take_while(is_part).count();
            let end = at + after.iter().take_while(is_part).count();
            let range = TextRange::new(start, end);
            let name = range.of(text);
            let mut words = name.split(|&byte| byte == b'_');
            let is_target = |word: &[u8]| word == target.as_bytes();
            let asks = words
                .clone()
                .any(|word| asks.iter().any(|one| one.as_bytes() == word));
            (name != ours && asks && words.any(is_target)).then_some(range)
        })
    })
}
