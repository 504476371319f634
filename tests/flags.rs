//! Options of nvcc become the same options of mcc wherever a build has them: in a `CMakeLists.txt`, a makefile, a
//! `setup.py`, and at run time.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use torchada::mapping::knowledge::Knowledge;
use torchada::mapping::{Evidence, Relation, Row, Section, Tables};

use crate::common::fixtures::{Fixture, Node};
use crate::common::trees::write_into;

/// Values for the options that take one.
const VALUES: &[(&str, &str)] = &[
    ("--compiler-bindir", "g++"),
    ("--compiler-options", "-fPIC"),
    ("--compress-mode", "size"),
    ("--cudart", "static"),
    ("--default-stream", "per-thread"),
    ("--diag-suppress", "20012"),
    ("--generate-code", "arch=compute_80,code=sm_80"),
    ("--gpu-architecture", "sm_80"),
    ("--gpu-code", "sm_80"),
    ("--keep-dir", "kept"),
    ("--maxrregcount", "32"),
    ("--output-directory", "out"),
    ("--ptxas-options", "-v"),
    ("--split-compile", "4"),
    ("--threads", "4"),
    ("-Xcompiler", "-fPIC"),
    ("-Xcudafe", "--display_error_number"),
    ("-Xfatbin", "-compress-all"),
    ("-Xnvlink", "-v"),
    ("-Xopencc", "-O3"),
    ("-Xptxas", "-v"),
    ("-arch", "sm_80"),
    ("-ccbin", "g++"),
    ("-code", "sm_80"),
    ("-compress-mode", "size"),
    ("-cudart", "static"),
    ("-default-stream", "per-thread"),
    ("-diag-suppress", "20012"),
    ("-gencode", "arch=compute_80,code=sm_80"),
    ("-keep-dir", "kept"),
    ("-maxrregcount", "32"),
    ("-nvlink-options", "-v"),
    ("-odir", "out"),
    ("-split-compile", "4"),
    ("-t", "4"),
];

/// What a rule reports of an option.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Finding {
    /// It is left out, and mcc does without.
    Needless,
    /// It is left out, and no counterpart is known.
    Unknown,
    /// It stays, because what is known of it is too weak.
    TooWeak,
    /// It stays, because its value stands elsewhere.
    WithoutValue,
    /// It stays, because it says what is made.
    ChoosesOutput,
}

/// The words that replace some others, and what a rule reports of these.
type Outcome = (Vec<String>, Vec<Finding>);

/// Words of a command line, and what becomes of them.
struct Case {
    words: Vec<String>,
    expected: Outcome,
    /// Whether they name CUDA's GPUs. The port's names of MUSA's GPUs differ from build to build, and so do the
    /// findings about them.
    names_gpus: bool,
}

