//! What holds for every port, whatever the input.

use crate::common::fixtures;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::fixtures::{Node, Port, Ported, Tree, all, difference, port, ported, run};
use crate::common::passed::Suite;
use crate::common::soups::pieces;
use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;
use torchada::classify::classify;
use torchada::cli::Exit;
use torchada::mapping::knowledge::Knowledge;
use torchada::mapping::{Relation, Section, Tables};
use torchada::syntax::python::{
    Consumer, HOLE, Kind, Literal, Module, first_difference_of_readers,
};
use torchada::syntax::{LexOptions, TokenKind, hash_comments, lex, python_errors, syntax_errors};

/// Pairs of an input file and what it became, where the bytes changed.
fn changed<'a>(input: &'a Tree, port: &'a Port) -> Vec<(&'a Path, &'a [u8], &'a [u8])> {
    let mut pairs = Vec::new();
    for (path, node) in input {
        let written = [".mu", ".muh"]
            .iter()
            .zip([".cu", ".cuh"])
            .find_map(|(musa, cuda)| {
                let renamed = path
                    .to_str()?
                    .strip_suffix(cuda)
                    .map(|stem| format!("{stem}{musa}"))?;
                port.tree
                    .get(Path::new(&renamed))
                    .filter(|_| !input.contains_key(Path::new(&renamed)))
            });
        let written = written.or_else(|| port.tree.get(path));
        if let (Node::File { bytes: old, .. }, Some(Node::File { bytes: new, .. })) =
            (node, written)
            && old != new
        {
            pairs.push((path.as_path(), old.as_slice(), new.as_slice()));
        }
    }
    pairs
}

fn is_template(path: &Path) -> bool {
    [".in", ".jinja", ".j2"]
        .iter()
        .any(|ending| path.to_string_lossy().ends_with(ending))
}

fn is_python(path: &Path, text: &[u8]) -> bool {
    let endings = ["py", "pyi", "pyx", "pxd", "ipynb"];
    let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    path.extension()
        .is_some_and(|ending| endings.iter().any(|one| ending == *one))
        || (first.starts_with(b"#!") && first.windows(6).any(|word| word == b"python"))
}

/// The comments of a module, and of each line its indentation and its end, without the lines that a
/// port puts in: the import of the package and, where `both` says that variables of the environment are
/// set by both names, those with MUSA's name alone. Of a build of extensions, which loses options that mcc does
/// not know with their lines, the comments alone.
fn python_frame(text: &[u8], both: bool, build: bool) -> Vec<String> {
    let has = |line: &[u8], words: [&str; 2]| {
        let line = String::from_utf8_lossy(line);
        words.iter().any(|word| line.contains(word))
    };
    let is_second =
        |line: &[u8]| both && has(line, ["MUSA_", "MCCL_"]) && !has(line, ["CUDA_", "NCCL_"]);
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let module = Module::new(text).expect("parsed");
    let comments = module.tree.comments().iter();
    let mut frame: Vec<String> = comments
        .map(|range| range.of(text).escape_ascii().to_string())
        .collect();
    let counted: &[u8] = if build { b"" } else { text };
    for line in counted.split_inclusive(|&byte| byte == b'\n') {
        // In a notebook the line is an item of a list.
        let lines: [&[u8]; 2] = [b"import torchada", b"\"import torchada\\n\","];
        if !lines.contains(&line.trim_ascii()) && !is_second(line) {
            let indent = line.len() - line.trim_ascii_start().len();
            let end = line.len() - line.trim_ascii_end().len();
            frame.push(format!("{indent} {end}"));
        }
    }
    frame
}

/// What stands between the tokens: comments, white space, line ends.
fn between_tokens(text: &[u8], template: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let mut from = 0;
    for token in lex(text, LexOptions { template }).tokens {
        out.extend_from_slice(&text[from..token.range().start]);
        from = token.range().end;
    }
    out.extend_from_slice(&text[from..]);
    out
}

