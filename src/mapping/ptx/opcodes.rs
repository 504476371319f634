//! The rows of the table by the opcodes that their forms stand for.

use rustc_hash::FxHashMap;

use super::alternative::Alternative;
use super::forms::expand;
use super::row::PtxRow;

/// The places of rows in their lists, by opcode.
#[derive(Debug, Default)]
pub(super) struct Opcodes {
    rows: FxHashMap<String, usize>,
    /// Fronts of opcodes, the longest first.
    fronts: Vec<(String, usize)>,
    alternatives: FxHashMap<String, usize>,
}

impl Opcodes {
    /// The opcodes of rows and alternatives, each of which has the byte with it at which it starts in the table's text.
    ///
    /// # Errors
    /// That byte, and what is wrong with a form.
    pub(super) fn of<'r>(
        rows: impl Iterator<Item = (usize, &'r PtxRow)>,
        alternatives: impl Iterator<Item = (usize, &'r Alternative)>,
    ) -> Result<Self, (usize, String)> {
        let mut opcodes = Self::default();
        for (index, (start, row)) in rows.enumerate() {
            let here = |what: String| (start, what);
            for form in &row.forms {
                if let Some(front) = form.strip_suffix('*') {
                    let fronts = expand(front).map_err(here)?;
                    opcodes
                        .fronts
                        .extend(fronts.into_iter().map(|front| (front, index)));
                    continue;
                }
                for opcode in expand(form).map_err(here)? {
                    if opcodes.rows.insert(opcode.clone(), index).is_some() {
                        return Err(here(format!("`{opcode}` stands in two rows")));
                    }
                }
            }
        }
        for (index, (start, one)) in alternatives.enumerate() {
            let here = |what: String| (start, what);
            for form in &one.forms {
                for opcode in expand(form).map_err(here)? {
                    if opcodes.alternatives.insert(opcode.clone(), index).is_some() {
                        return Err(here(format!("`{opcode}` has two alternatives")));
                    }
                }
            }
        }
        opcodes
            .fronts
            .sort_by_key(|(front, _)| std::cmp::Reverse(front.len()));
        Ok(opcodes)
    }

    /// The row of an instruction with all its modifiers.
    pub(super) fn row(&self, opcode: &str) -> Option<usize> {
        let exact = self.rows.get(opcode).copied();
        let by_front = || {
            let mut fronts = self.fronts.iter();
            fronts
                .find(|(front, _)| opcode.starts_with(front))
                .map(|(_, row)| *row)
        };
        exact.or_else(by_front)
    }

    /// The alternative to an instruction.
    pub(super) fn alternative(&self, opcode: &str) -> Option<usize> {
        self.alternatives.get(opcode).copied()
    }
}
