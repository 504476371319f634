//! Who may enter which room: every file keeps the import rules of `docs/architecture.md`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use torchada::syntax::{LexOptions, TokenKind, lex};

/// Each room under `src/` with the rooms that it may enter, in reading order. `main` is the
/// program itself.
const ROOMS: &[(&str, &[&str])] = &[
    (
        "main",
        &[
            "cli",
            "commands",
            "config",
            "diagnostic",
            "emit",
            "machine",
            "progress",
            "report",
        ],
    ),
    ("cli", &["mapping"]),
    ("parallel", &[]),
    ("progress", &[]),
    ("files", &[]),
    ("git", &["files", "mapping", "parallel", "text"]),
    ("config", &["cli", "files", "machine", "mapping", "text"]),
    (
        "walk",
        &[
            "config",
            "diagnostic",
            "files",
            "git",
            "mapping",
            "parallel",
        ],
    ),
    ("classify", &["mapping"]),
    ("text", &[]),
    ("diagnostic", &["mapping", "text"]),
    ("syntax", &["text"]),
    ("mapping", &[]),
    ("machine", &["files", "mapping", "text"]),
    ("doctor", &["files", "machine", "mapping", "text"]),
    ("ptx", &["mapping", "syntax", "text"]),
    ("hazards", &["mapping", "ptx", "syntax", "text"]),
    (
        "project",
        &[
            "classify",
            "diagnostic",
            "hazards",
            "mapping",
            "parallel",
            "ptx",
            "syntax",
            "text",
        ],
    ),
    (
        "rules",
        &[
            "classify",
            "diagnostic",
            "edit",
            "hazards",
            "mapping",
            "parallel",
            "project",
            "ptx",
            "syntax",
            "text",
        ],
    ),
    ("edit", &["diagnostic", "mapping", "text"]),
    ("verify", &["diagnostic", "edit", "syntax", "text"]),
    (
        "emit",
        &[
            "config",
            "diagnostic",
            "edit",
            "files",
            "git",
            "mapping",
            "parallel",
            "progress",
            "text",
        ],
    ),
    (
        "learn",
        &["files", "machine", "mapping", "parallel", "syntax", "text"],
    ),
    ("shim", &["mapping"]),
    ("alias", &["mapping", "text"]),
    ("buildlog", &["mapping"]),
    ("stub", &["mapping", "text"]),
    (
        "report",
        &[
            "alias",
            "diagnostic",
            "doctor",
            "mapping",
            "parallel",
            "progress",
            "text",
        ],
    ),
    (
        "commands",
        &[
            "alias",
            "buildlog",
            "classify",
            "cli",
            "config",
            "diagnostic",
            "doctor",
            "edit",
            "emit",
            "files",
            "git",
            "hazards",
            "learn",
            "machine",
            "mapping",
            "parallel",
            "progress",
            "project",
            "ptx",
            "report",
            "rules",
            "shim",
            "stub",
            "syntax",
            "text",
            "verify",
            "walk",
        ],
    ),
];

/// Paths of the standard library and of others that only some rooms may use, and why.
const RESERVED: &[(&str, &[&str], &str)] = &[
    (
        "std::fs",
        &[
            "files", "config", "walk", "emit", "machine", "doctor", "commands",
        ],
        "only these rooms touch files; all others are given what they need",
    ),
    (
        "std::env",
        &["files", "machine"],
        "settings come from arguments and the configuration, never from the environment; only where this user's \
         own state lies is asked of it, and what `machine::Environment` hands on",
    ),
    (
        "std::process",
        &["main", "git", "machine"],
        "only `main` ends the process, and only `git` and `machine` start programs",
    ),
    ("std::net", &[], "the program talks to nobody"),
    (
        "tree_sitter",
        &["syntax"],
        "how much is parsed, and with what, is the secret of `syntax`",
    ),
    (
        "ruff_python_parser",
        &["syntax"],
        "how much is parsed, and with what, is the secret of `syntax`",
    ),
    (
        "clap",
        &["main", "cli"],
        "the command line is defined in one place",
    ),
];

/// One path in code: `crate::mapping::Row` as its first two parts.
struct Use {
    room: String,
    file: PathBuf,
    line: usize,
    path: Vec<String>,
}

