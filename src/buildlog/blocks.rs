//! Messages of more lines than one: those of `CMake`, and tracebacks.

use super::message::LogPlace;
use crate::mapping::safety::{LOG_STACK, LOG_TEXT};

/// A message of `CMake`'s, whose text stands indented below its head.
#[derive(Debug)]
pub(super) struct CmakeBlock {
    pub(super) log_line: usize,
    pub(super) place: Option<LogPlace>,
    pub(super) text: String,
    pub(super) trail: Vec<LogPlace>,
    in_stack: bool,
}

impl CmakeBlock {
    pub(super) fn new(place: Option<LogPlace>, log_line: usize) -> Self {
        Self {
            log_line,
            place,
            text: String::new(),
            trail: Vec::new(),
            in_stack: false,
        }
    }

    /// Whether a line is a part of it.
    pub(super) fn takes(&mut self, line: &str) -> bool {
        if line.starts_with("Call Stack ") {
            self.in_stack = true;
            return true;
        }
        let text = line.trim();
        if text.is_empty() {
            return true;
        }
        if !line.starts_with("  ") {
            return false;
        }
        if self.in_stack {
            let place = text.rsplit_once(" (").and_then(|(place, _)| {
                let (path, line) = place.rsplit_once(':')?;
                let line = line.parse().ok()?;
                let path = path.to_owned();
                Some(LogPlace {
                    path,
                    line,
                    column: 0,
                })
            });
            self.trail
                .extend(place.filter(|_| self.trail.len() < LOG_STACK));
        } else if self.text.len() < LOG_TEXT {
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            self.text.push_str(text);
        }
        true
    }
}

/// A traceback of Python's, up to the line that says what is wrong.
#[derive(Debug)]
pub(super) struct Traceback {
    pub(super) log_line: usize,
    /// The places, the innermost last.
    pub(super) frames: Vec<LogPlace>,
    indent: usize,
}

impl Traceback {
    pub(super) fn new(indent: usize, log_line: usize) -> Self {
        Self {
            log_line,
            frames: Vec::new(),
            indent,
        }
    }

    /// Whether a line stands between the head and what is wrong.
    pub(super) fn takes(&self, line: &str) -> bool {
        let text = line.trim_start();
        text.is_empty() || line.len() - text.len() > self.indent
    }

    /// Add a place; of too many the innermost are kept.
    pub(super) fn add(&mut self, place: LogPlace) {
        if self.frames.len() >= LOG_STACK {
            self.frames.remove(0);
        }
        self.frames.push(place);
    }
}
