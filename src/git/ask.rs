//! Runs one git command and reads its answer, within limits of time and size.

use std::io::{ErrorKind, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::mapping::safety;

/// Variables that point git at another repository, or at programs of somebody's choice.
const REMOVED: [&str; 16] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_ASKPASS",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_PROXY_COMMAND",
    "GIT_SHALLOW_FILE",
    "GIT_SSH",
    "GIT_WORK_TREE",
    "SSH_ASKPASS",
];

/// Variables that keep git from starting programs, from talking to anybody, and from taking all memory for an
/// object that claims a size.
const SET: [(&str, &str); 8] = [
    ("GIT_ALLOC_LIMIT", "512m"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_SSH_COMMAND", "false"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("LC_ALL", "C"),
];

/// Options that take away what a repository's own configuration can make git do.
const CONFIGURATION: [&str; 10] = [
    "core.bigFileThreshold=16m",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.untrackedCache=false",
    "diff.external=",
    "fetch.recurseSubmodules=false",
    "protocol.allow=never",
    "submodule.recurse=false",
];

/// Why nothing is answered on a machine without git.
pub const NO_GIT: &str = "there is no git on the PATH";

/// The time that git may still take for all later questions. One repository can make each of thousands of questions
/// wait, so all questions of a run share it.
static LEFT: Mutex<Duration> = Mutex::new(Duration::from_secs(safety::GIT_SECONDS_IN_ALL));

/// The answer of git to a question about a folder.
///
/// # Errors
/// Git's error message, why it could not be run, or that its answer takes too long or is too large.
pub(super) fn ask(folder: &Path, question: &[&str]) -> Result<Vec<u8>, String> {
    let mut command = Command::new("git");
    for variable in REMOVED {
        command.env_remove(variable);
    }
    command.envs(SET).arg("--no-pager").arg("-C").arg(folder);
    for setting in CONFIGURATION {
        command.args(["-c", setting]);
    }
    command
        .args(question)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // One question at a time. A lock that a panic left has the time that was left before.
    let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
    if left.is_zero() {
        return Err("it took too long before, and is not asked any more".to_owned());
    }
    let mut child = command.spawn().map_err(|error| match error.kind() {
        ErrorKind::NotFound => NO_GIT.to_owned(),
        _ => error.to_string(),
    })?;
    let answer = answer(&mut child, &mut left);
    if answer.is_err() {
        // What is still at work there is of no use any more.
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| error.to_string());
    let (out, err) = answer?;
    if status?.success() {
        return Ok(out);
    }
    let message = String::from_utf8_lossy(&err);
    let mut lines = message.lines();
    let first = lines.next().unwrap_or("it failed without a message");
    Err(first.to_owned())
}

/// The output and the errors of a process, within the limits. The time that the process took is subtracted from `left`,
/// which becomes zero if it was too slow.
fn answer(child: &mut Child, left: &mut Duration) -> Result<(Vec<u8>, Vec<u8>), String> {
    let (send, receive) = channel();
    let out = child.stdout.take();
    let err = child.stderr.take();
    let is_out = send.clone();
    thread::spawn(move || is_out.send((true, bounded(out))));
    thread::spawn(move || send.send((false, bounded(err))));
    let mut texts = (Vec::new(), Vec::new());
    let begun = Instant::now();
    let limit = Duration::from_secs(safety::GIT_SECONDS).min(*left);
    for _ in 0..2 {
        let still = limit.saturating_sub(begun.elapsed());
        let (is_out, text) = receive.recv_timeout(still).map_err(|error| match error {
            RecvTimeoutError::Timeout => {
                *left = Duration::ZERO;
                format!("it gave no answer within {} s", limit.as_secs())
            }
            RecvTimeoutError::Disconnected => "it gave no answer".to_owned(),
        })?;
        let text =
            text.ok_or_else(|| format!("its answer has more than {} bytes", safety::GIT_ANSWER))?;
        *(if is_out { &mut texts.0 } else { &mut texts.1 }) = text;
    }
    *left = left.saturating_sub(begun.elapsed());
    Ok(texts)
}

/// All that comes out of a pipe; `None` where that is too much, or the pipe breaks.
fn bounded(pipe: Option<impl Read>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = safety::GIT_ANSWER;
    pipe?.take(limit + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= limit).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_one_question_without_an_answer_no_time_is_left() {
        let mut waits = Command::new("sleep");
        let mut child = waits
            .arg("100")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut left = Duration::from_millis(20);
        let message = answer(&mut child, &mut left).expect_err("no answer");
        assert!(message.contains("no answer within"), "{message}");
        assert!(left.is_zero());
        child.kill().expect("it is at work");
        child.wait().expect("it ends");
    }
}
