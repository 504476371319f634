//! Trees in temporary folders, written and read as lists.

// Each test binary takes what it needs.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use super::fixtures::place;
use tempfile::TempDir;

/// A new folder with these files.
pub(crate) fn write_tree(files: &[(&str, &str)]) -> TempDir {
    let folder = place();
    write_into(folder.path(), files);
    folder
}

/// These files in a folder that is there.
pub(crate) fn write_into(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let full = folder.join(path);
        std::fs::create_dir_all(full.parent().expect("a parent")).expect("folders");
        std::fs::write(full, text).expect("written");
    }
}

/// What a port keeps of its own in an output, which differs from run to run.
pub(crate) const CACHE: &str = ".torchada/cache/";

/// Every file below a folder but git's own and a port's cache: its mode and content, or a link's
/// target.
pub(crate) fn read_tree(folder: &Path) -> BTreeMap<String, String> {
    let mut tree = BTreeMap::new();
    for entry in walkdir::WalkDir::new(folder).min_depth(1) {
        let entry = entry.expect("readable");
        let path = entry.path().strip_prefix(folder).expect("below");
        let is_cached = format!("{}/", path.display()).contains(CACHE);
        if entry.file_type().is_dir() || path.starts_with(".git") || is_cached {
            continue;
        }
        let content = if entry.file_type().is_symlink() {
            format!("-> {}", entry.path().read_link().expect("a link").display())
        } else {
            let mode = entry.metadata().expect("there").permissions().mode() & 0o777;
            let bytes = std::fs::read(entry.path()).expect("readable");
            format!("{mode:o} {}", bytes.escape_ascii())
        };
        tree.insert(
            path.as_os_str().as_bytes().escape_ascii().to_string(),
            content,
        );
    }
    tree
}

/// Let a command, and the git that it starts, see nothing of the user's own configuration, nor of the repository that
/// variables name where a hook of git's runs the tests.
pub(crate) fn without_own_git(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os() {
        if name.as_bytes().starts_with(b"GIT_") {
            command.env_remove(name);
        }
    }
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
}

/// Run git in a folder.
pub(crate) fn git(folder: &Path, arguments: &[&str]) {
    let output = without_own_git(&mut Command::new("git"))
        .current_dir(folder)
        .args(["-c", "user.name=test", "-c", "user.email=test@example.org"])
        .args(["-c", "maintenance.auto=false"])
        .args(arguments)
        .output()
        .expect("git runs");
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}
