//! Messages of the protocol, over standard input and output.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::thread;

use crossbeam_channel::{Sender, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, RequestId, Response};
use lsp_types::notification::{LogMessage, Notification as _};
use lsp_types::{LogMessageParams, MessageType};
use serde_json::Value;

use crate::mapping::safety;

/// How long a line of a message's head may be.
const HEAD: u64 = 4096;

/// Connect to the editor that started this program.
pub(super) fn stdio() -> Connection {
    let (sender, outgoing) = unbounded::<Message>();
    let (incoming, receiver) = unbounded();
    thread::spawn(move || {
        // The program's end waits for whoever has locked it.
        let mut out = io::stdout();
        for message in outgoing {
            if message.write(&mut out).and_then(|()| out.flush()).is_err() {
                break;
            }
        }
    });
    let answers = sender.clone();
    thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        // What can't be read any more ends the connection: the receiver hears of it.
        while let Ok(Some(bytes)) = read(&mut input) {
            let sent = match serde_json::from_slice::<Message>(&bytes) {
                Ok(message) => incoming.send(message),
                Err(error) => answers.send(refusal(&bytes, &error)),
            };
            if sent.is_err() {
                break;
            }
        }
    });
    Connection { sender, receiver }
}

/// Read one message; `None` at the end of the input.
fn read(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let bad = |why: &str| io::Error::new(ErrorKind::InvalidData, why.to_owned());
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.by_ref().take(HEAD).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        if !line.ends_with('\n') {
            return Err(bad("a line of a head is too long"));
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<u64>().ok();
        }
    }
    let length = length.ok_or_else(|| bad("a message without its length"))?;
    // A document comes with escapes, and a source may have this much.
    if length > 2 * safety::BYTES_SOURCE {
        return Err(bad("a message is too long"));
    }
    let mut bytes = Vec::new();
    input.by_ref().take(length).read_to_end(&mut bytes)?;
    let is_whole = u64::try_from(bytes.len()).is_ok_and(|read| read == length);
    Ok(is_whole.then_some(bytes))
}

/// The answer to what is no message.
fn refusal(bytes: &[u8], error: &serde_json::Error) -> Message {
    let id = serde_json::from_slice::<Value>(bytes).ok();
    let id =
        id.and_then(|value| serde_json::from_value::<RequestId>(value.get("id")?.clone()).ok());
    let why = format!("no message of the protocol: {error}");
    match id {
        Some(id) => Response::new_err(id, ErrorCode::InvalidRequest as i32, why).into(),
        None => log(why),
    }
}

/// A line for the editor's log.
pub(super) fn log(message: String) -> Message {
    let params = LogMessageParams {
        typ: MessageType::WARNING,
        message,
    };
    Notification::new(LogMessage::METHOD.to_owned(), params).into()
}

/// Send a message. An editor that is gone hears nothing.
pub(super) fn send(to: &Sender<Message>, message: impl Into<Message>) {
    let _ = to.send(message.into());
}