/// The text as it was before comparisons that are the same on every MUSA GPU became numbers with
/// the comparison in a comment behind them.
fn with_comparisons(text: &[u8]) -> Vec<u8> {
    let Ok(mut text) = String::from_utf8(text.to_vec()) else {
        return text.to_vec();
    };
    let mut from = 0;
    while let Some(open) = text[from..].find(" /* ").map(|at| from + at) {
        let Some(close) = text[open..].find(" */").map(|at| open + at) else {
            break;
        };
        from = open + 1;
        let number = text[..open].trim_end_matches(')').len();
        let (Some(original), Some(number)) = (text.get(open + 4..close), number.checked_sub(1))
        else {
            continue;
        };
        let original = original.to_owned();
        let whole = number.checked_sub(1).is_none_or(|at| {
            !matches!(text.as_bytes()[at], b'\'' | b'.' | b'_')
                && !text.as_bytes()[at].is_ascii_alphanumeric()
        });
        if whole
            && original.contains("__CUDA_ARCH__")
            && matches!(text.as_bytes()[number], b'0' | b'1')
        {
            let tail = text[number + 1..open].to_owned();
            text.replace_range(number..close + 3, &format!("{original}{tail}"));
        }
    }
    text.into_bytes()
}

#[test]
fn a_port_of_a_port_changes_nothing() {
    for Ported {
        fixture,
        port: first,
        ..
    } in ported()
    {
        // The package for run time says of no project what it needs.
        let mut whole = first.tree.clone();
        whole.extend(first.package.clone());
        let second = port(&whole, &fixture.arguments, &["--rename", "never"]);
        let difference = difference(&whole, &second.tree);
        assert!(
            difference.is_empty(),
            "{}: a second port changes\n{difference}",
            fixture.name
        );
    }
}

/// Whether a file says how a tree is built, in a language that is translated.
fn is_build(path: &Path, text: &[u8]) -> bool {
    let knowledge = Knowledge::builtin();
    let class = classify(path, text, &knowledge.files);
    class.language.is_some()
}

/// The new text with the old lines where a condition came to let MUSA's compiler in, or to keep it out, and where the
/// number of a CUDA release stands for a macro.
fn with_conditions(old: &[u8], new: &[u8]) -> Vec<u8> {
    let has = |line: &[u8], word: &[u8]| line.windows(word.len()).any(|one| one == word);
    let (before, after) = (
        old.split(|byte| *byte == b'\n'),
        new.split(|byte| *byte == b'\n'),
    );
    if before.clone().count() != after.clone().count() {
        return new.to_vec();
    }
    let line = |(old, new): (&[u8], &[u8])| {
        let names = |line| has(line, b"__MUSACC__") || has(line, b"__CUDACC__");
        let written = has(new, b"defined(__MUSACC__)") && !names(old);
        let mut versions = Knowledge::builtin().shapes.guards.versions.keys();
        let times =
            |line: &[u8], word: &[u8]| line.windows(word.len()).filter(|one| one == &word).count();
        let is_gone = |name: &String| times(old, name.as_bytes()) > times(new, name.as_bytes());
        if written || versions.any(is_gone) {
            old.to_vec()
        } else {
            new.to_vec()
        }
    };
    let lines: Vec<Vec<u8>> = before.zip(after).map(line).collect();
    lines.join(&b'\n')
}

/// The comments of a build file.
fn build_comments(text: &[u8]) -> Vec<String> {
    let comments = hash_comments(text);
    let shown = comments.iter().map(|one| one.of(text).escape_ascii());
    shown.map(|one| one.to_string()).collect()
}

#[test]
fn comments_and_white_space_stay_as_they_are() {
    Suite::without_rules("invariants-comments", "invariants.rs").of_each(
        |Ported {
             fixture,
             input,
             port,
         }| {
            // A statement of inline PTX becomes other ones, with a comment; nothing else does.
            let has_assembly = input.values().any(|node| match node {
                Node::File { bytes, .. } => bytes.windows(3).any(|word| word == b"asm"),
                Node::Link(_) => false,
            });
            let kept =
                has_assembly.then(|| fixtures::port(input, &fixture.arguments, &["--ptx=keep"]));
            for (path, old, new) in changed(input, kept.as_ref().unwrap_or(port)) {
                if is_python(path, old) {
                    let name = format!("{}: {}", fixture.name, path.display());
                    let both = fixture.arguments.iter().any(|one| one == "portable");
                    let build = old.windows(13).any(|word| word == b"cpp_extension");
                    let frame = |text| python_frame(text, both, build);
                    assert_eq!(frame(old), frame(new), "{name}");
                    continue;
                }
                if is_build(path, old) {
                    let name = format!("{}: {}", fixture.name, path.display());
                    assert_eq!(build_comments(old), build_comments(new), "{name}");
                    continue;
                }
                let template = is_template(path);
                assert_eq!(
                    between_tokens(&with_comparisons(old), template)
                        .escape_ascii()
                        .to_string(),
                    between_tokens(&with_comparisons(&with_conditions(old, new)), template)
                        .escape_ascii()
                        .to_string(),
                    "{}: {}",
                    fixture.name,
                    path.display()
                );
            }
        },
    );
}

