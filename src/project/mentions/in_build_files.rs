//! Names of source files in the files that build, generate or describe.
//!
//! A source keeps its name where a file that is not translated names it: a build that asks for
//! `kernel.cu` must find it.

use std::iter;
use std::ops::Range;

use torchada_classify::{FileClass, FileKind};
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::knowledge::Knowledge;
use torchada_mapping::{ends_with_one, has};

use super::bare_endings;
use super::in_expressions;
use super::line_words::{in_references, without_comment, words};
use super::manifest;
use super::meaning::is_pattern;
use super::quoted_lines::outside;
use super::script_folders::ScriptFolders;
use crate::facts::{Mention, Reach};
use crate::tree::paths;
use torchada_syntax::cython::Cython;
use torchada_syntax::{is_identifier_part, python_strings};
use torchada_text::{LineIndex, TextRange, contains};

/// The mentions of files with one of `endings` in a text.
pub fn mentions(
    path: &str,
    class: FileClass,
    text: &[u8],
    endings: &[&str],
    knowledge: &Knowledge,
) -> Vec<Mention> {
    let table = &knowledge.files;
    let patterns = match class.kind {
        FileKind::Python => true,
        FileKind::Build => !table.patterns.are_loose(path, class.language, text),
        _ => false,
    };
    let mut found = Vec::new();
    if class.language == Some(BuildLanguage::Make) {
        found.extend(bare_endings::mentions(text, endings));
    }
    let is_result = class.kind == FileKind::Text && table.results.has(text);
    if is_result || !mentions_sources(text, endings) || table.patterns.is_for_people(path) {
        return found;
    }
    let name = paths::file_name(path);
    if has(&table.manifest.names, name) {
        return manifest::mentions(path, text, endings, &table.manifest);
    }
    let strings = match class.kind {
        FileKind::Python if knowledge.embedded.cython.has(path) => Cython::read(text).strings(),
        FileKind::Python => python_strings(text),
        _ => None,
    };
    if let Some(strings) = strings {
        let lines = LineIndex::new(text);
        for range in strings {
            let first = lines.position(text, range.start).line;
            let known = found.len();
            let mut start = range.start;
            for (offset, line) in range.of(text).split(|&byte| byte == b'\n').enumerate() {
                let at = TextLine {
                    text: line,
                    number: first + offset,
                    start,
                };
                collect(at, patterns, endings, &mut found);
                start += line.len() + 1;
            }
            for mention in found.iter_mut().skip(known) {
                let is_alone = is_pattern(&mention.text, endings) && !mention.text.contains('/');
                if let Some(folders) = joined_to(text, range.start).filter(|_| is_alone)
                    && mention.reach == Reach::Open
                {
                    mention.reach = Reach::Joined(folders);
                }
            }
        }
        return found;
    }
    let has_slashes = table.unexamined.has_slashes(path);
    let is_script = class.language == Some(BuildLanguage::Shell);
    let scripts = if is_script {
        ScriptFolders::of(text)
    } else {
        ScriptFolders::default()
    };
    let own = found.len();
    let mut start = 0;
    for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let line_break = table.quoting.line_break(path);
        let parts = line_break.map_or_else(
            || iter::once(0..line.len()).collect(),
            |end| outside(line, end),
        );
        for part in parts {
            let at = TextLine {
                start: start + part.start,
                text: without_comment(line.get(part).unwrap_or_default(), class, has_slashes),
                number: number + 1,
            };
            collect(at, patterns, endings, &mut found);
        }
        start += line.len() + 1;
    }
    let is_rooted = table
        .patterns
        .from_own_folder
        .iter()
        .any(|known| known == name);
    for mention in found.iter_mut().skip(own).filter(|_| is_rooted) {
        // A label of Bazel's, and what a variable leads to, may lie anywhere: `//csrc:k.cu`.
        let before = mention
            .range
            .start
            .checked_sub(1)
            .and_then(|at| text.get(at));
        let is_label = before == Some(&b':') || mention.text.starts_with('/');
        if !is_label && !mention.text.contains(['$', '@', '{', '}']) {
            mention.reach = Reach::At(paths::folder(path).to_owned());
        }
    }
    for mention in found.iter_mut().skip(own) {
        if let Some((front, path_from)) = scripts.path(&mention.text) {
            mention.range.start += front;
            mention.text = path_from;
            mention.reach = Reach::At(paths::folder(path).to_owned());
        }
    }
    if class.language == Some(BuildLanguage::Pyproject) {
        manifest::within_tables(text, &mut found, table);
    }
    found
}

/// How far before a string of Python's the string is looked for that it is joined to.
const JOINED: usize = 64;

