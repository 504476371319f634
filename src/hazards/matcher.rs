//! The rows of the hazards, indexed for lookup.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use torchada_mapping::{Hazard, Shapes, Tables};

/// The name in the rows of assembly that no other row is about.
pub(super) const INLINE_ASM: &str = "inline-asm";

/// A pattern of a row that a hash lookup can't find.
pub(super) enum Pattern {
    Prefix(String),
    Glob(String, String),
}

/// The parts of a namespace behind its first, and the row.
pub(super) type Namespace<'a> = (Vec<&'a [u8]>, usize);

/// How the names of some word lists start and how long they are: enough to know that almost every
/// other name is none of them.
pub(super) struct Measures([u64; 256]);

impl Measures {
    fn of<'w>(words: impl Iterator<Item = &'w String>) -> Self {
        let mut lengths = [0; 256];
        for (slot, bit) in words.filter_map(|word| measure(word.as_bytes())) {
            if let Some(known) = lengths.get_mut(slot) {
                *known |= bit;
            }
        }
        Self(lengths)
    }

    /// Whether a name may be on the lists.
    pub(super) fn fit(&self, name: &[u8]) -> bool {
        // Almost no name starts as one of them does.
        let first = name.iter().find(|byte| **byte != b'_');
        let first = first.map(|byte| usize::from(byte.to_ascii_lowercase()));
        let lengths = first.and_then(|first| self.0.get(first).copied());
        lengths.is_some_and(|lengths| {
            lengths != 0 && measure(name).is_some_and(|(_, bit)| lengths & bit != 0)
        })
    }
}

/// The first byte of a name as the word lists have it, and a bit for its length.
fn measure(name: &[u8]) -> Option<(usize, u64)> {
    let mut letters = name.iter().filter(|byte| **byte != b'_');
    let first = letters.next()?.to_ascii_lowercase();
    let bit = u32::try_from(letters.count()).ok()?;
    Some((usize::from(first), 1_u64.checked_shl(bit)?))
}

/// A bit for a length; one for all that are long.
fn length_bit(name: &[u8]) -> u64 {
    1 << name.len().min(63)
}

impl Pattern {
    /// The number of letters of a name that the pattern fixes.
    fn length(&self) -> usize {
        match self {
            Self::Prefix(front) => front.len(),
            Self::Glob(front, back) => front.len() + back.len(),
        }
    }
}

/// All rows that concern the targets of a run.
pub struct Hazards<'a> {
    pub(super) rows: Vec<&'a Hazard>,
    pub(super) shapes: &'a Shapes,
    pub(super) names: FxHashMap<&'a [u8], usize>,
    pub(super) templates: FxHashMap<&'a [u8], usize>,
    /// The other parts and the row of each namespace, by its first part.
    pub(super) namespaces: FxHashMap<&'a [u8], Vec<Namespace<'a>>>,
    /// Longest first, by the first two bytes, because almost no identifier has any of them.
    pub(super) patterns: BTreeMap<[u8; 2], Vec<(Pattern, usize)>>,
    /// Identifiers that a construct may begin with.
    pub(super) words: FxHashSet<&'a [u8]>,
    pub(super) headers: Vec<(&'a str, usize)>,
    /// What strings may hold.
    pub(super) texts: Vec<(&'a str, usize)>,
    /// Longest first.
    pub(super) instructions: Vec<(&'a str, usize)>,
    /// The rows of the constructs.
    pub(super) constructs: FxHashMap<&'a str, usize>,
    /// Whether a row about what MUSA can't run looks for a construct that other words than assembly's begin.
    pub(super) has_blocking_shapes: bool,
    /// Whether an identifier that starts with this byte can match at all.
    pub(super) first: [bool; 256],
    /// The lengths of the names that a row looks for, a bit each, by their first byte.
    lengths: [u64; 256],
    /// The measures of the names of capabilities.
    pub(super) capabilities: Measures,
    /// The measures of the names of a warp's size.
    pub(super) sizes: Measures,
    /// The measures of the names of grids and of their waits.
    pub(super) grids: Measures,
    /// What the names start with, in lower case and without underscores, that may have a capability's number in them.
    pub(super) numbered: [bool; 256],
}

impl std::fmt::Debug for Hazards<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Hazards({} rows)", self.rows.len())
    }
}

/// For each byte whether one of the words begins with it.
fn first_bytes(words: &[String]) -> [bool; 256] {
    let mut first = [false; 256];
    for word in words {
        let slot = word.as_bytes().first();
        if let Some(slot) = slot.and_then(|byte| first.get_mut(usize::from(*byte))) {
            *slot = true;
        }
    }
    first
}

