//! The facts of a run: what was read of the user's own SDK and `torch_musa`, as a layer over the built-in tables.

use std::borrow::Cow;
use std::sync::Arc;

use super::packed::Packed;
use crate::loader;
use crate::loader::{Facts, MappingError, Relation, Row, Runtime, Section, image};

/// The rows of a facts file.
#[derive(Clone, Copy, Debug)]
pub struct FactTable {
    head: &'static Facts,
    packed: &'static Packed,
}

impl FactTable {
    /// The image of a facts file, for [`FactTable::open`]. It belongs to this program and its tables: what they know of
    /// a name besides its counterpart, such as the header that it needs, is in it.
    ///
    /// # Errors
    /// The first fault of the file, with its line.
    pub fn image(file: &str, text: &str) -> Result<Vec<u8>, MappingError> {
        let mut table = loader::parse_facts(file, text)?;
        let base = Packed::builtin();
        for placed in &mut table.rows {
            let row = &mut placed.row;
            if let Some(known) = base.find(placed.section, row.cuda.as_bytes()) {
                inherit(row, known);
            }
        }
        image::encode(&[table]).map_err(|error| MappingError {
            file: file.to_owned(),
            line: 1,
            fault: error.to_string(),
        })
    }

    /// The rows of an image; `None` for what is none. The program keeps the bytes until it ends.
    pub fn open(image: Vec<u8>) -> Option<Self> {
        let packed: &Packed = Box::leak(Box::new(Packed::read(Vec::leak(image))?));
        let head = packed.head.facts.as_ref()?;
        Some(Self { head, packed })
    }

    /// What the file says of itself.
    pub fn head(&self) -> &'static Facts {
        self.head
    }

    /// Whether there is a fact on any name of this library, by its table.
    pub(crate) fn mentions(&self, library: &str) -> bool {
        let mut known = self.packed.head.libraries.iter();
        known.any(|(id, ..)| *id == library)
    }

    /// Whether there are facts on the names in this namespace.
    pub(crate) fn lists(&self, namespace: &str) -> bool {
        let front = format!("{namespace}::");
        self.rows(Section::Qualified)
            .any(|row| row.cuda.starts_with(&front) && row.relation != Relation::Absent)
    }

    /// The row for exactly this name.
    pub fn get(&self, section: Section, name: &[u8]) -> Option<&'static Row> {
        self.packed.find(section, name)
    }

    /// The rows of a section, sorted by name.
    pub fn rows(&self, section: Section) -> impl Iterator<Item = &'static Row> + use<> {
        let packed = self.packed;
        packed.range(section).map(move |number| packed.row(number))
    }
}

/// Give a fact what the built-in tables know of the name besides its counterpart: where it counts, what it is, and what
/// to do where it is missing.
fn inherit(row: &mut Row, known: &Row) {
    row.library.clone_from(&known.library);
    row.family.clone_from(&known.family);
    row.needs = Arc::clone(&known.needs);
    row.stem = known.stem;
    row.std = known.std;
    row.nature = known.nature;
    row.primary = known.primary;
    row.runtime = runtime(row, known);
    if row.runtime == Some(Runtime::Silent) {
        // It says what is ignored.
        row.note.clone_from(&known.note);
    }
    if row.relation == Relation::Absent && known.relation == Relation::Absent {
        row.advice = match (row.advice.take(), known.advice.clone()) {
            (Some(own), Some(known)) if own != known => Some(Cow::Owned(format!("{own}; {known}"))),
            (own, known) => own.or(known),
        };
    }
}

/// What the package for run time does with the name: what it does without facts, unless that would contradict them.
fn runtime(row: &Row, known: &Row) -> Option<Runtime> {
    let is_there = |row: &Row| matches!(row.relation, Relation::Renamed | Relation::Same);
    match known.runtime {
        // What the package defines itself looks up what it needs.
        Some(Runtime::Own | Runtime::Field) => known.runtime,
        Some(Runtime::Forward) if row.relation != Relation::Renamed => row.runtime,
        runtime if is_there(row) == is_there(known) => runtime,
        _ => row.runtime,
    }
}
