//! Colours go to terminals, and where somebody asks for them.

use std::path::Path;
use std::process::Command;

use crate::common::trees::write_tree;

/// What the program says of a kernel, on both streams, in pipes.
fn run(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_torchada"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env("TERM", "xterm")
        .envs(variables.iter().copied())
        .output()
        .expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn is_coloured(text: &str) -> bool {
    text.contains("\u{1b}[")
}

#[test]
fn a_pipe_gets_colours_only_where_they_are_forced() {
    let place = write_tree(&[("k.cu", "int v = CUDART_VERSION;\n")]);
    let out_of = |line: &[&str], variables: &[(&str, &str)]| run(place.path(), line, variables).0;
    let err_of = |line: &[&str], variables: &[(&str, &str)]| run(place.path(), line, variables).1;
    let force = [("CLICOLOR_FORCE", "1")];
    for line in [
        &["check", "k.cu"][..],
        &["check", "k.cu", "--format", "concise"],
        &["explain", "CPP056"],
        &["config"],
        &["--help"],
        &["port", "--help"],
    ] {
        assert!(!is_coloured(&out_of(line, &[])), "{line:?}");
        assert!(is_coloured(&out_of(line, &force)), "{line:?}");
        let never = [line, &["--color", "never"]].concat();
        if !line.contains(&"--help") {
            assert!(!is_coloured(&out_of(&never, &force)), "{line:?}");
            let always = [line, &["--color", "always"]].concat();
            assert!(
                is_coloured(&out_of(&always, &[("NO_COLOR", "1")])),
                "{line:?}"
            );
        }
    }
    for line in [
        &["port", "nowhere"][..],
        &["port", "k.cu", "--dry-run"],
        &["check", "k.cu", "--select", "NONE"],
    ] {
        assert!(!is_coloured(&err_of(line, &[])), "{line:?}");
        assert!(is_coloured(&err_of(line, &force)), "{line:?}");
    }
    // What programs read has none, whoever forces them.
    for line in [
        &["port", ".", "--diff"][..],
        &["port", "k.cu", "-o", "-"],
        &["check", "k.cu", "--format", "json"],
        &["check", "k.cu", "--format", "github"],
        &["map", "cudaMalloc"],
        &["generate", "schema"],
    ] {
        assert!(!is_coloured(&out_of(line, &force)), "{line:?}");
    }
}
