//! A page is followed as a reader would: its files are written, and its commands print what the page shows.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::markdown::blocks;

/// How many files of a page were written, and how many of its commands were run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Followed {
    pub(crate) files: usize,
    pub(crate) commands: usize,
}

/// Follow a page in a folder, which the page calls `shown`. A block behind a line that is a path between backticks and a
/// colon is that file; a block `console` is a command with all that it prints. `UPDATE_DOCS=1` has the page show what
/// is printed now.
#[track_caller]
pub(crate) fn follow(page: &Path, place: &Path, shown: &str) -> Followed {
    let text = fs::read_to_string(page).expect("readable");
    let mut updated = text.clone();
    let real = place.canonicalize().expect("a folder");
    let programs = Path::new(env!("CARGO_BIN_EXE_torchada"));
    let programs = programs.parent().expect("a folder").display();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    let mut done = Followed {
        files: 0,
        commands: 0,
    };
    for block in blocks(&text) {
        let file = block.before.strip_prefix('`');
        if let Some(path) = file.and_then(|rest| rest.strip_suffix("`:")) {
            let path = real.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, block.code).expect("written");
            done.files += 1;
        } else if block.language == "console" {
            let (command, expected) = block.code.split_once('\n').expect("a command");
            let line = command.strip_prefix("$ ").expect("a prompt");
            let output = Command::new("sh")
                .args(["-c", &format!("exec 2>&1; {line}")])
                .current_dir(&real)
                .env("PATH", &path)
                .env("GIT_CEILING_DIRECTORIES", real.parent().expect("a parent"))
                .output()
                .expect("sh runs");
            let printed = String::from_utf8_lossy(&output.stdout);
            let printed = printed.replace(&real.display().to_string(), shown);
            if std::env::var_os("UPDATE_DOCS").is_some() {
                let now = format!("{command}\n{printed}```");
                updated = updated.replacen(&format!("{}```", block.code), &now, 1);
            } else {
                let page = page.display();
                assert_eq!(
                    expected, printed,
                    "{page} shows something else for `{line}`: `UPDATE_DOCS=1` writes what is printed now"
                );
            }
            done.commands += 1;
        }
    }
    if updated != text {
        fs::write(page, updated).expect("written");
    }
    done
}
