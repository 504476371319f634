//! Tables as images: the built-in ones, whose image the build script left, and those of a facts file.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use crate::loader::image;
use crate::loader::image::{EMPTY, ImageHead, RowRecord, TextId};
use crate::loader::{Row, Section, Since};

static IMAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tables.bin"));

/// Tables in an image. A row is decoded when it is first looked up.
#[derive(Debug)]
pub(crate) struct Packed {
    pub(crate) head: ImageHead<'static>,
    needs: Vec<Arc<[Cow<'static, str>]>>,
    /// [`image`] says how each is laid out.
    slots: &'static [[u8; 8]],
    offsets: &'static [[u8; 4]],
    records: &'static [u8],
    rows: Vec<OnceLock<Box<Row>>>,
}

impl Packed {
    /// The tables that come with the program.
    pub(crate) fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<Packed> = OnceLock::new();
        // The build script wrote the image with the code that reads it.
        BUILTIN.get_or_init(|| Self::read(IMAGE).unwrap_or_else(|| broken()))
    }

    /// The tables of an image; `None` for what is none.
    pub(crate) fn read(image: &'static [u8]) -> Option<Self> {
        let (length, rest) = number(image)?;
        let (head, rest) = rest.split_at_checked(length)?;
        let head: ImageHead<'static> = postcard::from_bytes(head).ok()?;
        let (slots, rest) = number(rest)?;
        let (rows, rest) = number(rest)?;
        let (slots, rest) = rest.split_at_checked(slots * 8)?;
        let (offsets, records) = rest.split_at_checked(rows * 4)?;
        let text = |&id: &TextId| Cow::Borrowed(text(&head, id));
        let needs = head
            .needs
            .iter()
            .map(|list| list.iter().map(text).collect())
            .collect();
        Some(Self {
            needs,
            slots: slots.as_chunks().0,
            offsets: offsets.as_chunks().0,
            records,
            rows: std::iter::repeat_with(OnceLock::new).take(rows).collect(),
            head,
        })
    }

    /// The row for exactly this name.
    pub(crate) fn find(&self, section: Section, key: &[u8]) -> Option<&Row> {
        let count = self.slots.len();
        let (mut at, tag) = image::probe(image::hash(section, key), count);
        loop {
            let [a, b, c, d, row @ ..] = *self.slots.get(at)?;
            let row = u32::from_le_bytes(row);
            if row == EMPTY {
                return None;
            }
            // The tag tells nearly all other names apart before their rows are looked at.
            if tag == u32::from_le_bytes([a, b, c, d])
                && (self.range(section).contains(&(row as usize)))
            {
                let row = self.row(row as usize);
                if row.cuda.as_bytes() == key {
                    return Some(row);
                }
            }
            at = (at + 1) & (count - 1);
        }
    }

    /// The numbers of a section's rows, which are sorted by name.
    pub(crate) fn range(&self, section: Section) -> std::ops::Range<usize> {
        let (start, end) = self
            .head
            .sections
            .get(section as usize)
            .copied()
            .unwrap_or_default();
        start as usize..end as usize
    }

    /// The row with this number.
    pub(crate) fn row(&self, number: usize) -> &Row {
        match self.rows.get(number) {
            Some(row) => row.get_or_init(|| self.decode(number).unwrap_or_else(|| broken())),
            None => broken(),
        }
    }

    fn decode(&self, number: usize) -> Option<Box<Row>> {
        let offset = u32::from_le_bytes(*self.offsets.get(number)?) as usize;
        let (record, _) = postcard::take_from_bytes(self.records.get(offset..)?).ok()?;
        let record: RowRecord<'static> = record;
        let text = |id| Cow::Borrowed(text(&self.head, id));
        let option = |id| (id != 0).then(|| text(id));
        let since = Since {
            sdk: option(record.sdk),
            torch_musa: option(record.torch_musa),
        };
        Some(Box::new(Row {
            cuda: Cow::Borrowed(record.cuda),
            to: (!record.to.is_empty()).then_some(Cow::Borrowed(record.to)),
            relation: record.relation,
            evidence: record.evidence,
            source: text(record.source),
            differs: option(record.differs),
            note: option(record.note),
            advice: option(record.advice),
            since: (since != Since::default()).then_some(since),
            needs: Arc::clone(self.needs.get(record.needs as usize)?),
            family: option(record.family),
            library: Cow::Borrowed(self.head.libraries.get(record.library as usize)?.0),
            stem: record.stem,
            std: record.std,
            nature: record.nature,
            primary: record.primary,
            runtime: record.runtime,
        }))
    }
}

fn text(head: &ImageHead<'static>, id: TextId) -> &'static str {
    head.texts.get(id as usize).copied().unwrap_or_default()
}

fn number(image: &'static [u8]) -> Option<(usize, &'static [u8])> {
    let (number, rest) = image.split_first_chunk()?;
    Some((u32::from_le_bytes(*number) as usize, rest))
}

fn broken() -> ! {
    panic!("the built-in mapping tables can't be read: this is a bug, please report it")
}