pub fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files: Vec<PathBuf> = walkdir::WalkDir::new(root)
        .into_iter()
        .map(|entry| entry.expect("readable").into_path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .filter(|path| !is_build_script(path))
        .collect();
    files.sort();
    files
}

/// Whether a file is the build script of a package: it runs before the program is there.
fn is_build_script(path: &Path) -> bool {
    path.ends_with("build.rs") && path.with_file_name("Cargo.toml").exists()
}

/// The room of a file: the first part of its path under `src/`. `lib.rs` only lists the rooms.
fn room(file: &Path) -> Option<String> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let first = file
        .strip_prefix(src)
        .ok()?
        .iter()
        .next()?
        .to_string_lossy()
        .into_owned();
    let name = first.trim_end_matches(".rs");
    (name != "lib").then(|| name.to_owned())
}

/// The text of a source file, in which the paths of a room that is a package of its own are written as those of the
/// other rooms: from the root of the program.
pub fn source(file: &Path) -> String {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let text = fs::read_to_string(file).expect("readable");
    let is_package = |room: &str| src.join(room).join("Cargo.toml").exists();
    let text = match room(file) {
        Some(room) if is_package(&room) => text.replace("crate::", &format!("crate::{room}::")),
        _ => text,
    };
    let packages = ROOMS.iter().map(|(room, _)| *room);
    packages
        .filter(|room| is_package(room))
        .fold(text, |text, room| {
            text.replace(&format!("torchada_{room}::"), &format!("crate::{room}::"))
        })
}

/// Every path in a text that starts at one of `roots`, groups in braces taken apart. The lexer
/// is C++'s: comments, strings and `::` are the same in Rust, and a lifetime's quote is cut off
/// before.
fn paths(text: &str, roots: &[&str]) -> Vec<(usize, Vec<String>)> {
    let text = without_lifetimes(text);
    let source = text.as_bytes();
    let tokens = lex(source, LexOptions::default()).tokens;
    let word = |at: usize| tokens.get(at).map_or(&b""[..], |token| token.text(source));
    let line = |at: usize| {
        let start = tokens.get(at).map_or(0, |token| token.range().start);
        text[..start].lines().count().max(1) + usize::from(text[..start].ends_with('\n'))
    };
    let name = |at: usize| String::from_utf8_lossy(word(at)).into_owned();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_root = token.kind == TokenKind::Identifier
            && roots
                .iter()
                .any(|root| root.as_bytes() == token.text(source))
            && (at == 0 || word(at - 1) != b"::");
        if !is_root || word(at + 1) != b"::" {
            continue;
        }
        if word(at + 2) != b"{" {
            found.push((line(at), vec![name(at), name(at + 2)]));
            continue;
        }
        let mut depth = 0_usize;
        let mut fresh = true;
        for inner in at + 2..tokens.len() {
            match word(inner) {
                b"{" => depth += 1,
                b"}" => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                b"," if depth == 1 => fresh = true,
                _ if fresh && depth == 1 => {
                    found.push((line(inner), vec![name(at), name(inner)]));
                    fresh = false;
                }
                _ => {}
            }
        }
    }
    found
}

/// `'a` would open a character literal.
pub fn without_lifetimes(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        let next = bytes.get(at + 1).copied().unwrap_or(0);
        let after = bytes.get(at + 2).copied().unwrap_or(0);
        let lifetime =
            character == '\'' && (next.is_ascii_alphabetic() || next == b'_') && after != b'\'';
        let closes = at > 0
            && bytes
                .get(at.wrapping_sub(1))
                .is_some_and(|b| !b.is_ascii_whitespace() && !b"<&(+,".contains(b));
        out.push(if lifetime && !closes { ' ' } else { character });
    }
    out
}

/// Whether the folder's own module has a file for tests alone.
fn is_test(file: &Path) -> bool {
    let module = fs::read_to_string(file.with_file_name("mod.rs")).unwrap_or_default();
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    module.contains(&format!("#[cfg(test)]\nmod {name};"))
}

