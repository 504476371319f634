//! What the instructions of PTX become: `mappings/ptx.toml`.

mod counts;
mod forms;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::read_table::{builtin, table};
use super::{Evidence, MappingError};

pub use counts::{Exactness, StatementCounts};
use forms::expand;
pub use forms::is_of_form;

/// A family of instructions whose translation is worked out by code, because it follows from the instruction's parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Calculates with floating-point numbers.
    Arithmetic,
    /// Compares and sets predicates or masks.
    Compare,
    /// Converts between types.
    Convert,
    /// Converts to and from numbers of eight bits or fewer.
    Small,
    /// Reads memory.
    Load,
    /// Writes memory.
    Store,
    /// Copies memory to shared memory.
    Copy,
    /// Reads and writes memory at once.
    Atomic,
    /// Moves, packs and unpacks registers.
    Move,
    /// Exchanges between the lanes of a warp.
    Shuffle,
    /// Multiplies matrices whose parts the lanes of a warp have.
    Multiply,
    /// Loads, stores and transposes such parts.
    Exchange,
    /// Reduces floating-point numbers among the lanes of a warp.
    Reduce,
    /// Chooses a lane of a warp.
    Elect,
    /// Compares a value among the lanes of a warp.
    Match,
    /// A logical function of three operands by its table of truth.
    Logic,
    /// Chooses bytes of two registers.
    Permute,
    /// Waits for the threads of a block.
    Barrier,
    /// Calculates with bytes and halves of registers.
    Video,
}

/// What the forms of an instruction become.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PtxRow {
    /// The forms: `add.{u32|s32}`, `fma.rn[.ftz].f32`. `{a|b}` stands for one of several texts, `[a]` for a text or
    /// nothing, and a `*` at the end for anything.
    pub forms: Vec<String>,
    /// The names of the operands in their order; the first is the destination where it is called `d`.
    #[serde(default)]
    pub operands: String,
    /// C++: an expression for `d`, or a statement. `{a}` is an operand as a value of the instruction's type,
    /// `{a:u32}` as one of another type, `{T}` the C++ name of the instruction's type, `{bits}` its width.
    pub cpp: Option<String>,
    /// The type of that expression, where it is not the instruction's.
    pub result: Option<String>,
    /// The code that works the translation out, in place of `cpp`.
    pub by: Option<Family>,
    /// Why the instruction may be left out.
    pub nothing: Option<String>,
    /// Why there is no translation.
    pub none: Option<String>,
    /// What to do where there is none.
    pub advice: Option<String>,
    /// How the translation compares.
    pub exactness: Option<Exactness>,
    /// Whether the row holds only where a user wants emulation: it takes much more work than the instruction.
    #[serde(default)]
    pub emulated: bool,
    /// What stands behind the row.
    pub evidence: Evidence,
    /// Where that comes from.
    pub source: String,
}

/// A function of `torchada/ptx.muh`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PtxHelper {
    /// What it does, with the form of PTX that it stands for.
    pub doc: String,
    /// The other functions that it calls.
    #[serde(default)]
    pub calls: Vec<String>,
    /// Its definition, inside the namespace.
    pub code: String,
    /// Where its meaning comes from.
    pub source: String,
}

/// A function of CUDA's that has no counterpart by name, and that a function of the header does the work of.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intrinsic {
    /// The function of the header. It takes the same arguments.
    pub helper: String,
    /// How the translation compares.
    pub exactness: Exactness,
    /// What stands behind the row.
    pub evidence: Evidence,
    /// Where that comes from.
    pub source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    instruction: Vec<PtxRow>,
    intrinsic: BTreeMap<String, Intrinsic>,
    special: BTreeMap<String, Special>,
    missing: BTreeMap<String, String>,
    /// What a name has in it that a header declares, by the header.
    headers: BTreeMap<String, Vec<String>>,
    /// The constraints of operands that a header's macros stand for.
    constraints: BTreeMap<String, String>,
    helper: BTreeMap<String, PtxHelper>,
    limits: Limits,
}

