//! What instructions become where the targets and the SDK of a port are known to have more than all of them have.

use serde::{Deserialize, Serialize};

use super::Exactness;
use crate::Evidence;

/// MUSA's own assembly in place of an instruction.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alternative {
    /// The forms, as those of a row.
    pub forms: Vec<String>,
    /// The names of the operands in their order: `d` is the destination, and `[a]` an address.
    pub operands: String,
    /// The instruction of MTX. `{a}` is an operand, `{type}` the last modifier of the instruction that is replaced.
    pub mtx: String,
    /// The targets that have it.
    pub targets: Vec<String>,
    /// The first SDK that is known to have it.
    pub sdk: String,
    /// How it compares.
    pub exactness: Exactness,
    /// What stands behind it.
    pub evidence: Evidence,
    /// Where that comes from.
    pub source: String,
}

impl Alternative {
    /// What is wrong with it.
    pub(super) fn check(&self) -> Result<(), String> {
        let name = self.forms.first().map_or("", String::as_str);
        if self.targets.is_empty() || self.source.is_empty() {
            return Err(format!("`{name}` has no targets or no source"));
        }
        for operand in self.operands.split_whitespace() {
            let place = format!("{{{}}}", operand.trim_matches(['[', ']']));
            if !self.mtx.contains(&place) {
                return Err(format!("`{name}` does not use its operand `{operand}`"));
            }
        }
        Ok(())
    }
}
