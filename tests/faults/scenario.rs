//! Ways of porting, from a state that is whole to another.

use std::sync::OnceLock;

use super::place::{Node, Place, Tree};

/// What a tree holds before a person's new release, and after it.
pub(crate) fn sources(release: u32) -> Tree {
    let kernel = |name: &str, body: &str| {
        let text = format!(
            "#include <cuda_runtime.h>\n#include \"h.cuh\"\nvoid {name}() {{ {body} }}\nint one;\nint two;\n"
        );
        Node::File(0o644, text.into_bytes())
    };
    let text = |text: &str| Node::File(0o644, text.as_bytes().to_vec());
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
    add(
        "run.sh",
        Node::File(
            if release == 1 { 0o644 } else { 0o755 },
            b"#!/bin/sh\n".to_vec(),
        ),
    );
    add("latest", Node::Link(format!("release-{release}").into()));
    let moved = if release == 1 { "moved" } else { "sub/moved" };
    add(
        &format!("csrc/cuda/{moved}.cu"),
        kernel("moved", "cudaFree(9);"),
    );
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
        add("large.bin", Node::File(0o644, vec![b'0'; (1 << 20) + 7]));
    }
    tree.insert("beside.txt".to_owned(), text("nobody's business\n"));
    tree
}

/// One way of porting, from a state that is whole to another.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) line: &'static [&'static str],
    pub(crate) old: Tree,
    pub(crate) new: Tree,
    /// The files that no run may touch.
    pub(crate) input: fn(&str) -> bool,
    /// Whether the output is not there at all until it is whole.
    pub(crate) at_once: bool,
}

pub(crate) const TREE: &[&str] = &["port", "p", "-o", "m", "--no-stub"];
/// What a person adds to files of a port. The first is changed by the next release, too, and the
/// second gets another place.
const EDITS: &[(&str, &[u8])] = &[
    ("m/csrc/cuda/k0.mu", b"// mine\n"),
    ("m/csrc/cuda/moved.mu", b"// mine as well\n"),
];
const LAYOUT: &[&str] = &["port", "p", "--layout", "csrc/cuda=csrc/musa"];
const IN_PLACE: &[&str] = &["port", "p", "--in-place", "--force", "--no-stub"];

/// All ways, made once for all tests.
pub(crate) fn scenarios() -> &'static [Scenario] {
    static SCENARIOS: OnceLock<Vec<Scenario>> = OnceLock::new();
    SCENARIOS.get_or_init(make)
}

fn make() -> Vec<Scenario> {
    let ported = |line: &[&str], tree: &Tree| {
        let place = Place::new(tree);
        let ended = place.run(line, None);
        assert_eq!(ended.code, Some(0), "{}", ended.printed);
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
    let mut update = next(&ported(TREE, &sources(1)), is_input, "m/NOTES");
    for (path, edit) in EDITS {
        if let Some(Node::File(_, text)) = update.get_mut(*path) {
            text.extend_from_slice(edit);
        }
    }
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
    /// Whether an earlier port is there, with a person's edits.
    pub(crate) fn is_update(&self) -> bool {
        self.old.keys().any(|path| path == EDITS[0].0)
    }

    /// What is wrong with what an interrupted run left.
    pub(crate) fn faults(&self, left: &Tree) -> Vec<String> {
        let mut faults = Vec::new();
        let is_temporary =
            |path: &str| path.contains(".torchada-tmp-") || path.contains(".torchada/tmp");
        for path in self.old.keys().chain(self.new.keys()) {
            let (old, new) = (self.old.get(path), self.new.get(path));
            let found = left.get(path);
            let is_whole = found == old || found == new;
            // Of the program's own files a settled state may be there.
            let is_state = path.contains(".torchada/") && found.is_none_or(is_sound);
            let is_whole = is_whole || is_state || found == Some(&Node::Empty);
            if !is_whole || ((self.input)(path) && found != old) {
                faults.push(format!("{path} is neither old nor new"));
            }
        }
        let has = |tree: &Tree, edit: &[u8]| {
            tree.iter().any(|(path, node)| {
                !is_temporary(path) && matches!(node, Node::File(_, text) if text.ends_with(edit))
            })
        };
        for (_, edit) in EDITS {
            if has(&self.old, edit) && !has(left, edit) {
                faults.push(format!("{} is lost", String::from_utf8_lossy(edit)));
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
    pub(crate) fn is_in_part(&self, left: &Tree) -> bool {
        let begun = left.keys().any(|path| path.starts_with("m/"));
        self.at_once && begun && self.new.keys().any(|path| !left.contains_key(path))
    }

    /// What is wrong after a run that nothing disturbed.
    pub(crate) fn differences(&self, left: &Tree) -> Vec<String> {
        let paths = self.new.keys().chain(left.keys());
        paths
            .filter(|path| self.new.get(*path) != left.get(*path))
            // It counts the program's own folder among what it left out, if that was there.
            .filter(|path| *path != "p/.torchada/report.json")
            .map(|path| format!("{path} is not what an undisturbed run makes it"))
            .collect()
    }

    pub(crate) fn changes(&self) -> usize {
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

/// Whether a file of the program's own is whole.
fn is_sound(node: &Node) -> bool {
    matches!(node, Node::File(_, bytes) if bytes.starts_with(b"torchada bases 2\n\0"))
        || is_json(node)
}

fn is_json(node: &Node) -> bool {
    matches!(node, Node::File(_, bytes) if serde_json::from_slice::<serde_json::Value>(bytes).is_ok())
}