#[test]
fn what_parsed_before_parses_after() {
    Suite::without_rules("invariants-parsed", "invariants.rs").of_each(
        |Ported {
             fixture,
             input,
             port,
         }| {
            for (path, old, new) in changed(input, port) {
                if !is_template(path) && !is_build(path, old) {
                    let count = if is_python(path, old) {
                        python_errors
                    } else {
                        syntax_errors
                    };
                    let (before, after) = (count(old), count(new));
                    assert!(
                        after <= before,
                        "{}: {}: {before:?} → {after:?}",
                        fixture.name,
                        path.display()
                    );
                }
            }
        },
    );
}

#[test]
fn python_is_read_as_its_grammar_reads_it() {
    for fixture in all() {
        for (path, node) in &fixture.input() {
            if let Node::File { bytes, .. } = node
                && path.extension().is_some_and(|ending| ending == "py")
            {
                let at = first_difference_of_readers(bytes);
                assert_eq!(at, None, "in {}/{}", fixture.name, path.display());
            }
        }
    }
}

#[test]
fn files_that_are_not_translated_keep_every_byte() {
    for Ported {
        fixture,
        input,
        port,
    } in ported()
    {
        let translated = [
            "cu", "cuh", "c", "cc", "cpp", "h", "hpp", "inl", "inc", "ipp", "tpp", "in", "jinja",
        ];
        for (path, node) in input {
            let ending = path.extension().unwrap_or_default().to_string_lossy();
            let python = matches!(node, Node::File { bytes, .. } if is_python(path, bytes));
            let build = matches!(node, Node::File { bytes, .. } if is_build(path, bytes));
            let ours = translated.contains(&&*ending) || python || build;
            if matches!(node, Node::File { .. }) && !ours {
                assert_eq!(
                    Some(node),
                    port.tree.get(path),
                    "{}: {}",
                    fixture.name,
                    path.display()
                );
            }
        }
    }
}

/// A line and a column, both 1-based.
type Place = (u64, u64);

/// Where the report's findings and kept references in one file begin and end.
fn explained(report: &Value, path: &str) -> Vec<(Place, Place)> {
    ["findings", "not_built", "suppressed", "kept"]
        .iter()
        .filter_map(|list| report[*list].as_array())
        .flatten()
        .filter(|entry| entry["path"] == path)
        .map(|entry| {
            let number = |key: &str| entry[key].as_u64().unwrap_or(0);
            (
                (number("line"), number("column")),
                (number("end_line"), number("end_column")),
            )
        })
        .collect()
}

/// CUDA names in code that the tables would not leave as they are, with their places.
fn references(text: &[u8], template: bool) -> Vec<(String, (u64, u64))> {
    let tables = Tables::builtin();
    let mut found = Vec::new();
    for token in lex(text, LexOptions { template }).tokens {
        if token.kind != TokenKind::Identifier {
            continue;
        }
        let known = tables
            .get(Section::Names, token.text(text))
            .is_some_and(|row| row.stem && row.needs.is_empty() && row.relation != Relation::Same);
        if known {
            let before = &text[..token.range().start];
            let line = before.split(|&byte| byte == b'\n').count() as u64;
            let start = before
                .iter()
                .rposition(|&byte| byte == b'\n')
                .map_or(0, |at| at + 1);
            let column = String::from_utf8_lossy(&before[start..]).chars().count() as u64 + 1;
            let name = String::from_utf8_lossy(token.text(text)).into_owned();
            found.push((name, (line, column)));
        }
    }
    found
}

#[test]
fn every_reference_that_is_left_is_explained() {
    for Ported {
        fixture,
        input,
        port,
    } in ported()
    {
        for (path, old, new) in changed(input, port) {
            // The tables of C's names say nothing of Python.
            if is_python(path, old) {
                continue;
            }
            let template = is_template(path);
            let explained = explained(&port.report, &path.to_string_lossy());
            let mut allowed: BTreeMap<String, usize> = BTreeMap::new();
            for (name, place) in references(old, template) {
                *allowed.entry(name).or_default() +=
                    usize::from(explained.iter().any(|(start, _)| *start == place));
            }
            for (name, _) in references(new, template) {
                let left = allowed.entry(name.clone()).or_default();
                assert!(
                    *left > 0,
                    "{}: {}: `{name}` is left without a word",
                    fixture.name,
                    path.display()
                );
                *left -= 1;
            }
        }
    }
}

