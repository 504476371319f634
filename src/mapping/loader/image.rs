//! The image of tables: of the built-in ones, written by the build script, and of a facts file, written when the file
//! is read first.
//!
//! Layout, all numbers little-endian `u32`: the length of the head; the head, in postcard; the
//! number of slots and of rows; the slots, each a tag and a row's number; where each row's record
//! starts, counted from the first; the records, in postcard. The slots are a hash table with open
//! addressing, so a name is looked up in the image as it lies there: a run decodes the head and
//! the rows that it meets, and no others.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::extra::{Architecture, Hazard, Target};
use super::facts::Facts;
use super::parse::Table;
use super::schema::{Evidence, Nature, Relation, Row, Runtime, Section};

/// A shared text: an index into [`ImageHead::texts`], where 0 is the empty one, for "none".
pub type TextId = u32;

/// The number in an empty slot.
pub const EMPTY: u32 = u32::MAX;

/// The part of the image that is decoded at once.
#[derive(Debug, Serialize, Deserialize)]
pub struct ImageHead<'a> {
    /// Texts that many rows share.
    #[serde(borrow)]
    pub texts: Vec<&'a str>,
    /// Lists of headers that rows need; the first is empty.
    pub needs: Vec<Vec<TextId>>,
    /// Id, title, and whether the prefix rule is proven, in the order of the files.
    #[serde(borrow)]
    pub libraries: Vec<(&'a str, &'a str, bool)>,
    /// Longest first.
    #[serde(borrow)]
    pub stems: Vec<(&'a str, &'a str)>,
    /// For each section, the number of its first row and of the row past its last.
    pub sections: Vec<(u32, u32)>,
    /// The architectures, sorted by feature and number.
    pub architectures: Vec<Architecture>,
    /// The targets, sorted by name.
    pub targets: Vec<Target>,
    /// The hazards, sorted by id.
    pub hazards: Vec<Hazard>,
    /// What a facts file says of itself; `None` for the built-in tables.
    pub facts: Option<Facts>,
}

/// A row as the image keeps it.
#[derive(Debug, Serialize, Deserialize)]
pub struct RowRecord<'a> {
    /// The CUDA name.
    pub cuda: &'a str,
    /// The section that it stands in.
    pub section: Section,
    /// The MUSA name; empty for none.
    pub to: &'a str,
    /// How the two relate.
    pub relation: Relation,
    /// What stands behind it.
    pub evidence: Option<Evidence>,
    /// Where that comes from.
    pub source: TextId,
    /// How the declarations differ.
    pub differs: TextId,
    /// What else is worth knowing.
    pub note: TextId,
    /// What to do about it, resolved.
    pub advice: TextId,
    /// The family.
    pub family: TextId,
    /// The first SDK.
    pub sdk: TextId,
    /// The first `torch_musa`.
    pub torch_musa: TextId,
    /// An index into [`ImageHead::needs`].
    pub needs: u32,
    /// An index into [`ImageHead::libraries`].
    pub library: u32,
    /// Whether the name carries a stem.
    pub stem: bool,
    /// Whether the standard library may be meant.
    pub std: bool,
    /// What the counterpart is to a compiler.
    pub nature: Nature,
    /// Whether the counterpart goes back to it.
    pub primary: bool,
    /// What the runtime stub does with it.
    pub runtime: Option<Runtime>,
}

/// The hash of a name in its section, the same on every machine.
pub fn hash(section: Section, name: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, word: u64| {
        let product = (hash ^ word).wrapping_mul(FACTOR);
        product ^ (product >> 29)
    };
    let (words, rest) = name.as_chunks::<8>();
    let start = (section as u64) << 56 | name.len() as u64;
    let hash = words
        .iter()
        .fold(start, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(mix(hash, u64::from_le_bytes(last)), FACTOR)
}

/// Where a probe for a hash starts among `slots` (a power of two), and its tag.
pub fn probe(hash: u64, slots: usize) -> (usize, u32) {
    (hash as usize & (slots - 1), (hash >> 32) as u32)
}

/// Longest first, so that the first stem that fits is the one that is meant.
pub fn stem_order(a: (&str, &str), b: (&str, &str)) -> Ordering {
    b.0.len().cmp(&a.0.len()).then(a.cmp(&b))
}

/// Texts, each once, in the order in which they first came.
struct Pool<'a> {
    ids: BTreeMap<&'a str, TextId>,
    texts: Vec<&'a str>,
}

impl<'a> Pool<'a> {
    fn new() -> Self {
        let mut pool = Self {
            ids: BTreeMap::new(),
            texts: Vec::new(),
        };
        pool.id("");
        pool
    }

    fn id(&mut self, text: &'a str) -> TextId {
        let next = self.texts.len() as TextId;
        let texts = &mut self.texts;
        *self.ids.entry(text).or_insert_with(|| {
            texts.push(text);
            next
        })
    }

    fn option(&mut self, text: Option<&'a str>) -> TextId {
        text.map_or(0, |text| self.id(text))
    }
}

/// The rows of tables as records, and what the records refer to.
struct Records<'a> {
    pool: Pool<'a>,
    /// Lists of headers, each once.
    needs: Vec<Vec<TextId>>,
    /// The libraries: their ids, their titles, and whether their names are proven.
    libraries: Vec<(&'a str, &'a str, bool)>,
    rows: Vec<RowRecord<'a>>,
}

