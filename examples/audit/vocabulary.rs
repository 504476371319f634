//! Which tokens of a file refer to something that the mapping tables know.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use torchada::mapping::{Relation, Row, Section, Tables};

use crate::align::Scanned;
use crate::literals::enclosing_call;
use crate::nearby::{
    chain, follows_namespace, is_called_member, is_member, is_of_directive, is_pasted_on, pasted,
};
use crate::scan::{Kind, spelling};

/// What a reference is to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// An identifier.
    Name,
    /// An identifier after `.` or `->`.
    Member,
    /// A qualified name as a whole.
    Qualified,
    /// The namespace that starts a qualified name, or that `namespace` is followed by.
    Namespace,
    /// The header of an include.
    Header,
    /// The first piece of a name that is pasted together.
    Fragment,
}

/// One mention of something that the tables know.
#[derive(Clone, Debug)]
pub(crate) struct Reference<'v> {
    /// What it is to.
    pub(crate) role: Role,
    /// Its tokens.
    pub(crate) tokens: Range<usize>,
    /// The tokens that a finding about it may cover: the qualified name, directive or pasted
    /// name that it is part of.
    pub(crate) reach: Range<usize>,
    /// The row; none for a fragment.
    pub(crate) row: Option<&'v Row>,
    /// Whether it is certain that CUDA's name is meant.
    pub(crate) counts: bool,
}

/// What is seen from a file.
pub(crate) trait SeenFrom {
    /// Whether one of these headers is.
    fn sees(&self, needs: &[Cow<'static, str>]) -> bool;
    /// Whether a declaration of this name by the project itself is.
    fn declares(&self, name: &[u8]) -> bool;
}

/// The mapping tables, as the audit asks them.
pub(crate) struct Vocabulary<'v> {
    tables: &'v Tables,
    /// Last parts of qualified names, which a using-declaration lets stand alone.
    tails: BTreeSet<&'v [u8]>,
    /// Last parts of namespaces.
    namespaces: BTreeSet<&'v [u8]>,
    /// All names that change, sorted.
    names: Vec<&'v [u8]>,
}

impl<'v> Vocabulary<'v> {
    /// The vocabulary of these tables.
    pub(crate) fn new(tables: &'v Tables) -> Self {
        let changing = |section| tables.rows(section).filter(|row| !is_same(row));
        let mut names: Vec<_> = changing(Section::Names)
            .map(|row| row.cuda.as_bytes())
            .collect();
        names.sort_unstable();
        Self {
            tables,
            tails: changing(Section::Qualified)
                .filter_map(changing_tail)
                .collect(),
            namespaces: changing(Section::Namespaces)
                .filter_map(changing_tail)
                .collect(),
            names,
        }
    }

    /// The row of an included header.
    pub(crate) fn header(&self, path: &str) -> Option<&'v Row> {
        self.tables.header(path)
    }

    /// Whether a declaration of this name by the project would matter.
    pub(crate) fn shields(&self, name: &[u8]) -> bool {
        let mut sections = [Section::Names, Section::Members].into_iter();
        sections.any(|section| self.tables.get(section, name).is_some())
    }

    /// Whether the tables have this text as a piece of names.
    pub(crate) fn is_stem(&self, text: &[u8]) -> bool {
        let mut stems = self.tables.stems().iter();
        stems.any(|stem| stem.cuda.as_bytes() == text)
    }

    /// Every reference of a file, with what is seen from it.
    pub(crate) fn references(&self, file: &Scanned, around: &dyn SeenFrom) -> Vec<Reference<'v>> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < file.tokens.len() {
            match file.kind(at) {
                Some(Kind::Header) => found.extend(self.include(file, at)),
                Some(Kind::Identifier) if is_of_directive(file, at) => {}
                Some(Kind::Identifier) => {
                    let chain = chain(file, at);
                    let end = chain.last().copied().unwrap_or(at) + 1;
                    self.name(file, &chain, around, &mut found);
                    at = end;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        found
    }

    fn include(&self, file: &Scanned, at: usize) -> Option<Reference<'v>> {
        let path = String::from_utf8_lossy(header_path(file.bytes(at)));
        let row = self.tables.header(&path)?;
        let start = (0..at)
            .rev()
            .find(|index| file.bytes(*index) == b"#")
            .unwrap_or(at);
        Some(Reference {
            role: Role::Header,
            tokens: at..at + 1,
            reach: start..at + 1,
            row: Some(row),
            counts: !is_same(row),
        })
    }

