//! The program as a user starts it who may read and write only what the modes of files allow: root may do anything.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

/// A user that owns nothing.
const NOBODY: u32 = 65534;

/// The program as that user; as the user who runs the tests, where that is not root.
pub(crate) fn program_as_nobody() -> Command {
    let mut command = Command::new(public_program());
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// Give everything below a folder to that user.
pub(crate) fn give_away(root: &Path) {
    if is_root() {
        for entry in walkdir::WalkDir::new(root) {
            let entry = entry.expect("readable");
            if !entry.file_type().is_symlink() {
                chown(entry.path(), Some(NOBODY), Some(NOBODY)).expect("given away");
            }
        }
    }
}

pub(crate) fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
}

fn is_root() -> bool {
    static ROOT: OnceLock<bool> = OnceLock::new();
    *ROOT.get_or_init(|| {
        let output = Command::new("id").arg("-u").output().expect("id runs");
        output.stdout == b"0\n"
    })
}

/// The program where any user may start it.
fn public_program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let program = public_folder().join("torchada");
        // A process of its own has the copy open for writing: what another test starts meanwhile would inherit such a
        // file of this process, and a program that is open for writing can't be started.
        let mut copy = Command::new("cp");
        copy.arg(env!("CARGO_BIN_EXE_torchada")).arg(&program);
        assert!(copy.status().expect("cp runs").success());
        set_mode(&program, 0o755);
        program
    })
}

/// A folder that any user may read.
pub(crate) fn public_folder() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = TempDir::new().expect("a temporary folder");
        set_mode(folder.path(), 0o755);
        folder
    });
    folder.path()
}
