//! Whether every name of a source in a port still leads to a file: lists, patterns, includes and generated names.
//!
//! `cargo run --release --example closure -- IN OUT [BUILD_FILE…]` compares a tree with its port, with a scanner and a
//! resolver of its own. A name that led somewhere in IN must be there in OUT, and lead to what became of it. For
//! each build file that is given it follows the sources that the port's one names, and all that these include. Each source
//! that the files of `CMake`'s in IN hand to nvcc has to reach a compiler as MUSA's in OUT.

mod builds;
mod names;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

use names::names;
use tree::{Tree, counterpart};

/// What is wrong.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// File of the port, and the 1-based line there or in the original.
    pub(crate) place: String,
    /// What is wrong there.
    pub(crate) what: String,
}

#[allow(clippy::print_stdout, clippy::print_stderr)]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [before, after, builds @ ..] = arguments.as_slice() else {
        eprintln!("usage: closure IN OUT [BUILD_FILE…]");
        return ExitCode::from(2);
    };
    let read =
        |path: &String| Tree::read(Path::new(path)).map_err(|error| format!("{path}: {error}"));
    let trees = read(before).and_then(|before| Ok((before, read(after)?)));
    let (before, after) = match trees {
        Ok(trees) => trees,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let (checked, faults) = compare(&before, &after);
    for fault in &faults {
        println!("{}: {}", fault.place, fault.what);
    }
    println!("{checked} names lead somewhere, {} do not", faults.len());
    let (compiled, lost) = compiled(&before, &after);
    for source in &lost {
        println!("{source}: nvcc gets it, and no compiler gets it as MUSA's in the port");
    }
    println!(
        "{compiled} sources of CMake reach a compiler of GPUs, {} do not",
        lost.len()
    );
    let mut open = faults.len() + lost.len();
    for build in builds {
        let reached = reach(&before, &after, build);
        for missing in &reached.missing {
            println!("{build}: {missing}");
        }
        println!(
            "{build}: {} sources and {} headers, {} missing",
            reached.sources,
            reached.headers,
            reached.missing.len()
        );
        open += reached.missing.len() + usize::from(reached.sources == 0);
    }
    ExitCode::from(u8::from(open > 0))
}

/// How many names led somewhere, and the faults.
pub(crate) fn compare(before: &Tree, after: &Tree) -> (usize, Vec<Fault>) {
    let mut checked = 0;
    let mut faults = Vec::new();
    for (path, text) in &before.texts {
        let Some(there) = counterpart(path, before, after) else {
            continue;
        };
        let Some(ported) = after.texts.get(&there) else {
            continue;
        };
        let old = names(path, text);
        let new = names(&there, ported);
        let reached: BTreeSet<&str> = new
            .iter()
            .flat_map(|name| after.means(name.from(&there), &name.text, name.is_include))
            .collect();
        for name in &old {
            let meant = before.means(name.from(path), &name.text, name.is_include);
            checked += usize::from(!meant.is_empty());
            // An include may give way to one of MUSA's own libraries.
            let lost = meant.iter().filter(|_| !name.is_include).find(|file| {
                counterpart(file, before, after).is_none_or(|file| !reached.contains(file.as_str()))
            });
            if let Some(lost) = lost {
                faults.push(Fault {
                    place: format!("{path}:{}", name.line),
                    what: format!(
                        "`{}` names `{lost}`, which nothing in {there} names",
                        name.text
                    ),
                });
            }
        }
        let led: BTreeSet<(&str, String)> = old
            .iter()
            .filter(|name| {
                let meant = before.means(name.from(path), &name.text, name.is_include);
                !meant.is_empty()
            })
            .map(|name| (name.from(""), tree::as_musa(&name.text)))
            .collect();
        for name in &new {
            let is_lost = after
                .means(name.from(&there), &name.text, name.is_include)
                .is_empty();
            if is_lost && led.contains(&(name.from(""), tree::as_musa(&name.text))) {
                faults.push(Fault {
                    place: format!("{there}:{}", name.line),
                    what: format!("`{}` leads nowhere", name.text),
                });
            }
        }
    }
    (checked, faults)
}

/// How many sources `CMake`'s files hand to nvcc, and those of them that no compiler gets as MUSA's in the port.
pub(crate) fn compiled(before: &Tree, after: &Tree) -> (usize, Vec<String>) {
    let wanted = builds::for_nvcc(before);
    let reached = builds::for_mcc(after);
    let lost = wanted.iter().filter(|path| {
        let there = counterpart(path, before, after).unwrap_or_else(|| (*path).clone());
        !reached.contains(&there)
    });
    (wanted.len(), lost.cloned().collect())
}

/// What the port's build file reaches.
#[derive(Debug, Default)]
pub(crate) struct Reached {
    pub(crate) sources: usize,
    pub(crate) headers: usize,
    pub(crate) missing: Vec<String>,
}