impl<'a> Hazards<'a> {
    /// The rows that concern one of `targets`; all rows where none is named.
    pub fn new(tables: &'a Tables, shapes: &'a Shapes, targets: &[String]) -> Self {
        let concerns = |row: &&Hazard| {
            let mut of_row = row.targets.iter();
            row.targets.is_empty()
                || targets.is_empty()
                || of_row.any(|target| targets.iter().any(|wanted| wanted.as_str() == target))
        };
        let mut found = Self {
            rows: tables.hazards().iter().filter(concerns).collect(),
            shapes,
            names: FxHashMap::default(),
            templates: FxHashMap::default(),
            namespaces: FxHashMap::default(),
            patterns: BTreeMap::new(),
            words: FxHashSet::default(),
            headers: Vec::new(),
            texts: Vec::new(),
            instructions: Vec::new(),
            constructs: FxHashMap::default(),
            has_blocking_shapes: false,
            first: [false; 256],
            lengths: [0; 256],
            capabilities: {
                let words = &shapes.capability;
                Measures::of(words.parts.iter().chain(&words.variables))
            },
            sizes: Measures::of(shapes.warp.size.iter()),
            grids: {
                let words = &shapes.grid;
                let makers = words.makers.iter().chain(&words.types);
                Measures::of(makers.chain(&words.waits))
            },
            numbered: first_bytes(&shapes.capability.numbered),
        };
        for at in 0..found.rows.len() {
            let Some(row) = found.rows.get(at).copied() else {
                continue;
            };
            for find in &row.find {
                if let Some((kind, text)) = find.split_once(':') {
                    found.add(kind, text, at);
                }
            }
        }
        found
            .instructions
            .sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        let mut constructs = found.constructs.iter();
        found.has_blocking_shapes =
            constructs.any(|(name, row)| *name != INLINE_ASM && found.blocks(*row));
        let words = found.shapes.capability.calls.iter();
        let words = words.chain(&found.shapes.warp.masked);
        let words = words.chain(&found.shapes.grid.waits);
        for word in words.chain(&found.shapes.device_marks) {
            found.opens_with(word);
            found.words.insert(word.as_bytes());
        }
        for word in ["asm", "__shared__", "extern"] {
            found.opens_with(word);
        }
        found
    }

    fn add_pattern(&mut self, text: &str, pattern: Pattern, row: usize) {
        if let Some(front) = text.as_bytes().first_chunk::<2>() {
            let list = self.patterns.entry(*front).or_default();
            list.push((pattern, row));
            list.sort_by_key(|(pattern, _)| std::cmp::Reverse(pattern.length()));
        }
    }

    /// Note how long a name is that a row looks for; `more` where it may go on.
    fn measures(&mut self, text: &str, more: bool) {
        let bit = length_bit(text.as_bytes());
        let slot = text.as_bytes().first();
        if let Some(lengths) = slot.and_then(|byte| self.lengths.get_mut(usize::from(*byte))) {
            *lengths |= if more { bit.wrapping_neg() } else { bit };
        }
    }

    /// Whether a row looks for an identifier, or for a qualified name that starts with it.
    pub(super) fn is_name(&self, identifier: &[u8]) -> bool {
        let first = identifier.first().map_or(0, |byte| usize::from(*byte));
        let lengths = self.lengths.get(first).copied().unwrap_or(0);
        lengths & length_bit(identifier) != 0
            && (self.names.contains_key(identifier)
                || self.templates.contains_key(identifier)
                || self.namespaces.contains_key(identifier)
                || self.pattern(identifier).is_some())
    }

    fn opens_with(&mut self, text: &str) {
        if let Some(slot) = text
            .as_bytes()
            .first()
            .and_then(|byte| self.first.get_mut(usize::from(*byte)))
        {
            *slot = true;
        }
    }

    fn add(&mut self, kind: &str, text: &'a str, row: usize) {
        match kind {
            "name" => {
                self.measures(text, false);
                self.names.insert(text.as_bytes(), row);
            }
            "template" => {
                self.measures(text, false);
                self.templates.insert(text.as_bytes(), row);
            }
            "prefix" => {
                self.measures(text, true);
                self.add_pattern(text, Pattern::Prefix(text.to_owned()), row);
            }
            "glob" => {
                let (front, back) = text.split_once('*').unwrap_or((text, ""));
                self.measures(front, true);
                let pattern = Pattern::Glob(front.to_owned(), back.to_owned());
                self.add_pattern(text, pattern, row);
            }
            "namespace" => {
                let mut parts = text.split("::").map(str::as_bytes);
                let root = parts.next().unwrap_or_default();
                self.measures(text.split("::").next().unwrap_or_default(), false);
                self.namespaces
                    .entry(root)
                    .or_default()
                    .push((parts.collect(), row));
            }
            "header" => self.headers.push((text, row)),
            "text" => self.texts.push((text, row)),
            "asm" => self.instructions.push((text, row)),
            _ => {
                self.constructs.insert(text, row);
            }
        }
        if !matches!(kind, "header" | "text" | "asm" | "shape") {
            self.opens_with(text);
        }
    }

    /// The rows, in the order of the tables.
    pub fn rows(&self) -> &[&'a Hazard] {
        &self.rows
    }

    /// The names by which the engine recognises constructs.
    pub(super) fn shapes(&self) -> &'a Shapes {
        self.shapes
    }

    /// The row of a construct.
    pub(super) fn construct(&self, name: &str) -> Option<usize> {
        self.constructs.get(name).copied()
    }

    pub(super) fn pattern(&self, identifier: &[u8]) -> Option<usize> {
        let list = self.patterns.get(identifier.first_chunk::<2>()?)?;
        let found = list.iter().find(|(pattern, _)| match pattern {
            Pattern::Prefix(front) => identifier.starts_with(front.as_bytes()),
            Pattern::Glob(front, back) => {
                identifier.len() > front.len() + back.len()
                    && identifier.starts_with(front.as_bytes())
                    && identifier.ends_with(back.as_bytes())
            }
        });
        found.map(|(_, row)| *row)
    }

    /// The row of an included header.
    pub fn header(&self, path: &str) -> Option<usize> {
        let found = self.headers.iter().find(|(front, _)| {
            path.strip_prefix(front)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '_', '.']))
        });
        found.map(|(_, row)| *row)
    }
}

/// A name as the word lists have it.
pub(super) fn folded(name: &[u8]) -> String {
    name.iter()
        .filter(|byte| **byte != b'_')
        .map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect()
}
