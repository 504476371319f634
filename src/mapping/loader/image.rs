//! The compact image of the built-in tables: written by the build script, read at run time.
//!
//! Texts that many rows share are kept once; everything read back borrows from the image.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::extra::{Architecture, Hazard, Target};
use super::parse::Table;
use super::schema::{Evidence, Relation, Row, Section, Since, Stem};

/// What the image gives back.
#[derive(Debug, Default)]
pub struct Contents {
    /// All rows with their sections, by section and then by name.
    pub rows: Vec<(Section, Row)>,
    /// Id, title, and whether the prefix rule is proven, by id.
    pub libraries: Vec<Library>,
    /// Longest first.
    pub stems: Vec<Stem>,
    /// By feature and number.
    pub architectures: Vec<Architecture>,
    /// By name.
    pub targets: Vec<Target>,
    /// By id.
    pub hazards: Vec<Hazard>,
}

impl Contents {
    /// Adds what a further table has besides rows.
    pub fn add(&mut self, table: &Table) {
        let info = &table.info;
        let known = self.libraries.iter().any(|library| library.id == info.id);
        if !known {
            self.libraries.push(Library {
                id: Cow::Owned(info.id.clone()),
                title: Cow::Owned(info.title.clone()),
                proven: info.proven,
            });
        }
        self.stems.extend(table.stems.iter().cloned());
        self.stems.sort_by(|a, b| stem_order((&a.cuda, &a.musa), (&b.cuda, &b.musa)));
        self.stems.dedup();
        self.architectures.extend(table.architectures.iter().cloned());
        self.targets.extend(table.targets.iter().cloned());
        self.hazards.extend(table.hazards.iter().cloned());
    }
}

/// Longest first, so that the first stem that fits is the one that is meant.
fn stem_order(a: (&str, &str), b: (&str, &str)) -> Ordering {
    b.0.len().cmp(&a.0.len()).then(a.cmp(&b))
}

/// A table's head.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Library {
    /// `cudart`
    pub id: Cow<'static, str>,
    /// What the library is called.
    pub title: Cow<'static, str>,
    /// Whether names that only the prefix rule speaks for are renamed.
    pub proven: bool,
}

/// A shared text: an index into [`Image::texts`], where 0 is the empty one, for "none".
type TextId = u32;

#[derive(Serialize, Deserialize)]
struct Image<'a> {
    #[serde(borrow)]
    texts: Vec<&'a str>,
    needs: Vec<Vec<TextId>>,
    #[serde(borrow)]
    libraries: Vec<(&'a str, &'a str, bool)>,
    #[serde(borrow)]
    stems: Vec<(&'a str, &'a str)>,
    #[serde(borrow)]
    rows: Vec<Record<'a>>,
    architectures: Vec<Architecture>,
    targets: Vec<Target>,
    hazards: Vec<Hazard>,
}

#[derive(Serialize, Deserialize)]
struct Record<'a> {
    cuda: &'a str,
    /// Empty for none.
    to: &'a str,
    section: Section,
    relation: Relation,
    evidence: Option<Evidence>,
    source: TextId,
    note: TextId,
    advice: TextId,
    family: TextId,
    sdk: TextId,
    torch_musa: TextId,
    needs: u32,
    library: u32,
    stem: bool,
    std: bool,
}

/// Texts, each once, in the order in which they first came.
#[derive(Default)]
struct Pool<'a> {
    ids: BTreeMap<&'a str, TextId>,
    texts: Vec<&'a str>,
}