/// String literals in code whose whole value is a device of CUDA's, with their places; documentation
/// and bytes are none.
fn device_literals(text: &[u8]) -> Vec<(String, (u64, u64))> {
    let module = Module::new(text).expect("parsed");
    let tree = &module.tree;
    let mut found = Vec::new();
    for node in tree.nodes() {
        let joined = tree
            .parent(node)
            .is_some_and(|up| tree.kind(up) == Kind::ConcatenatedString);
        let Some(literal) = Literal::read(tree, node).filter(|one| !joined && !one.is_bytes())
        else {
            continue;
        };
        let value = String::from_utf8_lossy(literal.value()).into_owned();
        let (name, index) = value.split_once(':').unwrap_or((&value, ""));
        let numbered = index
            .replace(HOLE, "")
            .bytes()
            .all(|byte| byte.is_ascii_digit());
        if name != "cuda" || !numbered {
            continue;
        }
        if module.use_of(node).consumer == Consumer::Docstring {
            continue;
        }
        let before = &text[..tree.range(node).start];
        let line = before.split(|&byte| byte == b'\n').count() as u64;
        let start = before
            .rsplit(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        let column = String::from_utf8_lossy(start).chars().count() as u64 + 1;
        found.push((value, (line, column)));
    }
    found
}

#[test]
fn every_device_in_python_is_edited_or_explained() {
    for Ported {
        fixture,
        input,
        port,
    } in ported()
    {
        // With CUDA's names most stay by design.
        if fixture.arguments.iter().any(|one| one == "portable") {
            continue;
        }
        for (path, node) in input {
            let Node::File { bytes: old, .. } = node else {
                continue;
            };
            let Some(Node::File { bytes: new, .. }) = port.tree.get(path) else {
                continue;
            };
            // The places in a notebook are those of its cells.
            let notebook = path.extension().is_some_and(|ending| ending == "ipynb");
            if notebook || !is_python(path, old) {
                continue;
            }
            let explained = explained(&port.report, &path.to_string_lossy());
            let mut allowed: BTreeMap<String, usize> = BTreeMap::new();
            for (value, (line, column)) in device_literals(old) {
                // An entry about an edit that was withdrawn covers the text between the quotes, and one about a
                // comparison the whole comparison.
                let is_explained = explained
                    .iter()
                    .any(|(start, end)| *start <= (line, column + 3) && (line, column) < *end);
                *allowed.entry(value).or_default() += usize::from(is_explained);
            }
            for (value, (line, _)) in device_literals(new) {
                let left = allowed.entry(value.clone()).or_default();
                assert!(
                    *left > 0,
                    "{}: {}:{line}: \"{value}\" is left without a word",
                    fixture.name,
                    path.display()
                );
                *left -= 1;
            }
        }
    }
}

#[test]
fn the_number_of_threads_does_not_show() {
    Suite::without_rules("invariants-threads", "invariants.rs").of_each(
        |Ported {
             fixture,
             port: four,
             ..
         }| {
            let one = fixture.port(&["--jobs", "1"]);
            assert_eq!(one.report_text, four.report_text, "{}", fixture.name);
            assert_eq!(one.tree, four.tree, "{}", fixture.name);
        },
    );
}

/// Run the program as a process of its own in a folder with all fixtures' inputs, made in the
/// given order, and return what it wrote.
fn port_of_all(reverse: bool, environment: &[(&str, &str)]) -> (Tree, String) {
    let place = TempDir::new().expect("a temporary folder");
    let mut tree = Tree::new();
    for fixture in all()
        .into_iter()
        .filter(|fixture| !fixture.folder.join("input/torchada.toml").exists())
    {
        for (path, node) in fixture.input() {
            tree.insert(Path::new(&fixture.name).join(path), node);
        }
    }
    let mut entries: Vec<(&PathBuf, &Node)> = tree.iter().collect();
    if reverse {
        entries.reverse();
    }
    fixtures::write_in_order(&place.path().join("all"), entries.into_iter());
    let status = Command::new(env!("CARGO_BIN_EXE_torchada"))
        .args(["port", "all", "-o", "out", "--quiet"])
        .current_dir(place.path())
        .envs(environment.iter().copied())
        .status()
        .expect("it runs");
    assert!(status.success(), "{environment:?}: {status}");
    let report =
        fs::read_to_string(place.path().join("out/.torchada/report.json")).expect("a report");
    let report = report.replace(&place.path().display().to_string(), "PLACE");
    (fixtures::read(&place.path().join("out")), report)
}

#[test]
fn order_locale_and_time_zone_do_not_show() {
    let plain = port_of_all(false, &[("LC_ALL", "C")]);
    for (reverse, environment) in [
        (true, [("LC_ALL", "C"), ("TZ", "UTC")]),
        (false, [("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Asia/Shanghai")]),
        (true, [("LANG", "de_DE"), ("TZ", "America/St_Johns")]),
    ] {
        let other = port_of_all(reverse, &environment);
        assert!(
            plain == other,
            "the output differs: files reversed {reverse}, {environment:?}"
        );
    }
}

/// Pieces of text that C++ and CUDA files are made of, sound or not.
const PIECES: &[&str] = &[
    "cudaMalloc",
    "cudaStream_t",
    "cudaSuccess",
    "cublasSgemm",
    "CUstream_st",
    "cudnnStatus_t",
    "ncclComm_t",
    "__CUDA_ARCH__",
    "CUDA_VERSION",
    "cudaCheck",
    "CHECK_CUDA",
    "half_cuda",
    "x",
    "at::cuda::CUDAStream",
    "cuda::std",
    "at",
    "namespace ",
    "using ",
    "struct ",
    "enum ",
    "typedef ",
    "return ",
    "auto ",
    "*",
    "&",
    "...",
    "+",
    "// cudaMalloc\n",
    "/* cudaFree */",
    "\"cudaFree\"",
    "R\"x(cudaFree)x\"",
    "u8\"cuda\"",
    "'a'",
    "1'000",
    "0xCUDA",
    "1.e+",
    "\n#define X cudaFree\n",
    "\n#define F(a) cuda##a\n",
    "F(Malloc)",
    "\n#ifdef USE_ROCM\n",
    "\n#ifdef USE_MUSA\n",
    "\n#else\n",
    "\n#endif\n",
    "\n#if CUDA_VERSION < 9\n",
    "\n#include <cuda_runtime.h>\n",
    "\n#include \"cuda_fp16.h\"\n",
    "\n#  include <cuda",
    "dlsym(h, \"cudaMalloc\")",
    "getenv(\"CUDA_VISIBLE_DEVICES\")",
    "torch::Device(\"cuda:0\")",
    "TORCH_LIBRARY_IMPL(a, CUDA, m)",
    "\"__global__ void f(cudaStream_t) {}\"",
    "\"__global__ {\\",
    "asm(\"mov cudaMalloc\");",
    "extern \"C\"",
    "é",
    "\u{feff}",
    "@X@",
    "{{ x }}",
    "${Y}",
];

fn soup() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        20 => prop::sample::select(pieces(PIECES)).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    let spaced = (piece, any::<bool>()).prop_map(|(mut piece, space)| {
        if space {
            piece.push(b' ');
        }
        piece
    });
    prop::collection::vec(spaced, 0..120).prop_map(|pieces| pieces.concat())
}

