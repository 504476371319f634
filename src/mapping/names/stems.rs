//! Names by rule: what the stems, the pieces of names that change, make of a name.

use crate::loader::Stem;

/// What the stems alone make of a name: each that stands where a word starts is replaced.
pub fn by_rule(stems: &[Stem], name: &str) -> String {
    let mut made = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(next) = rest.chars().next() {
        let before = name[..name.len() - rest.len()].bytes().next_back();
        let stem = stems
            .iter()
            .find(|stem| starts_word(before, &stem.cuda, rest));
        if let Some(stem) = stem {
            made.push_str(&stem.musa);
            rest = &rest[stem.cuda.len()..];
        } else {
            made.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    made
}

fn starts_word(before: Option<u8>, stem: &str, rest: &str) -> bool {
    let Some(after) = rest.strip_prefix(stem) else {
        return false;
    };
    let first = stem.as_bytes().first().copied().unwrap_or_default();
    let starts = match before {
        None => true,
        Some(byte) if byte.is_ascii_lowercase() => first.is_ascii_uppercase(),
        Some(byte) => !byte.is_ascii_uppercase(),
    };
    // `cu` is `cuInit`'s, not `custom`'s; `CU` is `CUstream`'s and `CU_STREAM`'s, not `CUSTOM`'s.
    let ends = stem.len() > 2
        || after.bytes().next().is_none_or(|byte| {
            if first.is_ascii_uppercase() {
                !byte.is_ascii_uppercase()
            } else {
                !byte.is_ascii_lowercase()
            }
        });
    starts && ends
}
