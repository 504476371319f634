//! Conditions on the compiler's pass, before and after.

use crate::align::Scanned;
use crate::architectures::{CUDA, MUSA, NUMBERS};
use crate::compare::Comparison;
use crate::conditions::{Condition, Known, conditions};
use crate::measure::Measure;
use crate::scan::{Kind, spelling};

/// The macro of the compiler itself, before and after.
const COMPILER: [&[u8]; 2] = [b"__CUDACC__", b"__MUSACC__"];

/// Architectures of MUSA's, older and newer.
const MUSA_NUMBERS: [i64; 4] = [210, 220, 310, 320];

/// What the compiler of one side knows while it compiles for `arch`, or for the host.
fn knows(side: usize, arch: Option<i64>) -> impl Fn(&[u8]) -> Known {
    move |name: &[u8]| {
        let own = [CUDA, MUSA][side];
        let other = [MUSA, CUDA][side];
        if name == own {
            arch.map_or(Known::Undefined, Known::Value)
        } else if name == COMPILER[side] {
            Known::Value(1)
        } else if name == other || COMPILER.contains(&name) {
            Known::Undefined
        } else {
            Known::Nothing
        }
    }
}

/// The values that a condition has for any of these architectures.
fn values(
    file: &Scanned,
    condition: &Condition,
    side: usize,
    numbers: &[i64],
) -> Vec<Option<bool>> {
    let mut values: Vec<_> = numbers
        .iter()
        .map(|number| condition.holds(file, &knows(side, Some(*number))))
        .collect();
    values.sort_unstable();
    values.dedup();
    values
}

impl Comparison<'_> {
    /// Count conditions that hold otherwise on the host, or in ways on the device in which they
    /// hold for no CUDA GPU.
    pub(crate) fn all_guards(&mut self) {
        let (before, after) = (conditions(self.before), conditions(self.after));
        if before.len() != after.len() {
            let text = format!("{} conditions became {}", before.len(), after.len());
            let path = self.pair.source.clone();
            self.tally.count_file(Measure::FlippedGuards, &path, &text);
            return;
        }
        // A branch for GPUs older than all that are compared with is a way, too.
        let cuda_numbers = [&[200], &NUMBERS[..]].concat();
        for (old, new) in before.iter().zip(&after) {
            let tests: Vec<usize> = old
                .tokens
                .iter()
                .copied()
                .filter(|at| {
                    let name = spelling(self.before.bytes(*at));
                    self.before.kind(*at) == Some(Kind::Identifier)
                        && (*name == *CUDA || COMPILER[0] == &*name)
                })
                .collect();
            if tests.is_empty() {
                continue;
            }
            let host = [
                old.holds(self.before, &knows(0, None)),
                new.holds(self.after, &knows(1, None)),
            ];
            let cuda = values(self.before, old, 0, &cuda_numbers);
            let musa = values(self.after, new, 1, &MUSA_NUMBERS);
            let changed = host[0] != host[1] || !musa.iter().all(|value| cuda.contains(value));
            // A test of CUDA's macro that stays is for the reader of the report.
            let stays = |at: &usize| self.stays(*at);
            let left: Vec<usize> = tests.iter().copied().filter(stays).collect();
            let silent = left.iter().any(|at| !self.is_reported(*at, at + 1));
            if silent || (changed && left.is_empty()) {
                let end = old.tokens.last().map_or(old.hash, |last| *last) + 1;
                self.count(Measure::FlippedGuards, old.hash, end);
            }
        }
    }
}