/// Translate one text as a filter does.
fn filter(text: &[u8], name: &str) -> (Exit, Vec<u8>) {
    let line = [
        "torchada",
        "port",
        "-",
        "--stdin-path",
        name,
        "--no-config",
        // A number in place of a name may break what was no code before, and is withdrawn then.
        "--cuda-version=off",
        "--quiet",
    ];
    let line: Vec<OsString> = line.iter().map(Into::into).collect();
    let (exit, out, _) = run(&line, text);
    (exit, out)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_survives(text in soup(), template in any::<bool>()) {
        let name = if template { "soup.cu.jinja" } else { "soup.cu" };
        let (exit, once) = filter(&text, name);
        prop_assert_eq!(exit, Exit::Done, "edits were withdrawn");
        let conditions = with_conditions(&text, &once);
        prop_assert_eq!(
            between_tokens(&with_comparisons(&text), template).escape_ascii().to_string(),
            between_tokens(&with_comparisons(&conditions), template).escape_ascii().to_string()
        );
        let kinds = |text: &[u8]| -> Vec<TokenKind> {
            let tokens = lex(text, LexOptions { template }).tokens;
            tokens.iter().map(|token| token.kind).filter(|kind| matches!(kind,
                TokenKind::Number | TokenKind::String | TokenKind::RawString | TokenKind::Char
                | TokenKind::HeaderName | TokenKind::Placeholder)).collect()
        };
        prop_assert_eq!(kinds(&with_comparisons(&text)), kinds(&with_comparisons(&conditions)));
        let (_, twice) = filter(&once, name);
        prop_assert_eq!(once.escape_ascii().to_string(), twice.escape_ascii().to_string());
    }
}
