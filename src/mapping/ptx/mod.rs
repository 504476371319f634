//! What the instructions of PTX become: `mappings/ptx.toml`.

mod alternative;
mod check;
mod counts;
mod forms;
mod helpers;
mod intrinsic;
mod opcodes;
mod row;
mod types_and_limits;

use crate::word_list::contains_one;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::read_table::{RowAt, builtin, fault, table};
use super::{Evidence, MappingError};

pub use alternative::Alternative;
use check::check;
pub use counts::{Exactness, StatementCounts};
pub use forms::is_of_form;
use helpers::called;
pub use helpers::{NAMESPACE, PtxHelper, helpers_in};
pub use intrinsic::{Copies, Form, Intrinsic, Template};
use opcodes::Opcodes;
pub use row::{Family, Proof, PtxRow};
pub use types_and_limits::{Limits, PtxTypes};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    instruction: Vec<RowAt<PtxRow>>,
    #[serde(default)]
    alternative: Vec<RowAt<Alternative>>,
    intrinsic: BTreeMap<String, RowAt<Intrinsic>>,
    copies: Copies,
    special: BTreeMap<String, SpecialRegister>,
    missing: BTreeMap<String, String>,
    /// What a name has in it that a header declares, by the header.
    headers: BTreeMap<String, Vec<String>>,
    /// The constraints of operands that a header's macros stand for.
    constraints: BTreeMap<String, String>,
    helper: BTreeMap<String, PtxHelper>,
    limits: Limits,
    types: PtxTypes,
}

/// A special register.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecialRegister {
    /// Its type.
    pub kind: String,
    /// The expression that has its value.
    pub cpp: String,
    /// What stands behind the row.
    pub evidence: Evidence,
    /// Where that comes from.
    pub source: String,
}

const FILE: &str = "ptx.toml";
const TEXT: &str = include_str!("../mappings/ptx.toml");

/// What `mappings/ptx.toml` holds.
#[derive(Debug)]
pub struct Ptx {
    rows: Vec<PtxRow>,
    intrinsics: BTreeMap<String, Intrinsic>,
    copies: Copies,
    alternatives: Vec<Alternative>,
    /// Made for the first instruction: most files have none.
    opcodes: OnceLock<Opcodes>,
    special: BTreeMap<String, SpecialRegister>,
    missing: BTreeMap<String, String>,
    headers: BTreeMap<String, Vec<String>>,
    constraints: BTreeMap<String, String>,
    limits: Limits,
    types: PtxTypes,
    helpers: BTreeMap<String, PtxHelper>,
}

