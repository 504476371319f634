//! Names of sources in a text: includes of C++, and words with an ending of CUDA's or MUSA's anywhere else.

use torchada::syntax::{hash_comments, python_strings};

use crate::tree::ENDINGS;

/// A name of a source.
#[derive(Debug)]
pub(crate) struct Name {
    /// As it is written.
    pub(crate) text: String,
    /// 1-based.
    pub(crate) line: usize,
    /// Whether an `#include` has it.
    pub(crate) is_include: bool,
    /// A path below the folder that a packaging manifest names before it.
    below: Option<String>,
}

impl Name {
    /// The file from which the name is seen, where it stands in the file `here`.
    pub(crate) fn from<'a>(&'a self, here: &'a str) -> &'a str {
        self.below.as_deref().unwrap_or(here)
    }
}

/// All names in the file at `path`.
pub(crate) fn names(path: &str, text: &[u8]) -> Vec<Name> {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let name = path.rsplit('/').next().unwrap_or(path);
    match ending {
        "cu" | "cuh" | "mu" | "muh" | "c" | "cc" | "cpp" | "cxx" | "h" | "hpp" | "hh" | "hxx"
        | "inl" | "inc" => includes(text),
        "py" => {
            let strings = python_strings(text).unwrap_or_default();
            let found = strings.iter().flat_map(|one| {
                let before = text.get(..one.start).unwrap_or_default();
                words(one.of(text), memchr::memchr_iter(b'\n', before).count())
            });
            found.collect()
        }
        "txt" if name != "CMakeLists.txt" => Vec::new(),
        "cmake" | "txt" | "mk" | "bzl" | "bazel" | "cfg" => build(text),
        "toml" if name != "pyproject.toml" => build(text),
        _ if name == "pyproject.toml" => packages(text),
        _ if ["Makefile", "makefile", "GNUmakefile", "BUILD"].contains(&name) => build(text),
        _ if name == "MANIFEST.in" => manifest(text),
        _ => Vec::new(),
    }
}

/// The text without its comments.
fn build(text: &[u8]) -> Vec<Name> {
    let mut code = text.to_vec();
    for comment in hash_comments(text) {
        if let Some(comment) = code.get_mut(comment.start..comment.end) {
            comment.fill(b' ');
        }
    }
    words(&code, 0)
}

/// What setuptools packs: the first word behind some commands is a folder.
fn manifest(text: &[u8]) -> Vec<Name> {
    let mut found = Vec::new();
    for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let shown = String::from_utf8_lossy(line);
        let mut parts = shown.split_whitespace();
        let is_deep = parts
            .next()
            .is_some_and(|command| command.starts_with("recursive"));
        let below = parts
            .next()
            .filter(|_| is_deep)
            .map(|folder| format!("{folder}/any"));
        for mut name in words(line, number) {
            name.below.clone_from(&below);
            found.push(name);
        }
    }
    found
}

/// What setuptools packs: the patterns below a package's name are for its folder.
fn packages(text: &[u8]) -> Vec<Name> {
    let shown = String::from_utf8_lossy(text);
    let mut is_data = false;
    let mut below: Vec<Option<String>> = Vec::new();
    for line in shown.lines() {
        let last = below.last().cloned().flatten();
        below.push(match line.split_once('=') {
            _ if line.starts_with('[') => {
                is_data = line.contains("package-data");
                None
            }
            Some((package, _)) if is_data => {
                let package = package.trim().trim_matches(['"', '\'']);
                Some(format!("{}/any", package.replace('.', "/")))
            }
            _ => last,
        });
    }
    let mut found = build(text);
    for name in &mut found {
        name.below = below.get(name.line - 1).cloned().flatten();
    }
    found
}

fn words(text: &[u8], first: usize) -> Vec<Name> {
    let mut found = Vec::new();
    for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
        for word in line.split(|&byte| !is_of_path(byte)) {
            let word = String::from_utf8_lossy(word);
            let word = word.trim_end_matches('.');
            if ENDINGS
                .iter()
                .any(|(cuda, musa)| word.ends_with(cuda) || word.ends_with(musa))
            {
                found.push(Name {
                    text: word.to_owned(),
                    line: first + number + 1,
                    is_include: false,
                    below: None,
                });
            }
        }
    }
    found
}

fn is_of_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_./-+*?{}$%@()".contains(&byte) || byte >= 0x80
}

/// The includes of C++; those in comments stand on lines that start otherwise, or nearly.
fn includes(text: &[u8]) -> Vec<Name> {
    let mut found = Vec::new();
    for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let line = String::from_utf8_lossy(line);
        let Some(rest) = line.trim_start().strip_prefix('#') else {
            continue;
        };
        let Some(rest) = rest.trim_start().strip_prefix("include") else {
            continue;
        };
        let rest = rest.trim_start();
        let path = match rest.split_at_checked(1) {
            Some(("\"", rest)) => rest.split_once('"'),
            Some(("<", rest)) => rest.split_once('>'),
            _ => None,
        };
        if let Some((path, _)) = path {
            found.push(Name {
                text: path.to_owned(),
                line: number + 1,
                is_include: true,
                below: None,
            });
        }
    }
    found
}