/// The folders in the string of Python's that stands directly before the string whose text starts at an offset: `"cuda",
/// "*.cu"`.
fn joined_to(text: &[u8], start: usize) -> Option<String> {
    let before = text.get(start.saturating_sub(JOINED)..start)?;
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'');
    let quotes = before.iter().rev().take_while(|&byte| is_quote(byte));
    let before = before.get(..before.len() - quotes.count())?;
    let before = before.trim_ascii_end().strip_suffix(b",")?.trim_ascii_end();
    let (quote, before) = before.split_last().filter(|(last, _)| is_quote(last))?;
    let from = memchr::memrchr(*quote, before)?;
    let folders = std::str::from_utf8(before.get(from + 1..)?).ok()?;
    let is_of_folder = |one: char| one.is_ascii_alphanumeric() || matches!(one, '_' | '-' | '/');
    let is_folder = !folders.is_empty() && folders.chars().all(is_of_folder);
    is_folder.then(|| folders.trim_matches('/').to_owned())
}

/// What an object that is called after its source has behind the source's name: `k.cu.o`, `k.cuo`.
const OBJECTS: [&[u8]; 2] = [b".o", b"o"];

/// A line of a text.
#[derive(Clone, Copy)]
struct TextLine<'a> {
    /// The part of the line that counts.
    text: &'a [u8],
    /// 1-based.
    number: usize,
    /// The offset of the line in the file.
    start: usize,
}

/// The mentions in one line.
fn collect(at: TextLine<'_>, patterns: bool, endings: &[&str], found: &mut Vec<Mention>) {
    let line = at.text;
    let expressions = in_expressions::bare_endings(line, endings);
    found.extend(expressions.into_iter().map(|range| Mention {
        range: TextRange::new(at.start + range.start, at.start + range.end),
        binds: false,
        text: format!(
            "*.{}",
            String::from_utf8_lossy(line.get(range).unwrap_or_default())
        ),
        line: at.number,
        reach: Reach::Expression,
    }));
    let holds = |ending: &&str| contains(line, ending);
    if !endings.iter().any(holds) {
        return;
    }
    let suffix = suffix_rule(line, endings).filter(|_| patterns);
    let words = words(line);
    let objects = words
        .iter()
        .filter_map(|word| source_of_object(line, word, endings));
    let objects: Vec<Range<usize>> = objects.collect();
    let all = words.into_iter().chain(in_references(line));
    for range in all.chain(suffix).chain(objects) {
        let is_in_expression =
            range.start.checked_sub(1).and_then(|at| line.get(at)) == Some(&b'\\');
        if is_in_expression && line.get(range.start) == Some(&b'.') {
            continue;
        }
        let start = at.start + range.start;
        let Some(word) = line
            .get(range)
            .and_then(|word| std::str::from_utf8(word).ok())
        else {
            continue;
        };
        let ends = |word: &str| ends_with_one(word, endings);
        let word = word.trim_end_matches('.');
        // `*.cu*` takes in headers, too, whose endings change in the same letters.
        let front = word.trim_end_matches(['*', '?']);
        let is_open = patterns && ends(front) && is_pattern(paths::file_name(front), endings);
        if !is_open && !ends(word) {
            continue;
        }
        found.push(Mention {
            range: TextRange::new(start, start + word.len()),
            binds: patterns || !is_pattern(paths::file_name(word), endings),
            text: word.to_owned(),
            line: at.number,
            reach: Reach::Open,
        });
    }
}

/// The ending that a suffix rule of make's is for: `.cu.o:`.
fn suffix_rule(line: &[u8], endings: &[&str]) -> Option<Range<usize>> {
    let mut endings = endings.iter();
    endings.find_map(|ending| {
        let rest = line.strip_prefix(ending.as_bytes())?.strip_prefix(b".")?;
        let len = rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .count();
        let behind = rest.get(len..)?.trim_ascii_start();
        (len > 0 && behind.starts_with(b":")).then_some(0..ending.len())
    })
}

/// The source in the name of an object that is called after it, without the folder of the object: `k.cu` of
/// `build/k.cu.o`.
fn source_of_object(line: &[u8], word: &Range<usize>, endings: &[&str]) -> Option<Range<usize>> {
    let word_text = line.get(word.clone())?;
    let is_source = |source: &&[u8]| ends_with_one(source, endings);
    let mut sources = OBJECTS
        .iter()
        .filter_map(|end| word_text.strip_suffix(*end));
    let source = sources.find(is_source)?;
    let folder = memchr::memrchr(b'/', source).map_or(0, |at| at + 1);
    Some(word.start + folder..word.start + source.len())
}

