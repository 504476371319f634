//! What was found about CUDA's names, and its text as a facts file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;

use super::text::{key, list, quoted};
use crate::mapping::{Section, Tables};

/// What was found about one name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// Its counterpart.
    pub counterpart: Counterpart,
    /// Where it was seen: `declared: musa_runtime_api.h:120`.
    pub source: String,
    /// What is near, for a name that is not there.
    pub advice: Option<String>,
    /// How the declarations differ.
    pub differs: Option<String>,
}

/// Whether a name has a counterpart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Counterpart {
    /// Under another name.
    Renamed(String),
    /// Under its own.
    Same,
    /// None.
    Absent,
}

impl Fact {
    /// A name that is there.
    pub(super) fn present(cuda: &str, name: &str, source: String) -> Self {
        let counterpart = if cuda == name {
            Counterpart::Same
        } else {
            Counterpart::Renamed(name.to_owned())
        };
        Self {
            counterpart,
            source,
            advice: None,
            differs: None,
        }
    }

    /// A name that is not there.
    pub(super) fn missing(why: &str) -> Self {
        Self {
            counterpart: Counterpart::Absent,
            source: format!("not there: {why}"),
            advice: None,
            differs: None,
        }
    }
}

/// The facts, by section and name.
pub type Rows = BTreeMap<(Section, String), Fact>;

/// What a facts file says of itself. What was not found out is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Head {
    /// The release of the SDK.
    pub sdk: Option<String>,
    /// The release of `torch_musa`.
    pub torch_musa: Option<String>,
    /// The release of torch.
    pub torch: Option<String>,
    /// The first line of what the compiler says of its version.
    pub mcc: Option<String>,
    /// GPU generations that the compiler's help names.
    pub architectures: Vec<String>,
    /// Options that the compiler's help names.
    pub options: Vec<String>,
    /// The digest of what the SDK's folders list.
    pub listing: Option<String>,
    /// Operators that `torch_musa` has kernels of, and those that it lacks.
    pub operators: Option<Operators>,
    /// What could not be read.
    pub unread: Vec<String>,
}

/// The operators for which `torch_musa` has kernels.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Operators {
    /// How many there are.
    pub count: usize,
    /// The device whose operators they are compared with: CUDA, or the CPU where torch is built without CUDA.
    pub reference_device: String,
    /// The operators that this device has and `torch_musa` has not.
    pub missing: Vec<String>,
}

impl Head {
    /// `MUSA SDK 4.3.0, torch_musa 2.7.1`
    pub fn title(&self) -> String {
        let sdk = self.sdk.as_deref().unwrap_or("of unknown version");
        let mut title = format!("MUSA SDK {sdk}");
        if let Some(version) = &self.torch_musa {
            let _ = write!(title, ", torch_musa {version}");
        }
        title
    }
}

/// The text of a facts file.
pub fn written(head: &Head, rows: &Rows) -> String {
    let mut text = String::from(
        "# Facts about a MUSA SDK, written by `torchada learn`. `port` and `check` take them with --facts.\n",
    );
    // A `String` takes what is written to it.
    let _ = writeln!(
        text,
        "\n[table]\nid = \"facts\"\ntitle = {}\n",
        quoted(&head.title())
    );
    let _ = writeln!(
        text,
        "[facts]\nformat = 1\ntables = {}",
        quoted(Tables::version())
    );
    let values = [
        ("sdk", &head.sdk),
        ("torch-musa", &head.torch_musa),
        ("torch", &head.torch),
        ("mcc", &head.mcc),
    ];
    for (name, value) in values {
        if let Some(value) = value {
            let _ = writeln!(text, "{name} = {}", quoted(value));
        }
    }
    let _ = writeln!(text, "architectures = {}", list(&head.architectures));
    let _ = writeln!(text, "options = {}", list(&head.options));
    if let Some(listing) = &head.listing {
        let _ = writeln!(text, "listing = {}", quoted(listing));
    }
    if let Some(operators) = &head.operators {
        let (count, beside) = (operators.count, quoted(&operators.reference_device));
        let missing = list(&operators.missing);
        let _ = writeln!(
            text,
            "operators = {count}\noperators-beside = {beside}\noperators-missing = {missing}"
        );
    }
    let _ = writeln!(text, "unread = {}", list(&head.unread));
    let mut section = None;
    for ((of, name), fact) in rows {
        if section != Some(*of) {
            section = Some(*of);
            let _ = writeln!(text, "\n[{}]", of.as_str());
        }
        let _ = writeln!(text, "{} = {{ {} }}", key(name), row(fact));
    }
    text
}

fn row(fact: &Fact) -> String {
    let mut parts = vec![match &fact.counterpart {
        Counterpart::Renamed(to) => format!("to = {}", quoted(to)),
        Counterpart::Same => "relation = \"same\"".to_owned(),
        Counterpart::Absent => "relation = \"absent\"".to_owned(),
    }];
    parts.push("evidence = \"sdk\"".to_owned());
    parts.push(format!("source = {}", quoted(&fact.source)));
    let more = [("advice", &fact.advice), ("differs", &fact.differs)];
    for (name, value) in more {
        if let Some(value) = value {
            parts.push(format!("{name} = {}", quoted(value)));
        }
    }
    parts.join(", ")
}