    /// The references in a qualified name, given by the indices of its identifiers.
    fn name(
        &self,
        file: &Scanned,
        chain: &[usize],
        around: &dyn SeenFrom,
        found: &mut Vec<Reference<'v>>,
    ) {
        let (Some(&first), Some(&last)) = (chain.first(), chain.last()) else {
            return;
        };
        let reach = first..last + 1;
        let taken = self.prefix(file, chain);
        if let Some((role, length, row)) = taken {
            found.push(Reference {
                role,
                tokens: first..chain[length - 1] + 1,
                reach: reach.clone(),
                row: Some(row),
                counts: !is_same(row),
            });
        }
        let skip = taken.map_or(0, |(_, length, _)| length);
        for (step, &at) in chain.iter().enumerate().skip(skip) {
            let text = spelling(file.bytes(at));
            let after_dot = step == 0 && is_member(file, at);
            let member = (after_dot && is_called_member(file, at))
                .then(|| self.tables.get(Section::Members, &text))
                .flatten();
            let row = member.or_else(|| self.tables.get(Section::Names, &text));
            let Some(row) = row else {
                let other = self.fragment(file, at, &text);
                found.extend(other.or_else(|| dispatch_key(file, at, &text)));
                continue;
            };
            // Behind `at::` and its like even a plain word is the library's.
            let rooted = step > 0 && self.is_root(&spelling(file.bytes(chain[0])));
            let plain = (chain.len() == 1 || rooted) && !after_dot && !row.std;
            let visible = !row.needs.is_empty() && around.sees(&row.needs);
            let sure = row.stem && (row.needs.is_empty() || visible);
            let meant = row.stem || ((plain || member.is_some()) && visible);
            found.push(Reference {
                role: if member.is_some() {
                    Role::Member
                } else {
                    Role::Name
                },
                tokens: at..at + 1,
                reach: reach.clone(),
                row: Some(row),
                counts: !is_same(row) && meant && (sure || !around.declares(&text)),
            });
        }
    }

    /// Whether a namespace of the tables starts with this name.
    fn is_root(&self, root: &[u8]) -> bool {
        self.tables.rows(Section::Namespaces).any(|row| {
            row.cuda
                .as_bytes()
                .strip_prefix(root)
                .is_some_and(|rest| rest.starts_with(b"::"))
        })
    }

    /// The longest start of a qualified name that the tables know, by its number of parts.
    fn prefix(&self, file: &Scanned, chain: &[usize]) -> Option<(Role, usize, &'v Row)> {
        let declared = chain
            .first()
            .is_some_and(|&first| follows_namespace(file, first));
        for length in (1..=chain.len()).rev() {
            let parts: Vec<_> = chain[..length]
                .iter()
                .map(|&at| spelling(file.bytes(at)))
                .collect();
            let path = parts.join(&b"::"[..]);
            if length > 1
                && let Some(row) = self.tables.get(Section::Qualified, &path)
            {
                return Some((Role::Qualified, length, row));
            }
            if (length < chain.len() || declared)
                && let Some(row) = self.tables.get(Section::Namespaces, &path)
            {
                return Some((Role::Namespace, length, row));
            }
        }
        None
    }

    /// The reference that the first piece of a pasted name makes, if names start that way.
    fn fragment(&self, file: &Scanned, at: usize, text: &[u8]) -> Option<Reference<'v>> {
        let mut end = pasted(file, at)?;
        let mut stems = self.tables.stems().iter();
        if !stems.any(|stem| text.starts_with(stem.cuda.as_bytes())) {
            return None;
        }
        let starts = self.names.partition_point(|name| *name < text);
        let known = self
            .names
            .get(starts)
            .is_some_and(|name| name.starts_with(text));
        if !known || is_pasted_on(file, at) {
            return None;
        }
        while let Some(next) = pasted(file, end) {
            end = next;
        }
        Some(Reference {
            role: Role::Fragment,
            tokens: at..at + 1,
            reach: at..end + 1,
            row: None,
            counts: true,
        })
    }

    /// Whether an identifier may be changed for what it is beside: a piece of a pasted name, or
    /// part of a namespace that is spelled in steps.
    pub(crate) fn is_piece(&self, file: &Scanned, at: usize) -> bool {
        let text = spelling(file.bytes(at));
        let qualifies = chain(file, at).len() > 1
            || file.previous(at).map(|before| file.bytes(before)) == Some(b"namespace");
        self.is_stem(&text)
            || is_pasted_on(file, at)
            || (qualifies && self.namespaces.contains(&*text))
            || self.tails.contains(&*text)
    }
}

/// The reference that a bare `CUDA` makes where an operator is registered for it.
fn dispatch_key<'v>(file: &Scanned, at: usize, text: &[u8]) -> Option<Reference<'v>> {
    if text != b"CUDA" {
        return None;
    }
    let macro_name = file.bytes(enclosing_call(file, at)?);
    (macro_name == b"TORCH_LIBRARY_IMPL").then_some(Reference {
        role: Role::Name,
        tokens: at..at + 1,
        reach: at..at + 1,
        row: None,
        counts: true,
    })
}

/// The last part of a qualified name, where that part itself is CUDA's.
fn changing_tail(row: &Row) -> Option<&[u8]> {
    let last = |path: &'_ str| path.rsplit("::").next().map(str::len);
    let tail = &row.cuda[row.cuda.len() - last(&row.cuda)?..];
    let own = match row.to.as_deref() {
        Some(to) => to.rsplit("::").next() != Some(tail),
        None => tail.to_ascii_lowercase().contains("cuda"),
    };
    own.then_some(tail.as_bytes())
}

/// Whether a row says that nothing has to change.
pub(crate) fn is_same(row: &Row) -> bool {
    row.relation == Relation::Same
}

/// What an include names, without quotes or brackets.
pub(crate) fn header_path(raw: &[u8]) -> &[u8] {
    raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default()
}