fn words(text: &str) -> Vec<String> {
    text.split(' ')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// What a row says of an option, where evidence down to `weakest` counts.
fn expected(row: &Row, option: &[String], weakest: Evidence) -> Outcome {
    if row.evidence.unwrap_or(Evidence::Table) > weakest {
        return (option.to_vec(), vec![Finding::TooWeak]);
    }
    if row.family.as_deref() == Some("arch") {
        return (words("--offload-arch=mp_31"), Vec::new());
    }
    let syntax = &Knowledge::builtin().builds.flags;
    let is_one = |list: &[String]| list.iter().any(|one| *one == *row.cuda);
    match (row.relation, row.to.as_deref()) {
        _ if is_one(&syntax.output) => (option.to_vec(), vec![Finding::ChoosesOutput]),
        _ if is_one(&syntax.compiling) => (words("-c"), vec![Finding::Unknown]),
        _ if matches!(&*row.cuda, "-Xcompiler" | "--compiler-options") => {
            (words("-fPIC"), Vec::new())
        }
        (Relation::Renamed, Some(to)) => (words(to), Vec::new()),
        (Relation::Absent, _) => (Vec::new(), vec![Finding::Needless]),
        (Relation::Unknown, _) => (Vec::new(), vec![Finding::Unknown]),
        _ => (option.to_vec(), Vec::new()),
    }
}

/// Every option of the table, with its value behind a blank and behind a `=`.
fn options_of_the_table(weakest: Evidence) -> Vec<Case> {
    let mut cases = Vec::new();
    for row in Tables::builtin().rows(Section::Flags) {
        let value = VALUES.iter().find(|(option, _)| *option == row.cuda);
        let spelled = match value {
            Some((option, value)) => vec![format!("{option} {value}"), format!("{option}={value}")],
            None => vec![row.cuda.to_string()],
        };
        for text in spelled {
            let words = words(&text);
            let expected = expected(row, &words, weakest);
            let names_gpus = row.family.as_deref() == Some("arch");
            cases.push(Case {
                words,
                expected,
                names_gpus,
            });
        }
    }
    cases
}

/// What stands behind the words of a case, so that no option of theirs is the last.
const END: &str = "-DEND";

/// Port a tree that has every case in a build file of each kind, with `end` behind it, and return what became of each
/// case there.
fn ported(cases: &[Case], end: &str, arguments: &[&str]) -> BTreeMap<&'static str, Vec<Outcome>> {
    const CMAKE: &str = "CMakeLists.txt";
    const MAKE: &str = "Makefile";
    const SETUP: &str = "setup.py";
    let place = TempDir::new().expect("a folder");
    for (number, case) in cases.iter().enumerate() {
        let mut line = case.words.clone();
        line.extend((!end.is_empty()).then(|| end.to_owned()));
        let list = line.join("\", \"");
        let line = line.join(" ");
        let cmake =
            format!("project(demo LANGUAGES CXX CUDA)\nset(NVCC_FLAGS \"-DBEGIN {line}\")\n");
        let make = format!(
            "FLAGS_{number} := -DBEGIN {line}\n\nmain.o: main.cpp\n\tnvcc $(FLAGS_{number}) -c main.cpp\n"
        );
        let setup = format!(
            "from torch.utils.cpp_extension import CUDAExtension\n\n\
             flags = {{\"cxx\": [], \"nvcc\": [\"-DBEGIN\", \"{list}\"]}}\n\
             extension = CUDAExtension(\"demo\", [\"main.cpp\"], extra_compile_args=flags)\n"
        );
        let folder = place.path().join(format!("input/{number:03}"));
        write_into(&folder, &[(CMAKE, &cmake), (MAKE, &make), (SETUP, &setup)]);
    }
    let fixture = Fixture {
        name: "options".to_owned(),
        folder: place.path().to_owned(),
        arguments: arguments.iter().map(|&one| one.to_owned()).collect(),
    };
    let port = fixture.port(&[]);
    let mut found = BTreeMap::new();
    for file in [CMAKE, MAKE, SETUP] {
        let outcomes = (0..cases.len()).map(|number| {
            let path = format!("{number:03}/{file}");
            let Some(Node::File { bytes, .. }) = port.tree.get(Path::new(&path)) else {
                panic!("{path} is not written");
            };
            let text = String::from_utf8_lossy(bytes);
            (between(&text), findings(&port.report, &path))
        });
        found.insert(file, outcomes.collect());
    }
    found
}

/// The words behind the one that stands before every case, as far as the line or the end of the case goes.
fn between(text: &str) -> Vec<String> {
    let inside = text.split_once("-DBEGIN").map_or(text, |(_, rest)| rest);
    let inside = inside.lines().next().unwrap_or_default();
    let mut found = match inside.strip_prefix('"') {
        // Every second piece of a list stands between quotes.
        Some(list) => list
            .split('"')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect(),
        None => words(inside.trim_end_matches([')', '"'])),
    };
    found.retain(|word| word != END);
    found
}

