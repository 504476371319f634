//! What the editor asks for, and when it is answered: at once, or when its document was looked at.

use lsp_server::{ErrorCode, Request, RequestId, Response};
use lsp_types::request::{CodeActionRequest, ExecuteCommand, HoverRequest, Request as Asks};
use lsp_types::{CodeActionParams, ExecuteCommandParams, HoverParams, TextDocumentIdentifier};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::state::State;
use super::trees::Tree;
use super::waiting::{Ask, Waiting};
use super::{actions, commands, hover, ported};

/// The request for the port of a document, which only this server has.
const PORTED: &str = "torchada/ported";

/// Its parameters.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PortedParams {
    text_document: TextDocumentIdentifier,
}

/// Why a request has no answer.
type Refusal = (ErrorCode, String);

impl State {
    /// Answer a request, or keep it until its document was looked at.
    pub(super) fn request(&mut self, request: Request) {
        let (id, method) = (request.id, request.method);
        let params = request.params;
        let answer = match method.as_str() {
            HoverRequest::METHOD => read::<HoverParams>(params).map(|params| {
                let place = params.text_document_position_params;
                Some(hover::hover(self, &place))
            }),
            CodeActionRequest::METHOD => read::<CodeActionParams>(params).map(|params| {
                let uri = params.text_document.uri.as_str().to_owned();
                self.wait(id.clone(), uri, Ask::Actions(Box::new(params)));
                None
            }),
            PORTED => read::<PortedParams>(params).map(|params| {
                let uri = params.text_document.uri.as_str().to_owned();
                self.wait(id.clone(), uri, Ask::Ported);
                None
            }),
            ExecuteCommand::METHOD => {
                read::<ExecuteCommandParams>(params).and_then(|params| self.command(&id, &params))
            }
            _ => Err((
                ErrorCode::MethodNotFound,
                format!("`{method}` is nothing that this server does"),
            )),
        };
        match answer {
            Ok(Some(result)) => self.client.send(Response::new_ok(id, result)),
            Ok(None) => {}
            Err((code, why)) => self.client.send(Response::new_err(id, code as i32, why)),
        }
    }

    /// Run a command; `None` where the answer has to wait.
    fn command(
        &mut self,
        id: &RequestId,
        params: &ExecuteCommandParams,
    ) -> Result<Option<Value>, Refusal> {
        let first = params.arguments.first().and_then(Value::as_str);
        let first = first.ok_or_else(|| {
            let why = format!("`{}` wants an argument", params.command);
            (ErrorCode::InvalidParams, why)
        })?;
        match params.command.as_str() {
            commands::PORTED => {
                self.wait(id.clone(), first.to_owned(), Ask::Ported);
                Ok(None)
            }
            commands::EXPLAIN => {
                let text = hover::explained(first)
                    .ok_or_else(|| (ErrorCode::InvalidParams, format!("`{first}` is no code")))?;
                if !self.client.shows_documents {
                    self.client.inform(text.clone());
                }
                Ok(Some(Value::String(text)))
            }
            commands::OPEN => {
                self.client.open(first);
                Ok(Some(Value::Null))
            }
            other => Err((ErrorCode::InvalidParams, format!("`{other}` is no command"))),
        }
    }

    fn wait(&mut self, id: RequestId, uri: String, ask: Ask) {
        self.waiting.push(Waiting { id, uri, ask });
        self.answer_waiting();
    }

    /// Answer the requests whose documents were looked at, and those whose documents nobody will look at.
    pub(super) fn answer_waiting(&mut self) {
        for one in std::mem::take(&mut self.waiting) {
            let document = self.documents.get(&one.uri);
            let is_alive = document
                .and_then(|document| self.trees.get(&document.tree))
                .is_some_and(Tree::is_alive);
            let looked = document.and_then(|document| document.current());
            let Some(looked) = looked else {
                if is_alive {
                    self.waiting.push(one);
                } else {
                    self.client.send(unanswered(one));
                }
                continue;
            };
            let answer = match &one.ask {
                Ask::Actions(params) => actions::of(looked, params, &self.client),
                Ask::Ported => ported::of(looked),
            };
            self.client.send(Response::new_ok(one.id, answer));
        }
    }

    /// Drop a request that the editor no longer wants an answer to.
    pub(super) fn cancel(&mut self, id: &RequestId) {
        let before = self.waiting.len();
        self.waiting.retain(|one| one.id != *id);
        if self.waiting.len() < before {
            let (code, why) = (ErrorCode::RequestCanceled as i32, "cancelled".to_owned());
            self.client.send(Response::new_err(id.clone(), code, why));
        }
    }
}

/// The answer to a request about a document that is not open, or whose tree can't be read.
fn unanswered(one: Waiting) -> Response {
    match one.ask {
        Ask::Actions(_) => Response::new_ok(one.id, Value::Array(Vec::new())),
        Ask::Ported => {
            let why = format!("{} is not open, or its tree can't be read", one.uri);
            Response::new_err(one.id, ErrorCode::InvalidParams as i32, why)
        }
    }
}

/// The parameters of a request.
fn read<P: DeserializeOwned>(params: Value) -> Result<P, Refusal> {
    let refused = |error: serde_json::Error| (ErrorCode::InvalidParams, error.to_string());
    serde_json::from_value(params).map_err(refused)
}
