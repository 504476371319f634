//! `torchada unport`: a patch against a port comes back with CUDA's names, and its port is what the patch makes.

use crate::common::fixtures;
use crate::common::trees;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::fixtures::{Fixture, Node, Port, Ported, Tree};
use crate::common::passed::Suite;
use crate::common::program::{text, torchada, torchada_with};
use crate::common::trees::{git, write_into, write_tree};
use tempfile::TempDir;
use torchada::emit::{self, FileChange};

/// The diff between two texts of one file.
fn diff(old: Option<(&Path, &[u8])>, new: Option<(&Path, &[u8])>, out: &mut Vec<u8>) {
    let change = FileChange {
        old_path: old.map(|(path, _)| path),
        new_path: new.map(|(path, _)| path),
        old: old.map_or(&[], |(_, text)| text),
        new: new.map_or(&[], |(_, text)| text),
        old_mode: 0o644,
        mode: 0o644,
        link: false,
    };
    emit::diff(&change, out).expect("written");
}

/// The files of a port that were changed, with their paths and texts in the input.
fn changed(
    fixture: &Fixture,
    input: &Tree,
    port: &Port,
) -> Vec<(PathBuf, Vec<u8>, PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for (source, path) in &port.outputs {
        let nodes = (input.get(source), port.tree.get(path));
        if let (Some(Node::File { bytes: old, .. }), Some(Node::File { bytes: new, .. })) = nodes
            && (old != new || path != source)
        {
            found.push((source.clone(), old.clone(), path.clone(), new.clone()));
        }
    }
    assert!(!found.is_empty() || fixture.name.contains("twin") || !port.tree.is_empty());
    found
}

/// Hand a patch against a fixture's port to the program, inside this process: there are hundreds of them. Returns the
/// exit code, the patch against its input, and what was printed besides.
fn unport(fixture: &Fixture, place: &Path, patch: &[u8]) -> (u8, Vec<u8>, String) {
    let mut line: Vec<OsString> = ["torchada", "unport", "-", "--input"]
        .map(Into::into)
        .into();
    line.push(place.join("input").into());
    let arguments = fixture.arguments.iter().filter(|one| *one != "--no-stub");
    line.extend(arguments.map(Into::into));
    let (exit, back, messages) = fixtures::run(&line, patch);
    (exit.code(), back, text(&messages))
}

/// The same, in a place with nothing but the input.
fn unport_from(fixture: &Fixture, input: &Tree, patch: &[u8]) -> (u8, Vec<u8>, String) {
    let place = fixtures::place();
    fixtures::write(&place.path().join("input"), input);
    unport(fixture, place.path(), patch)
}

