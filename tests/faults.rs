//! Runs that are killed, or that the system fails, at each of their changes to files: nothing is
//! half written, nothing of anybody's is lost, and the next run completes the work.

mod place;
mod scenario;

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::nobody::set_mode;
use crate::common::passed::Suite;
use place::{Node, Place};
use scenario::{Scenario, TREE, scenarios, sources};
use torchada::emit::MANIFEST;

/// Do something with each, on as many threads as there are cores.
fn each<T: Sync>(items: &[T], work: impl Fn(&T) -> Vec<String> + Sync) {
    let next = AtomicUsize::new(0);
    let faults = Mutex::new(Vec::new());
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = work(item);
                    faults.lock().expect("unbroken").extend(found);
                }
            });
        }
    });
    let faults = faults.into_inner().expect("unbroken");
    let shown: Vec<&String> = faults.iter().take(20).collect();
    assert!(faults.is_empty(), "{} faults: {shown:#?}", faults.len());
}

/// Runs with faults, which depend on the rules by what their trees become.
fn suite(name: &'static str) -> Suite {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut suite = Suite::new(name)
        .with_version("gcc")
        .with_program_but_rules()
        .with_files(&tests.join("faults"))
        .with_files(&tests.join("faults.rs"));
    for scenario in scenarios() {
        for (path, node) in &scenario.new {
            // The manifest has a digest of the program.
            if let Node::File(_, bytes) = node
                && !path.ends_with(MANIFEST)
            {
                suite = suite.with(path).with(&bytes.escape_ascii().to_string());
            }
        }
    }
    suite
}

#[test]
fn a_killed_run_leaves_whole_files_and_the_next_completes_it() {
    suite("killed").run(|| {
        let scenarios = scenarios();
        let points: Vec<(&Scenario, usize)> = scenarios
            .iter()
            .flat_map(|scenario| (1..=scenario.changes()).map(move |at| (scenario, at)))
            .collect();
        // More than enough, and spread over all of them.
        let step = (points.len() / 310).max(1);
        let points: Vec<_> = points.into_iter().step_by(step).collect();
        let interrupted = AtomicUsize::new(0);
        each(&points, |(scenario, at)| {
            let name =
                |fault: &String| format!("{}, killed at change {at}: {fault}", scenario.name);
            let place = Place::new(&scenario.old);
            if place.run(scenario.line, Some((*at, "kill"))).code.is_none() {
                interrupted.fetch_add(1, Ordering::Relaxed);
            }
            let left = place.tree();
            let mut faults = scenario.faults(&left);
            if scenario.is_in_part(&left) {
                faults.push("a part of a new tree is there".to_owned());
            }
            // Of some runs the next is killed, too.
            if at % 5 == 0 {
                place.run(scenario.line, Some((at % 17 + 1, "kill")));
                faults.extend(scenario.faults(&place.tree()));
            }
            let ended = place.run(scenario.line, None);
            if ended.code != Some(0) {
                faults.push(format!("the next run fails: {}", ended.printed));
            }
            faults.extend(scenario.differences(&place.tree()));
            faults.iter().map(name).collect()
        });
        let (count, all) = (interrupted.into_inner(), points.len());
        assert!(all >= 300, "only {all} points");
        assert!(
            count * 10 >= all * 9,
            "{count} of {all} runs were interrupted"
        );
    });
}

/// What the system can say to a change, and what the user reads then.
const ERRORS: &[(&str, &str)] = &[
    ("full", "No space left on device"),
    ("error=13", "Permission denied"),
    ("readonly", "Read-only file system"),
    ONE_FILE,
];
/// An error that says nothing about other files.
const ONE_FILE: (&str, &str) = ("error=5", "Input/output error");

