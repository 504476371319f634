//! Trying many cases, by their seeds, and making what is found small. `docs/fuzzing.md` says how it is used.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use super::fixtures::{self, Node, Tree};
use super::soups::{Case, case, words};

/// What does not hold, and of what.
pub(crate) struct Fault {
    /// The property: a case is made smaller only as long as the same one fails.
    pub(crate) property: &'static str,
    /// What was seen.
    pub(crate) seen: String,
}

/// Say that a property fails.
pub(crate) fn fault<T>(property: &'static str, seen: impl Into<String>) -> Result<T, Fault> {
    Err(Fault {
        property,
        seen: seen.into(),
    })
}

/// How often a case that fails is tried again to make it smaller.
const TRIES: usize = 1500;

/// How many cases of one property are kept in a run of hours.
const KEPT: usize = 4;

/// A kind of cases.
pub(crate) struct Cases {
    /// Where those are kept that were found once, in `tests`.
    pub(crate) folder: &'static str,
    /// How new ones are made.
    pub(crate) new: fn() -> BoxedStrategy<Case>,
}

/// Trees of which each stands by itself.
#[allow(dead_code)]
pub(crate) const SOUPS: Cases = Cases {
    folder: "soups",
    new: || case().boxed(),
};

/// Hold each case that was found once against a property.
pub(crate) fn found_cases(of: &Cases, holds: impl Fn(&Case) -> Result<(), Fault>) {
    let mut faults = Vec::new();
    for found in fixtures::in_folder(&found_folder(of)) {
        let case = Case {
            tree: fixtures::read(&found.folder.join("input")),
            arguments: found.arguments,
        };
        if let Err(fault) = attempt(&case, &holds) {
            faults.push(format!(
                "{}: {}: {}",
                found.name, fault.property, fault.seen
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// Hold new cases against it: `cases` of them, or as many as `FUZZ_CASES` or `FUZZ_SECONDS` say, from `FUZZ_SEED` on.
// Whoever starts a run of hours wants to see how far it is.
#[allow(clippy::print_stdout)]
pub(crate) fn new_cases(of: &Cases, cases: u64, holds: impl Fn(&Case) -> Result<(), Fault>) {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse().ok());
    let first: u64 = number("FUZZ_SEED").unwrap_or(0);
    let end = number("FUZZ_SECONDS").map(|all| Instant::now() + Duration::from_secs(all));
    let cases = number("FUZZ_CASES").unwrap_or(if end.is_some() { u64::MAX } else { cases });
    let mut found: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    let mut seed = first;
    while seed - first < cases && end.is_none_or(|end| Instant::now() < end) {
        let case = of_seed(of, seed);
        if let Err(fault) = attempt(&case, &holds) {
            let known = found.entry(fault.property).or_default();
            if known.len() < KEPT {
                let (case, fault) = smaller(case, fault, &holds);
                known.push(keep(of, seed, &case, &fault));
            }
            // Somebody waits for the answer, unless it is a run of hours.
            if end.is_none() {
                break;
            }
        }
        seed += 1;
        if end.is_some() && seed.is_multiple_of(1000) {
            let count: usize = found.values().map(Vec::len).sum();
            println!("seeds {first} to {seed}: {count} found");
        }
    }
    println!("seeds {first} to {seed}");
    let found: Vec<String> = found.into_values().flatten().collect();
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

/// The case of a seed: the same for the same fixtures and tables.
fn of_seed(of: &Cases, seed: u64) -> Case {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), rng);
    let tree = (of.new)().new_tree(&mut runner);
    tree.expect("no case is refused").current()
}

fn attempt(case: &Case, holds: &impl Fn(&Case) -> Result<(), Fault>) -> Result<(), Fault> {
    let caught = catch_unwind(AssertUnwindSafe(|| holds(case)));
    caught.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
        fault("no panic", text.unwrap_or_default())
    })
}

/// Take out of a case what the fault does not need: files, arguments, lines, words.
fn smaller(
    mut case: Case,
    mut fault: Fault,
    holds: &impl Fn(&Case) -> Result<(), Fault>,
) -> (Case, Fault) {
    let mut tries = 0;
    let mut still = |smaller: &Case, fault: &mut Fault| {
        tries += 1;
        if tries > TRIES {
            return false;
        }
        let property = fault.property;
        let failed = attempt(smaller, holds).err();
        let same = failed.filter(|failed| failed.property == property);
        same.map(|same| *fault = same).is_some()
    };
    for path in case.tree.keys().cloned().collect::<Vec<_>>() {
        let mut without = case.clone();
        without.tree.remove(&path);
        if still(&without, &mut fault) {
            case = without;
        }
    }
    let mut plain = case.clone();
    plain.arguments.clear();
    if still(&plain, &mut fault) {
        case = plain;
    }
    let lines = |text: &[u8]| -> Vec<Vec<u8>> {
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        lines.map(<[u8]>::to_vec).collect()
    };
    for cut in [&lines as &dyn Fn(&[u8]) -> Vec<Vec<u8>>, &words] {
        for path in case.tree.keys().cloned().collect::<Vec<_>>() {
            let Some(Node::File { bytes, executable }) = case.tree.get(&path).cloned() else {
                continue;
            };
            let mut parts = cut(&bytes);
            let mut size = parts.len().div_ceil(2);
            while size > 0 {
                let mut at = 0;
                while at < parts.len() {
                    let mut fewer = parts.clone();
                    fewer.drain(at..(at + size).min(parts.len()));
                    let mut without = case.clone();
                    let bytes = fewer.concat();
                    without
                        .tree
                        .insert(path.clone(), Node::File { bytes, executable });
                    if still(&without, &mut fault) {
                        (case, parts) = (without, fewer);
                    } else {
                        at += size;
                    }
                }
                size /= 2;
            }
        }
    }
    (case, fault)
}

fn found_folder(of: &Cases) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    tests.join(of.folder)
}

/// Write a case beside those that were found before. Returns what to tell.
fn keep(of: &Cases, seed: u64, case: &Case, fault: &Fault) -> String {
    let property = fault.property.replace(' ', "-");
    let folder = found_folder(of).join(format!("{property}-{seed}"));
    fixtures::write(&folder.join("input"), &case.tree);
    if !case.arguments.is_empty() {
        fs::write(folder.join("args"), case.arguments.join(" ") + "\n").expect("written");
    }
    let arguments = case.arguments.join(" ");
    format!(
        "{}: {}\nseed {seed}, kept in {}, ported with `{arguments}`{}",
        fault.property,
        fault.seen,
        folder.display(),
        shown(&case.tree)
    )
}

/// A tree that can be read where it fails.
fn shown(tree: &Tree) -> String {
    let mut out = String::new();
    for (path, node) in tree {
        let text = match node {
            Node::File { bytes, .. } => bytes.escape_ascii().to_string().replace("\\n", "\n"),
            Node::Link(target) => format!("-> {}", target.display()),
        };
        // A string takes whatever is written.
        let _ = write!(out, "\n== {}\n{text}", path.display());
    }
    out
}
