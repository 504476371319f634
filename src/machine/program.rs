//! Runs a program within limits of time and output, and says how it ended.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::Environment;
use crate::mapping::machine::MachineTable;

/// How long the first look at a program that runs is waited with; the pauses grow up to [`PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_micros(500);
const PAUSE: Duration = Duration::from_millis(20);
/// How long output is waited for once the program and its process group are gone.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A program with its arguments and limits.
#[derive(Debug)]
pub struct Call<'a> {
    program: PathBuf,
    arguments: Vec<OsString>,
    environment: &'a Environment,
    more: Vec<(OsString, OsString)>,
    limit: Duration,
    bytes: u64,
}

/// How a program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// By itself, with an exit code.
    Exited(i32),
    /// By a signal: a crash.
    Signal(i32),
    /// It was killed because it had no end within this time.
    TooSlow(Duration),
    /// It could not be started, for this reason.
    NotStarted(String),
}

/// What a program printed, and how it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// How it ended.
    pub end: End,
    /// What it wrote to standard output.
    pub out: Vec<u8>,
    /// What it wrote to standard error.
    pub err: Vec<u8>,
    /// Whether it wrote more than is kept.
    pub is_cut: bool,
    /// How long it took.
    pub took: Duration,
}

/// The program that this process runs.
///
/// # Errors
/// What the system says.
pub fn own() -> io::Result<PathBuf> {
    std::env::current_exe()
}

impl<'a> Call<'a> {
    /// A call of a program, in an environment, with the limits of `mappings/machine.toml`.
    pub fn new(program: &Path, environment: &'a Environment) -> Self {
        let limits = &MachineTable::builtin().limits;
        Self {
            program: program.to_owned(),
            arguments: Vec::new(),
            environment,
            more: Vec::new(),
            limit: limits.program(),
            bytes: limits.answer,
        }
    }

    /// With more arguments.
    #[must_use]
    pub fn arguments<S: AsRef<OsStr>>(mut self, more: impl IntoIterator<Item = S>) -> Self {
        let more = more.into_iter();
        self.arguments
            .extend(more.map(|argument| argument.as_ref().to_owned()));
        self
    }

    /// With a variable that has another value than in the environment.
    #[must_use]
    pub fn variable(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.more.push((name.into(), value.as_ref().to_owned()));
        self
    }

    /// With another limit of time.
    #[must_use]
    pub fn within(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Have it take this process's place, within no limits: its exit code and its signals are its own. Comes back only
    /// where it can't be started, with the reason.
    pub fn replace(&self) -> io::Error {
        self.command().exec()
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .env_clear()
            .envs(self.environment.variables())
            .envs(self.more.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Run it to its end. It has no input, and a process group of its own, which is killed in the end: what it started
    /// ends with it.
    pub fn run(&self) -> Answer {
        let begun = Instant::now();
        let mut command = self.command();
        command
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                return Answer {
                    end: End::NotStarted(error.to_string()),
                    out: Vec::new(),
                    err: Vec::new(),
                    is_cut: false,
                    took: begun.elapsed(),
                };
            }
        };
        let (send, receive) = channel();
        read_along(child.stdout.take(), Stream::Out, self.bytes, send.clone());
        read_along(child.stderr.take(), Stream::Err, self.bytes, send);
        let end = end_of(&mut child, begun + self.limit, self.limit);
        let (out, err, is_cut) = gather(&receive);
        Answer {
            end,
            out,
            err,
            is_cut,
            took: begun.elapsed(),
        }
    }
}

impl Answer {
    /// Whether the program ended by itself and without an error.
    pub fn is_success(&self) -> bool {
        self.end == End::Exited(0)
    }

    /// The first line of its output that has anything in it.
    pub fn first_line(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.out).into_owned();
        let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
        Some(line.to_owned())
    }