impl<'a> Records<'a> {
    fn of(tables: &'a [Table]) -> Self {
        let libraries = tables
            .iter()
            .map(|table| (&*table.info.id, &*table.info.title, table.info.proven));
        let mut records = Self {
            pool: Pool::new(),
            needs: vec![Vec::new()],
            libraries: libraries.collect(),
            rows: Vec::new(),
        };
        for placed in tables.iter().flat_map(|table| &table.rows) {
            records.add(placed.section, &placed.row);
        }
        records
            .rows
            .sort_by(|a, b| (a.section, a.cuda).cmp(&(b.section, b.cuda)));
        records
    }

    fn add(&mut self, section: Section, row: &'a Row) {
        // Facts about a name of a built-in table belong to that table's library.
        let library = self
            .libraries
            .iter()
            .position(|(id, ..)| **id == row.library);
        let library = library.unwrap_or_else(|| {
            self.libraries.push((&row.library, "", false));
            self.libraries.len() - 1
        });
        let pool = &mut self.pool;
        let headers: Vec<TextId> = row.needs.iter().map(|header| pool.id(header)).collect();
        let known = self.needs.iter().position(|known| *known == headers);
        let needs = known.unwrap_or_else(|| {
            self.needs.push(headers);
            self.needs.len() - 1
        });
        let since = row.since.as_ref();
        self.rows.push(RowRecord {
            cuda: &row.cuda,
            section,
            to: row.to.as_deref().unwrap_or_default(),
            relation: row.relation,
            evidence: row.evidence,
            source: pool.id(&row.source),
            differs: pool.option(row.differs.as_deref()),
            note: pool.option(row.note.as_deref()),
            advice: pool.option(row.advice.as_deref()),
            family: pool.option(row.family.as_deref()),
            sdk: pool.option(since.and_then(|since| since.sdk.as_deref())),
            torch_musa: pool.option(since.and_then(|since| since.torch_musa.as_deref())),
            needs: needs as u32,
            library: library as u32,
            stem: row.stem,
            std: row.std,
            nature: row.nature,
            primary: row.primary,
            runtime: row.runtime,
        });
    }
}

/// Writes tables that were read and checked together.
///
/// # Errors
/// What postcard says when it can't write.
pub fn encode(tables: &[Table]) -> Result<Vec<u8>, postcard::Error> {
    let records = Records::of(tables);
    let stems = tables.iter().flat_map(|table| &table.stems);
    let mut stems: Vec<(&str, &str)> = stems.map(|stem| (&*stem.cuda, &*stem.musa)).collect();
    stems.sort_by(|a, b| stem_order(*a, *b));
    stems.dedup();
    let section = |section: Section| {
        let start = records
            .rows
            .partition_point(|record| record.section < section);
        let end = records
            .rows
            .partition_point(|record| record.section <= section);
        (start as u32, end as u32)
    };
    let head = ImageHead {
        texts: records.pool.texts,
        needs: records.needs,
        libraries: records.libraries,
        stems,
        sections: Section::ALL.into_iter().map(section).collect(),
        architectures: sorted(
            tables,
            |table| &table.architectures,
            |row| (row.feature.clone(), row.sm),
        ),
        targets: sorted(tables, |table| &table.targets, |target| target.name.clone()),
        hazards: sorted(tables, |table| &table.hazards, |hazard| hazard.id.clone()),
        facts: tables.iter().find_map(|table| table.facts.clone()),
    };
    lay_out(&head, &records.rows)
}

fn sorted<T: Clone, K: Ord>(
    tables: &[Table],
    list: impl Fn(&Table) -> &[T],
    key: impl Fn(&T) -> K,
) -> Vec<T> {
    let mut all: Vec<T> = tables
        .iter()
        .flat_map(|table| list(table).to_vec())
        .collect();
    all.sort_by_key(key);
    all
}

fn lay_out(head: &ImageHead<'_>, records: &[RowRecord<'_>]) -> Result<Vec<u8>, postcard::Error> {
    // At most half full, so that a probe ends soon.
    let count = (records.len() * 2).next_power_of_two().max(2);
    let mut slots = vec![(0, EMPTY); count];
    let mut offsets = Vec::with_capacity(records.len());
    let mut bytes = Vec::new();
    for (number, record) in records.iter().enumerate() {
        let (mut at, tag) = probe(hash(record.section, record.cuda.as_bytes()), count);
        while slots[at].1 != EMPTY {
            at = (at + 1) & (count - 1);
        }
        slots[at] = (tag, number as u32);
        offsets.push(bytes.len() as u32);
        bytes = postcard::to_extend(record, bytes)?;
    }
    let head = postcard::to_stdvec(head)?;
    let mut image = Vec::new();
    let number = |image: &mut Vec<u8>, number: u32| image.extend(number.to_le_bytes());
    number(&mut image, head.len() as u32);
    image.extend(head);
    number(&mut image, count as u32);
    number(&mut image, records.len() as u32);
    for (tag, row) in slots {
        number(&mut image, tag);
        number(&mut image, row);
    }
    for offset in offsets {
        number(&mut image, offset);
    }
    image.extend(bytes);
    Ok(image)
}