#[test]
fn a_run_that_the_system_fails_says_why_and_the_next_completes_it() {
    suite("failed").run(|| {
        let scenarios = scenarios();
        let changes =
            |scenario: &'static Scenario| (1..=scenario.changes()).map(move |at| (scenario, at));
        let spread = scenarios
            .iter()
            .flat_map(changes)
            .filter(|(_, at)| at % 5 == 0);
        let spread = spread.map(|(scenario, at)| (scenario, at, ERRORS[at / 5 % ERRORS.len()]));
        // After an error of one file the run goes on, and what it leaves depends on which file that was.
        let updates = scenarios.iter().filter(|scenario| scenario.is_update());
        let each_change = updates
            .flat_map(changes)
            .map(|(scenario, at)| (scenario, at, ONE_FILE));
        let points: Vec<_> = spread.chain(each_change).collect();
        let failed = AtomicUsize::new(0);
        each(&points, |(scenario, at, (what, words))| {
            let name = |fault: String| format!("{}, {what} at change {at}: {fault}", scenario.name);
            let place = Place::new(&scenario.old);
            let ended = place.run(scenario.line, Some((*at, what)));
            let left = place.tree();
            if ended.code == Some(0) {
                // What failed was the removal of what is of no use.
                place.run(scenario.line, None);
                let mut left = place.tree();
                left.retain(|_, node| *node != Node::Empty);
                return scenario.differences(&left).into_iter().map(name).collect();
            }
            failed.fetch_add(1, Ordering::Relaxed);
            let mut faults = scenario.faults(&left);
            // A file that fails alone is named, and the others are there.
            if ended.code != Some(1) && scenario.is_in_part(&left) {
                faults.push("a part of a new tree is there".to_owned());
            }
            let has_words = |node: &Node| match node {
                Node::File(_, bytes) => String::from_utf8_lossy(bytes).contains(words),
                Node::Link(_) | Node::Empty => false,
            };
            if !ended.printed.contains(words) && !left.values().any(has_words) {
                faults.push(format!("it does not say why: {}", ended.printed));
            }
            let next = place.run(scenario.line, None);
            if next.code != Some(0) {
                faults.push(format!("the next run fails: {}", next.printed));
            }
            faults.extend(scenario.differences(&place.tree()));
            faults.into_iter().map(name).collect()
        });
        let (count, all) = (failed.into_inner(), points.len());
        assert!(count * 10 >= all * 8, "only {count} of {all} runs failed");
    });
}

#[test]
fn folders_that_vanish_under_a_run_leave_whole_files() {
    suite("vanished").run(|| {
        let scenarios = scenarios();
        let points: Vec<(&Scenario, usize, &str)> = scenarios
            .iter()
            .filter(|scenario| scenario.line == TREE)
            .flat_map(|scenario| (1..=scenario.changes()).map(move |at| (scenario, at)))
            .filter(|(_, at)| at % 8 == 0)
            .flat_map(|(scenario, at)| ["p", "m"].map(|folder| (scenario, at, folder)))
            .collect();
        each(&points, |(scenario, at, folder)| {
            let name = |fault: String| {
                let scenario = scenario.name;
                format!("{scenario}, {folder} vanishes at change {at}: {fault}")
            };
            let place = Place::new(&scenario.old);
            let ended = place.run(scenario.line, Some((*at, &format!("vanish=@/{folder}"))));
            let moved = place.root().join(format!("{folder}.vanished"));
            let mut faults = Vec::new();
            if moved.exists() {
                let back = place.root().join(folder);
                // A run may have made the folder anew, with what is to be in it.
                if back.exists() {
                    fs::remove_dir_all(&moved).expect("removed");
                } else {
                    fs::rename(&moved, &back).expect("moved back");
                }
            }
            faults.extend(scenario.faults(&place.tree()));
            if ended.code != Some(0) && ended.printed.is_empty() {
                faults.push("it does not say why".to_owned());
            }
            let next = place.run(scenario.line, None);
            if next.code != Some(0) {
                faults.push(format!("the next run fails: {}", next.printed));
            }
            let mut left = place.tree();
            // Where the whole output vanished, a person's file in it did, too.
            if !left.contains_key("m/NOTES") {
                left.extend(
                    scenario
                        .new
                        .get_key_value("m/NOTES")
                        .map(|(a, b)| (a.clone(), b.clone())),
                );
            }
            faults.extend(scenario.differences(&left));
            faults.into_iter().map(name).collect()
        });
    });
}