impl<'a> Pool<'a> {
    fn new() -> Self {
        let mut pool = Self::default();
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

/// Writes tables that were read and checked together.
///
/// # Errors
/// What postcard says when it can't write.
pub fn encode(tables: &[Table]) -> Result<Vec<u8>, postcard::Error> {
    let mut pool = Pool::new();
    let mut needs: Vec<Vec<TextId>> = vec![Vec::new()];
    let mut rows = Vec::new();
    let mut stems: Vec<(&str, &str)> = Vec::new();
    for (library, table) in tables.iter().enumerate() {
        stems.extend(table.stems.iter().map(|stem| (&*stem.cuda, &*stem.musa)));
        for placed in &table.rows {
            let row = &placed.row;
            let list: Vec<TextId> = row.needs.iter().map(|header| pool.id(header)).collect();
            let known = needs.iter().position(|known| *known == list);
            let since = row.since.as_ref();
            rows.push(Record {
                cuda: &row.cuda,
                to: row.to.as_deref().unwrap_or_default(),
                section: placed.section,
                relation: row.relation,
                evidence: row.evidence,
                source: pool.id(&row.source),
                note: pool.option(row.note.as_deref()),
                advice: pool.option(row.advice.as_deref()),
                family: pool.option(row.family.as_deref()),
                sdk: pool.option(since.and_then(|since| since.sdk.as_deref())),
                torch_musa: pool.option(since.and_then(|since| since.torch_musa.as_deref())),
                needs: known.unwrap_or_else(|| {
                    needs.push(list);
                    needs.len() - 1
                }) as u32,
                library: library as u32,
                stem: row.stem,
                std: row.std,
            });
        }
    }
    rows.sort_by(|a, b| (a.section, a.cuda).cmp(&(b.section, b.cuda)));
    stems.sort_by(|a, b| stem_order(*a, *b));
    stems.dedup();

    let mut architectures: Vec<_> =
        tables.iter().flat_map(|table| table.architectures.clone()).collect();
    architectures.sort_by(|a, b| (&a.feature, a.sm).cmp(&(&b.feature, b.sm)));
    let mut targets: Vec<_> = tables.iter().flat_map(|table| table.targets.clone()).collect();
    targets.sort_by(|a, b| a.name.cmp(&b.name));
    let mut hazards: Vec<_> = tables.iter().flat_map(|table| table.hazards.clone()).collect();
    hazards.sort_by(|a, b| a.id.cmp(&b.id));
    let libraries = tables
        .iter()
        .map(|table| (&*table.info.id, &*table.info.title, table.info.proven))
        .collect();
    postcard::to_stdvec(&Image {
        texts: pool.texts,
        needs,
        libraries,
        stems,
        rows,
        architectures,
        targets,
        hazards,
    })
}

/// Reads an image back.
///
/// # Errors
/// What postcard says of bytes that [`encode`] did not write.
pub fn decode(bytes: &'static [u8]) -> Result<Contents, postcard::Error> {
    let image: Image<'static> = postcard::from_bytes(bytes)?;
    let text = |id: TextId| Cow::Borrowed(image.texts.get(id as usize).copied().unwrap_or(""));
    let option = |id: TextId| (id != 0).then(|| text(id));
    let needs: Vec<Arc<[Cow<'static, str>]>> =
        image.needs.iter().map(|list| list.iter().map(|&id| text(id)).collect()).collect();
    let nothing: Arc<[Cow<'static, str>]> = Arc::default();
    let library = |id: u32| image.libraries.get(id as usize).map_or("", |library| library.0);
    let rows = image
        .rows
        .iter()
        .map(|record| {
            let row = Row {
            cuda: Cow::Borrowed(record.cuda),
            to: (!record.to.is_empty()).then_some(Cow::Borrowed(record.to)),
            relation: record.relation,
            evidence: record.evidence,
            source: text(record.source),
            note: option(record.note),
            advice: option(record.advice),
            since: (record.sdk != 0 || record.torch_musa != 0).then(|| Since {
                sdk: option(record.sdk),
                torch_musa: option(record.torch_musa),
            }),
            needs: Arc::clone(needs.get(record.needs as usize).unwrap_or(&nothing)),
            family: option(record.family),
            library: Cow::Borrowed(library(record.library)),
            stem: record.stem,
            std: record.std,
        };
            (record.section, row)
        })
        .collect();
    Ok(Contents {
        rows,
        libraries: image
            .libraries
            .iter()
            .map(|&(id, title, proven)| Library {
                id: Cow::Borrowed(id),
                title: Cow::Borrowed(title),
                proven,
            })
            .collect(),
        stems: image
            .stems
            .iter()
            .map(|&(cuda, musa)| Stem { cuda: Cow::Borrowed(cuda), musa: Cow::Borrowed(musa) })
            .collect(),
        architectures: image.architectures,
        targets: image.targets,
        hazards: image.hazards,
    })
}