fn uses(roots: &[&str]) -> Vec<Use> {
    let mut found = Vec::new();
    for file in sources() {
        let Some(room) = room(&file) else { continue };
        // What tests need is their own affair.
        if is_test(&file) {
            continue;
        }
        let text = source(&file);
        let code = text
            .split("\n#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        for (line, path) in paths(code, roots) {
            found.push(Use {
                room: room.clone(),
                file: file.clone(),
                line,
                path,
            });
        }
    }
    found
}

pub fn shown(file: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    file.strip_prefix(root)
        .unwrap_or(file)
        .display()
        .to_string()
}

#[test]
fn every_room_has_its_rules() {
    let known: BTreeMap<&str, _> = ROOMS.iter().copied().collect();
    let mut seen: Vec<String> = sources().iter().filter_map(|file| room(file)).collect();
    seen.dedup();
    for room in &seen {
        assert!(
            known.contains_key(room.as_str()),
            "src/{room} is a room without rules: say in tests/layers.rs and in \
             docs/architecture.md which rooms it may enter"
        );
    }
    for (room, _) in ROOMS {
        assert!(
            seen.iter().any(|seen| seen == room),
            "tests/layers.rs has rules for src/{room}, which is not there"
        );
    }
}

#[test]
fn rooms_enter_only_the_rooms_that_they_may() {
    let rules: BTreeMap<&str, &[&str]> = ROOMS.iter().copied().collect();
    let mut faults: Vec<String> = Vec::new();
    let uses = uses(&["crate", "torchada"]);
    assert!(
        uses.len() > 100,
        "only {} imports were seen: the scan is at fault",
        uses.len()
    );
    for one in uses {
        let [_, target] = one.path.as_slice() else {
            continue;
        };
        let Some(may) = rules.get(one.room.as_str()) else {
            continue;
        };
        if *target != one.room && !may.contains(&target.as_str()) {
            let file = shown(&one.file);
            let may = if may.is_empty() {
                "no other room".to_owned()
            } else {
                may.join(", ")
            };
            faults.push(format!(
                "{file}:{}: `{}` may not enter `{target}`; it may enter {may}",
                one.line, one.room
            ));
        }
    }
    assert_no_faults(&faults);
}

/// Fail where a file breaks a rule of the architecture.
fn assert_no_faults(faults: &[String]) {
    assert!(
        faults.is_empty(),
        "against docs/architecture.md:\n{}",
        faults.join("\n")
    );
}

#[test]
fn what_few_rooms_may_use_is_used_there_only() {
    let mut faults: Vec<String> = Vec::new();
    let parts = |path: &'static str| path.split_once("::").unwrap_or((path, ""));
    let roots: Vec<&str> = RESERVED.iter().map(|(path, ..)| parts(path).0).collect();
    for one in uses(&roots) {
        for (path, rooms, why) in RESERVED {
            let (root, module) = parts(path);
            let names_it = one.path[0] == root && (module.is_empty() || one.path[1] == module);
            if names_it && !rooms.contains(&one.room.as_str()) {
                let file = shown(&one.file);
                faults.push(format!(
                    "{file}:{}: `{}` uses `{path}`: {why}",
                    one.line, one.room
                ));
            }
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn no_two_rooms_below_the_commands_enter_each_other() {
    let rules: BTreeMap<&str, &[&str]> = ROOMS.iter().copied().collect();
    for (room, may) in ROOMS {
        for other in *may {
            assert!(
                !rules[other].contains(room),
                "`{room}` and `{other}` may enter each other: one of them has to go first"
            );
        }
    }
}

#[test]
fn the_document_has_the_same_rules() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let document = fs::read_to_string(path).expect("docs/architecture.md is there");
    for (room, may) in ROOMS {
        let list = if may.is_empty() {
            "nothing".to_owned()
        } else {
            may.join(", ")
        };
        let row = format!("| `{room}` | {list} |");
        assert!(
            document.contains(&row),
            "docs/architecture.md lacks the row\n{row}"
        );
    }
}

#[test]
fn groups_and_nested_paths_are_seen() {
    let text = "use crate::{edit::{Edit, set}, text};\nfn f<'a>(x: &'a str) { crate::walk::go() }\n// crate::no\n";
    let found: Vec<String> = paths(text, &["crate"])
        .into_iter()
        .map(|(line, path)| format!("{line} {}", path[1]))
        .collect();
    assert_eq!(found, ["1 edit", "1 text", "2 walk"]);
}