#[test]
fn what_may_not_be_written_is_named_and_the_rest_is_there() {
    let place = Place::new(&sources(1));
    place.give_away();
    let at = |path: &str| place.root().join(path);
    // Where nothing can be made, nothing is.
    set_mode(&place.root(), 0o555);
    let ended = place.run_as_nobody(TREE);
    assert_eq!(ended.code, Some(2), "{}", ended.printed);
    assert!(
        ended.printed.contains("Permission denied"),
        "{}",
        ended.printed
    );
    set_mode(&place.root(), 0o755);
    assert!(!at("m").exists());

    // A source that can't be read fails alone.
    set_mode(&at("p/same.txt"), 0o000);
    let ended = place.run_as_nobody(TREE);
    assert_eq!(ended.code, Some(1), "{}", ended.printed);
    assert!(ended.printed.contains("1 failed"), "{}", ended.printed);
    assert!(!at("m/same.txt").exists() && at("m/changes.txt").exists());
    set_mode(&at("p/same.txt"), 0o444);
    assert_eq!(place.run_as_nobody(TREE).code, Some(0));
    assert!(at("m/same.txt").exists());

    // A file that was copied from one that is for reading only is replaced all the same.
    set_mode(&at("p/same.txt"), 0o644);
    fs::write(at("p/same.txt"), "not the same\n").expect("written");
    fs::write(at("p/changes.txt"), "changed\n").expect("written");
    fs::write(at("p/csrc/cuda/k0.cu"), "void f() { cudaFree(nullptr); }\n").expect("written");
    set_mode(&at("m/csrc/cuda"), 0o555);
    let ended = place.run_as_nobody(TREE);
    assert_eq!(ended.code, Some(1), "{}", ended.printed);
    let report = fs::read_to_string(at("m/.torchada/report.json")).expect("there");
    assert!(
        report.contains("csrc/cuda/k0.cu") && report.contains("Permission denied"),
        "{report}"
    );
    assert_eq!(
        fs::read(at("m/same.txt")).expect("there"),
        b"not the same\n"
    );
    let kernel = || fs::read_to_string(at("m/csrc/cuda/k0.mu")).expect("there");
    assert!(kernel().contains("musaFree(1)"), "{}", kernel());
    set_mode(&at("m/csrc/cuda"), 0o755);
    assert_eq!(place.run_as_nobody(TREE).code, Some(0));
    assert!(kernel().contains("musaFree(nullptr)"), "{}", kernel());

    // Where the program can't keep its own files, it changes nothing.
    fs::write(at("p/same.txt"), "the same again\n").expect("written");
    set_mode(&at("m/.torchada"), 0o555);
    let ended = place.run_as_nobody(TREE);
    assert_eq!(ended.code, Some(2), "{}", ended.printed);
    assert!(
        ended.printed.contains("Permission denied"),
        "{}",
        ended.printed
    );
    set_mode(&at("m/.torchada"), 0o755);
    assert_eq!(
        fs::read(at("m/same.txt")).expect("there"),
        b"not the same\n"
    );
}

#[test]
fn a_source_that_changes_under_a_run_fails_alone() {
    let scenarios = scenarios();
    let scenarios = scenarios.iter().filter(|scenario| scenario.line == TREE);
    for scenario in scenarios {
        let place = Place::new(&scenario.old);
        let ended = place.run(scenario.line, Some((1, "change=@/p/csrc/cuda/k1.cu")));
        assert_eq!(ended.code, Some(1), "{}: {}", scenario.name, ended.printed);
        let left = place.tree();
        let is_whole = |path: &String| {
            let expected = if path == "m/csrc/cuda/k1.mu" {
                &scenario.old
            } else {
                &scenario.new
            };
            let is_state = path.contains(".torchada") || !path.starts_with("m/");
            is_state || left.get(path) == expected.get(path)
        };
        let wrong: Vec<_> = scenario.new.keys().filter(|path| !is_whole(path)).collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}", scenario.name);
        let report = fs::read_to_string(place.root().join("m/.torchada/report.json"));
        let report = report.expect("there");
        assert!(report.contains("changed while it was ported"), "{report}");
        assert_eq!(place.run(scenario.line, None).code, Some(0));
        let port = fs::read_to_string(place.root().join("m/csrc/cuda/k1.mu")).expect("there");
        assert!(
            port.contains("musaFree(2)") && port.ends_with("// changed\n"),
            "{port}"
        );
    }
}