    /// The last line of its errors that has anything in it: what a traceback ends with.
    pub fn last_error(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.err).into_owned();
        let mut lines = text.lines().rev().map(str::trim);
        lines.find(|line| !line.is_empty()).map(str::to_owned)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "it ended with the exit code {code}"),
            Self::Signal(signal) => write!(f, "it was ended by signal {signal}"),
            Self::TooSlow(limit) => write!(f, "it had no end within {} s", limit.as_secs_f64()),
            Self::NotStarted(why) => write!(f, "it could not be started: {why}"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stream {
    Out,
    Err,
}

/// What one stream had: its kept bytes, and whether there were more.
type OutputPart = (Stream, Vec<u8>, bool);

/// Wait for the end of a program. Its process group is killed before it is waited for: until then no other process
/// can have its number.
fn end_of(child: &mut Child, until: Instant, limit: Duration) -> End {
    let pid = Pid::from_child(child);
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let mut pause = FIRST_PAUSE;
    let has_ended = loop {
        match waitid(WaitId::Pid(pid), look) {
            Ok(None) if Instant::now() < until => {
                thread::sleep(pause);
                pause = (pause * 2).min(PAUSE);
            }
            Ok(None) => break false,
            // An error here means that there is nothing to wait for.
            Ok(Some(_)) | Err(_) => break true,
        }
    };
    // The group may be empty already.
    let _ = kill_process_group(pid, Signal::KILL);
    match child.wait() {
        Ok(_) if !has_ended => End::TooSlow(limit),
        Ok(status) => match (status.code(), status.signal()) {
            (Some(code), _) => End::Exited(code),
            (None, signal) => End::Signal(signal.unwrap_or_default()),
        },
        Err(error) => End::NotStarted(error.to_string()),
    }
}

/// Read a pipe to its end in a thread of its own. What is beyond the limit is read, too, and thrown away, so that the
/// program does not wait for a reader.
fn read_along(
    pipe: Option<impl Read + Send + 'static>,
    stream: Stream,
    limit: u64,
    send: Sender<OutputPart>,
) {
    let Some(mut pipe) = pipe else { return };
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut first = pipe.by_ref().take(limit);
        let _ = first.read_to_end(&mut bytes);
        let more = io::copy(&mut pipe, &mut io::sink()).unwrap_or(0);
        // Nobody waits any more if the receiver is gone.
        let _ = send.send((stream, bytes, more > 0));
    });
}

/// Both streams. A process that left the group may hold a pipe open: its words are not waited for.
fn gather(receive: &Receiver<OutputPart>) -> (Vec<u8>, Vec<u8>, bool) {
    let (mut out, mut err, mut is_cut) = (Vec::new(), Vec::new(), false);
    for _ in 0..2 {
        let Ok((stream, bytes, more)) = receive.recv_timeout(LAST_WORDS) else {
            is_cut = true;
            break;
        };
        is_cut |= more;
        *(if stream == Stream::Out {
            &mut out
        } else {
            &mut err
        }) = bytes;
    }
    (out, err, is_cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Answer {
        let environment = Environment::made(&[("PATH", "/usr/bin:/bin")], Path::new("/"));
        Call::new(Path::new("/bin/sh"), &environment)
            .arguments(["-c", script])
            .within(limit)
            .run()
    }

    #[test]
    fn every_kind_of_end_is_told_apart() {
        let long = Duration::from_secs(20);
        let done = shell("echo one; echo two >&2; exit 3", long);
        assert_eq!(done.end, End::Exited(3));
        assert_eq!(done.first_line().as_deref(), Some("one"));
        assert_eq!(done.last_error().as_deref(), Some("two"));
        assert_eq!(shell("kill -SEGV $$", long).end, End::Signal(11));
        let short = Duration::from_millis(500);
        // What the shell started holds the pipe, and ends with it.
        let slow = shell("echo begun; sleep 60 & sleep 60", short);
        assert_eq!(slow.end, End::TooSlow(short));
        assert_eq!(slow.out, b"begun\n");
        let environment = Environment::made(&[], Path::new("/"));
        let none = Call::new(Path::new("/nowhere/mcc"), &environment).run();
        assert!(matches!(none.end, End::NotStarted(_)), "{:?}", none.end);
    }

    #[test]
    fn what_is_beyond_the_limit_is_read_and_thrown_away() {
        let environment = Environment::made(&[("PATH", "/usr/bin:/bin")], Path::new("/"));
        let mut call = Call::new(Path::new("/bin/sh"), &environment)
            .arguments(["-c", "yes | head -c 300000; exit 0"]);
        call.bytes = 10;
        let answer = call.run();
        assert!(answer.is_success() && answer.is_cut);
        assert_eq!(answer.out.len(), 10);
    }
}