/// Whether a file's ending stands anywhere in a text: `.cu` at the end of a word or of an expression, and not the
/// front of `.cuda`.
pub fn mentions_sources(text: &[u8], endings: &[&str]) -> bool {
    // `.cuh` is found where `.cu` is.
    let is_found_with = |longer: &str, front: &str| longer != front && longer.starts_with(front);
    let mut fronts = endings.iter().filter(|ending| {
        let mut others = endings.iter();
        !others.any(|front| is_found_with(ending, front))
    });
    let is_at = |at: usize, ending: &str| {
        let behind = text
            .get(at..)
            .and_then(|rest| rest.strip_prefix(ending.as_bytes()));
        let next = behind.map(<[u8]>::first);
        next.is_some_and(|next| next.is_none_or(|&next| next == b'$' || !is_identifier_part(next)))
    };
    fronts.any(|front| {
        let mut places = memchr::memmem::find_iter(text, front);
        places.any(|at| endings.iter().any(|ending| is_at(at, ending)))
    }) || in_expressions::has_dot_in_brackets(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDINGS: &[&str] = &[".cu", ".cuh"];

    fn named(from: &str, text: &str, path: &str) -> bool {
        let knowledge = Knowledge::builtin();
        let class = torchada_classify::classify(std::path::Path::new(from), b"", &knowledge.files);
        mentions(from, class, text.as_bytes(), ENDINGS, knowledge)
            .iter()
            .any(|mention| mention.binds && mention.meaning(from, ENDINGS).takes_in(path))
    }

    #[test]
    fn lists_globs_and_generated_names_name_files() {
        assert!(named(
            "setup.py",
            "sources=['csrc/a.cu', 'b.cpp']",
            "csrc/a.cu"
        ));
        assert!(!named("setup.py", "sources=['csrc/a.cu']", "other/a.cu"));
        assert!(named("setup.py", "glob('csrc/*.cu')", "csrc/k.cu"));
        assert!(named("setup.py", "os.path.join(d, '*.cuh')", "inc/k.cuh"));
        let joined = "glob(join(folder, 'cuda', '*.cu'))";
        assert!(named("tools/build.py", joined, "csrc/cuda/k.cu"));
        assert!(!named("tools/build.py", joined, "csrc/hip/k.cu"));
        assert!(named(
            "gen.py",
            "p = f'{out}/batch_{name}.cu'",
            "csrc/batch_decode.cu"
        ));
        assert!(named(
            "gen.py",
            "p = f'{out}/k-{short(a)}-{short(b)}.cu'",
            "csrc/k-f16-f16.cu"
        ));
        assert!(named(
            "CMakeLists.txt",
            "add_library(x ${DIR}/src/k.cu)",
            "src/k.cu"
        ));
        assert!(!named(
            "gen.py",
            "\"\"\"Makes csrc/k.cu.\"\"\"\nx = 1  # csrc/k.cu",
            "csrc/k.cu"
        ));
        assert!(!named("CMakeLists.txt", "# was k.cu once", "src/k.cu"));
        for line in ["F=${1:-src/k.cu}", "F=${F:=src/k.cu}"] {
            assert!(named("build.sh", line, "src/k.cu"), "{line}");
        }
        assert!(!named("format.sh", "find . -name '*.cu'", "src/k.cu"));
        assert!(!named("format.ps1", "ls -Include '*.cu' -Recurse", "k.cu"));
        assert!(!named(
            ".pre-commit-config.yaml",
            "exclude: src/k.cu",
            "src/k.cu"
        ));
        // An editor's settings, and the pages of documentation.
        let language = "{\"files.associations\": {\"k.cu\": \"cpp\"}}";
        assert!(!named("a/.vscode/settings.json", language, "a/src/k.cu"));
        assert!(named("a/settings.json", language, "a/src/k.cu"));
        let filters = "<CudaCompile Include=\"src\\k.cu\" />";
        assert!(!named("Demo.filters", filters, "src/k.cu"));
        let index = "var dir = [ [ \"k.cu\", \"k_8cu.html\" ] ];";
        assert!(!named("docs/html/dir_1.js", index, "src/k.cu"));
        assert!(named("src/loader.js", index, "src/k.cu"));
        let typos = "[tool.typos.type.cpp]\nextend-glob = ['*.cu']";
        assert!(!named("pyproject.toml", typos, "src/k.cu"));
        assert!(named("build.bat", "nvcc -c *.cu", "k.cu"));
        let target = "executable('demo', 'k.cu', 'sub/*.cu')";
        assert!(named("demo/meson.build", target, "demo/k.cu"));
        assert!(named("demo/meson.build", target, "demo/sub/j.cu"));
        assert!(!named("demo/meson.build", target, "other/k.cu"));
        assert!(named("demo/BUILD", "srcs = ['//other:k.cu']", "other/k.cu"));
        let filled = "src/k.o: SOURCE_PATH/src/k.cu";
        assert!(named("Makefile.in", filled, "src/k.cu"));
        assert!(!named("Makefile.in", filled, "other/k.cu"));
        assert!(named(
            "CMakeLists.txt",
            "file(GLOB all \"${root}*.cu*\")",
            "src/k.cu"
        ));
        assert!(named("sub/Makefile", "%.o: %.cu", "sub/k.cu"));
        assert!(!named("sub/Makefile", "%.o: %.cu", "other/k.cu"));
    }
}