/// Follow the sources that a build file of the port names through their includes. What an original includes from its
/// own tree, its port has to find.
pub(crate) fn reach(before: &Tree, after: &Tree, build: &str) -> Reached {
    let mut found = Reached::default();
    let Some(text) = after.texts.get(build) else {
        found.missing.push("no such file in the port".to_owned());
        return found;
    };
    let origins: BTreeMap<String, &str> = before
        .files
        .iter()
        .filter_map(|path| Some((counterpart(path, before, after)?, path.as_str())))
        .collect();
    let mut queue: Vec<String> = Vec::new();
    for name in names(build, text) {
        queue.extend(
            after
                .means(build, &name.text, false)
                .into_iter()
                .map(str::to_owned),
        );
    }
    queue.sort();
    queue.dedup();
    found.sources = queue.len();
    let mut seen: BTreeSet<String> = queue.iter().cloned().collect();
    while let Some(path) = queue.pop() {
        let Some(text) = after.texts.get(&path) else {
            continue;
        };
        let here = names(&path, text);
        for name in here.iter().filter(|name| name.is_include) {
            for file in after.means(&path, &name.text, true) {
                if seen.insert(file.to_owned()) {
                    found.headers += 1;
                    queue.push(file.to_owned());
                }
            }
        }
        let Some((origin, old)) = origins
            .get(&path)
            .and_then(|path| Some((path, before.texts.get(*path)?)))
        else {
            continue;
        };
        for name in names(origin, old).iter().filter(|name| name.is_include) {
            let meant = before.means(origin, &name.text, true);
            let is_there = |file: &&str| {
                counterpart(file, before, after).is_some_and(|file| seen.contains(&file))
            };
            if !meant.is_empty() && !meant.iter().any(is_there) {
                found
                    .missing
                    .push(format!("{path} does not find `{}`", name.text));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        let files = files.iter();
        Tree::of(files.map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())))
    }

    #[test]
    fn a_list_that_was_forgotten_is_found() {
        let before = tree(&[("setup.py", "S = ['csrc/a.cu']\n"), ("csrc/a.cu", "")]);
        let after = tree(&[("setup.py", "S = ['csrc/a.cu']\n"), ("csrc/a.mu", "")]);
        let (_, faults) = compare(&before, &after);
        let shown: Vec<String> = faults
            .iter()
            .map(|one| format!("{}: {}", one.place, one.what))
            .collect();
        assert_eq!(
            shown,
            [
                "setup.py:1: `csrc/a.cu` names `csrc/a.mu`, which nothing in setup.py names"
                    .replace("csrc/a.mu", "csrc/a.cu"),
                "setup.py:1: `csrc/a.cu` leads nowhere".to_owned(),
            ]
        );
    }

    #[test]
    fn a_header_that_is_not_found_any_more_is_missing() {
        let before = tree(&[
            ("Makefile", "a: a.cu\n"),
            ("a.cu", "#include \"b.cuh\"\n"),
            ("b.cuh", ""),
        ]);
        let after = tree(&[
            ("Makefile", "a: a.mu\n"),
            ("a.mu", "#include \"b.cuh\"\n"),
            ("b.muh", ""),
        ]);
        let reached = reach(&before, &after, "Makefile");
        assert_eq!((reached.sources, reached.headers), (1, 0));
        assert_eq!(reached.missing, ["a.mu does not find `b.cuh`"]);
    }

    #[test]
    fn a_source_that_no_compiler_gets_any_more_is_found() {
        let lists = "project(x LANGUAGES CUDA)\nset(S a.cu b.cpp)\nadd_library(x OBJECT ${S})\n";
        let files = [("a.cu", ""), ("b.cpp", "")];
        let before = tree(&[("CMakeLists.txt", lists), files[0], files[1]]);
        let ported = "set(S a.mu b.cpp)\nadd_library(x OBJECT ${S})\n";
        let musas = "set_source_files_properties(${S} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS \"-x;musa\")\n";
        let after = |text: &str| tree(&[("CMakeLists.txt", text), ("a.mu", ""), files[1]]);
        assert_eq!(
            compiled(&before, &after(ported)),
            (1, vec!["a.cu".to_owned()])
        );
        assert_eq!(
            compiled(&before, &after(&format!("{ported}{musas}"))),
            (1, Vec::new())
        );
    }

    #[test]
    fn every_fixture_is_closed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        let (mut named, mut sources) = (0, 0);
        for fixture in fs::read_dir(root).expect("fixtures are there") {
            let fixture = fixture.expect("readable").path();
            if !fixture.is_dir() {
                continue;
            }
            let read = |name: &str| Tree::read(&fixture.join(name)).expect("readable");
            let (checked, faults) = compare(&read("input"), &read("expected"));
            named += checked;
            assert_eq!(faults, [], "{}", fixture.display());
            let (count, lost) = compiled(&read("input"), &read("expected"));
            sources += count;
            assert_eq!(lost, [""; 0], "{}", fixture.display());
        }
        assert!(
            sources > 20,
            "only {sources} sources reach nvcc in all fixtures"
        );
        assert!(
            named > 50,
            "only {named} names lead somewhere in all fixtures"
        );
    }
}
