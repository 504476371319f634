//! Paths into CUDA's toolkit.

use super::View;
use crate::mapping::Evidence;
use crate::rules::build::codes::PATH;
use crate::rules::build::told::Told;
use crate::rules::build::toolkit::{self, ADVICE, Fate, OPEN, Written};
use crate::syntax::script::{Part, Word};
use crate::text::TextRange;

/// The paths in a word.
pub(super) fn paths(view: &View<'_>, word: &Word, told: &mut Told<'_, '_>) {
    for (at, part) in word.parts.iter().enumerate() {
        match *part {
            Part::Text(text) => {
                nvidias(view, text, told);
                let last = at + 1 == word.parts.len();
                written(view, text, last, told);
            }
            Part::Variable { name, .. } if toolkit::is_home(view.unit.lore, view.of(name)) => {
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

/// `/usr/local/cuda-12.1/lib64:/usr/local/cuda/bin`
fn written(view: &View<'_>, text: TextRange, last: bool, told: &mut Told<'_, '_>) {
    for (whole, fate) in toolkit::written(view.unit.lore, view.of(text), !last) {
        if told.is_spoken_of(shifted(whole, text)) {
            continue;
        }
        match fate {
            Written::Open => told.report(PATH, text, OPEN),
            Written::Unknown(range) => told.report(PATH, shifted(range, text), ADVICE),
            Written::Known(edits) => replace(&edits, text, told),
        }
    }
}

/// `/lib64` behind `$(CUDA_HOME)`
fn inside(view: &View<'_>, text: TextRange, told: &mut Told<'_, '_>) {
    match toolkit::below(view.unit.lore, view.of(text), 0) {
        Fate::Known(edits) => replace(&edits, text, told),
        Fate::Unknown(end) => {
            told.report(PATH, TextRange::new(text.start, text.start + end), ADVICE);
        }
    }
}

fn replace(edits: &[(TextRange, String)], text: TextRange, told: &mut Told<'_, '_>) {
    for (range, to) in edits {
        told.replace(shifted(*range, text), to, Some(Evidence::Confirmed));
    }
}

/// A range of a stretch, in the file.
fn shifted(range: TextRange, text: TextRange) -> TextRange {
    TextRange::new(text.start + range.start, text.start + range.end)
}
