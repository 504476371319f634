//! What a run quotes of other people's files (names, words, lines) stays text, wherever it is shown.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::program::text;
use serde_json::Value;
use tempfile::TempDir;

/// Sequences that colour, rename the window, ring, turn the direction and end a line without looking like it.
const ACTS: &str = "\u{1b}[31mRED\u{1b}]0;title\u{7}\u{202e}\u{2028}\u{85}\r";

/// What ends the places where text stands in HTML, XML, JSON, a link of SARIF's and a workflow command.
const ENDS: &str =
    "]]> --> </script><script>harm()</script> &lt;&\"' \\u0041 [a](http://b) %0A::error::harm";

/// Names of files, some of them no UTF-8.
fn names() -> Vec<Vec<u8>> {
    let ends = ENDS.replace('/', "|");
    let mut names: Vec<Vec<u8>> = [
        &format!("act{ACTS}.cu"),
        &format!("{ends}.cu"),
        "line\n::error file=a::harm.cu",
        "::error::harm.cu",
        "\u{1}\u{b}\u{7f}.cu",
    ]
    .map(|name| name.as_bytes().to_vec())
    .to_vec();
    names.push(b"\xff\xfe.cu".to_vec());
    names
}

/// A project whose every name and line tries to get out of where it is quoted.
fn project() -> TempDir {
    let place = TempDir::new().expect("a temporary folder");
    let root = place.path().join("p");
    fs::create_dir(&root).expect("made");
    let kernel = format!(
        "#include <cublasXt.h> // {ACTS} {ENDS}\n\
         #include \"cuda{ENDS}.cuh\"\n\
         int a = CUDART_VERSION; /* {ACTS} \u{1}\u{8}\u{c} {ENDS} */\n\
         const char *b = \"{ACTS}{ENDS} cudaMadeUp\"; void f() {{ nvmlInit(); }} // "
    );
    let kernel = [
        kernel.as_bytes(),
        b"\xff\xfe\nvoid g() { nvmlShutdown(); }\n",
    ]
    .concat();
    for name in names() {
        fs::write(root.join(OsStr::from_bytes(&name)), &kernel).expect("written");
    }
    let module = format!(
        "import torch\nimport cupy  # {ENDS}\nx = torch.device(\"cuda:{ENDS}\")\n\
         y = torch.cuda.made_up(\"{}\")\n",
        ACTS.replace('\r', "")
    );
    fs::write(root.join("m.py"), module).expect("written");
    let lists = format!(
        "find_package(CUDA{ACTS} REQUIRED)\nset(CUDA_{ENDS} 1)\nset(CUDA_TOOLKIT_ROOT_DIR \"{ACTS}\")\n"
    );
    fs::write(root.join("CMakeLists.txt"), lists).expect("written");
    fs::write(root.join("s.sh"), format!("nvcc {ACTS} {ENDS} -x cuda\n")).expect("written");
    place
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_torchada"))
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CEILING_DIRECTORIES", folder)
        .output()
        .expect("it runs")
}

