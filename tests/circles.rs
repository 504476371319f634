//! No files of a room import each other in a circle.
//!
//! What a path leads to is where its last name is defined, through re-exports: a file that takes something from the
//! `mod.rs` above it imports the file that this re-exports it from. Re-exports are no imports of the file that has them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use torchada::syntax::{LexOptions, TokenKind, lex};

use super::layers::{shown, source, sources, without_lifetimes};

/// Files that are one analysis, which calls itself, and count as one: what a value is depends on where it flows, and where
/// it flows on what the expressions around it are.
const ONE_ANALYSIS: [&str; 6] = [
    "rules::python::inference",
    "rules::python::inference::by_use::arguments",
    "rules::python::inference::by_use::by_position",
    "rules::python::inference::by_use::dictionaries",
    "rules::python::inference::by_use::expressions",
    "rules::python::inference::by_use::flow",
];

/// A path by its names.
type Names = Vec<String>;

/// A name that a file imports: as it is called there, what it is, and the line.
struct Import {
    name: String,
    path: Names,
    is_public: bool,
    line: usize,
}

/// A file as a module.
#[derive(Default)]
struct Module {
    shown: String,
    children: BTreeSet<String>,
    imports: Vec<Import>,
    /// Paths in the code itself.
    inline: Vec<(Names, usize)>,
}

/// The files of the program by their paths as modules.
type Modules = BTreeMap<Names, Module>;

/// The words of a file with their lines. What only tests need is left out.
fn words(text: &str) -> Vec<(String, usize)> {
    let code = text.split("\n#[cfg(test)]\nmod tests").next();
    let code = without_lifetimes(code.unwrap_or_default()).replace("#[", " [");
    let tokens = lex(code.as_bytes(), LexOptions::default()).tokens;
    let (mut line, mut at) = (1, 0);
    let mut found = Vec::new();
    for token in &tokens {
        let start = token.range().start;
        line += code[at..start].matches('\n').count();
        at = start;
        if matches!(token.kind, TokenKind::Identifier | TokenKind::Punct) {
            let word = String::from_utf8_lossy(token.text(code.as_bytes()));
            found.push((word.into_owned(), line));
        }
    }
    found
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Read the tree of a `use` from a place on: every name that it imports. Returns the place behind it.
fn read_use(
    words: &[(String, usize)],
    mut at: usize,
    front: &[String],
    is_public: bool,
    found: &mut Vec<Import>,
) -> usize {
    let word = |at: usize| words.get(at).map_or("", |(word, _)| word.as_str());
    let line = words.get(at).map_or(0, |(_, line)| *line);
    let mut path = front.to_vec();
    loop {
        match word(at) {
            "{" => {
                at += 1;
                while !matches!(word(at), "}" | "") {
                    at = read_use(words, at, &path, is_public, found);
                    at += usize::from(word(at) == ",");
                }
                return at + 1;
            }
            "self" if !path.is_empty() => at += 1,
            one => {
                path.push(one.to_owned());
                at += 1;
            }
        }
        if word(at) != "::" {
            break;
        }
        at += 1;
    }
    let mut name = path.last().map_or("", String::as_str);
    if word(at) == "as" {
        name = word(at + 1);
        at += 2;
    }
    found.push(Import {
        name: name.to_owned(),
        path,
        is_public,
        line,
    });
    at
}

fn module(shown: String, text: &str) -> Module {
    let words = words(text);
    let word = |at: usize| words.get(at).map_or("", |(word, _)| word.as_str());
    let mut module = Module {
        shown,
        ..Module::default()
    };
    let mut at = 0;
    while at < words.len() {
        let before = at.checked_sub(1).map_or("", word);
        if word(at) == "mod" && word(at + 2) == ";" {
            module.children.insert(word(at + 1).to_owned());
            at += 3;
        } else if word(at) == "use" {
            let is_public = matches!(before, "pub" | ")");
            at = read_use(&words, at + 1, &[], is_public, &mut module.imports);
        } else if is_name(word(at)) && word(at + 1) == "::" && !matches!(before, "::" | ".") {
            let line = words[at].1;
            let mut path = vec![word(at).to_owned()];
            while word(at + 1) == "::" && is_name(word(at + 2)) {
                path.push(word(at + 2).to_owned());
                at += 2;
            }
            module.inline.push((path, line));
            at += 1;
        } else {
            at += 1;
        }
    }
    module
}

fn modules() -> Modules {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let read = |file: &Path| {
        let inside = file.strip_prefix(&src).expect("below src");
        let parts = inside.with_extension("");
        let mut names: Names = parts
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        if matches!(names.last().map(String::as_str), Some("mod" | "lib")) {
            names.pop();
        }
        (names, module(shown(file), &source(file)))
    };
    let files = sources();
    let files = files.iter().filter(|file| !file.ends_with("main.rs"));
    files.map(|file| read(file)).collect()
}

/// The module whose file defines what a path in a file means; `None` for what is outside, and for modules themselves.
fn home(modules: &Modules, file: &Names, path: &[String], steps: usize) -> Option<Names> {
    let own = modules.get(file)?;
    let first = path.first()?.as_str();
    let mut rest = path;
    let mut here = file.clone();
    match first {
        "crate" => (here, rest) = (Names::new(), &path[1..]),
        "self" | "super" => {
            while let Some(first @ ("self" | "super")) = rest.first().map(String::as_str) {
                if first == "super" {
                    here.pop();
                }
                rest = &rest[1..];
            }
        }
        _ if own.children.contains(first) => {}
        _ => return imported(modules, file, path, steps),
    }
    while let Some(next) = rest.first() {
        let mut below = here.clone();
        below.push(next.clone());
        if modules.contains_key(&below) {
            (here, rest) = (below, &rest[1..]);
        } else {
            return imported(modules, &here, rest, steps).or(Some(here));
        }
    }
    None
}

/// Where a name leads that a file imports.
fn imported(modules: &Modules, file: &Names, path: &[String], steps: usize) -> Option<Names> {
    let steps = steps.checked_sub(1)?;
    let mut imports = modules.get(file)?.imports.iter();
    let import = imports.find(|one| one.name == path[0] && one.path != path[..1])?;
    let whole: Names = import.path.iter().chain(&path[1..]).cloned().collect();
    home(modules, file, &whole, steps)
}

/// For each file the files of its room that it imports, each with a line that does.
fn edges(modules: &Modules) -> BTreeMap<Names, BTreeMap<Names, usize>> {
    let whole = |file: Names| {
        let is_part = ONE_ANALYSIS.contains(&file.join("::").as_str());
        let first = ONE_ANALYSIS[0].split("::").map(str::to_owned);
        if is_part { first.collect() } else { file }
    };
    let mut edges: BTreeMap<Names, BTreeMap<Names, usize>> = BTreeMap::new();
    for (file, module) in modules {
        let imports = module.imports.iter().filter(|one| !one.is_public);
        let imports = imports.map(|one| (&one.path, one.line));
        let inline = module.inline.iter().map(|(path, line)| (path, *line));
        for (path, line) in imports.chain(inline) {
            if let Some(home) = home(modules, file, path, 20)
                && home.first() == file.first()
            {
                let (from, to) = (whole(file.clone()), whole(home));
                if from != to {
                    edges.entry(from).or_default().entry(to).or_insert(line);
                }
            }
        }
    }
    edges
}

/// The files that a file imports, and those that they import, and so on.
fn reached(edges: &BTreeMap<Names, BTreeMap<Names, usize>>, from: &Names) -> BTreeSet<Names> {
    let mut found = BTreeSet::new();
    let mut queue = vec![from];
    while let Some(file) = queue.pop() {
        for to in edges.get(file).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(to.clone()) {
                queue.push(to);
            }
        }
    }
    found
}

