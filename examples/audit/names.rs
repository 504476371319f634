//! Old names of renamed files.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::measure::{Example, Measure, Tally};
use crate::python::lines::Lines;
use crate::second::read;
use crate::trees::Trees;

/// Count where build files of the output still name a renamed file by its old name. A name that
/// another file of the output still has is no such place.
pub(crate) fn old_names(trees: &Trees) -> Tally {
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let mut old: BTreeMap<String, &str> = trees
        .pairs
        .iter()
        .filter(|pair| name(&pair.source) != name(&pair.output))
        .map(|pair| (name(&pair.source), pair.source.as_str()))
        .collect();
    for pair in &trees.pairs {
        old.remove(&name(&pair.output));
    }
    let build = trees.pairs.par_iter().filter(|pair| is_build(&pair.output));
    let tallies: Vec<Tally> = build
        .map(|pair| {
            let mut tally = Tally::default();
            let text = read(&trees.output.join(&pair.output)).unwrap_or_default();
            let lines = Lines::new(&text);
            for (start, word) in words(&text) {
                let last = word.rsplit('/').next().unwrap_or_default();
                if old.contains_key(last) {
                    let (line, column) = lines.at(start);
                    let example = Example {
                        path: pair.output.clone(),
                        line,
                        column,
                        text: word,
                    };
                    tally.count(Measure::OldNames, example);
                }
            }
            tally
        })
        .collect();
    let mut tally = Tally::default();
    for one in tallies {
        tally.absorb(one);
    }
    tally
}

/// Whether a file says what is built of what.
fn is_build(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let endings = [
        ".cmake", ".py", ".toml", ".bzl", ".bazel", ".mk", ".gn", ".gni", ".sh", ".json", ".yaml",
        ".yml",
    ];
    let whole = [
        "CMakeLists.txt",
        "Makefile",
        "makefile",
        "BUILD",
        "meson.build",
    ];
    whole.contains(&name) || endings.iter().any(|ending| name.ends_with(ending))
}

/// The words of a text that can be paths, without lines that are comments.
fn words(text: &[u8]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut line = 0;
    for content in text.split_inclusive(|byte| *byte == b'\n') {
        if content.trim_ascii_start().first() != Some(&b'#') {
            let mut start = 0;
            let part = |byte: &u8| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'/' | b'+')
            };
            for word in content.split(|byte| !part(byte)) {
                if word.contains(&b'.') {
                    let word = String::from_utf8_lossy(word).into_owned();
                    found.push((line + start, word));
                }
                start += word.len() + 1;
            }
        }
        line += content.len();
    }
    found
}
