//! Comparisons of the architecture with a number: whose number it is, and whether the port's report mentions it.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::align::Scanned;
use crate::compare::Comparison;
use crate::conditions::number;
use crate::measure::Measure;
use crate::scan::{Kind, spelling};

/// The macro as the input and as the output spells it.
pub(crate) const CUDA: &[u8] = b"__CUDA_ARCH__";
pub(crate) const MUSA: &[u8] = b"__MUSA_ARCH__";

/// CUDA's architectures that are compared with. 320 is one of MUSA's, too, and counts as that.
pub(crate) const NUMBERS: [i64; 25] = [
    300, 350, 370, 500, 520, 530, 600, 610, 620, 700, 720, 750, 800, 860, 870, 880, 890, 900, 1000,
    1010, 1030, 1100, 1200, 1210, 1300,
];

/// Numbers of MUSA's from which on something is there.
const THRESHOLDS: [i64; 5] = [100, 210, 220, 310, 320];

/// Macros that stand for one of CUDA's architectures, in this file.
pub(crate) fn stand_ins(file: &Scanned) -> BTreeMap<Vec<u8>, i64> {
    let mut found = BTreeMap::new();
    for at in 0..file.tokens.len() {
        if !file.tokens[at].directive || file.bytes(at) != b"define" {
            continue;
        }
        let Some(name) = file.next(at) else { continue };
        let mut value = file.next(name);
        while let Some(open) = value.filter(|at| file.bytes(*at) == b"(") {
            value = file.next(open);
        }
        let number = value.filter(|at| file.tokens[*at].directive && *at > name + 1);
        let number = number.and_then(|at| number_of(file, at, &BTreeMap::new()));
        if let Some(number) = number.filter(|number| NUMBERS.contains(number)) {
            found.insert(spelling(file.bytes(name)).into_owned(), number);
        }
    }
    found
}

/// What a token stands for: a literal, or a macro that stands for one.
fn number_of(file: &Scanned, at: usize, known: &BTreeMap<Vec<u8>, i64>) -> Option<i64> {
    match file.kind(at)? {
        Kind::Number => number(file.bytes(at)),
        Kind::Identifier => known.get(&*spelling(file.bytes(at))).copied(),
        _ => None,
    }
}

/// The place of a comparison, and the number in it.
struct Site {
    first: usize,
    last: usize,
    number: i64,
}

/// The comparison operator that starts at `at`, by its last token.
fn operator(file: &Scanned, at: usize) -> Option<usize> {
    let (one, two) = (file.bytes(at), file.bytes(at + 1));
    let single = matches!(one, b"<" | b">");
    match two {
        b"=" if single || matches!(one, b"=" | b"!") => Some(at + 1),
        b"<" | b">" => None,
        _ => single.then_some(at),
    }
}

/// The comparison operator that ends at `at`, by its first token.
fn operator_before(file: &Scanned, at: usize) -> Option<usize> {
    let before = at.checked_sub(1)?;
    if file.bytes(at) == b"=" {
        return matches!(file.bytes(before), b"<" | b">" | b"=" | b"!").then_some(before);
    }
    let shift = matches!(file.bytes(before), b"<" | b">" | b"-");
    (!shift && matches!(file.bytes(at), b"<" | b">")).then_some(at)
}

/// The comparison of the macro at `at` with a number, if it is in one.
fn site(file: &Scanned, at: usize, known: &BTreeMap<Vec<u8>, i64>) -> Option<Site> {
    let (mut first, mut last) = (at, at);
    while let (Some(open), Some(close)) = (file.previous(first), file.next(last))
        && file.bytes(open) == b"("
        && file.bytes(close) == b")"
    {
        (first, last) = (open, close);
    }
    let right = file.next(last).and_then(|at| operator(file, at));
    if let Some(mut other) = right.and_then(|end| file.next(end)) {
        while file.bytes(other) == b"(" {
            other = file.next(other)?;
        }
        let number = number_of(file, other, known)?;
        return Some(Site {
            first,
            last: other,
            number,
        });
    }
    let left = file.previous(first);
    let left = left.and_then(|at| operator_before(file, at));
    let mut other = left.and_then(|start| file.previous(start))?;
    while file.bytes(other) == b")" {
        other = file.previous(other)?;
    }
    let number = number_of(file, other, known)?;
    Some(Site {
        first: other,
        last,
        number,
    })
}

impl Comparison<'_> {
    /// Comparisons of the input that got a number of MUSA's, by their tokens, where a finding
    /// says so.
    pub(crate) fn renumbered(&self) -> Vec<Range<usize>> {
        let known = &self.world.numbers;
        let named = (0..self.after.tokens.len()).filter(|at| self.after.bytes(*at) == MUSA);
        let pairs = named.filter_map(|at| {
            let now = site(self.after, at, known)?;
            let was = site(self.before, self.origin[at]?, known)?;
            let range = was.first..was.last + 1;
            let musa = THRESHOLDS.contains(&now.number);
            (musa && self.is_reported(range.start, range.end)).then_some(range)
        });
        pairs.collect()
    }

    /// Count the architecture's comparisons with numbers of CUDA's that are in the output.
    pub(crate) fn all_architectures(&mut self) {
        let world = self.world;
        for at in 0..self.after.tokens.len() {
            if self.after.kind(at) != Some(Kind::Identifier) {
                continue;
            }
            let name = spelling(self.after.bytes(at));
            if *name != *MUSA && *name != *CUDA {
                continue;
            }
            let known = &world.numbers;
            let found = site(self.after, at, known);
            let stale = found.filter(|site| NUMBERS.contains(&site.number));
            if stale.is_none() && !is_calculated(self.after, at) {
                continue;
            }
            let Some(before) = self.origin[at] else {
                self.count_new(Measure::StaleArchitectures, at);
                continue;
            };
            // The input's own comparison with a number of MUSA's.
            if *spelling(self.before.bytes(before)) == *MUSA {
                continue;
            }
            let whole = site(self.before, before, known)
                .map_or((before, before), |site| (site.first, site.last));
            let is_reported =
                self.is_reported(before, before + 1) || self.is_reported(whole.0, whole.1 + 1);
            let measure = if is_reported {
                Measure::ArchitecturesReported
            } else {
                Measure::StaleArchitectures
            };
            self.count(measure, whole.0, whole.1 + 1);
        }
    }
}

/// Whether something is worked out from the macro's value.
fn is_calculated(file: &Scanned, at: usize) -> bool {
    let word = |at: Option<usize>| at.map_or(&b""[..], |at| file.bytes(at));
    let arithmetic = |word: &[u8]| matches!(word, b"+" | b"-" | b"*" | b"/" | b"%");
    arithmetic(word(file.next(at))) || arithmetic(word(file.previous(at)))
}
