//! What a packaging manifest names: setuptools' `MANIFEST.in`, one command with its patterns on a
//! line. A pattern reaches as far as its command says, and no further.

use torchada_mapping::file_patterns::ManifestTable;
use torchada_mapping::files::FileTable;
use torchada_mapping::has;

use crate::facts::{Mention, Reach};
use crate::tree::paths;
use torchada_text::TextRange;

/// The mentions of files with one of `endings` in the manifest at `path`. A command that takes
/// files of any ending (`graft`, `recursive-include csrc *`) names none: it takes a file under
/// its new name, too.
pub(crate) fn mentions(
    path: &str,
    text: &[u8],
    endings: &[&str],
    table: &ManifestTable,
) -> Vec<Mention> {
    let Ok(text) = std::str::from_utf8(text) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (number, command, words) in commands(text) {
        let lists = |list: &[String]| has(list, command);
        let (folder, patterns) = match words.split_first() {
            Some((folder, patterns)) if lists(&table.below_folder) => (Some(folder.0), patterns),
            _ => (None, words.as_slice()),
        };
        let reach = if let Some(folder) = folder {
            let Some(folder) = paths::join(paths::folder(path), folder) else {
                continue;
            };
            Reach::Below(folder)
        } else if lists(&table.anywhere) {
            Reach::Below(paths::folder(path).to_owned())
        } else if lists(&table.at_path) {
            Reach::At(paths::folder(path).to_owned())
        } else {
            continue;
        };
        let named = patterns
            .iter()
            .filter(|(word, _)| endings.iter().any(|ending| word.contains(ending)));
        found.extend(named.map(|&(word, start)| Mention {
            range: TextRange::new(start, start + word.len()),
            binds: true,
            text: word.to_owned(),
            line: number,
            reach: reach.clone(),
        }));
    }
    found
}

/// What the tables of a `pyproject.toml` say of the patterns in them: those for a package's data reach into that package
/// only, `"ops.kernels" = ["*.cu"]`, and those of tools that check bind nothing.
pub(crate) fn within_tables(text: &[u8], found: &mut [Mention], known: &FileTable) {
    let table = &known.manifest;
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let mut is_data = false;
    let mut is_check = false;
    let mut package = None;
    let mut found = found.iter_mut().peekable();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            is_data = table.package_data.iter().any(|one| one == name.trim());
            is_check = known.patterns.is_check_table(name.trim());
            package = None;
        } else if let Some((key, _)) = line.split_once('=').filter(|_| is_data) {
            let key = key.trim().trim_matches(['"', '\'']);
            let is_name = |one: char| one.is_alphanumeric() || "_.".contains(one);
            if key.chars().all(is_name) {
                package = Some(key.replace('.', "/"));
            }
        }
        while let Some(mention) = found.next_if(|one| one.line <= number + 1) {
            mention.binds &= !is_check;
            if let Some(package) = &package {
                mention.reach = Reach::At(format!("**/{package}"));
            }
        }
    }
}

/// A word and where it starts, in bytes.
type PlacedWord<'t> = (&'t str, usize);

/// The commands with their words, each with its 1-based line. A backslash at the end of a line
/// takes the next one along.
fn commands(text: &str) -> Vec<(usize, &str, Vec<PlacedWord<'_>>)> {
    let mut found: Vec<(usize, &str, Vec<PlacedWord<'_>>)> = Vec::new();
    let mut goes_on = false;
    let mut next = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let start = next + line.len() - line.trim_start().len();
        next += line.len();
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        let (line, continues) = line
            .strip_suffix('\\')
            .map_or((line, false), |line| (line, true));
        let mut at = start;
        let mut words = line
            .split(|one: char| one.is_ascii_whitespace())
            .filter_map(|word| {
                let here = (word, at);
                at += word.len() + 1;
                (!word.is_empty()).then_some(here)
            });
        match found.last_mut() {
            Some((_, _, taken)) if goes_on => taken.extend(words),
            _ => found.extend(
                words
                    .next()
                    .map(|(command, _)| (number + 1, command, words.collect())),
            ),
        }
        goes_on = continues;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchada_mapping::knowledge::Knowledge;

    fn named(from: &str, text: &str, path: &str) -> bool {
        let table = &Knowledge::builtin().files;
        let endings = [".cu", ".cuh"];
        mentions(from, text.as_bytes(), &endings, &table.manifest)
            .iter()
            .any(|mention| mention.meaning(from, &endings).takes_in(path))
    }

    #[test]
    fn a_pattern_reaches_as_far_as_its_command_says() {
        let top = |text, path| named("MANIFEST.in", text, path);
        assert!(top("recursive-include csrc *.h *.cu", "csrc/a/k.cu"));
        assert!(!top("recursive-include csrc *.cu", "other/k.cu"));
        assert!(!top("recursive-include csrc *.cu", "csrc2/k.cu"));
        assert!(!top("recursive-include csrc *.cu", "csrc/k.cuh"));
        assert!(top("include a/*.cuh", "a/k.cuh"));
        assert!(!top("include a/*.cuh", "a/b/k.cuh"));
        assert!(!top("include a/*.cuh", "b/a/k.cuh"));
        assert!(top("include a/**/*.cuh", "a/b/c/k.cuh"));
        assert!(!top("include *.cu", "csrc/k.cu"));
        assert!(top("global-include *.cu", "x/y/k.cu"));
        assert!(top("include \\\n  a.h \\\n  k.cu", "k.cu"));
        assert!(named("sub/MANIFEST.in", "include k.cu", "sub/k.cu"));
        assert!(!named("sub/MANIFEST.in", "global-include *.cu", "k.cu"));
    }

    #[test]
    fn a_command_that_takes_any_ending_names_nothing() {
        for text in ["graft csrc", "recursive-include csrc *", "# csrc/k.cu"] {
            assert!(!named("MANIFEST.in", text, "csrc/k.cu"), "{text}");
        }
    }
}
