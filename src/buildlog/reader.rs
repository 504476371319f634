//! From the lines of a log to its messages.

use std::hash::{Hash, Hasher};
use std::io::{self, BufRead};

use regex::Captures;
use rustc_hash::{FxHashMap, FxHasher};

use super::blocks::{CmakeBlock, Traceback};
use super::lines;
use super::message::{LogPlace, Message};
use super::patterns::LogPatterns;
use super::slots::{cut, place, slot, text_of};
use crate::mapping::build_log::{BuildLogTable, LineRole, ReadKind};
use crate::mapping::safety::{LOG_FOLDERS, LOG_MESSAGES};

/// What a log says.
#[derive(Clone, Default, Debug)]
pub struct BuildLog {
    /// The messages that stop a build, each once, in the order of the log.
    pub messages: Vec<Message>,
    /// The folders from which paths are seen, the latest last.
    pub folders: Vec<String>,
    /// How many lines there are.
    pub lines: usize,
    /// How many messages are left out, because there are too many.
    pub dropped: usize,
}

/// Reads a log line by line.
#[derive(Debug)]
pub struct LogReader {
    table: &'static BuildLogTable,
    patterns: LogPatterns,
    log: BuildLog,
    /// The place of each message, by the hash of what makes it the same as another.
    known: FxHashMap<u64, usize>,
    /// The message that notes belong to; `None` after one that was there before.
    last: Option<usize>,
    /// Files that include the one of the next message.
    included: Vec<LogPlace>,
    object: Option<String>,
    cmake: Option<CmakeBlock>,
    traceback: Option<Traceback>,
}

impl Default for LogReader {
    fn default() -> Self {
        Self::new()
    }
}

impl LogReader {
    /// A reader of one log.
    pub fn new() -> Self {
        let table = BuildLogTable::builtin();
        Self {
            patterns: LogPatterns::new(table),
            table,
            log: BuildLog::default(),
            known: FxHashMap::default(),
            last: None,
            included: Vec::new(),
            object: None,
            cmake: None,
            traceback: None,
        }
    }

    /// Read a whole log.
    ///
    /// # Errors
    /// What the system says.
    pub fn read(mut self, input: &mut dyn BufRead) -> io::Result<BuildLog> {
        let mut line = Vec::new();
        while lines::next(input, &mut line)? {
            self.line(&line);
        }
        Ok(self.finish())
    }

    /// Take one line, without its end.
    pub fn line(&mut self, line: &[u8]) {
        self.log.lines += 1;
        let line = lines::clean(line);
        let mut line = &*line;
        for prefix in &self.patterns.prefixes {
            if let Some(found) = prefix.find(line) {
                line = line.get(found.end()..).unwrap_or_default();
            }
        }
        if let Some(block) = &mut self.cmake {
            if block.takes(line) {
                return;
            }
            self.end_cmake();
        }
        if let Some(traceback) = &mut self.traceback {
            if traceback.takes(line) {
                self.frame(line);
                return;
            }
            self.end_traceback(line);
            return;
        }
        self.plain(line);
    }

    /// The log, after its last line.
    pub fn finish(mut self) -> BuildLog {
        self.end_cmake();
        self.log
    }

    /// A line outside of blocks.
    fn plain(&mut self, line: &str) {
        let indent = line.len() - line.trim_start().len();
        let Some((role, found)) = self.role(line.trim()) else {
            return;
        };
        let place = place(&found);
        match role {
            LineRole::Message => self.weighed(&found, place),
            LineRole::Bare => self.message(place, text_of(&found)),
            LineRole::From => {
                if self.included.len() < LOG_FOLDERS {
                    self.included.extend(place);
                }
            }
            LineRole::Enter => {
                let folder = found.name("file").map_or("", |file| file.as_str());
                self.enter(folder);
            }
            LineRole::Object | LineRole::Failed => {
                self.object = place.map(|place| place.path);
            }
            LineRole::Referenced => {
                if let (Some(place), Some(last)) = (place, self.last)
                    && let Some(message) = self.log.messages.get_mut(last)
                {
                    message.add(place);
                }
            }
            LineRole::Cmake => self.cmake = Some(CmakeBlock::new(place, self.log.lines)),
            LineRole::Traceback => {
                self.traceback = Some(Traceback::new(indent, self.log.lines));
            }
            LineRole::Frame => {}
        }
    }

