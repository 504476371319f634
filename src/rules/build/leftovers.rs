//! Words of CUDA's that no other rule handled: each gets a finding.

use std::collections::BTreeMap;

use super::BuildUnit;
use crate::Outcome;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::build::UNKNOWN_WORD;
use torchada_syntax::is_identifier_part;
use torchada_text::TextRange;

/// Words of CUDA's that are left.
pub fn check(unit: &BuildUnit<'_>, out: &mut Outcome) {
    let mut left: BTreeMap<Vec<u8>, Vec<TextRange>> = BTreeMap::new();
    for word in words(unit) {
        if !is_handled(out, word) {
            let places = left.entry(word.of(unit.text).to_vec()).or_default();
            places.push(word);
        }
    }
    // A word gets one finding in a file, at its first place.
    for places in left.into_values() {
        let Some((&first, others)) = places.split_first() else {
            continue;
        };
        let shown = unit.shown(first);
        let times = match others.len() {
            0 => String::new(),
            1 => ", here and once more".to_owned(),
            more => format!(", here and {more} times more"),
        };
        let message = format!("`{shown}` stays{times}: no rule knows it");
        let help = "see whether the build for MUSA needs another word here; a name of the project's own may stay";
        unit.report(out, UNKNOWN_WORD, first, message, help);
        for &other in others {
            unit.keep(out, other, KeptReason::NamedBeside);
        }
    }
}

/// The words of CUDA's outside comments.
fn words(unit: &BuildUnit<'_>) -> Vec<TextRange> {
    words_in(unit, TextRange::new(0, unit.text.len()))
}

/// The words of CUDA's in a stretch, outside comments.
pub fn words_in(unit: &BuildUnit<'_>, within: TextRange) -> Vec<TextRange> {
    let mut found = Vec::new();
    let mut start = within.start;
    let text = within.of(unit.text);
    let stems = &unit.context.knowledge.builds.words;
    if !stems.is_cudas(text) {
        return found;
    }
    for word in text.split(|&byte| !is_identifier_part(byte)) {
        let range = TextRange::new(start, start + word.len());
        start = range.end + 1;
        // `-DNAME` defines NAME.
        let front = unit.text.get(..range.start).unwrap_or_default();
        let defines = front.ends_with(b"-") && word.starts_with(b"D");
        let dollars = word.iter().rev().take_while(|&&byte| byte == b'$').count();
        let end = range.end - dollars;
        let range = TextRange::new((range.start + usize::from(defines)).min(end), end);
        if stems.is_cudas(word) && !unit.is_comment(range.start) {
            found.push(range);
        }
    }
    found
}

/// Whether an edit, a finding or a reason stands at a place.
pub fn is_handled(out: &Outcome, range: TextRange) -> bool {
    out.is_claimed_at(range.start) || out.edits.touches(range) || out.is_covered(range)
}
