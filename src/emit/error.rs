//! Why nothing, or not everything, was written.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a write was refused or abandoned.
#[derive(Debug, Error)]
pub enum EmitError {
    /// The output is there and this program did not write it.
    #[error("{} is there already, and no port wrote it", .0.display())]
    NotOurs(PathBuf),
    /// Files of the output that a person changed or added since the last port.
    #[error("{} of {} changed since the last port:{}", count(.files.len()), .output.display(), list(.files))]
    Changed {
        /// The output's root.
        output: PathBuf,
        /// The files, relative to it.
        files: Vec<PathBuf>,
    },
    /// Files that both a person and the port changed, where nothing is to be written then.
    #[error("{} of {} {} changed by you and by the port, and the two can't be put together:{}", count(.files.len()), .output.display(), if .files.len() == 1 { "was" } else { "were" }, list(.files))]
    Conflicts {
        /// The output's root.
        output: PathBuf,
        /// The files, relative to it.
        files: Vec<PathBuf>,
    },
    /// The output is the port of another tree.
    #[error("{} is the port of another tree: {}", .output.display(), others(*files, input, *common))]
    OtherInput {
        /// The output's root.
        output: PathBuf,
        /// How many files of its tree it has.
        files: usize,
        /// The tree of this run, as the user named it.
        input: PathBuf,
        /// How many of the files that tree has.
        common: usize,
    },
    /// Another run is writing to the output.
    #[error("another run is writing to {}", .0.display())]
    Busy(PathBuf),
    /// A file that must not be written over.
    #[error("{} is there already", .0.display())]
    Exists(PathBuf),
    /// A place in the plan that leaves the output, by `..`, as an absolute path or through a link.
    #[error("refusing to write to {}: {reason}", path.display())]
    Unsafe {
        /// The path in the plan.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Two files of the plan want the same place.
    #[error("{} and {} would both become {}", first.display(), second.display(), path.display())]
    Collision {
        /// The place.
        path: PathBuf,
        /// One of them, by its source.
        first: PathBuf,
        /// The second path.
        second: PathBuf,
    },
    /// The folder that takes the output is missing or can't be written.
    #[error("can't write to {}", path.display())]
    Parent {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The manifest of the last port can't be used.
    #[error("can't use the manifest {}: {message}", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// The journal of a run that was cut short can't be used.
    #[error("can't use the journal {}: {message}", path.display())]
    Journal {
        /// The journal.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// This user's own folder can't be written, so a run could not be completed if it were cut short.
    #[error("can't write down what is about to change, in the folder for your state")]
    State(#[source] io::Error),
    /// The output is a link to another place.
    #[error("{} is a link", .0.display())]
    Linked(PathBuf),
    /// Nothing has the tree safe that would be changed.
    #[error("{}: it does not lie in a git work tree", .0.display())]
    NoWorkTree(PathBuf),
    /// The work tree has changes that git does not have safe.
    #[error("{}: {reason}", path.display())]
    NotClean {
        /// The tree.
        path: PathBuf,
        /// The obstacle.
        reason: String,
    },
    /// Files that would be changed or removed, and of which git has nothing.
    #[error("git does not track {} of {}, which would be changed or removed:{}", count(.files.len()), .path.display(), list(.files))]
    Untracked {
        /// The tree.
        path: PathBuf,
        /// The files, relative to it.
        files: Vec<PathBuf>,
    },
    /// A copy of the report can't be written where the user wants it; all else is written.
    #[error("can't write the report {}: {reason}", .path.display())]
    Report {
        /// The copy.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The write was abandoned: the disk is full, or the output vanished.
    #[error("gave up at {}", path.display())]
    Io {
        /// The path that could not be written.
        path: PathBuf,
        /// Whether the output has been changed by then.
        begun: bool,
        /// What the system says.
        source: io::Error,
    },
}

impl EmitError {
    /// Whether files of the output were changed before the error.
    pub fn begun(&self) -> bool {
        matches!(self, Self::Io { begun: true, .. } | Self::Report { .. })
    }

    /// Advice for the user.
    pub fn help(&self) -> &'static str {
        match self {
            Self::NotOurs(path) if path.is_file() => {
                "choose another place with -o, or remove the file"
            }
            Self::NotOurs(_) => {
                "choose another place with -o, or remove the folder; if it is a port whose .torchada was not kept, port to a \
                 new place, move the .torchada from there into this folder, and port again"
            }
            Self::Changed { .. } => {
                "what you changed there can't be told from what the port changes: move it aside or \
                 to the input, port again, and put it back"
            }
            Self::Conflicts { .. } => {
                "say --on-conflict mark to have the places marked, or ours or theirs to decide them"
            }
            Self::OtherInput { .. } => {
                "choose another place with -o; with --force this tree takes the place of the other, whose files go"
            }
            Self::Busy(_) => "wait until it has ended",
            Self::Exists(path) if path.starts_with("/dev") => {
                "`-o -` writes to standard output, and `--dry-run` writes nothing"
            }
            Self::Exists(_) => "remove the file or move it aside, or choose another place with -o",
            Self::Unsafe { .. } => "nothing outside the output is ever written",
            Self::Collision { .. } => {
                "rename one of them in the input, or port with --rename never"
            }
            Self::Parent { .. } => "choose another place with -o",
            Self::Manifest { .. } => {
                "take the .torchada of one commit as a whole; where there is none, port to a new place, move the .torchada \
                 from there into this folder, and port again: what differs counts as your edits"
            }
            Self::Journal { .. } => {
                "remove it and port again: what is half done is found by comparing, and your edits stay"
            }
            Self::State(_) => "set XDG_STATE_HOME to a folder of yours that can be written",
            Self::Linked(_) => "name the folder that it leads to with -o",
            Self::NoWorkTree(_) => {
                "commit it to git first, so that each change can be taken back, or say --force"
            }
            Self::Untracked { .. } => {
                "commit them to git first, so that each change can be taken back, or say --force"
            }
            Self::NotClean { .. } => "commit or stash first, or say --force",
            Self::Report { .. } => "all else is done; give another FILE to --report",
            Self::Io { begun: true, .. } => {
                "each file is old or new, none is half written; run the same command again"
            }
            Self::Io { begun: false, .. } => {
                "nothing was written: see to what the system says, and run the same command again"
            }
        }
    }

    /// Makes an error of the system's one at `path`, before the output was touched.
    pub(super) fn early(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::Io {
            path: path.to_owned(),
            begun: false,
            source,
        }
    }

    /// Makes an error of the system's one at `path`, once the output may have been changed.
    pub(super) fn late(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::Io {
            path: path.to_owned(),
            begun: true,
            source,
        }
    }
}

fn count(files: usize) -> String {
    if files == 1 {
        "a file".to_owned()
    } else {
        format!("{files} files")
    }
}

/// How little of a port's files a tree has.
fn others(files: usize, input: &Path, common: usize) -> String {
    let input = crate::config::display_path(input);
    let has = if common == 0 {
        "none".to_owned()
    } else {
        common.to_string()
    };
    match files {
        1 => format!("{input} does not have the file that was ported there"),
        _ => format!("of the {files} files that were ported there, {input} has {has}"),
    }
}

/// The first files of a list, one a line.
fn list(files: &[PathBuf]) -> String {
    const SHOWN: usize = 20;
    let mut text = String::new();
    for file in files.iter().take(SHOWN) {
        text.push_str("\n  ");
        text.push_str(&crate::config::display_path(file));
    }
    if files.len() > SHOWN {
        // Writing to a string can't fail.
        let _ = write!(text, "\n  and {} more", files.len() - SHOWN);
    }
    text
}