    /// What a line is.
    fn role<'t>(&self, line: &'t str) -> Option<(LineRole, Captures<'t>)> {
        let is_bare = |found: &Captures<'_>| {
            let text = found.name("text").map_or("", |text| text.as_str());
            let known = self.patterns.texts.first_of(text, |text, _| text.is_bare);
            known.is_some()
        };
        let found = self.patterns.lines.first_of(line, |role, found| {
            *role != LineRole::Bare || is_bare(found)
        });
        found.map(|(role, found)| (*role, found))
    }

    /// Take a message by its weight.
    fn weighed(&mut self, found: &Captures<'_>, place: Option<LogPlace>) {
        let weight = found.name("weight").map(|weight| weight.as_str());
        let is = |words: &[String]| words.iter().any(|one| Some(&**one) == weight);
        let text = text_of(found);
        if is(&self.table.weights.note) {
            self.note(place, text);
        } else if is(&self.table.weights.warning) {
            self.included.clear();
            self.last = None;
        } else {
            self.message(place, text);
        }
    }

    /// See paths from a folder from now on.
    fn enter(&mut self, folder: &str) {
        let folders = &mut self.log.folders;
        folders.retain(|one| one != folder);
        if folders.len() < LOG_FOLDERS {
            folders.push(folder.to_owned());
        }
    }

    /// A note belongs to the message before it.
    fn note(&mut self, place: Option<LogPlace>, text: &str) {
        let included = std::mem::take(&mut self.included);
        let name = self
            .patterns
            .names
            .first(text)
            .and_then(|((), found)| slot(&found));
        let why = self.patterns.why.first(text).and_then(|((), found)| {
            let why = found.name("text")?.as_str();
            Some(cut(why))
        });
        let Some(message) = self.last.and_then(|last| self.log.messages.get_mut(last)) else {
            return;
        };
        message.name = message.name.take().or(name);
        message.why = message.why.take().or(why);
        for place in place.into_iter().chain(included) {
            message.add(place);
        }
    }

    /// Take a message that stops a build.
    fn message(&mut self, place: Option<LogPlace>, text: &str) {
        let included = std::mem::take(&mut self.included);
        let mut message = self
            .patterns
            .message(self.table, self.log.lines, place, text);
        message.included = included;
        message.object.clone_from(&self.object);
        self.keep(message);
    }

    /// Keep a message, or count it where it was there before.
    fn keep(&mut self, message: Message) {
        if self.patterns.follow.first(&message.text).is_some() {
            self.last = None;
            return;
        }
        let mut hasher = FxHasher::default();
        (&message.place, &message.text).hash(&mut hasher);
        if message.place.is_none() {
            message.object.hash(&mut hasher);
        }
        let key = hasher.finish();
        if let Some(at) = self.known.get(&key) {
            self.last = None;
            if let Some(known) = self.log.messages.get_mut(*at) {
                known.count += 1;
            }
        } else if self.log.messages.len() < LOG_MESSAGES {
            let at = self.log.messages.len();
            self.known.insert(key, at);
            self.log.messages.push(message);
            self.last = Some(at);
        } else {
            self.last = None;
            self.log.dropped += 1;
        }
    }

    fn end_cmake(&mut self) {
        if let Some(block) = self.cmake.take() {
            let mut message =
                self.patterns
                    .message(self.table, block.log_line, block.place, &block.text);
            message.trail = block.trail;
            self.keep(message);
        }
    }

    fn frame(&mut self, line: &str) {
        let lines = &self.patterns.lines;
        let found = lines.first_of(line.trim(), |role, _| *role == LineRole::Frame);
        let place = found.and_then(|(_, found)| place(&found));
        if let (Some(traceback), Some(place)) = (&mut self.traceback, place) {
            traceback.add(place);
        }
    }

    /// The line behind the frames says what is wrong.
    fn end_traceback(&mut self, line: &str) {
        let Some(traceback) = self.traceback.take() else {
            return;
        };
        let mut frames = traceback.frames;
        let place = frames.pop();
        frames.reverse();
        let mut message = self
            .patterns
            .message(self.table, traceback.log_line, place, line.trim());
        if message.kind.id == self.table.read_kind(ReadKind::Other).id {
            message.kind = self.table.read_kind(ReadKind::Python);
        }
        message.trail = frames;
        self.keep(message);
    }
}
