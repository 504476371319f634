//! The tables of a run: built-in rows and the user's, indexed for lookup by name.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::index::Index;
use super::loader::image::{self, Contents, Library};
use super::loader::{
    self, Architecture, Hazard, MappingError, Placed, Relation, Row, Section, Stem, Table, Target,
};

/// The built-in tables, as the build script left them.
static IMAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tables.bin"));

/// A table that the user hands in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overlay {
    /// The file's name, for messages.
    pub file: String,
    /// Its whole text. Keys that are no part of a table are left alone, so that a configuration
    /// file with tables in it can be handed in as it is.
    pub text: String,
}

/// The mapping tables of a run.
#[derive(Debug)]
pub struct Tables {
    /// By section and then by name.
    rows: Vec<(Section, Row)>,
    index: Index,
    libraries: Vec<Library>,
    stems: Vec<Stem>,
    architectures: Vec<Architecture>,
    targets: Vec<Target>,
    hazards: Vec<Hazard>,
    /// Sorted.
    forbidden: Vec<String>,
}

impl Tables {
    /// The tables that come with the program, decoded on first use.
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<Tables> = OnceLock::new();
        BUILTIN.get_or_init(|| {
            // The build script wrote the image with the code that reads it.
            let contents = image::decode(IMAGE).unwrap_or_else(|error| {
                panic!("the built-in mapping tables can't be read ({error}): please report this")
            });
            Self::of(contents, Vec::new())
        })
    }

    /// The built-in tables with the user's laid over them, in order: a later one wins.
    ///
    /// # Errors
    /// The first fault of a table, with its file and line.
    pub fn with_overlays(overlays: &[Overlay]) -> Result<Self, MappingError> {
        let builtin = Self::builtin();
        let mut merged: BTreeMap<(Section, String), Row> = builtin
            .rows
            .iter()
            .map(|(section, row)| ((*section, row.cuda.to_string()), row.clone()))
            .collect();
        let tables: Vec<Table> = overlays
            .iter()
            .map(|overlay| loader::parse_overlay(&overlay.file, &overlay.text))
            .collect::<Result<_, _>>()?;
        let mut contents = Contents {
            rows: Vec::new(),
            libraries: builtin.libraries.clone(),
            stems: builtin.stems.clone(),
            architectures: builtin.architectures.clone(),
            targets: builtin.targets.clone(),
            hazards: builtin.hazards.clone(),
        };
        for table in &tables {
            for Placed { section, row, .. } in &table.rows {
                merged.insert((*section, row.cuda.to_string()), row.clone());
            }
            contents.add(table);
        }
        let mut forbidden = Vec::new();
        for table in &tables {
            check_overlay(table, &merged)?;
            forbidden.extend(table.forbidden.iter().map(|forbidden| forbidden.name.clone()));
        }
        forbidden.sort();
        forbidden.dedup();
        contents.rows = merged.into_iter().map(|((section, _), row)| (section, row)).collect();
        Ok(Self::of(contents, forbidden))
    }

    fn of(contents: Contents, forbidden: Vec<String>) -> Self {
        let Contents { rows, libraries, stems, architectures, targets, hazards } = contents;
        let index = Index::new(&rows);
        Self { rows, index, libraries, stems, architectures, targets, hazards, forbidden }
    }

    /// The row for exactly this name.
    pub fn get(&self, section: Section, key: &[u8]) -> Option<&Row> {
        self.index.get(&self.rows, section, key)
    }

    /// The row for an included path: the exact one, else the longest row that ends in `/` and
    /// starts the path. [`Row::header_target`] says where the path goes.
    pub fn header(&self, path: &str) -> Option<&Row> {
        let exact = self.get(Section::Headers, path.as_bytes());
        exact.or_else(|| {
            path.rmatch_indices('/')
                .find_map(|(at, _)| self.get(Section::Headers, &path.as_bytes()[..=at]))
        })
    }

    /// Whether the user forbids translating this name.
    pub fn is_forbidden(&self, _section: Section, key: &[u8]) -> bool {
        self.forbidden.binary_search_by(|name| name.as_bytes().cmp(key)).is_ok()
    }

    /// The rows of a section, sorted by name.
    pub fn rows(&self, section: Section) -> impl Iterator<Item = &Row> {
        let start = self.rows.partition_point(|(other, _)| *other < section);
        let end = self.rows.partition_point(|(other, _)| *other <= section);
        self.rows[start..end].iter().map(|(_, row)| row)
    }

    /// The pieces of names that change by rule, longest first.
    pub fn stems(&self) -> &[Stem] {
        &self.stems
    }

    /// The tables' heads, in the order of their files, the user's last.
    pub fn libraries(&self) -> &[Library] {
        &self.libraries
    }

    /// What CUDA architecture numbers answer to, by feature and number.
    pub fn architectures(&self) -> &[Architecture] {
        &self.architectures
    }

    /// The GPU generations that a port can be for, by name.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// What a port can't mend, by id.
    pub fn hazards(&self) -> &[Hazard] {
        &self.hazards
    }

    /// The version of the built-in tables: the program's, and a hash of the tables' texts.
    pub fn version() -> &'static str {
        concat!(env!("CARGO_PKG_VERSION"), "+", env!("TORCHADA_TABLES_HASH"))
    }
}

/// The checks of a user's table that need all the others.
fn check_overlay(
    table: &Table,
    merged: &BTreeMap<(Section, String), Row>,
) -> Result<(), MappingError> {
    let fault = |line, fault| Err(MappingError { file: table.file.clone(), line, fault });
    for Placed { section, line, row } in &table.rows {
        if let Some(to) = &row.to
            && let Some(next) = merged.get(&(*section, to.to_string()))
            && next.relation != Relation::Same
        {
            let why = "porting a port would change it again";
            let message = format!("`{}` goes to `{to}`, which is a CUDA name itself: {why}", row.cuda);
            return fault(*line, message);
        }
    }
    for forbidden in &table.forbidden {
        let name = &forbidden.name;
        if !Section::ALL.iter().any(|section| merged.contains_key(&(*section, name.clone()))) {
            let message = format!("`forbid` names `{name}`, which no table has: it has no effect");
            return fault(forbidden.line, message);
        }
    }
    Ok(())
}