/// What a statement may have at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Limits {
    /// Literals and macros of a template.
    pub literals: usize,
    /// Bytes of a template.
    pub bytes: usize,
    /// Registers that a template declares.
    pub registers: usize,
    /// Labels and branches of a template.
    pub branches: usize,
    /// How deep scopes and brackets of a template are nested.
    pub nesting: usize,
    /// The texts that a template may have by the definitions of its macros and by `#if`.
    pub variants: usize,
    /// The tokens before a statement among which a declaration of what it names is looked for.
    pub declared_within: usize,
    /// How many constants are followed that each stand for the next.
    pub constants: usize,
}

/// A special register.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Special {
    /// Its type.
    pub kind: String,
    /// The expression that has its value.
    pub cpp: String,
    /// What stands behind the row.
    pub evidence: Evidence,
    /// Where that comes from.
    pub source: String,
}

const TEXT: &str = include_str!("../../../mappings/ptx.toml");

/// What `mappings/ptx.toml` holds.
#[derive(Debug)]
pub struct Ptx {
    rows: Vec<PtxRow>,
    intrinsics: BTreeMap<String, Intrinsic>,
    by_opcode: FxHashMap<String, usize>,
    /// Fronts of opcodes, the longest first.
    by_front: Vec<(String, usize)>,
    special: BTreeMap<String, Special>,
    missing: BTreeMap<String, String>,
    headers: BTreeMap<String, Vec<String>>,
    constraints: BTreeMap<String, String>,
    limits: Limits,
    helpers: BTreeMap<String, PtxHelper>,
}

