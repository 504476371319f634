//! Paths into CUDA's toolkit.

use super::View;
use crate::mapping::{Evidence, Section};
use crate::rules::build::codes::PATH;
use crate::rules::build::told::Told;
use crate::syntax::script::{Part, Word};
use crate::text::TextRange;

/// What to do about a place that nobody knows.
const ADVICE: &str = "see what it is for, and where the MUSA SDK has the like";

/// The paths in a word.
pub(super) fn toolkit(view: &View<'_>, word: &Word, told: &mut Told<'_, '_>) {
    for (at, part) in word.parts.iter().enumerate() {
        match *part {
            Part::Text(text) => {
                nvidias(view, text, told);
                let last = at + 1 == word.parts.len();
                written(view, text, last, told);
            }
            Part::Variable { name, .. } if is_home(view, name) => {
                if let Some(Part::Text(behind)) = word.parts.get(at + 1) {
                    inside(view, *behind, told);
                }
            }
            _ => {}
        }
    }
}

/// Folders of NVIDIA's: `site-packages/nvidia/nccl/lib`, `Program Files\NVIDIA GPU Computing Toolkit`.
fn nvidias(view: &View<'_>, text: TextRange, told: &mut Told<'_, '_>) {
    let mut start = text.start;
    for path in view.of(text).split(|&byte| matches!(byte, b':' | b';')) {
        let range = TextRange::new(start, start + path.len());
        start = range.end + 1;
        let mut parts = path.split(|&byte| matches!(byte, b'/' | b'\\')).skip(1);
        let named = parts.any(|part| {
            let part = part.to_ascii_lowercase();
            part == b"nvidia" || part.starts_with(b"nvidia gpu") || part.starts_with(b"nvidia corp")
        });
        let address = path.starts_with(b"//") || path.contains(&b'@');
        if named && !address && !told.is_spoken_of(range) {
            told.report(PATH, range, ADVICE);
        }
    }
}

/// Whether a variable holds the toolkit's folder.
fn is_home(view: &View<'_>, name: TextRange) -> bool {
    let row = view
        .unit
        .lore
        .tables
        .get(Section::Environment, view.of(name));
    let homes = &view.knowledge.toolkit.variables;
    row.and_then(|row| row.to.as_deref())
        .is_some_and(|to| homes.iter().any(|home| home == to))
}

/// `/usr/local/cuda-12.1/lib64:/usr/local/cuda/bin`
fn written(view: &View<'_>, text: TextRange, last: bool, told: &mut Told<'_, '_>) {
    let toolkit = &view.knowledge.toolkit;
    let bytes = view.of(text);
    for at in memchr::memmem::find_iter(bytes, toolkit.root.as_bytes()) {
        let end = at + toolkit.root.len();
        let rest = bytes.get(end..).unwrap_or_default();
        let version = match rest.strip_prefix(b"-") {
            Some(number) => {
                let digits = number
                    .iter()
                    .take_while(|&&byte| byte.is_ascii_digit() || byte == b'.');
                1 + digits.count()
            }
            None => 0,
        };
        let behind = rest.get(version..).unwrap_or_default();
        let whole = TextRange::new(text.start + at, text.start + end + version);
        // A version that a variable holds, or a longer name: `/usr/local/cuda-samples`.
        let open = behind.is_empty() && !last && version == 1;
        let ends = behind
            .first()
            .is_none_or(|&byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')));
        if told.is_spoken_of(whole) {
            continue;
        }
        if open || !ends || version == 1 {
            told.report(PATH, text, "without a version it is `/usr/local/musa`");
            continue;
        }
        if let Some(unknown) = part(view, TextRange::new(whole.end, text.end), told) {
            told.report(PATH, TextRange::new(whole.start, unknown), ADVICE);
            continue;
        }
        told.replace(whole, &toolkit.to, Some(Evidence::Confirmed));
    }
}

/// `/lib64` behind `$(CUDA_HOME)`
fn inside(view: &View<'_>, text: TextRange, told: &mut Told<'_, '_>) {
    if let Some(unknown) = part(view, text, told) {
        told.report(PATH, TextRange::new(text.start, unknown), ADVICE);
    }
}

/// The folder below the toolkit's. Returns where a path that nobody knows ends.
fn part(view: &View<'_>, text: TextRange, told: &mut Told<'_, '_>) -> Option<usize> {
    let bytes = view.of(text);
    let below = bytes.strip_prefix(b"/")?;
    let len = below
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    let name = TextRange::new(text.start + 1, text.start + 1 + len.count());
    if name.start == name.end {
        return None;
    }
    let ends =
        |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b':' | b';' | b',' | b'"' | b'\'');
    let end = bytes
        .iter()
        .position(ends)
        .map_or(text.end, |at| text.start + at);
    let known = view
        .knowledge
        .toolkit
        .parts
        .get(view.unit.shown(name).as_str());
    // Programs and libraries in it have words of their own; a folder in the folder may be anything.
    let rest = TextRange::new(name.end, end.max(name.end));
    if let Some(program) = view.of(rest).strip_prefix(b"/") {
        let known = &view.unit.lore.knowledge.surroundings.commands.known;
        let known = known.iter().find(|one| one.name.as_bytes() == program);
        match known.and_then(|one| one.to.as_deref()) {
            Some(to) => {
                told.replace(
                    TextRange::new(name.end + 1, end),
                    to,
                    Some(Evidence::Confirmed),
                );
                return None;
            }
            None if known.is_some() => return Some(end),
            None => {}
        }
    }
    let deeper = view.of(rest).strip_prefix(b"/").is_some_and(|rest| {
        !rest.is_empty() && (!rest.starts_with(b"lib") || rest.contains(&b'/'))
    });
    match known {
        Some(to) if !deeper => {
            told.replace(name, to, Some(Evidence::Confirmed));
            None
        }
        _ => Some(end),
    }
}
