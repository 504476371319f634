//! The thread of a tree: it holds the tree's facts, and translates the texts that it is sent.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use anyhow::{Result, anyhow};
use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_types::Uri;

use super::lines::Lines;
use crate::classify::{FileKind, classify};
use crate::commands::{advice, analysis, check};
use crate::config::Settings;
use crate::edit::Edits;
use crate::mapping::knowledge::Knowledge;
use crate::progress::Silent;
use crate::report::Report;

/// The stack of such a thread: that of a program's first one.
const STACK: usize = 8 << 20;

/// What a tree's thread is asked for.
#[derive(Debug)]
pub(super) enum Job {
    /// Translate a text of a file.
    Look(Look),
    /// Nobody edits a file any more.
    Release(PathBuf),
}

/// A text of a file.
#[derive(Clone, Debug)]
pub(super) struct Look {
    /// The document.
    pub(super) uri: Uri,
    /// Its file.
    pub(super) path: PathBuf,
    /// The number of the text.
    pub(super) version: i32,
    /// The text.
    pub(super) text: Arc<str>,
    /// The lines of the text.
    pub(super) lines: Lines,
}

/// What was found in a text.
#[derive(Debug)]
pub(super) struct Looked {
    /// The document.
    pub(super) uri: Uri,
    /// The number of the text.
    pub(super) version: i32,
    /// The text.
    pub(super) text: Arc<str>,
    /// The lines of the text.
    pub(super) lines: Lines,
    /// The findings, as a check reports them.
    pub(super) report: Report,
    /// The edits of a port.
    pub(super) edits: Edits,
    /// The path that the port gets, relative to the tree; `None` for a file of no tree.
    pub(super) output: Option<String>,
}

/// A message of a tree's thread, with the thread that sends it.
#[derive(Debug)]
pub(super) struct Event {
    /// The tree, by its key.
    pub(super) tree: PathBuf,
    /// The number of the thread.
    pub(super) number: u64,
    /// What it says.
    pub(super) what: WorkerEvent,
}

/// What a tree's thread says.
#[derive(Debug)]
pub(super) enum WorkerEvent {
    /// The facts are there.
    Ready,
    /// A text was looked at.
    Looked(Box<Looked>),
    /// The thread has ended, because of an error.
    Failed(String),
}

/// Start the thread of a tree.
pub(super) fn start(
    settings: Arc<Settings>,
    tree: PathBuf,
    number: u64,
    events: Sender<Event>,
) -> Sender<Job> {
    let (sender, jobs) = unbounded();
    let say = move |what| {
        // Nobody listens once the editor is gone.
        let _ = events.send(Event {
            tree: tree.clone(),
            number,
            what,
        });
    };
    let failed = say.clone();
    let run = move || {
        let done = catch_unwind(AssertUnwindSafe(|| work(&settings, &jobs, &say)));
        let error = match done {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error,
            Err(_) => anyhow!("this is a fault of torchada: please report it with the tree"),
        };
        let advice = advice(&error).map_or_else(String::new, |advice| format!("; {advice}"));
        say(WorkerEvent::Failed(format!("{error:#}{advice}")));
    };
    if let Err(error) = thread::Builder::new().stack_size(STACK).spawn(run) {
        failed(WorkerEvent::Failed(format!(
            "can't start a thread: {error}"
        )));
    }
    sender
}

fn work(settings: &Settings, jobs: &Receiver<Job>, say: &dyn Fn(WorkerEvent)) -> Result<()> {
    analysis::with_context(settings, |run| {
        let alone = |path: &Path, text: Vec<u8>| {
            is_source(path, &text).then(|| analysis::translate_alone(Some(path), text, run))
        };
        if settings.root().is_none() {
            say(WorkerEvent::Ready);
            for job in Latest::of(jobs) {
                if let Job::Look(look) = job {
                    let one = alone(&look.path, look.text.as_bytes().to_vec());
                    say(looked(look, one, None, settings));
                }
            }
            return Ok(());
        }
        analysis::with_edited_tree(run, &Silent, |tree| {
            say(WorkerEvent::Ready);
            for job in Latest::of(jobs) {
                match job {
                    Job::Look(look) => {
                        let done = match tree.translate(&look.path, look.text.as_bytes()) {
                            Some((one, output)) => (Some(one), Some(output)),
                            // The tree leaves it out, or nobody has saved it yet.
                            None if look.path.symlink_metadata().is_ok() => (None, None),
                            None => (alone(&look.path, look.text.as_bytes().to_vec()), None),
                        };
                        say(looked(look, done.0, done.1, settings));
                    }
                    Job::Release(path) => tree.release(&path),
                }
            }
        })
    })
}

/// Whether a file that is in no tree is one that a port translates.
fn is_source(path: &Path, text: &[u8]) -> bool {
    let class = classify(path, text, &Knowledge::builtin().files);
    let is_code = class.kind.is_cpp() || matches!(class.kind, FileKind::Musa | FileKind::Python);
    is_code || class.language.is_some()
}

fn looked(
    look: Look,
    one: Option<analysis::TranslatedFile>,
    output: Option<String>,
    settings: &Settings,
) -> WorkerEvent {
    let edits = one.as_ref().map(|one| one.translated.edits.clone());
    let report = one.map_or_else(Report::default, |one| check::report_of(one, settings));
    WorkerEvent::Looked(Box::new(Looked {
        uri: look.uri,
        version: look.version,
        text: look.text,
        lines: look.lines,
        report,
        edits: edits.unwrap_or_default(),
        output,
    }))
}

/// The jobs of a channel, without the texts that a newer one has replaced meanwhile.
struct Latest<'j> {
    jobs: &'j Receiver<Job>,
    /// The jobs that have come and are not done.
    batch: VecDeque<Job>,
}

impl<'j> Latest<'j> {
    fn of(jobs: &'j Receiver<Job>) -> Self {
        let batch = VecDeque::new();
        Self { jobs, batch }
    }
}

impl Iterator for Latest<'_> {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        if self.batch.is_empty() {
            self.batch.push_back(self.jobs.recv().ok()?);
        }
        self.batch.extend(self.jobs.try_iter());
        loop {
            let job = self.batch.pop_front()?;
            let is_replaced = |look: &Look| {
                let mut later = self.batch.iter();
                later.any(|job| matches!(job, Job::Look(other) if other.uri == look.uri))
            };
            if !matches!(&job, Job::Look(look) if is_replaced(look)) {
                return Some(job);
            }
        }
    }
}
