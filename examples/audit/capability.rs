//! Host code that decides by a compute capability.

use crate::align::Scanned;
use crate::architectures::NUMBERS;
use crate::branches::not_for_musa;
use crate::compare::Comparison;
use crate::conditions::number;
use crate::measure::Measure;
use crate::scan::{Kind, spelling};

/// Names that ask a device what it is.
const ASKS: [&[u8]; 8] = [
    b"cudaDeviceProp",
    b"cudaGetDeviceProperties",
    b"cudaGetDeviceProperties_v2",
    b"cudaDeviceGetAttribute",
    b"cuDeviceGetAttribute",
    b"cuDeviceComputeCapability",
    b"getCurrentDeviceProperties",
    b"getDeviceProperties",
];

/// Names that ask for the capability itself.
const ATTRIBUTES: [&[u8]; 5] = [
    b"cudaDevAttrComputeCapabilityMajor",
    b"cudaDevAttrComputeCapabilityMinor",
    b"CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR",
    b"CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR",
    b"cuDeviceComputeCapability",
];

/// Names of a capability, in lower case without underscores.
const VARIABLES: [&str; 14] = [
    "sm",
    "cc",
    "arch",
    "smversion",
    "smarch",
    "ccmajor",
    "computecapability",
    "gpuarch",
    "devicearch",
    "cudaarch",
    "archversion",
    "capability",
    "smmajor",
    "smcode",
];

/// What names of a capability's number end with, in lower case without underscores.
const GENERATIONS: [&str; 9] = [
    "maxwell",
    "pascal",
    "volta",
    "turing",
    "ampere",
    "adalovelace",
    "hopper",
    "blackwell",
    "rubin",
];

/// Whether a name stands for a capability's number: `GGML_CUDA_CC_VOLTA`, `kSM_90`.
fn stands_for_number(name: &[u8]) -> bool {
    let plain: String = String::from_utf8_lossy(name)
        .to_lowercase()
        .replace('_', "");
    let numbered = plain
        .trim_start_matches('k')
        .strip_prefix("sm")
        .and_then(|digits| digits.parse::<i64>().ok())
        .is_some_and(|number| NUMBERS.contains(&(number * 10)));
    numbered || (plain.contains("cc") && GENERATIONS.iter().any(|one| plain.ends_with(one)))
}

impl Comparison<'_> {
    /// Count capability checks that the port's report does not mention.
    pub(crate) fn all_capabilities(&mut self) {
        let file = self.before;
        let identifiers = || (0..file.tokens.len()).filter(|at| is_name(file, *at));
        let asks = |names: &[&[u8]], at: usize| names.contains(&&*spelling(file.bytes(at)));
        let apart = not_for_musa(file);
        let counts = |at: usize| !apart.iter().any(|range| range.contains(&at));
        for at in identifiers().filter(|at| asks(&ATTRIBUTES, *at)) {
            if counts(at) && !self.is_reported_near(at, at + 1) {
                self.count(Measure::SilentCapabilities, at, at + 1);
            }
        }
        if !identifiers().any(|at| asks(&ASKS, at)) {
            return;
        }
        for at in 0..file.tokens.len() {
            let Some((first, last)) = check(file, at) else {
                continue;
            };
            if counts(first) && !self.is_reported_near(first, last + 1) {
                self.count(Measure::SilentCapabilities, first, last + 1);
            }
        }
    }
}

fn is_name(file: &Scanned, at: usize) -> bool {
    file.kind(at) == Some(Kind::Identifier)
}

/// The check of the capability that is named at `at`, by its first and last tokens.
fn check(file: &Scanned, at: usize) -> Option<(usize, usize)> {
    // What a macro holds is the business of where it is used.
    if !is_name(file, at) || file.tokens[at].directive {
        return None;
    }
    let name = String::from_utf8_lossy(file.bytes(at)).to_lowercase();
    let before = file.previous(at)?;
    let member = file.bytes(before) == b"."
        || (file.bytes(before) == b">" && file.bytes(before.wrapping_sub(1)) == b"-");
    let counts = |value: i64| -> bool {
        if member && matches!(name.as_str(), "major" | "minor") {
            return (1..20).contains(&value);
        }
        let plain: String = name.chars().filter(|letter| *letter != '_').collect();
        let numbers = NUMBERS;
        VARIABLES.contains(&plain.as_str())
            && (numbers.contains(&value) || numbers.contains(&(value * 10)))
    };
    let is_number = |at: usize| match file.kind(at) {
        Some(Kind::Number) => number(file.bytes(at)).is_some_and(counts),
        Some(Kind::Identifier) => !member && stands_for_number(file.bytes(at)),
        _ => false,
    };
    let mark = |at: usize| matches!(file.bytes(at), b"<" | b">" | b"=" | b"!");
    let compares = |first: usize, last: usize| {
        let text = &file.text[file.tokens[first].start..file.tokens[last].end];
        matches!(text, b"<" | b">" | b"<=" | b">=" | b"==" | b"!=")
    };
    // `prop.major >= 8`
    let start = file.next(at).filter(|next| mark(*next));
    if let Some(start) = start {
        let end = if mark(start + 1) { start + 1 } else { start };
        let other = file.next(end)?;
        let found = compares(start, end) && is_number(other);
        // The whole name is checked, from its first part on.
        return found.then_some((at, other));
    }
    // `8 <= prop.major`
    let mut first = at;
    loop {
        let dot = file.previous(first)?;
        let dot = match file.bytes(dot) {
            b"." => dot,
            b">" if dot > 0 && file.bytes(dot - 1) == b"-" => dot - 1,
            _ => break,
        };
        first = file.previous(dot).filter(|at| is_name(file, *at))?;
    }
    let end = file.previous(first).filter(|end| mark(*end))?;
    let start = if mark(end.checked_sub(1)?) {
        end - 1
    } else {
        end
    };
    let other = file.previous(start)?;
    (compares(start, end) && is_number(other)).then_some((other, at))
}
