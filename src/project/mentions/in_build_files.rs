//! Names of source files in the files that build, generate or describe.
//!
//! A source keeps its name where a file that is not translated names it: a build that asks for
//! `kernel.cu` must find it.

use std::iter;

use torchada_classify::{FileClass, FileKind};
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::has;
use torchada_mapping::knowledge::Knowledge;

use super::bare_endings;
use super::in_expressions;
use super::in_line::{Line, SoughtNames};
use super::line_words::without_comment;
use super::manifest;
use super::meaning::is_pattern;
use super::quoted_lines::outside;
use super::script_folders::ScriptFolders;
use crate::facts::{Mention, Reach};
use crate::tree::paths;
use torchada_syntax::cython::Cython;
use torchada_syntax::{is_identifier_part, python_strings};
use torchada_text::{LineIndex, TextRange};

/// The mentions of files with one of `endings` in a text.
pub fn mentions(
    path: &str,
    class: FileClass,
    text: &[u8],
    endings: &[&str],
    knowledge: &Knowledge,
) -> Vec<Mention> {
    let table = &knowledge.files;
    let mut found = Vec::new();
    if class.language == Some(BuildLanguage::Make) {
        found.extend(bare_endings::mentions(text, endings));
    }
    let is_result = class.kind == FileKind::Text && table.results.has(text);
    if is_result || !mentions_sources(text, endings) || table.patterns.is_for_people(path) {
        return found;
    }
    if has(&table.manifest.names, paths::file_name(path)) {
        return manifest::mentions(path, text, endings, &table.manifest);
    }
    let strings = match class.kind {
        FileKind::Python if knowledge.embedded.cython.has(path) => Cython::read(text).strings(),
        FileKind::Python => python_strings(text),
        _ => None,
    };
    let sought = SoughtNames {
        endings,
        patterns: match class.kind {
            FileKind::Python => true,
            FileKind::Build => !table.patterns.are_loose(path, class.language, text),
            _ => false,
        },
    };
    let Some(strings) = strings else {
        let mut of_lines = in_lines(path, class, text, sought, knowledge);
        reach_own_folder(path, class, text, knowledge, &mut of_lines);
        found.extend(of_lines);
        return found;
    };
    in_python(text, strings, sought)
}

/// The mentions in strings of Python's.
fn in_python(text: &[u8], strings: Vec<TextRange>, sought: SoughtNames<'_>) -> Vec<Mention> {
    let mut found = Vec::new();
    let lines = LineIndex::new(text);
    for range in strings {
        let first = lines.position(text, range.start).line;
        let known = found.len();
        let mut start = range.start;
        for (offset, line) in range.of(text).split(|&byte| byte == b'\n').enumerate() {
            let at = Line {
                text: line,
                number: first + offset,
                start,
            };
            sought.collect(at, &mut found);
            start += line.len() + 1;
        }
        for mention in found.iter_mut().skip(known) {
            let is_alone = is_pattern(&mention.text, sought.endings) && !mention.text.contains('/');
            if let Some(folders) = joined_to(text, range.start).filter(|_| is_alone)
                && mention.reach == Reach::Open
            {
                mention.reach = Reach::Joined(folders);
            }
        }
    }
    found
}

/// The mentions in the lines of a text, outside of comments and of strings that are for people.
fn in_lines(
    path: &str,
    class: FileClass,
    text: &[u8],
    sought: SoughtNames<'_>,
    knowledge: &Knowledge,
) -> Vec<Mention> {
    let table = &knowledge.files;
    let has_slashes = table.unexamined.has_slashes(path);
    let line_break = table.quoting.line_break(path);
    let mut found = Vec::new();
    let mut start = 0;
    for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let parts = line_break.map_or_else(
            || iter::once(0..line.len()).collect(),
            |end| outside(line, end),
        );
        for part in parts {
            let at = Line {
                start: start + part.start,
                text: without_comment(line.get(part).unwrap_or_default(), class, has_slashes),
                number: number + 1,
            };
            sought.collect(at, &mut found);
        }
        start += line.len() + 1;
    }
    found
}

/// Note of mentions that they are seen from the folder of the file, where its kind or a variable says so.
fn reach_own_folder(
    path: &str,
    class: FileClass,
    text: &[u8],
    knowledge: &Knowledge,
    mentions: &mut [Mention],
) {
    let table = &knowledge.files;
    let of_own = || Reach::At(paths::folder(path).to_owned());
    if has(&table.patterns.from_own_folder, paths::file_name(path)) {
        for mention in mentions.iter_mut() {
            // A label of Bazel's, and what a variable leads to, may lie anywhere: `//csrc:k.cu`.
            let before = mention.range.start.checked_sub(1);
            let is_label =
                before.and_then(|at| text.get(at)) == Some(&b':') || mention.text.starts_with('/');
            if !is_label && !mention.text.contains(['$', '@', '{', '}']) {
                mention.reach = of_own();
            }
        }
    }
    if class.language == Some(BuildLanguage::Shell) {
        let folders = ScriptFolders::of(text);
        for mention in mentions.iter_mut() {
            if let Some((front, path_from)) = folders.path(&mention.text) {
                mention.range.start += front;
                mention.text = path_from;
                mention.reach = of_own();
            }
        }
    }
    if class.language == Some(BuildLanguage::Pyproject) {
        manifest::within_tables(text, mentions, table);
    }
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
