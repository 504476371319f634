//! The progress of a long run, on standard error.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::progress::{Phase, Progress};

/// A run that is shorter shows nothing, where nobody asked to see it at once.
pub const PATIENCE: Duration = Duration::from_millis(500);
/// How often it is drawn in a second.
const RATE: u8 = 10;
/// How a phase with a known count is shown.
const COUNTED: &str = "{msg:>11} [{bar:30}] {pos}/{len} files, {elapsed}";
/// How a phase without a known count is shown.
const OPEN: &str = "{msg:>11} {pos} files, {elapsed}";

/// A bar that appears where a run takes its time, and leaves nothing behind.
#[derive(Debug)]
pub struct Bar {
    begun: Instant,
    /// The time that a run takes before the bar is shown.
    patience: Duration,
    /// Whether the bar is on the screen.
    shown: AtomicBool,
    phase: Mutex<Option<ProgressBar>>,
}

impl Bar {
    /// A bar for the run that begins now, to be seen once it has taken as long as `patience`.
    pub fn new(patience: Duration) -> Self {
        Self {
            begun: Instant::now(),
            patience,
            shown: AtomicBool::new(false),
            phase: Mutex::new(None),
        }
    }

    fn with(&self, work: impl FnOnce(&ProgressBar)) {
        // A thread that panicked with the bar in its hands is no reason for another to stop.
        let bar = self
            .phase
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(bar) = bar.as_ref() {
            work(bar);
        }
    }

    /// Put it on the screen once the run has taken long enough.
    fn appear(&self) {
        if self.begun.elapsed() >= self.patience && !self.shown.swap(true, Ordering::Relaxed) {
            self.with(|bar| bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(RATE)));
        }
    }
}

impl Progress for Bar {
    fn begin(&self, phase: Phase, files: Option<usize>) {
        self.end();
        let files = files.map(|files| files as u64);
        let bar = ProgressBar::with_draw_target(files, ProgressDrawTarget::hidden());
        let template = if files.is_some() { COUNTED } else { OPEN };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(phase.as_str());
        bar.set_elapsed(self.begun.elapsed());
        let mut slot = self
            .phase
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        *slot = Some(bar);
        drop(slot);
        self.appear();
    }

    fn step(&self) {
        self.with(|bar| bar.inc(1));
        self.appear();
    }

    fn end(&self) {
        self.with(ProgressBar::finish_and_clear);
        self.shown.store(false, Ordering::Relaxed);
        let mut slot = self
            .phase
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        *slot = None;
    }
}
