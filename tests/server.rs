//! `torchada server` as an editor sees it: what it says of texts that somebody types, what it offers, and that nothing which
//! it is sent ends it.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::editor::Editor;
use crate::common::program::{text, text as messages, torchada};
use crate::common::trees::{read_tree, write_tree};

/// A header and a source that includes it, a module, and a build file; with letters that have more than one byte or unit.
const TREE: &[(&str, &str)] = &[
    ("csrc/k.cuh", "#pragma once\n#include <cuda_runtime.h>\n"),
    (
        "csrc/k.cu",
        "#include \"k.cuh\"\n// \u{e9}\u{1f600}\nvoid f() {\n  /* \u{1f600} */ cudaMalloc(nullptr, CUDART_VERSION);\n}\n",
    ),
    (
        "app.py",
        "import torch\n\n\ndef run(x):\n    return x.to(\"cuda\")\n",
    ),
    (
        "CMakeLists.txt",
        "project(k LANGUAGES CXX CUDA)\nfind_package(CUDAToolkit REQUIRED)\nadd_library(k csrc/k.cu)\n",
    ),
];

/// What an editor can do that writes files and shows pages.
fn able() -> Value {
    json!({
        "workspace": { "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] } },
        "window": { "showDocument": { "support": true } },
    })
}

fn text_of(path: &str) -> &'static str {
    let found = TREE.iter().find(|(one, _)| *one == path);
    found.map_or("", |(_, text)| text)
}

/// `line:character code` of each diagnostic.
fn places(diagnostics: &[Value]) -> Vec<String> {
    let place = |one: &Value| {
        let start = &one["range"]["start"];
        let code = one["code"].as_str().unwrap_or_default();
        format!("{}:{} {code}", start["line"], start["character"])
    };
    let mut places: Vec<String> = diagnostics.iter().map(place).collect();
    places.sort();
    places
}

/// The places of a check's findings in a file, as an editor counts them.
fn checked(folder: &Path, path: &str) -> Vec<String> {
    let words = [
        "check",
        path,
        "--root",
        ".",
        "--no-facts",
        "--format",
        "json",
    ];
    let output = torchada(folder, &words);
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)));
    let source = std::fs::read_to_string(folder.join(path)).expect("readable");
    let findings = report["findings"].as_array().expect("a list").iter();
    let mut places: Vec<String> = findings
        .map(|finding| {
            let line = finding["line"].as_u64().expect("a number") - 1;
            let column = finding["column"].as_u64().expect("a number") - 1;
            let shown = source.lines().nth(usize::try_from(line).expect("small"));
            let before = shown.unwrap_or_default().chars();
            let before = before.take(usize::try_from(column).expect("small"));
            let units: usize = before.map(char::len_utf16).sum();
            format!(
                "{line}:{units} {}",
                finding["code"].as_str().expect("a code")
            )
        })
        .collect();
    places.sort();
    places
}

fn at(line: u64, character: u64) -> Value {
    json!({ "line": line, "character": character })
}

#[test]
fn diagnostics_are_those_of_a_check_and_follow_what_is_typed() {
    let tree = write_tree(TREE);
    let before = read_tree(tree.path());
    let mut editor = Editor::open(tree.path(), &json!({}));
    let mut of_kernel = Vec::new();
    for (path, source) in TREE {
        editor.open_document(path, source);
        let found = editor.diagnostics(path, 1);
        assert_eq!(places(&found), checked(tree.path(), path), "{path}");
        if *path == "csrc/k.cu" {
            of_kernel = found;
        }
    }
    let version = of_kernel
        .iter()
        .find(|one| {
            one["message"]
                .as_str()
                .is_some_and(|text| text.contains("CUDART_VERSION"))
        })
        .expect("a finding");
    assert_eq!(version["range"]["start"], at(3, 31));
    assert_eq!(version["source"], "torchada");
    assert!(
        version["message"]
            .as_str()
            .expect("text")
            .contains("\nhelp: ")
    );
    // Behind letters of two units, and in lines that an earlier change made.
    editor.change("csrc/k.cu", 2, [1, 6, 1, 6], "\u{1f600}\n\n");
    let found = editor.diagnostics("csrc/k.cu", 2);
    assert!(
        places(&found).iter().any(|one| one.starts_with("5:31 ")),
        "{found:?}"
    );
    editor.change("csrc/k.cu", 3, [5, 31, 5, 45], "0");
    assert_eq!(editor.diagnostics("csrc/k.cu", 3), [] as [Value; 0]);
    editor.change(
        "app.py",
        2,
        [5, 0, 5, 0],
        "    torch.cuda.synchronise_all(x)\n",
    );
    editor.diagnostics("app.py", 2);
    assert_eq!(editor.end(), Some(0));
    assert_eq!(read_tree(tree.path()), before, "nothing was written");
}

