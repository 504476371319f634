//! The program as a user starts it.

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Run the program in a folder.
pub(crate) fn torchada(folder: &Path, arguments: &[&str]) -> Output {
    torchada_with(folder, arguments, "")
}

/// Run it with something on standard input.
pub(crate) fn torchada_with(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_torchada"))
        .args(arguments)
        .current_dir(folder)
        .env(
            "GIT_CEILING_DIRECTORIES",
            folder.parent().expect("a parent"),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that ends with an error need not have read what it gets.
    if let Err(error) = stdin.write_all(input.as_bytes()) {
        assert_eq!(error.kind(), ErrorKind::BrokenPipe, "{error}");
    }
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

/// Bytes as text, to be looked at.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
