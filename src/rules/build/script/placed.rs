//! What a script itself removes, links, moves or fills: such places stay, because a port can't know the folders of a machine.

use std::collections::BTreeSet;

use super::places_of_script::PlacesOfScript;
use super::view::ScriptView;
use crate::build::toolkit::{self, ToolkitPath};
use torchada_syntax::script::{Statement, StatementKind, Word};
use torchada_text::TextRange;

/// The places in all statements of a script.
pub(super) fn places(view: &ScriptView<'_>, found: &[Statement]) -> PlacesOfScript {
    let placing = || found.iter().filter(|one| is_placed(view, one));
    let words = |one: &Statement| one.words.iter().flat_map(Word::texts).collect::<Vec<_>>();
    let is_placed = placing()
        .flat_map(words)
        .any(|text| !roots(view, text).is_empty());
    let asked = found.iter().filter(|one| asks(view, one));
    let releases = asked.flat_map(words).flat_map(|text| roots(view, text));
    let releases: BTreeSet<&[u8]> = releases.collect();
    let names = placing().flat_map(words);
    let names = names.filter_map(|text| library(view, text));
    PlacesOfScript {
        are_asked_for: is_placed || releases.len() > 1,
        libraries: names.map(|name| view.of(name).to_vec()).collect(),
    }
}

/// Whether a statement asks for CUDA's folder, and not for that of whatever toolkit is there.
pub(super) fn is_asked_for(view: &ScriptView<'_>, one: &Statement) -> bool {
    view.places.are_asked_for && asks(view, one)
}

/// Whether a command removes, links or moves its arguments.
pub(super) fn is_placed(view: &ScriptView<'_>, one: &Statement) -> bool {
    runs(view, one, &view.knowledge.placers)
}

/// The word into which a command copies what is CUDA's, and stays: `COPY --from=deps /opt/cuda-deps /usr/local/cuda`.
pub(super) fn filled(view: &ScriptView<'_>, one: &Statement) -> Option<usize> {
    // An instruction's words are its arguments alone.
    let is_instruction = one.kind == StatementKind::Instruction;
    let copies = if is_instruction {
        view.is(one.head, &view.knowledge.copiers)
    } else {
        runs(view, one, &view.knowledge.copiers)
    };
    let last = one.words.len().checked_sub(1).filter(|_| copies)?;
    let words = &view.unit.context.knowledge.builds.words;
    let is_cudas = |word: &Word| {
        let text = view.of(word.range);
        let written = toolkit::written(view.unit.context, text, false);
        let becomes_musas =
            |(_, path): &(TextRange, ToolkitPath)| matches!(path, ToolkitPath::Known(_));
        words.is_cudas(text) && !written.iter().any(becomes_musas)
    };
    let first = usize::from(!is_instruction);
    let words = one.words.get(first..last).unwrap_or_default();
    let is_option = |word: &&Word| view.of(word.range).starts_with(b"-");
    let mut sources = words.iter().filter(|word| !is_option(word));
    sources.any(is_cudas).then_some(last)
}

/// Whether a statement runs one of some commands.
fn runs(view: &ScriptView<'_>, one: &Statement, known: &[String]) -> bool {
    let program = one.words.get(view.behind_wrappers(&one.words));
    let program = program.and_then(|word| view.program(word));
    one.kind == StatementKind::Command && program.is_some_and(|name| view.is(name, known))
}

/// Whether a statement asks whether something is there.
fn asks(view: &ScriptView<'_>, one: &Statement) -> bool {
    runs(view, one, &view.knowledge.comparers)
        && !one.words.iter().any(|word| view.is_comparison(word))
}

/// The toolkit's folders that a text spells out, and nothing in them, with their versions.
fn roots<'v>(view: &'v ScriptView<'_>, text: TextRange) -> Vec<&'v [u8]> {
    let bytes = view.of(text);
    let written = toolkit::written(view.unit.context, bytes, false);
    let written = written.into_iter().filter(|(range, path)| {
        matches!(path, ToolkitPath::Known(_)) && toolkit::end(bytes, range.end) == range.end
    });
    written.map(|(range, _)| range.of(bytes)).collect()
}

/// The name of a library's file at the end of a path, without its version.
pub(super) fn library(view: &ScriptView<'_>, text: TextRange) -> Option<TextRange> {
    let bytes = view.of(text);
    let start = memchr::memrchr2(b'/', b':', bytes).map_or(0, |at| at + 1);
    let name = bytes.get(start..).filter(|name| name.starts_with(FRONT))?;
    let len = memchr::memmem::find(name, b".so").map_or(name.len(), |at| at + b".so".len());
    let start = text.start + start;
    Some(TextRange::new(start, start + len))
}

/// How the names of libraries' files begin.
pub(super) const FRONT: &[u8] = b"lib";
