//! Python that supports MUSA already: it asks whether it runs there, or has modules of its own for it.

use rustc_hash::FxHashSet;

use super::Ported;
use crate::classify::FileKind;
use crate::diagnostic::{Code, Finding, Severity};
use crate::mapping::gpus::Gpus;
use crate::syntax::is_identifier_part;
use crate::text::TextRange;

/// The project's Python supports MUSA already.
pub const SUPPORTED: Code = Code {
    id: "PRJ054",
    severity: Severity::Note,
    title: "the project supports MUSA already",
};

/// One finding for the tree, at the first question whether the program runs on MUSA.
pub(super) fn check(ported: &Ported<'_>, found: &mut Vec<(usize, Finding)>) {
    let targets = &ported.context.knowledge.python_values.vendors.target;
    let mut first = None;
    let mut asking = 0;
    let mut folders: FxHashSet<&str> = FxHashSet::default();
    let mut modules = 0;
    for (index, file, text) in ported.files() {
        if file.class.kind != FileKind::Python {
            continue;
        }
        if let Some(folder) = own_folder(&file.path, targets) {
            folders.insert(folder);
            modules += 1;
        }
        if let Some(place) = question(text, targets) {
            asking += 1;
            first.get_or_insert((index, place));
        }
    }
    let Some((index, place)) = first else { return };
    let files = match asking {
        1 => "1 file asks".to_owned(),
        count => format!("{count} files ask"),
    };
    let mut own = String::new();
    let mut folders: Vec<&str> = folders.into_iter().collect();
    folders.sort_unstable();
    if let Some(folder) = folders.first() {
        let more = match folders.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let modules = match modules {
            1 => "1 module".to_owned(),
            count => format!("{count} modules"),
        };
        own = format!("; it has {modules} for MUSA (`{folder}`{more})");
    }
    let message = format!("this project supports MUSA already: {files} for it{own}");
    let help = "its own branches for MUSA stay as they are: look for branches for CUDA that have none for MUSA beside them";
    found.extend(ported.finding(index, SUPPORTED, place, message, help.to_owned()));
}

/// The folder of a file that is MUSA's by its path, or the file itself: `a/musa` for `a/musa/b.py`, `a/c_musa.py`.
fn own_folder<'p>(path: &'p str, targets: &[String]) -> Option<&'p str> {
    let mut start = 0;
    for part in path.split('/') {
        let end = start + part.len();
        let name = part.split('.').next().unwrap_or(part);
        if name
            .split(['_', '-'])
            .any(|word| targets.iter().any(|one| one == word))
        {
            return path.get(..end);
        }
        start = end + 1;
    }
    None
}

/// The first name in a text that asks for MUSA: `is_musa`, `_use_musa`, `is_torch_musa_available`.
fn question(text: &[u8], targets: &[String]) -> Option<TextRange> {
    let asks = &Gpus::builtin().asking.asks;
    targets.iter().find_map(|target| {
        memchr::memmem::find_iter(text, target.as_bytes()).find_map(|at| {
            let (before, after) = text.split_at(at);
            let is_part = |byte: &&u8| is_identifier_part(**byte);
            let start = at - before.iter().rev().take_while(is_part).count();
            let end = at + after.iter().take_while(is_part).count();
            let name = TextRange::new(start, end);
            let mut words = name.of(text).split(|&byte| byte == b'_');
            let is_target = |word: &[u8]| word == target.as_bytes();
            let asks = words
                .clone()
                .any(|word| asks.iter().any(|one| one.as_bytes() == word));
            (asks && words.any(is_target)).then_some(name)
        })
    })
}
