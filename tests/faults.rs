//! Runs that are killed, or that the system fails, at each of their changes to files: nothing is
//! half written, nothing of anybody's is lost, and the next run completes the work.

#[path = "faults/place.rs"]
mod place;

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use place::{Node, Place, Tree, set_mode};

/// What a tree holds before a person's new release, and after it.
fn sources(release: u32) -> Tree {
    let kernel = |name: &str, body: &str| {
        let text =
            format!("#include <cuda_runtime.h>\n#include \"h.cuh\"\nvoid {name}() {{ {body} }}\n");
        Node::File(0o644, text.into_bytes())
    };
    let text = |text: &str| Node::File(0o644, text.as_bytes().to_vec());
    let large = vec![b'0' + u8::try_from(release).expect("small"); (1 << 20) + 7];
    let mut tree = Tree::new();
    let mut add = |path: &str, node: Node| tree.insert(format!("p/{path}"), node);
    for at in 0..6 {
        let body = format!("cudaFree({});", if at < 4 { release } else { 0 });
        add(&format!("csrc/cuda/k{at}.cu"), kernel("f", &body));
    }
    add(
        "csrc/cuda/h.cuh",
        text("#pragma once\n#include <cuda_fp16.h>\n"),
    );
    add("same.txt", text("the same\n"));
    add("changes.txt", text(&format!("release {release}\n")));
    add("large.bin", Node::File(0o644, large));
    add(
        "run.sh",
        Node::File(
            if release == 1 { 0o644 } else { 0o755 },
            b"#!/bin/sh\n".to_vec(),
        ),
    );
    add("latest", Node::Link(format!("release-{release}").into()));
    if release == 1 {
        add("thing", text("a file\n"));
        add("gone/away.txt", text("goes\n"));
        add("csrc/cuda/old.cu", kernel("old", "cudaFree(0);"));
    } else {
        add("thing/inner.txt", text("in a folder\n"));
        add(
            "csrc/cuda/sub/new.cu",
            kernel("fresh", "cudaDeviceSynchronize();"),
        );
        add("new.txt", text("new\n"));
    }
    tree.insert("beside.txt".to_owned(), text("nobody's business\n"));
    tree
}

/// One way of porting, from a state that is whole to another.
struct Scenario {
    name: &'static str,
    line: &'static [&'static str],
    old: Tree,
    new: Tree,
    /// The files that no run may touch.
    input: fn(&str) -> bool,
    /// Whether the output is not there at all until it is whole.
    at_once: bool,
}

const TREE: &[&str] = &["port", "p", "-o", "m", "--no-stub"];
const LAYOUT: &[&str] = &["port", "p", "--layout", "csrc/cuda=csrc/musa"];
const IN_PLACE: &[&str] = &["port", "p", "--in-place", "--force", "--no-stub"];

fn scenarios() -> Vec<Scenario> {
    let ported = |line: &[&str], tree: &Tree| {
        let place = Place::new(tree);
        let ended = place.run(line, None);
        assert_eq!(ended.code, Some(0), "{}", ended.said);
        place.tree()
    };
    // The next release over the port of the first one, and a file of a person's beside it.
    let next = |tree: &Tree, input: fn(&str) -> bool, own: &str| {
        let mut next = sources(2);
        next.extend(tree.clone().into_iter().filter(|(path, _)| !input(path)));
        next.insert(own.to_owned(), Node::File(0o600, b"mine\n".to_vec()));
        next
    };
    let is_input = |path: &str| !path.starts_with("m/");
    let is_source =
        |path: &str| !(path.starts_with("p/.torchada") || path.starts_with("p/csrc/musa"));
    let update = next(&ported(TREE, &sources(1)), is_input, "m/NOTES");
    let layout = next(&ported(LAYOUT, &sources(1)), is_source, "p/csrc/musa/NOTES");
    let scenario = |name, line, old: Tree, input, at_once| Scenario {
        name,
        line,
        new: ported(line, &old),
        old,
        input,
        at_once,
    };
    vec![
        scenario("a new tree", TREE, sources(2), is_input, true),
        scenario("a tree anew", TREE, update, is_input, false),
        scenario("a new layout", LAYOUT, sources(2), is_source, false),
        scenario("a layout anew", LAYOUT, layout, is_source, false),
        scenario(
            "in place",
            IN_PLACE,
            sources(1),
            |path| path == "beside.txt",
            false,
        ),
    ]
}

impl Scenario {
    /// What is wrong with what an interrupted run left.
    fn faults(&self, left: &Tree) -> Vec<String> {
        let mut faults = Vec::new();
        let is_temporary =
            |path: &str| path.contains(".torchada-tmp-") || path.contains(".torchada/tmp");
        for path in self.old.keys().chain(self.new.keys()) {
            let (old, new) = (self.old.get(path), self.new.get(path));
            let found = left.get(path);
            let is_whole = found == old || found == new;
            // Of the program's own files a settled state may be there.
            let is_state = path.contains(".torchada/") && found.is_some_and(is_json);
            let is_whole = is_whole || is_state || found == Some(&Node::Empty);
            if !is_whole || ((self.input)(path) && found != old) {
                faults.push(format!("{path} is neither old nor new"));
            }
        }
        for path in left.keys() {
            let is_known = self.old.contains_key(path) || self.new.contains_key(path);
            let is_journal =
                path.ends_with(".torchada/pending.json") || path.ends_with(".torchada");
            if !is_known && !is_temporary(path) && !is_journal && left[path] != Node::Empty {
                faults.push(format!("{path} is nobody's"));
            }
        }
        faults
    }