fn findings(report: &Value, path: &str) -> Vec<Finding> {
    let all = report["findings"].as_array().expect("findings");
    let of = all.iter().filter(|one| one["path"] == path);
    let mut found: Vec<Finding> = of
        .filter_map(|one| match one["code"].as_str()? {
            "PY093" | "BLD012" | "BLD040" => Some(Finding::Needless),
            "PY094" | "BLD031" => Some(Finding::Unknown),
            "PY077" | "BLD025" => Some(Finding::TooWeak),
            "BLD032" => Some(Finding::ChoosesOutput),
            "PY095" if one["message"].as_str()?.contains("what nvcc makes") => {
                Some(Finding::ChoosesOutput)
            }
            "PY095" | "BLD013" => Some(Finding::WithoutValue),
            _ => None,
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// What `compiler_flags` of the package for run time makes of each case.
fn at_run_time(cases: &[Case]) -> Vec<Outcome> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let words: Vec<&[String]> = cases.iter().map(|case| &*case.words).collect();
    let place = TempDir::new().expect("a folder");
    let input = place.path().join("cases.json");
    fs::write(&input, serde_json::to_vec(&words).expect("JSON")).expect("written");
    let done = Command::new("python3")
        .arg(root.join("tests/flags/at_run_time.py"))
        .arg(root.join("src/stub/torchada"))
        .stdin(Stdio::from(fs::File::open(input).expect("readable")))
        .output()
        .expect("python3 runs");
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{errors}");
    let answers: Vec<(Vec<String>, Vec<String>)> =
        serde_json::from_slice(&done.stdout).expect("JSON");
    let outcome = |(words, kinds): (Vec<String>, Vec<String>)| {
        let findings = kinds.iter().map(|kind| match kind.as_str() {
            "note" => Finding::Needless,
            _ => Finding::Unknown,
        });
        (words, findings.collect())
    };
    answers.into_iter().map(outcome).collect()
}

/// Each case whose outcome is another than it should be, a line each.
fn differences(kind: &str, cases: &[Case], outcomes: &[Outcome]) -> Vec<String> {
    assert_eq!(cases.len(), outcomes.len());
    let pairs = cases.iter().zip(outcomes);
    let wrong = pairs.filter(|(case, (words, findings))| {
        let (should, should_find) = &case.expected;
        words != should || !case.names_gpus && findings != should_find
    });
    wrong
        .map(|(case, found)| {
            let (words, expected) = (case.words.join(" "), &case.expected);
            format!("{kind}: `{words}` gives {found:?} and not {expected:?}")
        })
        .collect()
}

/// Assert that a port of all three kinds of build files gives what is expected.
fn assert_ported(cases: &[Case], end: &str, arguments: &[&str]) {
    let mut wrong = Vec::new();
    for (file, outcomes) in ported(cases, end, arguments) {
        wrong.extend(differences(file, cases, &outcomes));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_option_in_three_build_files() {
    assert_ported(
        &options_of_the_table(Evidence::Table),
        END,
        &["--target", "mp_31"],
    );
}

#[test]
fn min_evidence_holds_in_three_build_files() {
    let arguments = ["--target", "mp_31", "--min-evidence", "confirmed"];
    assert_ported(&options_of_the_table(Evidence::Confirmed), END, &arguments);
}

#[test]
fn one_option_at_run_time() {
    let mut cases = options_of_the_table(Evidence::Table);
    for case in &mut cases {
        if case.names_gpus {
            // `MTGPU_TARGET` or torch_musa names MUSA's GPUs there.
            case.expected.0.clear();
        }
        // mcc itself stops at them.
        case.expected.1.retain(|one| *one != Finding::ChoosesOutput);
    }
    let wrong = differences("at run time", &cases, &at_run_time(&cases));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Options that stand behind others, and what becomes of them in every kind of build.
const FORWARDED: &[(&str, &str, &[Finding])] = &[
    ("-Xcompiler -fPIC,-Wall", "-fPIC -Wall", &[]),
    ("-Xcompiler=-fPIC,-Wall", "-fPIC -Wall", &[]),
    (
        "-Xcompiler -fPIC,-Wl,-rpath,/opt/lib",
        "-fPIC -Wl,-rpath,/opt/lib",
        &[],
    ),
    ("-Xcompiler -lineinfo", "", &[Finding::Needless]),
    ("-Xcompiler -Wall,-lineinfo", "-Wall", &[Finding::Needless]),
    ("-Xcompiler -Wall,-rdc=true", "-Wall", &[Finding::Unknown]),
    ("-Xcompiler /bigobj", "", &[Finding::Needless]),
    ("-Xlinker -rpath,/opt/lib", "-Wl,-rpath,/opt/lib", &[]),
    ("-Xlinker --as-needed", "-Xlinker --as-needed", &[]),
    (
        "--linker-options=-rpath,/opt/lib",
        "-Wl,-rpath,/opt/lib",
        &[],
    ),
    (
        "-U__CUDA_NO_HALF_OPERATORS__",
        "-U__MUSA_NO_HALF_OPERATORS__",
        &[],
    ),
    ("-DCUDA_NO_HALF=1", "-DMUSA_NO_HALF=1", &[]),
    ("-std c++17", "-std=c++17", &[]),
    ("--std c++17 -O3", "--std=c++17 -O3", &[]),
    ("--include-path a,b", "-Ia -Ib", &[]),
    ("--library-path=/opt/lib", "-L/opt/lib", &[]),
    (
        "--define-macro A=1,CUDA_NO_HALF",
        "-DA=1 -DMUSA_NO_HALF",
        &[],
    ),
    ("-rdc true", "", &[Finding::Unknown]),
    ("--fmad false", "-ffp-contract=off", &[]),
    ("-arch arm64", "-arch arm64", &[]),
    ("-x c++", "-x c++", &[]),
    ("-O3 -DX=1 -I/opt/include", "-O3 -DX=1 -I/opt/include", &[]),
];

fn forwarded() -> Vec<Case> {
    let case = |&(from, to, findings): &(&str, &str, &[Finding])| Case {
        words: words(from),
        expected: (words(to), findings.to_vec()),
        names_gpus: false,
    };
    FORWARDED.iter().map(case).collect()
}

#[test]
fn an_option_behind_another_in_three_build_files() {
    assert_ported(&forwarded(), END, &[]);
}

#[test]
fn an_option_behind_another_at_run_time() {
    let cases = forwarded();
    let wrong = differences("at run time", &cases, &at_run_time(&cases));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_option_vanishes_without_a_finding() {
    let cases = [
        "--Werror cross-execution-space-call",
        "-Werror=default-stream-launch",
        "-Xcompiler -lineinfo",
        "-rdc=true",
    ];
    let cases: Vec<Case> = cases
        .iter()
        .map(|text| Case {
            words: words(text),
            expected: (Vec::new(), Vec::new()),
            names_gpus: false,
        })
        .collect();
    for (file, outcomes) in ported(&cases, END, &[]) {
        for (case, (left, findings)) in cases.iter().zip(outcomes) {
            let words = case.words.join(" ");
            assert!(
                !left.is_empty() || !findings.is_empty(),
                "{file}: `{words}`"
            );
        }
    }
}

#[test]
fn an_option_whose_value_stands_elsewhere_stays_in_three_build_files() {
    let case = |text: &&str| Case {
        words: words(text),
        expected: (words(text), vec![Finding::WithoutValue]),
        names_gpus: *text == "-arch",
    };
    let cases: Vec<Case> = ["-Xcompiler", "-Xptxas", "-arch"]
        .iter()
        .map(case)
        .collect();
    assert_ported(&cases, "", &["--target", "mp_31"]);
}