#[test]
fn no_files_of_a_room_import_each_other_in_a_circle() {
    let modules = modules();
    let edges = edges(&modules);
    let seen: usize = edges.values().map(BTreeMap::len).sum();
    assert!(
        seen > 500,
        "only {seen} imports were seen: the scan is at fault"
    );
    let reached: BTreeMap<&Names, BTreeSet<Names>> = edges
        .keys()
        .map(|file| (file, reached(&edges, file)))
        .collect();
    let mut faults = Vec::new();
    for (from, to) in &edges {
        for (to, line) in to {
            if reached.get(to).is_some_and(|back| back.contains(from)) {
                let (from, to) = (&modules[from].shown, &modules[to].shown);
                faults.push(format!(
                    "{from}:{line} imports {to}, which leads back to it"
                ));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "move what both need into a file of its own:\n{}",
        faults.join("\n")
    );
}

#[test]
fn a_re_export_is_followed_to_the_file_that_defines_the_name() {
    let names = |path: &str| -> Names { path.split("::").map(str::to_owned).collect() };
    let files = [
        (
            "a",
            "mod b;\nmod c;\npub use b::Thing;\nfn go() { c::run() }\n",
        ),
        ("a::b", "pub struct Thing;\n"),
        (
            "a::c",
            "use super::{Thing, go};\npub fn run(_: Thing) { go() }\n",
        ),
    ];
    let read = |(path, text): (&str, &str)| (names(path), module(path.to_owned(), text));
    let modules: Modules = files.map(read).into();
    let found = edges(&modules);
    let to = |file: &str| -> Vec<String> {
        let to = found.get(&names(file)).into_iter().flatten();
        to.map(|(to, _)| to.join("::")).collect()
    };
    assert_eq!(to("a"), ["a::c"]);
    assert_eq!(to("a::b"), [""; 0]);
    assert_eq!(to("a::c"), ["a", "a::b"]);
}
