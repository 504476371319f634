//! A port of the port.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::measure::{Measure, Tally};
use crate::trees::list;

/// Port a copy of the output again in the same dialect, without its manifest and without renaming
/// files, and count the files that come out otherwise.
pub(crate) fn second_port(output: &Path, dialect: Option<&str>, bin: &Path) -> Result<Tally> {
    let folder = tempfile::tempdir().context("can't make a temporary folder")?;
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    let files = list(output, Path::new(""))?;
    for path in &files {
        copy(&output.join(path), &first.join(path))
            .with_context(|| format!("can't copy {path} aside"))?;
    }
    let status = Command::new(bin)
        .args(["port", "--rename", "never", "--no-ignore", "--quiet", "-o"])
        .arg(&second)
        .arg(&first)
        .args(dialect.map(|dialect| format!("--dialect={dialect}")))
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .status()
        .with_context(|| format!("can't run {}", bin.display()))?;
    // 1 says that edits were withdrawn; the tree is there all the same.
    if !matches!(status.code(), Some(0 | 1)) {
        bail!("{} port ended with {status}", bin.display());
    }
    let mut tally = Tally::default();
    let again = list(&second, Path::new(""))?;
    for path in files.union(&again) {
        let (old, new) = (read(&first.join(path)), read(&second.join(path)));
        if old.is_none() || new.is_none() {
            tally.count_file(Measure::SecondPort, path, "in one of the two only");
        } else if old != new {
            tally.count_file(Measure::SecondPort, path, "differs");
        }
    }
    Ok(tally)
}

/// The bytes of a file, or the target of a link.
pub(crate) fn read(path: &Path) -> Option<Vec<u8>> {
    if path.is_symlink() {
        let target = fs::read_link(path).ok()?;
        return Some(target.into_os_string().into_encoded_bytes());
    }
    fs::read(path).ok()
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    if from.is_symlink() {
        std::os::unix::fs::symlink(fs::read_link(from)?, to)?;
    } else {
        fs::copy(from, to)?;
    }
    Ok(())
}