fn checked(format: &str) -> Vec<u8> {
    let place = project();
    let output = run(place.path(), &["check", "p", "--format", format]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    output.stdout
}

/// The letters of an output that do something, but for line ends and the colours of the program itself.
fn acting(output: &[u8]) -> Vec<String> {
    let lines = text(output);
    let lines = lines.lines();
    let acts = |line: &&str| {
        // What is left of a sequence of the program's own is `[1m` and the like.
        let own = line.split('\u{1b}').skip(1).any(|rest| {
            let end = rest.find('m').unwrap_or(0);
            let (codes, _) = rest.split_at(end);
            let codes = codes.strip_prefix('[');
            !codes.is_some_and(|codes| codes.bytes().all(|at| at.is_ascii_digit() || at == b';'))
        });
        let other = |letter: char| letter.is_control() && letter != '\u{1b}';
        let turns = |letter| matches!(letter, '\u{2028}'..='\u{202e}');
        own || line.contains("[31mRED") && line.contains("\u{1b}[31mRED")
            || line.chars().any(|letter| other(letter) || turns(letter))
    };
    lines.filter(acts).map(str::to_owned).collect()
}

#[test]
fn nothing_reaches_a_terminal_but_the_colours_of_the_program() {
    let place = project();
    let hostile = format!("none{ACTS}");
    let lines: &[&[&str]] = &[
        &["check", "p", "--format", "full"],
        &["check", "p", "--format", "concise"],
        &["check", "p", "--format", "github"],
        &["port", "p", "-o", "q"],
        &["port", "p", "-o", "q", "--check"],
        &["port", &hostile],
        &["check", &hostile],
        &["unport", &hostile],
        &["report", &hostile],
        &["config", "p", "--config", &hostile],
        &["map", &hostile],
        &["explain", &hostile],
        &["explain-log", "messages.log", "--port", "q"],
        &[
            "explain-log",
            "messages.log",
            "--port",
            "q",
            "--format",
            "full",
        ],
        &[
            "explain-log",
            "messages.log",
            "--port",
            "q",
            "--format",
            "concise",
        ],
        &[
            "explain-log",
            "messages.log",
            "--port",
            "q",
            "--format",
            "github",
        ],
        &["explain-log", &hostile, "--port", "q"],
    ];
    let messages = format!(
        "/x/{ACTS}:1:2: error: {ACTS}{ENDS}\nm.py:3:1: error: unknown type name '{ACTS}{ENDS}'\n"
    );
    fs::write(place.path().join("messages.log"), messages).expect("written");
    for line in lines {
        let line = [*line, &["--color", "always"]].concat();
        let output = run(place.path(), &line);
        for shown in [&output.stdout, &output.stderr] {
            let found = acting(shown);
            assert!(found.is_empty(), "{line:?}: {found:#?}");
        }
    }
}

#[test]
fn a_workflow_command_is_a_finding_and_nothing_else() {
    for format in ["github", "concise", "full"] {
        let out = text(&checked(format));
        for line in out.lines().map(str::trim_start) {
            let command = line.starts_with("::") || line.starts_with("##[");
            let own = ["::error file=p/", "::warning file=p/", "::notice file=p/"];
            let own = format == "github" && own.iter().any(|own| line.starts_with(own));
            assert!(!command || own, "{format}: {line}");
        }
    }
    let place = project();
    let output = run(
        &place.path().join("p"),
        &["check", ".", "--format", "concise"],
    );
    let out = text(&output.stdout);
    assert!(!out.lines().any(|line| line.starts_with("::")), "{out}");
    // The path and the message come out of the host's decoding as they were.
    let out = text(&checked("github"));
    let path = out.lines().find(|line| line.contains("%250A"));
    let path = path.and_then(|line| line.strip_prefix("::"));
    let path = path.and_then(|line| line.split_once(" file=")).expect(&out);
    let path = path.1.split(',').next().expect("a value");
    let path = path
        .replace("%2C", ",")
        .replace("%3A", ":")
        .replace("%25", "%");
    assert_eq!(path, format!("p/{}.cu", ENDS.replace('/', "|")));
}

#[test]
fn every_machine_format_is_read_by_its_own_reader() {
    let findings =
        |value: &Value, path: &str| value.pointer(path).and_then(Value::as_array).map(Vec::len);
    let json: Value = serde_json::from_slice(&checked("json")).expect("JSON");
    let count = findings(&json, "/findings").expect("a list");
    let gitlab: Value = serde_json::from_slice(&checked("gitlab")).expect("JSON");
    assert_eq!(findings(&gitlab, ""), Some(count));
    let sarif: Value = serde_json::from_slice(&checked("sarif")).expect("JSON");
    assert_eq!(findings(&sarif, "/runs/0/results"), Some(count));
    // Python's reader is strict about what XML forbids.
    let place = TempDir::new().expect("a temporary folder");
    fs::write(place.path().join("j.xml"), checked("junit")).expect("written");
    let script = "import xml.dom.minidom as x; print(len(x.parse('j.xml').getElementsByTagName('testcase')))";
    let output = Command::new("python3")
        .args(["-c", script])
        .current_dir(place.path())
        .output()
        .expect("python3 runs");
    let printed = text(&output.stdout);
    assert_eq!(
        printed.trim(),
        count.to_string(),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_message_of_sarif_holds_no_link_and_its_places_are_uris() {
    let sarif: Value = serde_json::from_slice(&checked("sarif")).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("a list");
    for result in results {
        let message = result["message"]["text"].as_str().expect("text");
        assert!(
            !message.contains("](") || message.contains("\\]("),
            "{message}"
        );
        let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        let uri = uri.as_str().expect("a URI");
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~%".contains(&byte);
        assert!(uri.bytes().all(plain), "{uri}");
    }
}