/// A text with something behind each of its lines that a port changed.
fn noted(old: &[u8], new: &[u8], note: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    let lines = |text: &[u8]| -> Vec<Vec<u8>> {
        text.split_inclusive(|&byte| byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect()
    };
    let (old, new) = (lines(old), lines(new));
    if old.len() != new.len()
        || !old
            .iter()
            .all(|line| line.ends_with(b"\n") && line.is_ascii())
    {
        return None;
    }
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for (was, is) in old.iter().zip(&new) {
        before.extend_from_slice(was);
        after.extend_from_slice(is);
        // Behind a line that goes on, a comment would be part of it.
        let whole = was.trim_ascii_end().ends_with(b";") && !was.contains(&b'"');
        if was != is && whole {
            before.extend_from_slice(note.as_bytes());
            after.extend_from_slice(note.as_bytes());
        }
    }
    Some((before, after))
}

fn is_cpp(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ["cu", "cuh", "cpp", "h", "hpp", "cc", "c", "mu", "muh"]
        .iter()
        .any(|one| ending == *one)
}

#[test]
fn a_comment_beside_each_line_that_was_translated_comes_back_exactly() {
    let files = Suite::without_rules("unport-comments", "unport.rs").of_each(
        |Ported {
             fixture,
             input,
             port,
         }| {
            let mut files = 0;
            let (mut patch, mut want) = (Vec::new(), Vec::new());
            for (source, old, path, new) in changed(fixture, input, port) {
                if !is_cpp(&source) {
                    continue;
                }
                let Some((before, after)) = noted(&old, &new, "// a note\n") else {
                    continue;
                };
                files += usize::from(before != old);
                diff(Some((&path, &new)), Some((&path, &after)), &mut patch);
                diff(Some((&source, &old)), Some((&source, &before)), &mut want);
            }
            if patch.is_empty() {
                return files;
            }
            let (code, got, messages) = unport_from(fixture, input, &patch);
            assert_eq!(text(&got), text(&want), "{}: {messages}", fixture.name);
            assert_eq!(code, 0, "{}: {messages}", fixture.name);
            files
        },
    );
    let files: usize = files.iter().sum();
    assert!(files > 50, "{files}");
}

#[test]
fn what_is_taken_out_of_a_port_is_taken_out_of_its_tree() {
    let lines_out = Suite::without_rules("unport-lines", "unport.rs").of_each(
        |Ported {
             fixture,
             input,
             port,
         }| {
            let mut lines_out = 0;
            let (mut patch, mut want) = (Vec::new(), Vec::new());
            for (source, old, path, new) in changed(fixture, input, port) {
                let cut = |text: &[u8], at: usize| -> Option<Vec<u8>> {
                    let mut lines: Vec<&[u8]> =
                        text.split_inclusive(|&byte| byte == b'\n').collect();
                    (at < lines.len()).then(|| lines.remove(at))?;
                    Some(lines.concat())
                };
                let count = |text: &[u8]| text.split(|&byte| byte == b'\n').count() - 1;
                // One line in the middle of the file, where both have the same lines.
                let at = count(&old) / 2;
                if !is_cpp(&source) || count(&old) != count(&new) {
                    continue;
                }
                let (Some(before), Some(after)) = (cut(&old, at), cut(&new, at)) else {
                    continue;
                };
                diff(Some((&path, &new)), Some((&path, &after)), &mut patch);
                diff(Some((&source, &old)), Some((&source, &before)), &mut want);
                lines_out += 1;
            }
            if patch.is_empty() {
                return lines_out;
            }
            // Without the lines the rest may mean something else; then a message has to say so.
            let (code, got, messages) = unport_from(fixture, input, &patch);
            assert_eq!(text(&got), text(&want), "{}: {messages}", fixture.name);
            assert!(code == 0 || !messages.is_empty(), "{}", fixture.name);
            lines_out
        },
    );
    let lines_out: usize = lines_out.iter().sum();
    assert!(lines_out > 50, "{lines_out}");
}

#[test]
fn a_file_that_is_new_as_a_whole_comes_back_or_its_lines_are_named() {
    let counts = Suite::without_rules("unport-files", "unport.rs").of_each(
        |Ported {
             fixture,
             input,
             port,
         }| {
            let (mut exact, mut same_port, mut named) = (0, 0, 0);
            let mut patch = Vec::new();
            let files = changed(fixture, input, port);
            for (_, _, path, new) in &files {
                diff(None, Some((path, new)), &mut patch);
            }
            if patch.is_empty() {
                return [0; 3];
            }
            // The tree before the files came.
            let place = fixtures::place();
            let tree = place.path().join("input");
            let gone = |path: &PathBuf| files.iter().any(|(source, ..)| source == path);
            let rest = input.iter().filter(|(path, _)| !gone(path));
            fixtures::write_in_order(&tree, rest);
            let (code, got, messages) = unport(fixture, place.path(), &patch);
            // The result, ported, is what the patch says, or the program says where it is not.
            let applied = apply(&tree, &got);
            let ported = fixtures::port(&fixtures::read(&tree), &fixture.arguments, &[]);
            for (source, old, path, new) in &files {
                let is = match ported.tree.get(path) {
                    Some(Node::File { bytes, .. }) => bytes.clone(),
                    _ => Vec::new(),
                };
                let back = fs::read(tree.join(source)).unwrap_or_default();
                exact += usize::from(back == *old);
                same_port += usize::from(is == *new);
                if is != *new {
                    named += 1;
                    let line = format!("{}:", path.display());
                    assert!(
                        code == 1 && messages.contains(&line),
                        "{}: {}: {messages}\n{applied}",
                        fixture.name,
                        path.display()
                    );
                }
            }
            [exact, same_port, named]
        },
    );
    let sum = |at: usize| counts.iter().map(|count| count[at]).sum::<usize>();
    let [exact, same_port, named] = [0, 1, 2].map(sum);
    assert!(exact > 2 * named, "{exact} {same_port} {named}");
}

/// Apply a patch as its user would.
fn apply(tree: &Path, patch: &[u8]) -> String {
    if patch.is_empty() {
        return String::new();
    }
    let mut child = trees::without_own_git(&mut Command::new("git"))
        .args(["apply", "--whitespace=nowarn", "-"])
        .env("GIT_CEILING_DIRECTORIES", tree.parent().expect("a parent"))
        .current_dir(tree)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("git runs");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(patch)
        .expect("written");
    let output = child.wait_with_output().expect("it ends");
    assert!(
        output.status.success(),
        "{}\n{}",
        text(&output.stderr),
        text(patch)
    );
    text(patch)
}

/// A project, its port, and a change of the port.
struct Case {
    place: TempDir,
}

const KERNEL: &str = "\
#include <cuda_runtime.h>
#include \"ops.cuh\"

// cudaMalloc is called once.
void run(cudaStream_t stream) {
  void *p;
  cudaMalloc(&p, 16);
  scale<<<1, 32, 0, stream>>>(p);
  cudaFree(p);
}
";

const MODULE: &str = "\
import torch

def run(device=\"cuda\"):
    x = torch.zeros(3, device=device)
    torch.cuda.synchronize()
    return x
";

impl Case {
    fn new() -> Self {
        let place = write_tree(&[
            ("p/src/run.cu", KERNEL),
            (
                "p/src/ops.cuh",
                "#include <cuda_fp16.h>\ncudaError_t last();\n",
            ),
            ("p/run.py", MODULE),
            (
                "p/setup.py",
                "from setuptools import setup\nfrom torch.utils.cpp_extension import BuildExtension, CUDAExtension\n\nsetup(\n    name=\"p\",\n    ext_modules=[CUDAExtension(\"p\", [\"src/run.cu\"])],\n    cmdclass={\"build_ext\": BuildExtension},\n)\n",
            ),
        ]);
        let case = Self { place };
        let output = torchada(
            case.place.path(),
            &["port", "p", "-o", "m", "--no-stub", "--quiet"],
        );
        assert!(output.status.success(), "{}", text(&output.stderr));
        case.git("m", &["init", "-q"]);
        case.git("m", &["add", "-A"]);
        case.git("m", &["commit", "-q", "-m", "port"]);
        case
    }

    fn git(&self, folder: &str, arguments: &[&str]) {
        trees::git(&self.place.path().join(folder), arguments);
    }

    fn change(&self, path: &str, from: &str, to: &str) -> &Self {
        let path = self.place.path().join("m").join(path);
        let text = fs::read_to_string(&path).expect("readable");
        assert!(text.contains(from), "{text}");
        fs::write(path, text.replace(from, to)).expect("written");
        self
    }

    /// Bring the patch of git's back. Returns the exit code, the patch and the messages.
    fn back(&self) -> (i32, String, String) {
        self.git("m", &["add", "-A"]);
        let diff = trees::without_own_git(&mut Command::new("git"))
            .args(["diff", "--cached", "-M"])
            .current_dir(self.place.path().join("m"))
            .output()
            .expect("git runs");
        let output = torchada_with(
            self.place.path(),
            &["unport", "-", "--input", "p"],
            &text(&diff.stdout),
        );
        (
            output.status.code().expect("a code"),
            text(&output.stdout),
            text(&output.stderr),
        )
    }

    /// The tree after the patch.
    fn applied(&self, patch: &str) -> Tree {
        apply(&self.place.path().join("p"), patch.as_bytes());
        fixtures::read(&self.place.path().join("p"))
    }
}

fn body(tree: &Tree, path: &str) -> String {
    match tree.get(Path::new(path)) {
        Some(Node::File { bytes, .. }) => text(bytes),
        other => panic!("{path}: {other:?}"),
    }
}

#[test]
fn a_fix_of_a_kernel_and_a_module_comes_back_with_cudas_names() {
    let case = Case::new();
    case.change("src/run.mu", "  musaFree(p);\n", "  if (musaStreamSynchronize(stream) != musaSuccess) {\n    return;  // musaMalloc stays\n  }\n  musaFree(p);\n")
        .change("src/run.mu", "musaMalloc(&p, 16)", "musaMalloc(&p, 2 * 16)")
        .change("run.py", "    return x\n", "    with torch.musa.stream(torch.musa.Stream()):\n        x = x.to(\"musa\")\n    return x\n");
    let (code, patch, messages) = case.back();
    assert_eq!((code, messages.as_str()), (0, ""), "{patch}");
    let tree = case.applied(&patch);
    let kernel = body(&tree, "src/run.cu");
    assert!(kernel.contains("if (cudaStreamSynchronize(stream) != cudaSuccess) {\n    return;  // musaMalloc stays\n"), "{kernel}");
    assert!(
        kernel.contains("// cudaMalloc is called once.\n")
            && kernel.contains("cudaMalloc(&p, 2 * 16)"),
        "{kernel}"
    );
    let module = body(&tree, "run.py");
    assert!(
        module
            .contains("with torch.cuda.stream(torch.cuda.Stream()):\n        x = x.to(\"cuda\")\n"),
        "{module}"
    );
}

#[test]
fn a_port_in_a_folder_of_a_repository_is_known_by_the_names_of_the_patch() {
    let kernel = "#include <cuda_runtime.h>\nvoid f() { cudaFree(nullptr); }\n";
    let place = write_tree(&[("project/src/k.cu", kernel), ("notes.txt", "one\n")]);
    let run = |line: &[&str]| {
        let output = torchada(place.path(), line);
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    };
    assert_eq!(
        run(&["port", "project", "-o", "ports/musa", "-q"]).0,
        Some(0)
    );
    git(place.path(), &["init", "-q"]);
    git(place.path(), &["add", "."]);
    git(place.path(), &["commit", "-qm", "all"]);
    let fixed = "void f() { musaDeviceSynchronize(); }\n";
    fs::write(place.path().join("ports/musa/src/k.mu"), fixed).expect("written");
    let diff = |line: &[&str]| {
        let output = Command::new("git")
            .args(line)
            .current_dir(place.path())
            .output();
        fs::write(
            place.path().join("fix.patch"),
            output.expect("it starts").stdout,
        )
        .expect("written");
    };
    let unport = ["unport", "fix.patch", "--input", "project"];
    for line in [&["diff"][..], &["-C", "ports/musa", "diff", "--relative"]] {
        diff(line);
        let (code, patch, messages) = run(&unport);
        assert_eq!(code, Some(0), "{messages}");
        assert!(patch.contains("+++ b/src/k.cu\n"), "{patch}");
        assert!(
            patch.contains("\n+void f() { cudaDeviceSynchronize(); }\n"),
            "{patch}"
        );
        fs::write(place.path().join("back.patch"), patch).expect("written");
        git(
            place.path(),
            &["apply", "--check", "--directory=project", "back.patch"],
        );
    }
    // What lies beside the port is none of its files.
    fs::write(place.path().join("notes.txt"), "two\n").expect("written");
    diff(&["diff"]);
    let (code, _, messages) = run(&unport);
    assert_eq!(code, Some(2));
    assert!(
        messages.contains("no file notes.txt") && messages.contains("diff --relative"),
        "{messages}"
    );
}

#[test]
fn the_example_of_the_documentation_is_what_happens() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/unport.md")).expect("readable");
    let block = |language: &str| -> String {
        let rest = page
            .split(&format!("```{language}\n"))
            .nth(1)
            .expect("a block");
        rest.split("```").next().expect("its end").to_owned()
    };
    let place = write_tree(&[("fix.patch", &block("diff"))]);
    let shown = block("console");
    let (command, shown) = shown.split_once('\n').expect("a command and its output");
    let input = root.join("fixtures/saxpy/input").display().to_string();
    let command = command.replace("fixtures/saxpy/input", &input);
    let arguments: Vec<&str> = command.split(' ').skip(2).collect();
    let output = torchada(place.path(), &arguments);
    assert_eq!(text(&output.stdout), shown, "{}", text(&output.stderr));
}

#[test]
fn new_removed_and_renamed_files_follow() {
    let case = Case::new();
    let port = case.place.path().join("m");
    write_into(
        &port,
        &[(
            "src/more.mu",
            "#include <musa_runtime.h>\n#include \"ops.muh\"\nmusaError_t more() { return musaGetLastError(); }\n",
        )],
    );
    case.git("m", &["mv", "src/run.mu", "src/main.mu"]);
    case.change(
        "setup.py",
        "\"src/run.mu\"",
        "\"src/main.mu\", \"src/more.mu\"",
    );
    fs::remove_file(port.join("run.py")).expect("removed");
    let (code, patch, messages) = case.back();
    assert_eq!((code, messages.as_str()), (0, ""), "{patch}");
    let tree = case.applied(&patch);
    assert_eq!(
        body(&tree, "src/more.cu"),
        "#include <cuda_runtime.h>\n#include \"ops.cuh\"\ncudaError_t more() { return cudaGetLastError(); }\n"
    );
    assert_eq!(body(&tree, "src/main.cu"), KERNEL);
    assert!(body(&tree, "setup.py").contains("\"src/main.cu\", \"src/more.cu\""));
    let mut names: Vec<String> = tree.keys().map(|path| path.display().to_string()).collect();
    names.sort();
    assert_eq!(
        names,
        ["setup.py", "src/main.cu", "src/more.cu", "src/ops.cuh"]
    );
}

#[test]
fn what_no_name_of_cudas_gives_is_named_with_its_line() {
    let case = Case::new();
    case.change("src/run.mu", "  musaFree(p);\n", "  cudaFree(p);\n");
    let (code, patch, messages) = case.back();
    assert_eq!(code, 1, "{patch}");
    assert!(
        messages.starts_with("src/run.mu:9: `cudaFree(p);` "),
        "{messages}"
    );
}

#[test]
fn what_only_musa_has_is_named_with_its_line() {
    let case = Case::new();
    case.change(
        "src/run.mu",
        "  musaFree(p);\n",
        "  musaFree(p);\n  musaNobodyKnows(p, \"musa\");\n",
    );
    let (code, patch, messages) = case.back();
    assert!(
        patch.contains("+  musaNobodyKnows(p, \"musa\");\n"),
        "{patch}"
    );
    assert_eq!(code, 1, "{messages}");
    let want = "\
note: src/run.mu:10: `musa` stays: no port would write it into this text
src/run.mu:10: `musaNobodyKnows` stays: no name of CUDA's is known for it
";
    assert_eq!(messages, want);
}

#[test]
fn a_text_that_speaks_of_musa_keeps_no_name_of_its_line_from_coming_back() {
    let case = Case::new();
    case.change(
        "src/run.mu",
        "  musaFree(p);\n",
        "  if (musaFree(p) != musaSuccess) fail(\"no memory on musa\", musaGetLastError());\n",
    );
    let (code, patch, messages) = case.back();
    assert!(
        patch.contains(
            "+  if (cudaFree(p) != cudaSuccess) fail(\"no memory on musa\", cudaGetLastError());\n"
        ),
        "{patch}"
    );
    assert_eq!(code, 0, "{messages}");
}

#[test]
fn programs_of_musas_come_back_in_scripts() {
    let place = write_tree(&[(
        "p/build.sh",
        "#!/bin/sh\nnvcc --version\nnvidia-smi\necho done\n",
    )]);
    let ported = torchada(place.path(), &["port", "p", "-o", "m", "-q"]);
    assert!(ported.status.success(), "{ported:?}");
    let script = fs::read_to_string(place.path().join("m/build.sh")).expect("there");
    assert!(script.contains("mcc --version\nmthreads-gmi\n"), "{script}");
    let back = |added: &str| {
        let patch =
            format!("--- a/build.sh\n+++ b/build.sh\n@@ -4,1 +4,2 @@\n echo done\n+{added}\n");
        let output = torchada_with(place.path(), &["unport", "-", "--input", "p"], &patch);
        let code = output.status.code();
        (code, text(&output.stdout), text(&output.stderr))
    };
    let (code, patch, messages) = back("mthreads-gmi; mcc --help");
    assert_eq!((code, messages.as_str()), (Some(0), ""));
    assert!(patch.contains("+nvidia-smi; nvcc --help\n"), "{patch}");
    // The port would link the runtime, which no name changes.
    let (code, patch, messages) = back("mcc -o a a.cpp");
    assert!(patch.contains("+nvcc -o a a.cpp\n"), "{patch}");
    assert!(
        code == Some(1) && messages.contains("it would be"),
        "{messages}"
    );
}

#[test]
fn edits_of_the_port_stay_out_of_a_patch_with_less_around_its_change() {
    let case = Case::new();
    case.change("src/run.mu", "void *p;", "void *p = nullptr;");
    case.git("m", &["commit", "-q", "-a", "-m", "tuned"]);
    case.change(
        "src/run.mu",
        "  musaFree(p);\n",
        "  musaFree(p);  // done\n",
    );
    let (code, _, messages) = case.back();
    assert_eq!(code, 2, "{messages}");
    assert!(
        messages.contains("the patch on standard input does not fit") && messages.contains("-U1"),
        "{messages}"
    );
    let diff = trees::without_own_git(&mut Command::new("git"))
        .args(["diff", "--cached", "-U1"])
        .current_dir(case.place.path().join("m"))
        .output()
        .expect("git runs");
    let line = ["unport", "-", "--input", "p"];
    let output = torchada_with(case.place.path(), &line, &text(&diff.stdout));
    assert!(
        text(&output.stdout).contains("+  cudaFree(p);  // done\n"),
        "{output:?}"
    );
}

#[test]
fn other_line_ends_of_the_port_stay_out_of_the_result() {
    let lines = "#include <cuda_runtime.h>\nint f() {\n  return cudaFree(0);\n}\n";
    let with_returns = lines.replace('\n', "\r\n");
    let patch = "--- a/k.mu\n+++ b/k.mu\n@@ -2,2 +2,3 @@\n int f() {\n+  musaDeviceSynchronize();\n   \
                 return musaFree(0);\n";
    // A line of a file ends as the lines of the file do, and a line of the patch about it ends in a plain newline.
    let ended = |line: &str| {
        let is_about = line.starts_with(['-', '@']) || line.starts_with("+++");
        format!("{line}{}\n", if is_about { "" } else { "\r" })
    };
    let patch_with_returns: Vec<String> = patch.lines().map(ended).collect();
    let patch_with_returns = patch_with_returns.concat();
    for (source, patch) in [
        (lines, patch_with_returns.as_str()),
        (&with_returns, patch),
        (lines, patch),
        (&with_returns, &patch_with_returns),
    ] {
        let place = write_tree(&[("p/k.cu", source)]);
        let output = torchada_with(place.path(), &["unport", "-", "--input", "p"], patch);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let end = if source == lines { "\n" } else { "\r\n" };
        let back = text(&output.stdout);
        assert!(
            back.contains(&format!("+  cudaDeviceSynchronize();{end}")),
            "{back:?}"
        );
        assert_eq!(back.contains('\r'), source != lines, "{back:?}");
    }
}

#[test]
fn a_patch_that_does_not_fit_is_refused_with_its_place() {
    let case = Case::new();
    for (patch, why) in [
        (
            "--- a/src/run.mu\n+++ b/src/run.mu\n@@ -7,1 +7,1 @@\n-  nobody();\n+  somebody();\n",
            "src/run.mu:7",
        ),
        (
            "--- a/src/none.mu\n+++ b/src/none.mu\n@@ -1,1 +1,1 @@\n-a\n+b\n",
            "no file src/none.mu",
        ),
        (
            "--- a/torchada/x.py\n+++ b/torchada/x.py\n@@ -1,1 +1,1 @@\n-a\n+b\n",
            "the port itself writes it",
        ),
        ("no patch at all\n", "patch"),
        (
            "diff --git a/run.py b/run.py\nindex 1..2 100644\nBinary files a/run.py and b/run.py differ\n",
            "binary",
        ),
    ] {
        let output = torchada_with(case.place.path(), &["unport", "-", "--input", "p"], patch);
        let messages = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{patch}{messages}");
        assert!(messages.contains(why), "{why}: {messages}");
        assert!(output.stdout.is_empty(), "{patch}");
    }
    let output = torchada_with(case.place.path(), &["unport", "-", "--input", "p"], "");
    assert_eq!(
        (output.status.code(), text(&output.stdout)),
        (Some(0), String::new())
    );
}