/// What one text has shown of the other files is kept for the next, unless it depends on the text itself.
#[test]
fn each_text_is_seen_with_what_it_makes_of_the_other_files() {
    let app = |take: &str, more: &str| {
        let run = "import where\n\n\ndef run():\n    return where.pick(\"cuda\")\n";
        format!("{run}\n\ndef take(name):\n    return {take}\n{more}")
    };
    let device = app("torch.device(name)", "").replacen("import", "import torch\nimport", 1);
    let texts = [
        device.clone(),
        app("TABLE[name]", ""),
        app("print(name)", ""),
        app("other.go(name)", "import other\n"),
        app("other.stay(name)", "import other\n"),
        app("name == \"rocm\" or name == \"cuda\"", ""),
        app(
            "Kind().go(name)",
            "\n\nclass Kind:\n    def go(self, one):\n        return torch.device(one)\n",
        ),
        device,
    ];
    let others = [
        (
            "where.py",
            "import app\n\n\ndef pick(name):\n    return app.take(name)\n",
        ),
        (
            "other.py",
            "import torch\n\n\ndef go(name):\n    return torch.device(name)\n\n\ndef stay(name):\n    return REGISTRY[name]\n",
        ),
        ("user.py", "from app import take\n\ntake(\"cuda\")\n"),
    ];
    let first = texts.first().expect("some").as_str();
    let tree = write_tree(&[others.as_slice(), &[("app.py", first)]].concat());
    let mut editor = Editor::open(tree.path(), &json!({}));
    editor.open_document("app.py", first);
    editor.diagnostics("app.py", 1);
    let mut shown = Vec::new();
    for (version, text) in (2..).zip(&texts) {
        editor.change("app.py", version, [0, 0, 1000, 0], text);
        let found = editor.diagnostics("app.py", version);
        std::fs::write(tree.path().join("app.py"), text).expect("written");
        assert_eq!(places(&found), checked(tree.path(), "app.py"), "{text}");
        let port = torchada(
            tree.path(),
            &["port", "app.py", "--root", ".", "-o", "-", "-q"],
        );
        let uri = json!({ "textDocument": { "uri": editor.uri("app.py") } });
        let answer = editor.ask("torchada/ported", &uri);
        assert_eq!(
            answer["result"]["text"],
            json!(messages(&port.stdout)),
            "{text}"
        );
        shown.push(answer["result"]["text"].clone());
    }
    shown.dedup();
    assert!(shown.len() > 4, "the texts mean the same: {shown:?}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_tree_is_read_again_when_a_file_is_saved() {
    let tree = write_tree(TREE);
    let mut editor = Editor::open(tree.path(), &json!({}));
    editor.open_document("csrc/k.cu", text_of("csrc/k.cu"));
    assert_eq!(editor.diagnostics("csrc/k.cu", 1).len(), 1);
    let config = "ignore = [\"CPP056\"]\n";
    std::fs::write(tree.path().join("torchada.toml"), config).expect("written");
    let changed = json!({ "uri": editor.uri("torchada.toml"), "type": 1 });
    editor.tell(
        "workspace/didChangeWatchedFiles",
        &json!({ "changes": [changed] }),
    );
    assert_eq!(editor.diagnostics("csrc/k.cu", 1), [] as [Value; 0]);
    std::fs::write(tree.path().join("torchada.toml"), "ignore = 1\n").expect("written");
    let saved = json!({ "textDocument": { "uri": editor.uri("torchada.toml") } });
    editor.tell("textDocument/didSave", &saved);
    let shown = editor.wait(&|one| one["method"] == "window/showMessage");
    let messages = shown["params"]["message"].as_str().expect("text");
    assert!(messages.contains("torchada.toml:1"), "{messages}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_place_shows_what_the_tables_say_and_what_findings_mean() {
    let tree = write_tree(TREE);
    let mut editor = Editor::open(tree.path(), &json!({}));
    editor.open_document("csrc/k.cu", text_of("csrc/k.cu"));
    editor.diagnostics("csrc/k.cu", 1);
    let mut hover = |line: u64, character: u64| {
        let document = json!({ "uri": editor.uri("csrc/k.cu") });
        let params = json!({ "textDocument": document, "position": at(line, character) });
        let answer = editor.ask("textDocument/hover", &params);
        let value = &answer["result"]["contents"]["value"];
        value.as_str().unwrap_or_default().to_owned()
    };
    let name = hover(3, 14);
    assert!(name.contains("musaMalloc"), "{name}");
    let finding = hover(3, 34);
    assert!(finding.contains("**CPP056**"), "{finding}");
    assert!(finding.contains("*What to do.*"), "{finding}");
    assert_eq!(hover(4, 0), "");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_place_can_be_translated_hidden_and_ported() {
    let tree = write_tree(TREE);
    let mut editor = Editor::open(tree.path(), &able());
    editor.open_document("csrc/k.cu", text_of("csrc/k.cu"));
    let found = editor.diagnostics("csrc/k.cu", 1);
    let uri = editor.uri("csrc/k.cu");
    let actions = editor.ask(
        "textDocument/codeAction",
        &json!({
            "textDocument": { "uri": uri },
            "range": { "start": at(3, 14), "end": at(3, 34) },
            "context": { "diagnostics": found },
        }),
    );
    let actions = actions["result"].as_array().expect("a list").clone();
    let named = |title: &str| {
        let found = actions.iter().find(|one| one["title"] == title);
        found
            .unwrap_or_else(|| panic!("{title}: {actions:#?}"))
            .clone()
    };
    let translate = named("Translate `cudaMalloc` to `musaMalloc`");
    let edit = &translate["edit"]["changes"][&uri][0];
    assert_eq!(edit["newText"], "musaMalloc");
    assert_eq!(edit["range"]["start"], at(3, 11));
    let port = named("Port this file to `k.mu` beside it");
    let steps = &port["edit"]["documentChanges"];
    assert_eq!(steps[0]["kind"], "create");
    assert_eq!(steps[0]["uri"], json!(uri.replace("k.cu", "k.mu")));
    let ported = steps[1]["edits"][0]["newText"].as_str().expect("text");
    assert!(ported.contains("musaMalloc(nullptr"), "{ported}");
    // The document as the editor would show it, by the request and by the command.
    let document = json!({ "textDocument": { "uri": uri } });
    let shown = editor.ask("torchada/ported", &document);
    assert_eq!(
        shown["result"],
        json!({ "path": "csrc/k.mu", "text": ported })
    );
    let command = json!({ "command": "torchada.ported", "arguments": [uri] });
    let shown = editor.ask("workspace/executeCommand", &command);
    assert_eq!(shown["result"]["text"], ported);
    let explain = named("Explain CPP056")["command"].clone();
    let text = editor.ask("workspace/executeCommand", &explain);
    assert!(
        text["result"]
            .as_str()
            .expect("text")
            .starts_with("**CPP056**")
    );
    // A marker hides the finding, and nothing else.
    let hide = named("Hide CPP056 here");
    let marker = &hide["edit"]["changes"][&uri][0];
    assert_eq!(marker["newText"], "  // torchada: ignore[CPP056]\n");
    let line = marker["range"]["start"]["line"].as_u64().expect("a number");
    let new = marker["newText"].as_str().expect("text");
    editor.change("csrc/k.cu", 2, [line, 0, line, 0], new);
    assert_eq!(editor.diagnostics("csrc/k.cu", 2), [] as [Value; 0]);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn what_is_no_message_ends_nothing() {
    let tree = write_tree(TREE);
    let mut editor = Editor::open(tree.path(), &json!({}));
    editor.send_raw(b"no JSON");
    editor.wait(&|one| one["method"] == "window/logMessage");
    editor.send_raw(b"{\"jsonrpc\":\"2.0\",\"id\":\"seven\",\"method\":7}");
    let refused = editor.wait(&|one| one["id"] == "seven");
    assert_eq!(refused["error"]["code"], json!(-32600));
    let unknown = editor.ask("textDocument/rename", &json!({}));
    assert_eq!(unknown["error"]["code"], json!(-32601));
    let wrong = editor.ask("textDocument/hover", &json!({ "position": "here" }));
    assert_eq!(wrong["error"]["code"], json!(-32602));
    let closed = json!({ "textDocument": { "uri": editor.uri("csrc/k.cu") } });
    let refused = editor.ask("torchada/ported", &closed);
    assert_eq!(refused["error"]["code"], json!(-32602));
    editor.tell("textDocument/didChange", &json!({ "textDocument": 1 }));
    editor.change("csrc/other.cu", 2, [0, 0, 9, 9], "x");
    // A range that lies outside of the text, and one that ends before it starts.
    editor.open_document("csrc/k.cu", "cudaMalloc\n");
    editor.change("csrc/k.cu", 2, [7, 9, 9, 9], "cudaFree\n");
    editor.change("csrc/k.cu", 3, [1, 4, 0, 0], "\u{e9}");
    editor.diagnostics("csrc/k.cu", 3);
    let ported = editor.ask("torchada/ported", &closed);
    assert_eq!(ported["result"]["text"], "musaMalloc\ncuda\u{e9}Free\n");
    // A text that is no code of its kind, and one of no kind.
    editor.open_document("app.py", "def (((((\n\u{0}\u{7f}cuda");
    editor.diagnostics("app.py", 1);
    editor.open_document("notes.txt", "cudaMalloc");
    assert_eq!(editor.diagnostics("notes.txt", 1), [] as [Value; 0]);
    assert_eq!(editor.vanish(), Some(1));
}

#[test]
#[ignore = "needs Neovim"]
fn neovim_shows_what_is_found() {
    let tree = write_tree(TREE);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server/neovim.lua");
    let output = Command::new("nvim")
        .args([
            "--headless",
            "-u",
            "NONE",
            "-c",
            &format!("luafile {script}"),
        ])
        .current_dir(tree.path())
        .env("TORCHADA", env!("CARGO_BIN_EXE_torchada"))
        .env("XDG_STATE_HOME", tree.path().join(".state"))
        .output()
        .expect("Neovim");
    let messages = text(&output.stderr);
    let messages: Vec<&str> = messages.lines().map(str::trim_end).collect();
    let finding = "`CUDART_VERSION` is a number of CUDA's, and MUSA has none that means the same";
    // Neovim counts bytes.
    let expected = [
        format!("3:33 {finding}"),
        format!("1:8 {finding}"),
        format!("5:33 {finding}"),
        "csrc/k.mu".to_owned(),
    ];
    assert_eq!(messages, expected);
}

#[test]
#[ignore = "fetches the extension's tools: npm, 100 MB"]
fn the_extension_for_vs_code_is_packed() {
    let place = TempDir::new().expect("a temporary folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = [
        "package.json",
        "package-lock.json",
        "extension.js",
        "README.md",
        ".vscodeignore",
    ];
    let folder = place.path().join("editors/vscode");
    std::fs::create_dir_all(&folder).expect("made");
    for file in files {
        let from = root.join("editors/vscode").join(file);
        std::fs::copy(from, folder.join(file)).expect("copied");
    }
    std::fs::copy(root.join("LICENSE"), place.path().join("LICENSE")).expect("copied");
    for line in [
        &["ci", "--ignore-scripts"][..],
        &["run", "check"],
        &["run", "pack"],
    ] {
        let output = Command::new("npm").args(line).current_dir(&folder).output();
        let output = output.expect("npm");
        let messages = text(&[output.stdout, output.stderr].concat());
        assert!(output.status.success(), "{line:?}: {messages}");
    }
    assert!(folder.join("torchada.vsix").exists());
}
