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
    let names = names.flat_map(|text| libraries(view, text));
    PlacesOfScript {
        are_asked_for: is_placed || releases.len() > 1,
        libraries: names.map(|one| view.of(one.short).to_vec()).collect(),
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
    let program = view.program_word(one);
    one.kind == StatementKind::Command && program.is_some_and(|word| view.runs_one_of(word, known))
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

/// A library's file that a text names.
#[derive(Clone, Copy)]
pub(super) struct LibraryFile {
    /// Its name with its version: `libcudart.so.12`.
    pub name: TextRange,
    /// Its name without that.
    pub short: TextRange,
}

/// The libraries' files at the ends of the paths in a text, which may be a list: `libcuda.so.1;${OTHERS}`.
pub(super) fn libraries(view: &ScriptView<'_>, text: TextRange) -> Vec<LibraryFile> {
    let bytes = view.of(text);
    let parts = bytes.split(|byte| matches!(byte, b':' | b';' | b','));
    let mut start = text.start;
    let mut found = Vec::new();
    for part in parts {
        let front = memchr::memrchr(b'/', part).map_or(0, |at| at + 1);
        if let Some(name) = part.get(front..).filter(|name| name.starts_with(FRONT)) {
            let (short, whole) = lengths(name);
            let from = start + front;
            found.push(LibraryFile {
                name: TextRange::new(from, from + whole),
                short: TextRange::new(from, from + short),
            });
        }
        start += part.len() + 1;
    }
    found
}

/// How long the name of a library's file is without its version, and with it.
fn lengths(name: &[u8]) -> (usize, usize) {
    let Some(at) = memchr::memmem::find(name, SHARED) else {
        return (name.len(), name.len());
    };
    let short = at + SHARED.len();
    let rest = name.get(short..).unwrap_or_default();
    // `.so.12`, `.so*`, `.so[2-9]*`
    let is_version = |byte: &&u8| byte.is_ascii_digit() || b".*?[-]".contains(byte);
    let version = rest.iter().take_while(is_version).count();
    // A dot at the end is a sentence's.
    let version = rest.get(..version).unwrap_or_default();
    let version = version.strip_suffix(b".").unwrap_or(version);
    (short, short + version.len())
}

/// How the names of libraries' files begin.
pub(super) const FRONT: &[u8] = b"lib";

/// How those of shared ones end, but for a version.
const SHARED: &[u8] = b".so";
