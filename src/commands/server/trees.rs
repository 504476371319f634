//! The trees that documents belong to, each with the thread that holds its facts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::Sender;

use super::worker::{self, Event, Job};
use crate::cli::ServerArgs;
use crate::config::{ConfigError, Settings, absolute, nearest_config};
use crate::machine::Environment;

/// A tree, or a file of no tree.
#[derive(Debug)]
pub(super) struct Tree {
    /// What is read: a folder, or the file.
    pub(super) input: PathBuf,
    /// The settings that it was read with last; `None` where the configuration has a fault.
    pub(super) settings: Option<Arc<Settings>>,
    /// The thread whose facts are there.
    ready: Option<Worker>,
    /// The thread that reads the tree again.
    coming: Option<Worker>,
    /// Whether something was saved since the tree was read.
    pub(super) is_stale: bool,
}

#[derive(Debug)]
struct Worker {
    number: u64,
    jobs: Sender<Job>,
}

impl Tree {
    /// A tree that nobody has read yet.
    pub(super) fn new(input: PathBuf) -> Self {
        Self {
            input,
            settings: None,
            ready: None,
            coming: None,
            is_stale: true,
        }
    }

    /// The folder that paths of findings are relative to.
    pub(super) fn root(&self) -> Option<&Path> {
        self.settings.as_deref()?.root()
    }

    /// Whether answers will come.
    pub(super) fn is_alive(&self) -> bool {
        self.ready.is_some() || self.coming.is_some()
    }

    /// Whether it is to be read, and nobody does so yet.
    pub(super) fn wants_reading(&self) -> bool {
        self.is_stale && self.coming.is_none()
    }

    /// Read it, in a thread of its own.
    ///
    /// # Errors
    /// A fault of the configuration.
    pub(super) fn read(
        &mut self,
        number: u64,
        args: &ServerArgs,
        environment: &Environment,
        events: &Sender<Event>,
    ) -> Result<(), ConfigError> {
        self.is_stale = false;
        let settings = Settings::check(&args.check(&self.input), &self.input, environment)?;
        let settings = Arc::new(settings);
        self.settings = Some(settings.clone());
        let jobs = worker::start(settings, self.input.clone(), number, events.clone());
        self.coming = Some(Worker { number, jobs });
        Ok(())
    }

    /// A thread has the facts: it takes over. Whether it is one that was waited for.
    pub(super) fn take_over(&mut self, number: u64) -> bool {
        let is_one = self.coming.as_ref().map(|one| one.number) == Some(number);
        if is_one {
            // The channel of the thread before closes, and that one ends.
            self.ready = self.coming.take();
        }
        is_one
    }

    /// A thread has failed.
    pub(super) fn lose(&mut self, number: u64) {
        for one in [&mut self.ready, &mut self.coming] {
            one.take_if(|one| one.number == number);
        }
    }

    /// Whether a thread is the one whose facts count.
    pub(super) fn is_current(&self, number: u64) -> bool {
        self.ready.as_ref().map(|one| one.number) == Some(number)
    }

    /// Hand a job to the thread with the facts. One that comes before they are there is handed on when they are.
    pub(super) fn hand(&self, job: Job) {
        if let Some(ready) = &self.ready {
            let _ = ready.jobs.send(job);
        }
    }
}

/// The input whose facts hold for a file: the nearest folder with a configuration in the folder of the editor that the file
/// lies in, else that folder itself; a file outside of all of them stands for itself.
///
/// # Errors
/// A fault of the configuration.
pub(super) fn input_of(
    path: &Path,
    folders: &[PathBuf],
    args: &ServerArgs,
) -> Result<PathBuf, ConfigError> {
    let path = whole(path);
    let inside = folders.iter().filter(|folder| path.starts_with(folder));
    let Some(folder) = inside.max_by_key(|folder| folder.as_os_str().len()) else {
        return Ok(path);
    };
    let beside = path.parent().unwrap_or(folder);
    // A file that is not there yet may lie in a folder that is not there yet.
    let beside = beside
        .ancestors()
        .find(|one| one.is_dir())
        .unwrap_or(folder);
    let config = nearest_config(&args.shared, beside)?;
    let configured = config.as_deref().and_then(Path::parent);
    let configured = configured.filter(|one| one.starts_with(folder));
    Ok(configured.unwrap_or(folder).to_owned())
}

/// A path without links, as far as it is there.
pub(super) fn whole(path: &Path) -> PathBuf {
    absolute(path).unwrap_or_else(|_| path.to_owned())
}
