//! What the port has to do with a message, in words, and what would remedy it.

use crate::mapping::Row;
use crate::mapping::build_log::{BuildLogTable, LogKind};

/// What the port has to do with the place of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    /// The message is about a name that the port wrote.
    Renamed,
    /// The place is in what inline assembly became.
    Assembly,
    /// The place is in other text that the port wrote.
    Rewritten,
    /// The port wrote something else on the line.
    Beside,
    /// The port left the place, with a finding.
    Left,
    /// The port adds the file.
    Added,
    /// Somebody wrote the line since the port.
    Edited,
    /// MUSA has the name under CUDA's own.
    Same,
    /// The name is CUDA's, and no place of the port is named.
    Cuda,
    /// The project's own code.
    Own,
    /// No file of the port's.
    Outside,
}

impl Relation {
    /// The word of the table.
    fn word(self) -> &'static str {
        match self {
            Self::Renamed => "renamed",
            Self::Assembly => "assembly",
            Self::Rewritten => "rewritten",
            Self::Beside => "beside",
            Self::Left => "left",
            Self::Added => "added",
            Self::Edited => "edited",
            Self::Same => "same",
            Self::Cuda => "cuda",
            Self::Own => "own",
            Self::Outside => "outside",
        }
    }
}

/// What fills the slots of the table's texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// The name that the message is about.
    pub(super) name: Option<String>,
    /// What the port wrote.
    pub(super) new: Option<String>,
    /// What the original has for it.
    pub(super) old: Option<String>,
    /// Another name that is suggested.
    pub(super) near: Option<String>,
    /// The word for the evidence of the mapping.
    pub(super) evidence: String,
    /// The rule that wrote it.
    pub(super) rule: String,
    /// The code of the port's finding.
    pub(super) code: String,
    /// The message.
    pub(super) text: String,
    /// Why, as a note says it.
    pub(super) why: Option<String>,
    /// What the SDK's facts have for the name of CUDA's.
    pub(super) fact: Option<&'static Row>,
    /// Whether they have the very name that the port wrote.
    pub(super) is_there: bool,
}

/// The texts of a finding.
pub(super) struct Texts {
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) remedy: Option<String>,
}

/// Say what a message of a kind is about.
pub(super) fn texts(kind: &LogKind, relation: Relation, slots: &Slots) -> Texts {
    let table = BuildLogTable::builtin();
    let word = relation.word();
    let says = if kind.names && slots.name.is_none() {
        "{text}"
    } else {
        &kind.says
    };
    let mut message = slots.fill(says);
    if let Some(why) = &slots.why {
        message = format!("{message} ({why})");
    }
    let of_evidence = &table.renamed;
    let origin = if relation == Relation::Renamed {
        let is_new = slots.old.as_deref() == Some("");
        let word = if is_new { "new" } else { &slots.evidence };
        of_evidence.get(word).or_else(|| of_evidence.get("other"))
    } else {
        table.origin.get(word)
    };
    if let Some(origin) = origin {
        message = format!("{message}: {}", slots.fill(origin));
    }
    let is_near = relation == Relation::Renamed && slots.near.is_some();
    let is_there = relation == Relation::Renamed && slots.is_there;
    let words: &[&str] = match (is_near, is_there) {
        (true, _) => &["near", word],
        (false, true) => &["there", word],
        (false, false) => &[word],
    };
    let find = |texts: &std::collections::BTreeMap<String, String>| {
        let mut texts = words.iter().filter_map(|word| texts.get(*word));
        texts.next().cloned()
    };
    let help = find(&kind.advice).or_else(|| find(&table.advice));
    let remedy = find(&kind.remedy).or_else(|| find(&table.remedy));
    // No other name remedies what is there under this one.
    let remedy = remedy.filter(|_| is_near || !is_there);
    let mut help = help.map(|help| slots.fill(&help));
    if let (Some(row), Some(help)) = (slots.fact, &mut help) {
        let parts = [Some(&row.source), row.advice.as_ref()];
        let parts: Vec<&str> = parts.into_iter().flatten().map(|part| &**part).collect();
        *help = format!("{help}. The SDK's facts: {}", parts.join("; "));
    }
    Texts {
        message,
        help,
        remedy: remedy.map(|remedy| slots.fill(&remedy)),
    }
}

impl Slots {
    /// Take what facts have for the name of CUDA's that became `name`: another one of MUSA's is near.
    pub(super) fn learn(&mut self, row: Option<&'static Row>, name: &str) {
        let to = row.and_then(|row| row.to.as_deref());
        let near = to.filter(|to| *to != name).map(str::to_owned);
        self.near = self.near.take().or(near);
        self.is_there = to == Some(name);
        self.fact = row;
    }

    /// Put what is known in a text's slots.
    fn fill(&self, text: &str) -> String {
        let known = |name: &str| -> Option<String> {
            Some(match name {
                "name" => self.name.clone()?,
                "old" => self.old.clone()?,
                "new" => self.new.clone()?,
                "near" => self.near.clone()?,
                "key" => key(self.old.as_deref()?),
                "rule" => self.rule.clone(),
                "code" => self.code.clone(),
                "text" => self.text.clone(),
                _ => return None,
            })
        };
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('{') {
            out.push_str(before);
            let slot = behind.split_once('}');
            if let Some((value, behind)) =
                slot.and_then(|(slot, behind)| Some((known(slot)?, behind)))
            {
                out.push_str(&value);
                rest = behind;
            } else {
                out.push('{');
                rest = behind;
            }
        }
        out.push_str(rest);
        out
    }
}

/// A name as a key of TOML.
fn key(name: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if !name.is_empty() && name.chars().all(is_bare) {
        return name.to_owned();
    }
    format!("{name:?}")
}
