//! Branches that are not for the port to answer for.

use std::ops::Range;

use crate::align::Scanned;
use crate::conditions::conditions;
use crate::scan::Kind;

/// The tokens of branches about which the input itself decided for MUSA, or that are for another
/// vendor.
pub(crate) fn not_for_musa(file: &Scanned) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    // For each open conditional: its start, whether it asks for MUSA, and the branch of another
    // vendor that is open in it.
    let mut open: Vec<(usize, bool, Option<usize>)> = Vec::new();
    let all = conditions(file);
    for at in 0..file.tokens.len() {
        if !file.tokens[at].directive || file.bytes(at) != b"#" {
            continue;
        }
        let Some(word) = file.next(at) else { continue };
        let condition = all.iter().find(|one| one.hash == at);
        let names = |part: &str| {
            condition.is_some_and(|one| {
                let mut names = one
                    .tokens
                    .iter()
                    .filter(|at| file.kind(**at) == Some(Kind::Identifier));
                names.any(|at| String::from_utf8_lossy(file.bytes(*at)).contains(part))
            })
        };
        let denied =
            condition.is_some_and(|one| one.tokens.iter().any(|at| file.bytes(*at) == b"!"));
        let other = ["HIP", "ROCM", "AMD"].into_iter().any(names)
            && !denied
            && file.bytes(word) != b"ifndef";
        match file.bytes(word) {
            b"if" | b"ifdef" | b"ifndef" => open.push((at, names("MUSA"), other.then_some(at))),
            b"elif" | b"else" | b"endif" => {
                let Some((start, musa, vendor)) = open.pop() else {
                    continue;
                };
                found.extend(vendor.map(|from| from..at));
                let musa = musa || names("MUSA");
                if file.bytes(word) != b"endif" {
                    open.push((start, musa, other.then_some(at)));
                } else if musa {
                    found.push(start..at);
                }
            }
            _ => {}
        }
    }
    found
}
