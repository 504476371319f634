//! The compile check: the fixtures' ports against their originals, with real CUDA headers.
//!
//! The headers (5.5 MB) come from `PyPI` on the first run and are kept below cargo's target folder.

use crate::compile_check;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::common::fixtures::{self, Fixture, Node, Tree, ported};
use crate::common::passed::Suite;
use crate::common::side_by_side::side_by_side;
use crate::compile_check::{How, Options, Tools, Verdict};
use serde::Deserialize;
use torchada::mapping::Evidence;

/// What `tests/compile.toml` says of files.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Table {
    /// Files whose original can't be preprocessed here.
    #[serde(default)]
    original_fails: Vec<Entry>,
    /// Files whose port differs without a word of its report.
    #[serde(default)]
    differs: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    fixture: String,
    files: Vec<String>,
    reason: String,
    /// Parts of the sysroot with which the original can be preprocessed.
    #[serde(default)]
    with: Vec<String>,
}

/// The tools with CUDA's own headers.
fn tools() -> &'static Tools {
    static TOOLS: OnceLock<Tools> = OnceLock::new();
    TOOLS.get_or_init(|| {
        Tools::new(
            &compile_check::default_cache(),
            &[],
            Evidence::Contested,
            &[],
        )
        .unwrap_or_else(|error| panic!("the check can't be made: {error:#}"))
    })
}

fn table() -> Table {
    toml::from_str(include_str!("compile.toml")).expect("tests/compile.toml is sound")
}

/// The verdicts over one fixture's files, and what is shown of them.
fn verdicts(tools: &Tools, fixture: &Fixture, how: How) -> (BTreeMap<String, Verdict>, String) {
    let place = fixtures::place();
    let (input, output) = (place.path().join("input"), place.path().join("output"));
    fixtures::port_in(place.path(), &fixture.input(), &fixture.arguments, &[]);
    let output = if output.is_dir() {
        output
    } else {
        input.clone()
    };
    let mut options = Options::new(&input, &output);
    options.how = how;
    let outcome = compile_check::run(tools, &options)
        .unwrap_or_else(|error| panic!("{}: {error:#}", fixture.name));
    let verdicts = outcome
        .files
        .iter()
        .map(|file| (file.file.clone(), file.verdict));
    (verdicts.collect(), compile_check::text(&outcome, false))
}

/// The check, with all that it depends on but a port: the program's rules only make the port.
fn suite(name: &'static str) -> Suite {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    Suite::new(name)
        .with_version("g++")
        .with_program_but_rules()
        .with_files(&root.join("examples/compile-check"))
        .with_files(&root.join("examples/shared"))
        .with_files(&root.join("tests/compile.rs"))
        .with_files(&root.join("tests/compile.toml"))
}

/// What is wrong with a fixture's verdicts, after those that are listed for it.
fn faults(
    verdicts: BTreeMap<String, Verdict>,
    mut listed: BTreeMap<&str, Verdict>,
    shown: &str,
) -> Vec<String> {
    let mut faults = Vec::new();
    for (file, verdict) in verdicts {
        let good = matches!(verdict, Verdict::Passes | Verdict::Explained);
        match listed.remove(file.as_str()) {
            Some(listed) if listed == verdict => {}
            None if good => {}
            Some(_) if good => faults.push(format!(
                "{file} needs no entry in tests/compile.toml any more"
            )),
            _ => faults.push(format!("{file}: {verdict:?}\n{shown}")),
        }
    }
    let gone = listed.into_keys();
    faults.extend(
        gone.map(|file| format!("tests/compile.toml speaks of {file}, which is not compiled")),
    );
    faults
}

#[test]
fn every_fixture_compiles_as_its_original_does() {
    let table = table();
    let lists = [
        (&table.original_fails, Verdict::OriginalFails),
        (&table.differs, Verdict::Fails),
    ];
    let listed = |name: &str| -> BTreeMap<&str, Verdict> {
        let each = lists.iter().flat_map(|(entries, verdict)| {
            let mine = entries.iter().filter(|entry| entry.fixture == name);
            mine.flat_map(|entry| entry.files.iter().map(|file| (file.as_str(), *verdict)))
        });
        each.collect()
    };
    for entry in lists.iter().flat_map(|(entries, _)| entries.iter()) {
        let name = &entry.fixture;
        assert!(!entry.reason.is_empty(), "{name}: a reason is missing");
        let mut known = ported().iter().map(|one| &one.fixture.name);
        assert!(known.any(|one| one == name), "there is no fixture {name}");
    }
    let suite = suite("compile");
    let found = side_by_side(ported(), |one| {
        let name = &one.fixture.name;
        let suite = suite.clone().with(name);
        let suite = suite.with_tree(&one.input).with_port(&one.port);
        if let Some(checked) = suite.passed() {
            return (checked.parse().expect("a number"), Vec::new());
        }
        let (verdicts, shown) = verdicts(tools(), &one.fixture, How::Same);
        let checked = verdicts.len();
        let faults = faults(verdicts, listed(name), &shown);
        if faults.is_empty() {
            suite.pass(&checked.to_string());
        }
        let named = faults.into_iter().map(|fault| format!("{name}/{fault}"));
        (checked, named.collect())
    });
    let (checked, faults): (Vec<usize>, Vec<Vec<String>>) = found.into_iter().unzip();
    let faults = faults.concat();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let checked: usize = checked.iter().sum();
    assert!(checked > 100, "only {checked} files were checked");
}