impl Ptx {
    /// The table that comes with the program.
    pub fn builtin() -> &'static Self {
        static READ: OnceLock<Ptx> = OnceLock::new();
        builtin(&READ, Self::load)
    }

    /// Read the table that comes with the program.
    ///
    /// # Errors
    /// A fault of the file, with its line.
    pub fn load() -> Result<Self, MappingError> {
        let document: Document = table("ptx.toml", TEXT)?;
        let fault = |fault: String| MappingError {
            file: "mappings/ptx.toml".to_owned(),
            line: 1,
            fault,
        };
        let mut by_opcode = FxHashMap::default();
        let mut by_front = Vec::new();
        for (index, row) in document.instruction.iter().enumerate() {
            check(row, &document.helper).map_err(fault)?;
            for form in &row.forms {
                if let Some(front) = form.strip_suffix('*') {
                    by_front.extend(
                        expand(front)
                            .map_err(fault)?
                            .into_iter()
                            .map(|front| (front, index)),
                    );
                    continue;
                }
                for opcode in expand(form).map_err(fault)? {
                    if by_opcode.insert(opcode.clone(), index).is_some() {
                        return Err(fault(format!("`{opcode}` stands in two rows")));
                    }
                }
            }
        }
        for (name, helper) in &document.helper {
            if let Some(missing) = helper
                .calls
                .iter()
                .find(|call| !document.helper.contains_key(*call))
            {
                return Err(fault(format!(
                    "`{name}` calls `{missing}`, which is not there"
                )));
            }
        }
        for (name, Intrinsic { helper, .. }) in &document.intrinsic {
            if !document.helper.contains_key(helper) {
                return Err(fault(format!(
                    "`{name}` becomes `{helper}`, which is not there"
                )));
            }
        }
        by_front.sort_by_key(|(front, _)| std::cmp::Reverse(front.len()));
        Ok(Self {
            rows: document.instruction,
            intrinsics: document.intrinsic,
            by_opcode,
            by_front,
            special: document.special,
            missing: document.missing,
            headers: document.headers,
            constraints: document.constraints,
            limits: document.limits,
            helpers: document.helper,
        })
    }

    /// The row of an instruction with all its modifiers.
    pub fn row(&self, opcode: &str) -> Option<&PtxRow> {
        let exact = self.by_opcode.get(opcode).copied();
        let by_front = || {
            let mut fronts = self.by_front.iter();
            fronts
                .find(|(front, _)| opcode.starts_with(front))
                .map(|(_, row)| *row)
        };
        self.rows.get(exact.or_else(by_front)?)
    }

    /// All rows in the order of the table.
    pub fn rows(&self) -> &[PtxRow] {
        &self.rows
    }

    /// The rows under each heading of the file.
    pub fn sections(&self) -> Vec<(&'static str, Vec<&PtxRow>)> {
        let mut sections: Vec<(&str, Vec<&PtxRow>)> = Vec::new();
        let mut rows = self.rows.iter();
        for line in TEXT.lines() {
            let heading = line
                .strip_prefix("# ---- ")
                .and_then(|rest| rest.strip_suffix(" ----"));
            if let Some(heading) = heading {
                sections.push((heading, Vec::new()));
            } else if line == "[[instruction]]"
                && let Some((_, under)) = sections.last_mut()
            {
                under.extend(rows.next());
            }
        }
        sections.retain(|(_, rows)| !rows.is_empty());
        sections
    }

    /// All special registers, by their names without `%`.
    pub fn specials(&self) -> &BTreeMap<String, Special> {
        &self.special
    }

    /// The functions of CUDA's that functions of the header do the work of, by name.
    pub fn intrinsics(&self) -> &BTreeMap<String, Intrinsic> {
        &self.intrinsics
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
    pub fn special(&self, name: &str) -> Option<&Special> {
        self.special.get(name)
    }

    /// Why a special register has no counterpart, by its name without `%`.
    pub fn missing(&self, name: &str) -> Option<&str> {
        self.missing.get(name).map(String::as_str)
    }

    /// The headers that declare what code names.
    pub fn headers_of<'a>(&'a self, code: &'a str) -> impl Iterator<Item = &'a str> {
        let declares = |words: &[String]| words.iter().any(|word| code.contains(word.as_str()));
        self.headers
            .iter()
            .filter(move |(_, words)| declares(words))
            .map(|(header, _)| header.as_str())
    }

    /// All functions of the header, by name.
    pub fn helpers(&self) -> &BTreeMap<String, PtxHelper> {
        &self.helpers
    }
}

fn check(row: &PtxRow, helpers: &BTreeMap<String, PtxHelper>) -> Result<(), String> {
    let name = row.forms.first().map_or("", String::as_str);
    let ways = [
        row.cpp.is_some(),
        row.by.is_some(),
        row.nothing.is_some(),
        row.none.is_some(),
    ];
    if ways.iter().filter(|way| **way).count() != 1 {
        return Err(format!(
            "`{name}` needs exactly one of cpp, by, nothing, none"
        ));
    }
    if row.none.is_some() != row.advice.is_some() {
        return Err(format!("`{name}`: none and advice stand together"));
    }
    if row.none.is_none() && row.exactness.is_none() {
        return Err(format!("`{name}` does not say how exact it is"));
    }
    if row.emulated && row.exactness != Some(Exactness::Slower) {
        return Err(format!("`{name}` is emulated, and so slower"));
    }
    if row.source.is_empty() {
        return Err(format!("`{name}` has no source"));
    }
    for called in row.cpp.iter().flat_map(|cpp| helpers_in(cpp)) {
        if !helpers.contains_key(called) {
            return Err(format!("`{name}` calls `{called}`, which is not there"));
        }
    }
    Ok(())
}

/// The namespace of the header's functions.
pub const NAMESPACE: &str = "torchada::ptx::";

/// The names of the header's functions that code calls.
pub fn helpers_in(code: &str) -> impl Iterator<Item = &str> {
    code.split(NAMESPACE).skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
    })
}