impl Ptx {
    /// The table that comes with the program. The build script has checked it.
    pub fn builtin() -> &'static Self {
        static READ: OnceLock<Ptx> = OnceLock::new();
        builtin(&READ, || table!("ptx.toml").map(Self::of))
    }

    /// Read and check the table that comes with the program.
    ///
    /// # Errors
    /// A fault of the file, with its line.
    pub fn load() -> Result<Self, MappingError> {
        Self::checked(table!("ptx.toml")?, TEXT)
    }

    /// Checks what `text` says.
    fn checked(document: Document, text: &str) -> Result<Self, MappingError> {
        for row in &document.instruction {
            let here = |what: String| fault(FILE, text, row.start(), what);
            check(row.get_ref(), &document.helper).map_err(here)?;
        }
        let names: BTreeSet<&str> = document.intrinsic.keys().map(String::as_str).collect();
        for (name, row) in &document.intrinsic {
            let here = |what: String| fault(FILE, text, row.start(), what);
            row.get_ref().check(name, &names).map_err(here)?;
            let helper = &row.get_ref().helper;
            if !document.helper.contains_key(helper) {
                let what = format!("`{name}` becomes `{helper}`, which is not there");
                return Err(here(what));
            }
        }
        for one in &document.alternative {
            let here = |what: String| fault(FILE, text, one.start(), what);
            one.get_ref().check().map_err(here)?;
        }
        let rows = document.instruction.iter();
        let alternatives = document.alternative.iter();
        let opcodes = Opcodes::of(
            rows.map(|row| (row.start(), row.get_ref())),
            alternatives.map(|one| (one.start(), one.get_ref())),
        );
        let opcodes = opcodes.map_err(|(start, what)| fault(FILE, text, start, what))?;
        Ok(Self {
            opcodes: opcodes.into(),
            ..Self::of(document)
        })
    }

    fn of(document: Document) -> Self {
        let rows = document.instruction.into_iter();
        let intrinsics = document.intrinsic.into_iter();
        let alternatives = document.alternative.into_iter();
        Self {
            rows: rows.map(RowAt::into_inner).collect(),
            intrinsics: intrinsics
                .map(|(name, row)| (name, row.into_inner()))
                .collect(),
            copies: document.copies,
            alternatives: alternatives.map(RowAt::into_inner).collect(),
            opcodes: OnceLock::new(),
            special: document.special,
            missing: document.missing,
            headers: document.headers,
            constraints: document.constraints,
            limits: document.limits,
            types: document.types,
            helpers: document.helper,
        }
    }

    fn opcodes(&self) -> &Opcodes {
        self.opcodes.get_or_init(|| {
            let rows = self.rows.iter().map(|row| (0, row));
            let alternatives = self.alternatives.iter().map(|one| (0, one));
            // The forms were checked when the program was built.
            Opcodes::of(rows, alternatives).unwrap_or_default()
        })
    }

    /// What types are called.
    pub fn types(&self) -> &PtxTypes {
        &self.types
    }

    /// The row of an instruction with all its modifiers.
    pub fn row(&self, opcode: &str) -> Option<&PtxRow> {
        self.rows.get(self.opcodes().row(opcode)?)
    }

    /// What an instruction becomes where the targets and the SDK are known to have it.
    pub fn alternative(&self, opcode: &str) -> Option<&Alternative> {
        self.alternatives.get(self.opcodes().alternative(opcode)?)
    }

    /// All alternatives in the order of the table.
    pub fn alternatives(&self) -> &[Alternative] {
        &self.alternatives
    }

    /// All rows in the order of the table.
    pub fn rows(&self) -> &[PtxRow] {
        &self.rows
    }

    /// All special registers, by their names without `%`.
    pub fn specials(&self) -> &BTreeMap<String, SpecialRegister> {
        &self.special
    }

    /// The functions of CUDA's that functions of the header do the work of, by name.
    pub fn intrinsics(&self) -> &BTreeMap<String, Intrinsic> {
        &self.intrinsics
    }

    /// What else a file says where it uses those with a namespace.
    pub fn copies(&self) -> &Copies {
        &self.copies
    }

    /// The constraint of an operand where a macro of a header's stands in its place.
    pub fn constraint(&self, name: &str) -> Option<&str> {
        self.constraints.get(name).map(String::as_str)
    }

    /// What a statement may have at most.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// A special register by its name without `%`.
    pub fn special(&self, name: &str) -> Option<&SpecialRegister> {
        self.special.get(name)
    }

    /// Why a special register has no counterpart, by its name without `%`.
    pub fn missing(&self, name: &str) -> Option<&str> {
        // The table names a vector such as `%tid` for all its parts.
        let whole = name.split('.').next().unwrap_or(name);
        let why = self.missing.get(name).or_else(|| self.missing.get(whole));
        why.map(String::as_str)
    }

    /// The headers that declare what code names.
    pub fn headers_of<'a>(&'a self, code: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers
            .iter()
            .filter(move |(_, words)| contains_one(code, words))
            .map(|(header, _)| header.as_str())
    }

    /// All functions of the header, by name.
    pub fn helpers(&self) -> &BTreeMap<String, PtxHelper> {
        &self.helpers
    }

    /// The other functions of the header that one of them calls.
    pub fn calls(&self, name: &str) -> BTreeSet<&str> {
        let code = self.helpers.get(name).map(|helper| helper.code.as_str());
        code.into_iter()
            .flat_map(called)
            .filter(|call| *call != name)
            .filter_map(|call| self.helpers.get_key_value(call))
            .map(|(call, _)| call.as_str())
            .collect()
    }
}

#[cfg(test)]
mod tests;
