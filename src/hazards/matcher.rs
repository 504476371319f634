//! The rows of the hazards, made ready to be looked up.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Hit, View, assembly, capability, shapes};
use crate::mapping::{Hazard, Shapes, Tables};
use crate::syntax::{Token, TokenKind};
use crate::text::TextRange;

/// What a row looks for, where a hash does not find it.
enum Pattern {
    Prefix(String),
    Glob(String, String),
}

/// The parts of a namespace behind its first, and the row.
type Namespace<'a> = (Vec<&'a [u8]>, usize);

/// The first byte of a name as the word lists have it, and a bit for its length.
fn measure(name: &[u8]) -> Option<(usize, u64)> {
    let mut letters = name.iter().filter(|byte| **byte != b'_');
    let first = letters.next()?.to_ascii_lowercase();
    let bit = u32::try_from(letters.count()).ok()?;
    Some((usize::from(first), 1_u64.checked_shl(bit)?))
}

impl Pattern {
    /// How much of a name it says.
    fn length(&self) -> usize {
        match self {
            Self::Prefix(front) => front.len(),
            Self::Glob(front, back) => front.len() + back.len(),
        }
    }
}

/// All rows that concern the targets of a run.
pub struct Hazards<'a> {
    rows: Vec<&'a Hazard>,
    shapes: &'a Shapes,
    names: FxHashMap<&'a [u8], usize>,
    templates: FxHashMap<&'a [u8], usize>,
    /// By the first part of a namespace: the others, and the row.
    namespaces: FxHashMap<&'a [u8], Vec<Namespace<'a>>>,
    /// Longest first, by the first two bytes, because almost no identifier has any of them.
    patterns: BTreeMap<[u8; 2], Vec<(Pattern, usize)>>,
    /// Identifiers that a construct may begin with.
    words: FxHashSet<&'a [u8]>,
    headers: Vec<(&'a str, usize)>,
    /// Longest first.
    instructions: Vec<(&'a str, usize)>,
    /// The rows of the constructs.
    constructs: FxHashMap<&'a str, usize>,
    /// Whether an identifier that starts with this byte can match at all.
    first: [bool; 256],
    /// The lengths of the names of capabilities, a bit each, by what they start with.
    capabilities: [u64; 256],
}

impl std::fmt::Debug for Hazards<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Hazards({} rows)", self.rows.len())
    }
}