    /// Whether a part of a tree is there that is to come to be at once.
    fn is_in_part(&self, left: &Tree) -> bool {
        let begun = left.keys().any(|path| path.starts_with("m/"));
        self.at_once && begun && self.new.keys().any(|path| !left.contains_key(path))
    }

    /// What is wrong after a run that nothing disturbed.
    fn differences(&self, left: &Tree) -> Vec<String> {
        let paths = self.new.keys().chain(left.keys());
        paths
            .filter(|path| self.new.get(*path) != left.get(*path))
            // It counts the program's own folder among what it left out, if that was there.
            .filter(|path| *path != "p/.torchada/report.json")
            .map(|path| format!("{path} is not what an undisturbed run makes it"))
            .collect()
    }

    fn changes(&self) -> usize {
        let ended = Place::new(&self.old).run(self.line, None);
        assert!(
            ended.changes > 20,
            "{}: {} changes",
            self.name,
            ended.changes
        );
        ended.changes
    }
}

fn is_json(node: &Node) -> bool {
    matches!(node, Node::File(_, bytes) if serde_json::from_slice::<serde_json::Value>(bytes).is_ok())
}

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

#[test]
fn a_killed_run_leaves_whole_files_and_the_next_completes_it() {
    let scenarios = scenarios();
    let points: Vec<(&Scenario, usize)> = scenarios
        .iter()
        .flat_map(|scenario| (1..=scenario.changes()).map(move |at| (scenario, at)))
        .collect();
    let interrupted = AtomicUsize::new(0);
    each(&points, |(scenario, at)| {
        let name = |fault: &String| format!("{}, killed at change {at}: {fault}", scenario.name);
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
        if at % 3 == 0 {
            place.run(scenario.line, Some((at % 17 + 1, "kill")));
            faults.extend(scenario.faults(&place.tree()));
        }
        let ended = place.run(scenario.line, None);
        if ended.code != Some(0) {
            faults.push(format!("the next run fails: {}", ended.said));
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
}

/// What the system can say to a change, and what the user reads then.
const ERRORS: &[(&str, &str)] = &[
    ("full", "No space left on device"),
    ("error=13", "Permission denied"),
    ("readonly", "Read-only file system"),
    ("error=5", "Input/output error"),
];

#[test]
fn a_run_that_the_system_fails_says_why_and_the_next_completes_it() {
    let scenarios = scenarios();
    let points: Vec<(&Scenario, usize)> = scenarios
        .iter()
        .flat_map(|scenario| (1..=scenario.changes()).map(move |at| (scenario, at)))
        .filter(|(_, at)| at % 2 == 0)
        .collect();
    let failed = AtomicUsize::new(0);
    each(&points, |(scenario, at)| {
        let (what, words) = ERRORS[at / 2 % ERRORS.len()];
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
        let told = |node: &Node| matches!(node, Node::File(_, bytes) if String::from_utf8_lossy(bytes).contains(words));
        if !ended.said.contains(words) && !left.values().any(told) {
            faults.push(format!("it does not say why: {}", ended.said));
        }
        let next = place.run(scenario.line, None);
        if next.code != Some(0) {
            faults.push(format!("the next run fails: {}", next.said));
        }
        faults.extend(scenario.differences(&place.tree()));
        faults.into_iter().map(name).collect()
    });
    let (count, all) = (failed.into_inner(), points.len());
    assert!(count * 10 >= all * 8, "only {count} of {all} runs failed");
}

#[test]
fn folders_that_vanish_under_a_run_leave_whole_files() {
    let scenarios = scenarios();
    let points: Vec<(&Scenario, usize, &str)> = scenarios
        .iter()
        .filter(|scenario| scenario.line == TREE)
        .flat_map(|scenario| (1..=scenario.changes()).map(move |at| (scenario, at)))
        .filter(|(_, at)| at % 4 == 0)
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
        if ended.code != Some(0) && ended.said.is_empty() {
            faults.push("it does not say why".to_owned());
        }
        let next = place.run(scenario.line, None);
        if next.code != Some(0) {
            faults.push(format!("the next run fails: {}", next.said));
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
}

#[test]
fn what_may_not_be_written_is_named_and_the_rest_is_there() {
    let place = Place::new(&sources(1));
    place.give_away();
    let at = |path: &str| place.root().join(path);
    // Where nothing can be made, nothing is.
    set_mode(&place.root(), 0o555);
    let ended = place.run_as_nobody(TREE);
    assert_eq!(ended.code, Some(2), "{}", ended.said);
    assert!(ended.said.contains("Permission denied"), "{}", ended.said);
    set_mode(&place.root(), 0o755);
    assert!(!at("m").exists());

    // A source that can't be read fails alone.
    set_mode(&at("p/same.txt"), 0o000);
    let ended = place.run_as_nobody(TREE);
    assert_eq!(ended.code, Some(1), "{}", ended.said);
    assert!(ended.said.contains("1 failed"), "{}", ended.said);
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
    assert_eq!(ended.code, Some(1), "{}", ended.said);
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
    assert_eq!(ended.code, Some(2), "{}", ended.said);
    assert!(ended.said.contains("Permission denied"), "{}", ended.said);
    set_mode(&at("m/.torchada"), 0o755);
    assert_eq!(
        fs::read(at("m/same.txt")).expect("there"),
        b"not the same\n"
    );
}
