//! An editor that speaks to `torchada server` by a script.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// An editor with one folder open.
pub(crate) struct Editor {
    child: Child,
    /// Where messages go, until the editor is gone.
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// What came while an answer was waited for.
    other: Vec<Value>,
    root: String,
    next: i64,
}

impl Editor {
    /// Start the server for a folder, and greet it with some capabilities.
    pub(crate) fn open(root: &Path, capabilities: &Value) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_torchada"))
            .args(["server", "--stdio", "--no-facts"])
            .current_dir(root)
            .env("GIT_CEILING_DIRECTORIES", root.parent().expect("a parent"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let input = child.stdin.take();
        let output = child.stdout.take().expect("a pipe");
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let root = format!("file://{}", root.canonicalize().expect("there").display());
        let mut editor = Self {
            child,
            input,
            messages,
            other: Vec::new(),
            root,
            next: 0,
        };
        let folders = json!([{ "uri": editor.root, "name": "tree" }]);
        let answer = editor.ask(
            "initialize",
            &json!({ "capabilities": capabilities, "workspaceFolders": folders }),
        );
        let sync = &answer["result"]["capabilities"]["textDocumentSync"]["change"];
        assert_eq!(*sync, json!(2), "incremental: {answer}");
        editor.tell("initialized", &json!({}));
        editor
    }

    /// The URI of a file of the tree.
    pub(crate) fn uri(&self, path: &str) -> String {
        format!("{}/{path}", self.root)
    }

    /// Send bytes as one message.
    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("a pipe");
        write!(input, "Content-Length: {}\r\n\r\n", bytes.len()).expect("written");
        input.write_all(bytes).expect("written");
        input.flush().expect("written");
    }

    /// Send a notification.
    pub(crate) fn tell(&mut self, method: &str, params: &Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.send_raw(message.to_string().as_bytes());
    }

    /// Send a request, and wait for its answer.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send_raw(message.to_string().as_bytes());
        self.wait(&|one| one.get("method").is_none() && one["id"] == json!(id))
    }

    /// Wait for a message.
    pub(crate) fn wait(&mut self, is_it: &dyn Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.other.iter().position(is_it) {
            return self.other.remove(at);
        }
        loop {
            let next = self.messages.recv_timeout(PATIENCE).expect("a message");
            if is_it(&next) {
                return next;
            }
            self.other.push(next);
        }
    }

    /// Open a document, as its first text.
    pub(crate) fn open_document(&mut self, path: &str, text: &str) {
        let uri = self.uri(path);
        let document = json!({ "uri": uri, "languageId": "cuda", "version": 1, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    /// Replace a range of a document, given as line and character twice.
    pub(crate) fn change(&mut self, path: &str, version: i64, range: [u64; 4], text: &str) {
        let [line, character, end_line, end_character] = range;
        let range = json!({
            "start": { "line": line, "character": character },
            "end": { "line": end_line, "character": end_character },
        });
        let document = json!({ "uri": self.uri(path), "version": version });
        let changes = json!([{ "range": range, "text": text }]);
        self.tell(
            "textDocument/didChange",
            &json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    /// The diagnostics of a version of a document.
    pub(crate) fn diagnostics(&mut self, path: &str, version: i64) -> Vec<Value> {
        let uri = self.uri(path);
        let message = self.wait(&|one| {
            let params = &one["params"];
            one["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == json!(uri)
                && params["version"] == json!(version)
        });
        message["params"]["diagnostics"]
            .as_array()
            .expect("a list")
            .clone()
    }

    /// End the server as an editor does; its exit code.
    pub(crate) fn end(mut self) -> Option<i32> {
        let answer = self.ask("shutdown", &Value::Null);
        assert!(answer.get("error").is_none(), "{answer}");
        self.tell("exit", &Value::Null);
        self.child.wait().expect("it ends").code()
    }

    /// End without a word; the exit code.
    pub(crate) fn vanish(mut self) -> Option<i32> {
        self.input = None;
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // A test that fails leaves no server behind. One that has ended is not there.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}