impl<'a> Hazards<'a> {
    /// The rows that concern one of `targets`; all rows where none is named.
    pub fn new(tables: &'a Tables, shapes: &'a Shapes, targets: &[String]) -> Self {
        let concerns = |row: &&Hazard| {
            row.targets.is_empty()
                || targets.is_empty()
                || row
                    .targets
                    .iter()
                    .any(|target| targets.iter().any(|wanted| wanted.as_str() == target))
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
            instructions: Vec::new(),
            constructs: FxHashMap::default(),
            first: [false; 256],
            capabilities: [0; 256],
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
        let parts = found.shapes.capability.parts.iter();
        for word in parts.chain(&found.shapes.capability.variables) {
            if let Some((slot, bit)) = measure(word.as_bytes())
                && let Some(lengths) = found.capabilities.get_mut(slot)
            {
                *lengths |= bit;
            }
        }
        let words = found.shapes.capability.calls.iter();
        let words = words.chain(&found.shapes.warp.masked);
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
                self.names.insert(text.as_bytes(), row);
            }
            "template" => {
                self.templates.insert(text.as_bytes(), row);
            }
            "prefix" => self.add_pattern(text, Pattern::Prefix(text.to_owned()), row),
            "glob" => {
                let (front, back) = text.split_once('*').unwrap_or((text, ""));
                let pattern = Pattern::Glob(front.to_owned(), back.to_owned());
                self.add_pattern(text, pattern, row);
            }
            "namespace" => {
                let mut parts = text.split("::").map(str::as_bytes);
                let root = parts.next().unwrap_or_default();
                self.namespaces
                    .entry(root)
                    .or_default()
                    .push((parts.collect(), row));
            }
            "header" => self.headers.push((text, row)),
            "asm" => self.instructions.push((text, row)),
            _ => {
                self.constructs.insert(text, row);
            }
        }
        if !matches!(kind, "header" | "asm" | "shape") {
            self.opens_with(text);
        }
    }

    /// The rows, in the order of the tables.
    pub fn rows(&self) -> &[&'a Hazard] {
        &self.rows
    }

    /// What the engine knows by name.
    pub(super) fn shapes(&self) -> &'a Shapes {
        self.shapes
    }

    /// The row of a construct.
    pub(super) fn construct(&self, name: &str) -> Option<usize> {
        self.constructs.get(name).copied()
    }

    /// Whether code with this identifier may hold a hazard. Cheap, and never wrong about a "no".
    pub fn concerns(&self, identifier: &[u8]) -> bool {
        let opens = identifier
            .first()
            .is_some_and(|byte| self.first.get(usize::from(*byte)).copied() == Some(true));
        let capability = measure(identifier).is_some_and(|(slot, bit)| {
            let lengths = self.capabilities.get(slot).copied().unwrap_or(0);
            lengths & bit != 0 && self.is_capability(identifier)
        });
        capability
            || opens
                && (self.names.contains_key(identifier)
                    || self.templates.contains_key(identifier)
                    || self.namespaces.contains_key(identifier)
                    || self.pattern(identifier).is_some()
                    || assembly::is_keyword(identifier)
                    || self.is_shape_word(identifier))
    }

    fn is_capability(&self, identifier: &[u8]) -> bool {
        let words = &self.shapes.capability;
        let name = shapes::folded(identifier);
        words.variables.contains(&name) || words.parts.contains(&name)
    }

    fn is_shape_word(&self, identifier: &[u8]) -> bool {
        identifier == b"__shared__" || self.words.contains(identifier)
    }

    fn pattern(&self, identifier: &[u8]) -> Option<usize> {
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

    /// Everything in a piece of code that a row concerns, by place.
    pub fn find(&self, view: &View<'_>) -> Vec<Hit> {
        let mut hits = Vec::new();
        let mut index = 0;
        while let Some(token) = view.token(index) {
            match token.kind {
                TokenKind::Identifier => {
                    if assembly::is_keyword(view.word(index))
                        && let Some(statement) = assembly::at(view, index)
                    {
                        self.assembly(view, &statement, &mut hits);
                        index = statement.end.max(index + 1);
                        continue;
                    }
                    self.identifier(view, index, &mut hits);
                }
                TokenKind::HeaderName => {
                    let text = String::from_utf8_lossy(view.word(index)).into_owned();
                    let path = text.trim_matches(['<', '>', '"']);
                    if let Some(row) = self.header(path) {
                        hits.push(Hit {
                            row,
                            range: token.range(),
                            what: path.to_owned(),
                        });
                    }
                }
                _ => {}
            }
            index += 1;
        }
        shapes::find(self, view, &mut hits);
        capability::find(self, view, &mut hits);
        hits.sort_by_key(|hit| (hit.range.start, hit.row));
        hits.dedup_by_key(|hit| (hit.range.start, hit.row));
        hits
    }

    fn identifier(&self, view: &View<'_>, index: usize, hits: &mut Vec<Hit>) {
        let text = view.word(index);
        let opens = text
            .first()
            .is_some_and(|byte| self.first.get(usize::from(*byte)).copied() == Some(true));
        let Some(token) = view.token(index).filter(|_| opens) else {
            return;
        };
        let before = view.before(index, 1);
        if matches!(before, b"." | b"->") {
            return;
        }
        let mut range = token.range();
        let row = self
            .names
            .get(text)
            .copied()
            .or_else(|| {
                let row = self.templates.get(text).copied();
                row.filter(|_| view.word(index + 1) == b"<")
            })
            .or_else(|| self.pattern(text))
            .or_else(|| {
                // `cuda::atomic`, but not `mine::cuda::atomic`.
                let inner =
                    before == b"::" && view.is(index.saturating_sub(2), TokenKind::Identifier);
                let (length, row) = self.namespace(view, index).filter(|_| !inner)?;
                let last = view.token(index + 2 * length)?;
                range = TextRange::new(range.start, last.range().end);
                Some(row)
            });
        if let Some(row) = row.filter(|row| !self.is_harmless(view, index, *row)) {
            hits.push(Hit {
                row,
                range,
                what: String::from_utf8_lossy(range.of(view.source)).into_owned(),
            });
        }
    }

    fn namespace(&self, view: &View<'_>, index: usize) -> Option<(usize, usize)> {
        let ways = self.namespaces.get(view.word(index))?;
        ways.iter().find_map(|(parts, row)| {
            let follows = parts.iter().enumerate().all(|(at, part)| {
                view.word(index + 2 * at + 1) == b"::" && view.word(index + 2 * at + 2) == *part
            });
            // A root alone counts only as a qualifier.
            let qualifies = !parts.is_empty() || view.word(index + 1) == b"::";
            (follows && qualifies).then_some((parts.len(), *row))
        })
    }

    /// Whether a file has code for GPUs: what macros put into `asm` elsewhere is a host's.
    fn has_device_code(&self, view: &View<'_>) -> bool {
        let marks = &self.shapes.device_marks;
        (0..view.tokens.tokens.len()).any(|at| {
            let word = view.word(at);
            marks.iter().any(|mark| mark.as_bytes() == word)
        })
    }

    /// Whether the name at `index` is only asked for a member that its row calls harmless.
    fn is_harmless(&self, view: &View<'_>, index: usize, row: usize) -> bool {
        let called = view.word(index + 1) == b"(" && view.word(index + 2) == b")";
        let dot = if called { index + 3 } else { index + 1 };
        matches!(view.word(dot), b"." | b"::")
            && self.rows.get(row).is_some_and(|row| {
                let member = view.word(dot + 1);
                row.harmless.iter().any(|one| one.as_bytes() == member)
            })
    }

    /// One hit for each row that an instruction of the statement belongs to.
    fn assembly(&self, view: &View<'_>, statement: &assembly::Assembly, hits: &mut Vec<Hit>) {
        let Some(range) = view.token(statement.keyword).map(Token::range) else {
            return;
        };
        let mut rows: Vec<(usize, Vec<&str>)> = Vec::new();
        for instruction in &statement.instructions {
            if !assembly::is_ptx(instruction, self.shapes) {
                continue;
            }
            let special = self.instructions.iter().find(|(front, _)| {
                instruction
                    .strip_prefix(front)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':']))
            });
            let row = special
                .map(|(_, row)| *row)
                .or_else(|| self.construct("inline-asm"));
            let Some(row) = row else { continue };
            match rows.iter_mut().find(|(known, _)| *known == row) {
                Some((_, list)) => list.push(instruction),
                None => rows.push((row, vec![instruction])),
            }
        }
        if rows.is_empty()
            && statement.incomplete
            && statement.instructions.is_empty()
            && self.has_device_code(view)
            && let Some(row) = self.construct("inline-asm")
        {
            rows.push((row, vec!["built by macros"]));
        }
        for (row, list) in rows {
            hits.push(Hit {
                row,
                range,
                what: list.join("`, `"),
            });
        }
    }
}