#[test]
#[ignore = "downloads 2.2 GB of libraries for their headers"]
fn fixtures_of_libraries_compile_as_their_originals_do() {
    let table = table();
    let mut parts: Vec<&String> = table
        .original_fails
        .iter()
        .flat_map(|one| &one.with)
        .collect();
    parts.sort();
    parts.dedup();
    let parts: Vec<_> = parts
        .into_iter()
        .map(|part| {
            part.parse()
                .unwrap_or_else(|error| panic!("{part}: {error}"))
        })
        .collect();
    let tools = Tools::new(
        &compile_check::default_cache(),
        &parts,
        Evidence::Contested,
        &[],
    )
    .unwrap_or_else(|error| panic!("the check can't be made: {error:#}"));
    let mut faults = Vec::new();
    for fixture in fixtures::all() {
        let entries = table
            .original_fails
            .iter()
            .filter(|one| one.fixture == fixture.name);
        let files: Vec<&String> = entries
            .filter(|one| !one.with.is_empty())
            .flat_map(|one| &one.files)
            .collect();
        if files.is_empty() {
            continue;
        }
        let (verdicts, shown) = verdicts(&tools, &fixture, How::Same);
        for file in files {
            match verdicts.get(file) {
                Some(Verdict::Passes | Verdict::Explained) => {}
                // A header is looked at where a source includes it.
                None if !verdicts.is_empty() => {}
                verdict => faults.push(format!("{}/{file}: {verdict:?}\n{shown}", fixture.name)),
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
#[ignore = "downloads 98 MB of nvcc"]
fn what_inline_ptx_of_fixtures_becomes_compiles_for_a_device() {
    let how = How::Ptx;
    let cache = compile_check::default_cache();
    let tools = Tools::new(&cache, &how.parts(), Evidence::Contested, &[])
        .unwrap_or_else(|error| panic!("the check can't be made: {error:#}"));
    let mut checked = 0;
    let mut faults = Vec::new();
    for one in ported() {
        let texts = one.port.tree.values().filter_map(|node| match node {
            Node::File { bytes, .. } => Some(String::from_utf8_lossy(bytes)),
            Node::Link(_) => None,
        });
        if !texts.into_iter().any(|text| text.contains("// asm")) {
            continue;
        }
        let (verdicts, shown) = verdicts(&tools, &one.fixture, how);
        for (file, verdict) in verdicts {
            checked += usize::from(verdict != Verdict::OriginalFails);
            if verdict == Verdict::Fails {
                faults.push(format!("{}/{file}:\n{shown}", one.fixture.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(checked > 5, "only {checked} files were checked");
}

/// A file in which everything has a counterpart, and one thing has not. The C++ in place of its inline PTX has fewer
/// lines.
const ORIGINAL: &str = "\
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#if CUDART_VERSION >= 11000
inline int releases() { return 2; }
#endif

__global__ void scale(float *values) {
  unsigned lane;
  asm(\"mov.u32 %0,\"
      \"%%laneid;\"
      : \"=r\"(lane));
  values[lane] += 1;
#if __CUDA_ARCH__ >= 600
  values[threadIdx.x] = __half2float(__float2half(values[threadIdx.x]));
#else
  values[threadIdx.x] = 0;
#endif
}

int main() {
  float *values = nullptr;
  cudaMalloc(&values, 256);
  scale<<<1, 32>>>(values);
  cudaFree(values);
  return cudaDeviceSynchronize() == cudaSuccess && CUDART_VERSION > 0 ? 0 : 1;
}
";

/// The tree of [`ORIGINAL`].
fn original() -> Tree {
    let original = Node::File {
        bytes: ORIGINAL.into(),
        executable: false,
    };
    Tree::from([(PathBuf::from("k.cu"), original)])
}

/// A port of [`ORIGINAL`] in which `from` became `to`, checked.
fn planted(from: &str, to: &str) -> (Verdict, String) {
    let place = fixtures::place();
    let place = place.path();
    fixtures::port_in(place, &original(), &[], &["--cuda-version=off"]);
    let file = place.join("output/k.mu");
    let text = std::fs::read_to_string(&file).expect("ported");
    assert!(text.contains(from), "the port has no `{from}`:\n{text}");
    std::fs::write(&file, text.replacen(from, to, 1)).expect("written");
    let options = Options::new(&place.join("input"), &place.join("output"));
    let outcome = compile_check::run(tools(), &options)
        .unwrap_or_else(|error| panic!("the check can't be made: {error:#}"));
    let json: serde_json::Value =
        serde_json::from_str(&compile_check::json(&outcome)).expect("JSON");
    assert_eq!(json["summary"]["files"], 1);
    (
        outcome.files[0].verdict,
        compile_check::text(&outcome, true),
    )
}

#[test]
fn a_sound_port_differs_nowhere_without_a_finding() {
    let (verdict, shown) = planted("musaFree", "musaFree");
    // The two versions are left, and the report says so.
    assert_eq!(verdict, Verdict::Explained, "{shown}");
    assert!(
        shown.contains("[CPP055]") && shown.contains("[CPP056]"),
        "{shown}"
    );
    let mut lines = shown.lines();
    let is_translated = |line: &str| line.ends_with("[inline-ptx]");
    assert!(
        lines.all(|line| !line.contains("became") || is_translated(line)),
        "{shown}"
    );
}

#[test]
fn each_planted_fault_is_seen() {
    let faults = [
        ("a name that no table has", "musaFree(", "musaFreeLater("),
        ("a misspelt name", "musaMalloc(", "musaMaloc("),
        ("a header that is none", "musa_fp16.h", "musa_fp61.h"),
        ("a lost header", "#include <musa_fp16.h>\n", "\n"),
        ("a name of CUDA's", "musaFree(", "cudaFree("),
        ("a header of CUDA's", "musa_fp16.h", "cuda_fp16.h"),
        (
            "a guard on a macro that is not there",
            "CUDART_VERSION >= 11000",
            "MUSA_COMP_VERSION >= 11000",
        ),
        (
            "a flipped guard",
            "#if __MUSA_ARCH__ >=",
            "#if __MUSA_ARCH__ <",
        ),
        (
            "a guard with CUDA's number",
            "#if __MUSA_ARCH__ >= 210",
            "#if __MUSA_ARCH__ >= 600",
        ),
        ("a lost statement", "  scale<<<1, 32>>>(values);\n", "\n"),
        (
            "a change beside a finding",
            "musaSuccess && CUDART_VERSION",
            "musaErrorUnknown && CUDART_VERSION",
        ),
        (
            "a change behind translated PTX",
            "values[lane] += 1",
            "values[lane] += 2",
        ),
        (
            "a change before translated PTX",
            "unsigned lane",
            "unsigned short lane",
        ),
        (
            "another kernel",
            "values[threadIdx.x] = 0",
            "values[threadIdx.x] = 1",
        ),
    ];
    let port = fixtures::port(&original(), &[], &[]);
    suite("compile-faults").with_port(&port).run(|| {
        let found = side_by_side(&faults, |(_, from, to)| planted(from, to));
        for ((what, ..), (verdict, shown)) in faults.iter().zip(found) {
            assert_eq!(verdict, Verdict::Fails, "{what}: {shown}");
        }
    });
}

/// A file that needs a flag and a folder of headers, and its port, checked with these files.
fn flagged(list: Option<(&str, &str)>) -> (Verdict, String) {
    let file = |text: &str| Node::File {
        bytes: text.into(),
        executable: false,
    };
    let source = "#include \"size.h\"\n#ifndef WANTED\n#error \"no\"\n#endif\n\
                  void fill(int *to) { cudaMemset(to, 0, SIZE); }\n";
    let mut tree = Tree::from([
        (PathBuf::from("src/k.cu"), file(source)),
        (PathBuf::from("lib/size.h"), file("#define SIZE 4\n")),
    ]);
    if let Some((name, text)) = list {
        tree.insert(PathBuf::from(name), file(text));
    }
    let place = fixtures::place();
    let place = place.path();
    fixtures::port_in(place, &tree, &[], &[]);
    let mut options = Options::new(&place.join("input"), &place.join("output"));
    options.files = match list {
        Some((name @ "compile_commands.json", _)) => {
            compile_check::Files::Database(place.join("input").join(name))
        }
        Some((name, _)) => compile_check::Files::List(place.join("input").join(name)),
        None => compile_check::Files::Found,
    };
    let outcome = compile_check::run(tools(), &options)
        .unwrap_or_else(|error| panic!("the check can't be made: {error:#}"));
    (
        outcome.files[0].verdict,
        compile_check::text(&outcome, true),
    )
}

#[test]
fn flags_come_from_a_list_or_a_compile_database() {
    let (verdict, shown) = flagged(None);
    assert_eq!(verdict, Verdict::OriginalFails, "{shown}");
    let list = r#"[{"file": "src/k.cu", "flags": ["-Ilib", "-DWANTED=1"]}]"#;
    let (verdict, shown) = flagged(Some(("list.json", list)));
    assert_eq!(verdict, Verdict::Passes, "{shown}");
    let database = r#"[{"directory": "src", "file": "k.cu",
        "command": "nvcc -gencode arch=compute_80,code=sm_80 -I ../lib \"-DWANTED=\\\"a b\\\"\" -c k.cu -o k.o"}]"#;
    let (verdict, shown) = flagged(Some(("compile_commands.json", database)));
    assert_eq!(verdict, Verdict::Passes, "{shown}");
}
