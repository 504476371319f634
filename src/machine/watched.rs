//! Runs a program for the user: its output goes where it belongs as it comes, and is read along.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::Environment;
use super::program::End;

/// How long output is waited for before it is asked whether the program is still there.
const LOOK: Duration = Duration::from_millis(100);
/// How long output is waited for once the program is gone: what it left in the background may hold its output open.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// How many pieces of output wait to be shown.
const WAITING: usize = 64;
/// How large a piece is, and how much of a line is kept.
const PIECE: usize = 1 << 14;

/// Where a piece of output belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stream {
    Out,
    Err,
}

/// Run a program with the user's own input, in the user's own process group. `line` gets each line that it says.
///
/// # Errors
/// When `out` or `err` can't take what it says.
pub fn watched(
    command: &[OsString],
    environment: &Environment,
    out: &mut dyn Write,
    err: &mut dyn Write,
    line: &mut dyn FnMut(&[u8]),
) -> io::Result<End> {
    let Some((program, arguments)) = command.split_first() else {
        return Ok(End::NotStarted("no program is named".to_owned()));
    };
    let child = Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(environment.variables())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => return Ok(End::NotStarted(error.to_string())),
    };
    let (send, receive) = sync_channel(WAITING);
    read_along(child.stdout.take(), Stream::Out, send.clone());
    read_along(child.stderr.take(), Stream::Err, send);
    let (mut of_out, mut of_err) = (Lines::default(), Lines::default());
    let mut gone: Option<Instant> = None;
    loop {
        match receive.recv_timeout(LOOK) {
            Ok((Stream::Out, bytes)) => {
                out.write_all(&bytes)?;
                out.flush()?;
                of_out.take(&bytes, line);
            }
            Ok((Stream::Err, bytes)) => {
                err.write_all(&bytes)?;
                err.flush()?;
                of_err.take(&bytes, line);
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                if gone.is_none() && child.try_wait()?.is_some() {
                    gone = Some(Instant::now());
                }
            }
        }
        if gone.is_some_and(|since| since.elapsed() > LAST_WORDS) {
            break;
        }
    }
    of_out.end(line);
    of_err.end(line);
    let status = child.wait()?;
    Ok(match (status.code(), status.signal()) {
        (Some(code), _) => End::Exited(code),
        (None, signal) => End::Signal(signal.unwrap_or_default()),
    })
}

fn read_along(
    pipe: Option<impl Read + Send + 'static>,
    stream: Stream,
    send: SyncSender<(Stream, Vec<u8>)>,
) {
    let Some(mut pipe) = pipe else { return };
    thread::spawn(move || {
        let mut bytes = vec![0; PIECE];
        loop {
            match pipe.read(&mut bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
                Ok(length) => {
                    let piece = bytes.get(..length).unwrap_or_default().to_vec();
                    // Nobody waits any more if the receiver is gone.
                    if send.send((stream, piece)).is_err() {
                        break;
                    }
                }
            }
        }
    });
}

/// Puts the lines of a stream together.
#[derive(Default)]
struct Lines {
    begun: Vec<u8>,
}

impl Lines {
    fn take(&mut self, bytes: &[u8], line: &mut dyn FnMut(&[u8])) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (text, is_whole) = match piece.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (piece, false),
            };
            let room = PIECE.saturating_sub(self.begun.len());
            self.begun
                .extend_from_slice(text.get(..text.len().min(room)).unwrap_or_default());
            if is_whole {
                line(&self.begun);
                self.begun.clear();
            }
        }
    }

    fn end(&mut self, line: &mut dyn FnMut(&[u8])) {
        if !self.begun.is_empty() {
            line(&self.begun);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn shell(script: &str) -> (End, String, String, Vec<String>) {
        let environment = Environment::made(&[("PATH", "/usr/bin:/bin")], Path::new("/"));
        let command = ["/bin/sh", "-c", script].map(OsString::from);
        let (mut out, mut err, mut lines) = (Vec::new(), Vec::new(), Vec::new());
        let end = watched(&command, &environment, &mut out, &mut err, &mut |line| {
            lines.push(String::from_utf8_lossy(line).into_owned());
        });
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (end.expect("written"), text(out), text(err), lines)
    }

    #[test]
    fn both_streams_go_where_they_belong_and_are_read() {
        let (end, out, err, mut lines) = shell("echo one; echo two >&2; printf three; exit 3");
        assert_eq!((end, &*out, &*err), (End::Exited(3), "one\nthree", "two\n"));
        lines.sort();
        assert_eq!(lines, ["one", "three", "two"]);
        assert_eq!(shell("kill -TERM $$").0, End::Signal(15));
        // What stays in the background does not hold the end up.
        let begun = Instant::now();
        assert_eq!(shell("sleep 20 & echo done").1, "done\n");
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}
