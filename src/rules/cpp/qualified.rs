//! Qualified names: `at::cuda::…`, `c10::DeviceType::CUDA`, `cuda::std::…`, with aliases and
//! using-directives.

use std::borrow::Cow;

use super::verdict::{CODES, Change, Reference, UNKNOWN_NAME, keep_if};
use crate::diagnostic::{Code, KeptReason};
use crate::mapping::{Evidence, Relation, Row, Section};
use crate::project::Standing;
use crate::rules::{Outcome, Rule, Unit};
use crate::syntax::{Token, TokenKind};
use crate::text::TextRange;

/// Renames qualified names by table.
pub(super) struct Qualified;

const QUALIFIED: &str = "qualified-name";

/// Whether the name at `index` is what a namespace alias stands for: `namespace x = ::name`.
fn is_alias_target(unit: &Unit<'_>, index: usize) -> bool {
    let at = index - usize::from(unit.word_before(index, 1) == b"::");
    unit.word_before(at, 1) == b"=" && unit.word_before(at, 3) == b"namespace"
}

/// What is said of a namespace that is known and a name in it that is not.
const PARTLY: &str = "the namespace is known, the name in it is not";

impl Rule for Qualified {
    fn name(&self) -> &'static str {
        QUALIFIED
    }

    fn codes(&self) -> &'static [Code] {
        CODES
    }

    fn check(&self, unit: &Unit<'_>, out: &mut Outcome) {
        let prefixes = prefixes(unit);
        let mut next = 0;
        for (index, token) in unit.identifiers() {
            if index < next || out.is_claimed(token) {
                continue;
            }
            let chain = Chain::at(unit, index);
            next = chain.end;
            // `namespace cute = ::cute;` makes a name of the project's own.
            let aliases =
                unit.word_before(index, 1) == b"namespace" && unit.word(chain.end) == b"=";
            let known = || {
                unit.lore
                    .tables
                    .get(Section::Namespaces, token.text(unit.text))
                    .is_some()
            };
            if aliases && known() {
                unit.keep(out, token.range(), KeptReason::ProjectDeclared);
            }
            let opens_namespace =
                unit.word_before(index, 1) == b"namespace" && unit.word(chain.end) != b"=";
            let names_namespace = opens_namespace || is_alias_target(unit, index);
            if chain.parts.len() > 1 || names_namespace {
                chain.settle(unit, out, names_namespace, &prefixes);
            }
        }
    }
}

/// Keywords that can stand before a name which starts with `::`.
const KEYWORDS: &[&[u8]] = &[
    b"typename",
    b"return",
    b"template",
    b"class",
    b"struct",
    b"const",
    b"case",
    b"else",
    b"new",
    b"delete",
    b"throw",
    b"using",
    b"enum",
    b"operator",
    b"constexpr",
    b"static",
    b"inline",
    b"extern",
    b"friend",
    b"typedef",
    b"namespace",
    b"co_return",
    b"public",
    b"private",
    b"protected",
    b"virtual",
    b"explicit",
    b"mutable",
    b"volatile",
    b"decltype",
    b"auto",
];

/// `a::b::c` as it is written.
struct Chain {
    /// The identifiers.
    parts: Vec<Token>,
    /// One past the last token.
    end: usize,
    /// The first token.
    start: usize,
}

/// A reading of a chain: the whole path that it stands for, and how many of the path's parts are
/// not written.
struct Reading {
    path: Vec<String>,
    implied: usize,
}

impl Chain {
    fn at(unit: &Unit<'_>, index: usize) -> Self {
        let mut parts = Vec::new();
        let mut at = index;
        while let Some(token) = unit.token(at).filter(|t| t.kind == TokenKind::Identifier) {
            parts.push(token);
            // `typename ::cuda::std::…`: the keyword is no part of the name.
            if parts.len() == 1 && KEYWORDS.contains(&token.text(unit.text)) {
                break;
            }
            if unit.word(at + 1) == b"::"
                && unit
                    .token(at + 2)
                    .is_some_and(|t| t.kind == TokenKind::Identifier)
            {
                at += 2;
            } else {
                break;
            }
        }
        Self {
            parts,
            end: at + 1,
            start: index,
        }
    }

    fn range(&self) -> TextRange {
        let start = self.parts.first().map_or(0, |token| token.range().start);
        let end = self.parts.last().map_or(start, |token| token.range().end);
        TextRange::new(start, end)
    }

    fn settle(&self, unit: &Unit<'_>, out: &mut Outcome, opens: bool, prefixes: &[String]) {
        for reading in self.readings(unit, prefixes) {
            if self.whole(unit, out, &reading) || self.namespace(unit, out, &reading, opens) {
                for &part in &self.parts {
                    out.claim(part);
                }
                return;
            }
        }
        self.unresolved(unit, out);
    }

    /// `cuda::X` that no table knows and no namespace of the project explains is libcu++'s.
    fn unresolved(&self, unit: &Unit<'_>, out: &mut Outcome) {
        let root = self.parts.first().map(|part| part.text(unit.text));
        let outside = |name: &[u8]| {
            std::str::from_utf8(name).is_ok_and(|name| {
                unit.project.outside_folders.contains(name)
                    && !unit
                        .project
                        .namespaces
                        .iter()
                        .any(|path| path == name || path.ends_with(&format!("::{name}")))
            })
        };
        let range = self.range();
        // Only a root with CUDA's own name: `torch::` has far more that is not CUDA's.
        let library = root.is_some_and(|root| {
            unit.lore
                .tables
                .stems()
                .iter()
                .any(|stem| stem.cuda.as_bytes() == root)
                && outside(root)
        });
        let same =
            root.is_some_and(|root| unit.lore.tables.get(Section::Namespaces, root).is_some());
        if !library
            || same
            || self.parts.len() < 2
            || keep_if(unit, out, range, unit.foreign(range))
        {
            return;
        }
        for &part in &self.parts {
            out.claim(part);
        }
        let shown = String::from_utf8_lossy(range.of(unit.text)).into_owned();
        out.findings.push(
            unit.finding(
                UNKNOWN_NAME,
                range,
                format!("`{shown}` has no known MUSA counterpart"),
            )
            .help("look for it in the SDK's headers, or write it with the C++ standard library"),
        );
    }

    /// The paths that the chain can stand for, the likeliest first.
    fn readings(&self, unit: &Unit<'_>, prefixes: &[String]) -> Vec<Reading> {
        let written: Vec<String> = self
            .parts
            .iter()
            .map(|part| String::from_utf8_lossy(part.text(unit.text)).into_owned())
            .collect();
        let Some((root, rest)) = written.split_first() else {
            return Vec::new();
        };
        let mut readings = Vec::new();
        let files = || {
            unit.visible
                .files
                .iter()
                .filter_map(|&file| unit.project.files.get(file))
        };
        for file in files() {
            for (alias, target) in &file.facts.namespace_aliases {
                if alias == root {
                    let mut path: Vec<String> = target.split("::").map(str::to_owned).collect();
                    let implied = path.len() - 1;
                    path.extend(rest.iter().cloned());
                    readings.push(Reading { path, implied });
                }
            }
        }
        readings.push(Reading {
            path: written.clone(),
            implied: 0,
        });
        if unit.word_before(self.start, 1) == b"::" {
            return readings;
        }
        let enclosing = unit.parsed.outline.path_of(self.start);
        let outer = (1..=enclosing.len()).rev().map(|len| {
            let names = enclosing.get(..len).unwrap_or_default();
            String::from_utf8_lossy(&names.join(&b"::"[..])).into_owned()
        });
        for prefix in outer.chain(prefixes.iter().cloned()) {
            let inside = format!("{prefix}::{root}");
            let known = [Section::Namespaces, Section::Qualified]
                .iter()
                .any(|&section| unit.lore.tables.get(section, inside.as_bytes()).is_some());
            // `wmma::load_matrix_sync` after `using namespace nvcuda`.
            let names_known = || {
                written.iter().skip(1).any(|name| {
                    unit.lore
                        .tables
                        .get(Section::Names, name.as_bytes())
                        .is_some_and(|row| !row.std)
                })
            };
            if known || (is_namespace(unit, &prefix) && names_known()) {
                let mut path: Vec<String> = prefix.split("::").map(str::to_owned).collect();
                let implied = path.len();
                path.extend(written.iter().cloned());
                readings.push(Reading { path, implied });
            }
        }
        readings
    }

    /// A row for the name as a whole, or for its last parts (`DeviceType::CUDA`).
    fn whole(&self, unit: &Unit<'_>, out: &mut Outcome, reading: &Reading) -> bool {
        let path = &reading.path;
        for len in (2..=path.len()).rev() {
            for from in 0..path.len().saturating_sub(len - 1) {
                // A row for the front of a longer name, or for all of its end.
                if from != 0 && from + len != path.len() {
                    continue;
                }
                let Some(names) = path.get(from..from + len) else {
                    continue;
                };
                let Some(row) = row(unit, Section::Qualified, names) else {
                    continue;
                };
                if row.relation == Relation::Same {
                    return false;
                }
                let to: Vec<&str> = row.to.as_deref().unwrap_or_default().split("::").collect();
                self.apply(unit, out, reading, from, names, &to, row);
                return true;
            }
        }
        false
    }

    /// A row for a namespace at the front; the rest is looked up as a plain name.
    fn namespace(
        &self,
        unit: &Unit<'_>,
        out: &mut Outcome,
        reading: &Reading,
        opens: bool,
    ) -> bool {
        let path = &reading.path;
        for len in (1..=path.len()).rev() {
            let Some(names) = path.get(..len) else {
                continue;
            };
            let Some(row) = row(unit, Section::Namespaces, names) else {
                continue;
            };
            // The project's own namespace of that name, unless the project includes the
            // library's headers: then it adds to the library's namespace.
            if let [root] = names
                && unit.project.namespaces.contains(root)
                && !unit.project.outside_folders.contains(root)
            {
                return false;
            }
            if carried_along(unit, names) {
                unit.keep(out, self.range(), KeptReason::Vendored);
                return true;
            }
            let rest = path.get(len..).unwrap_or_default();
            if row.relation == Relation::Same {
                return self.rest(unit, out, reading, len, rest, &row.library);
            }
            let mut row = Cow::Borrowed(row);
            let known = opens || rest.is_empty() || known_inside(unit, names, rest);
            if !known && row.relation == Relation::Renamed {
                // The namespace is known and what is asked of it is not: no more than a rule.
                let row = row.to_mut();
                row.evidence = Some(Evidence::Rule.max(row.evidence.unwrap_or(Evidence::Rule)));
                row.note = Some(PARTLY.into());
            }
            // Where the namespace itself is implied, only what is behind it is written.
            if reading.implied < len || !known {
                let to: Vec<&str> = row.to.as_deref().unwrap_or_default().split("::").collect();
                self.apply(unit, out, reading, 0, names, &to, &row);
            }
            let library = row.library.clone();
            self.rest(unit, out, reading, len, rest, &library);
            return true;
        }
        false
    }

    /// The names behind a namespace. Returns whether the tables had something to say of one.
    fn rest(
        &self,
        unit: &Unit<'_>,
        out: &mut Outcome,
        reading: &Reading,
        from: usize,
        rest: &[String],
        library: &str,
    ) -> bool {
        let mut spoke = false;
        for (offset, name) in rest.iter().enumerate() {
            let written = (from + offset)
                .checked_sub(reading.implied)
                .and_then(|at| self.parts.get(at));
            let row = unit.lore.tables.get(Section::Names, name.as_bytes());
            let (Some(&token), Some(row)) = (written, row) else {
                continue;
            };
            let range = token.range();
            // A plain word is the library's only inside its own namespace.
            if row.relation == Relation::Same || !(row.stem || row.library == library) {
                continue;
            }
            spoke = true;
            if keep_if(unit, out, range, unit.foreign(range)) {
                continue;
            }
            // `nvcuda::wmma::__float_to_tf32`: MUSA's counterpart is a builtin of no namespace.
            let builtin = row.relation == Relation::Renamed && name.starts_with("__");
            let row = if builtin {
                Cow::Owned(Row {
                    relation: Relation::Unknown,
                    ..row.clone()
                })
            } else {
                Cow::Borrowed(row)
            };
            let row = row.as_ref();
            let to = row.to.as_deref().unwrap_or_default().to_owned();
            let changes = vec![Change { range, to }];
            Reference {
                range,
                shown: name,
                row,
                changes,
                header: false,
                rule: QUALIFIED,
            }
            .settle(unit, out);
        }
        spoke
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one reading of one chain, taken apart"
    )]
    fn apply(
        &self,
        unit: &Unit<'_>,
        out: &mut Outcome,
        reading: &Reading,
        from: usize,
        names: &[String],
        to: &[&str],
        row: &Row,
    ) {
        let range = self.range();
        if keep_if(unit, out, range, unit.foreign(range)) {
            return;
        }
        let key = names.join("::");
        let partly = row.note.as_deref() == Some(PARTLY);
        let shown = if partly {
            reading.path.join("::")
        } else {
            key.clone()
        };
        let forbidden = [Section::Qualified, Section::Namespaces]
            .iter()
            .any(|&section| unit.lore.tables.is_forbidden(section, key.as_bytes()));
        if forbidden {
            unit.keep(out, range, KeptReason::Forbidden);
            return;
        }
        let written = |at: usize| {
            at.checked_sub(reading.implied)
                .and_then(|at| self.parts.get(at))
                .copied()
        };
        let mut changes = Vec::new();
        if to.len() == names.len() {
            for (offset, (old, new)) in names.iter().zip(to).enumerate() {
                if let Some(token) = written(from + offset)
                    && old != new
                    && token.text(unit.text) == old.as_bytes()
                {
                    changes.push(Change {
                        range: token.range(),
                        to: (*new).to_owned(),
                    });
                }
            }
        } else if let (Some(first), Some(last)) = (written(from), written(from + names.len() - 1)) {
            let range = TextRange::new(first.range().start, last.range().end);
            changes.push(Change {
                range,
                to: to.join("::"),
            });
        }
        Reference {
            range,
            shown: &shown,
            row,
            changes,
            header: false,
            rule: QUALIFIED,
        }
        .settle(unit, out);
    }
}

/// The namespaces of the tables that `using namespace` makes visible in the file.
fn prefixes(unit: &Unit<'_>) -> Vec<String> {
    let mut found: Vec<String> = unit
        .visible
        .files
        .iter()
        .filter_map(|&file| unit.project.files.get(file))
        .flat_map(|file| file.facts.usings.iter().cloned())
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Whether what follows the namespace is known: names of the tables, a namespace inside, or
/// something that the project itself declares there.
fn known_inside(unit: &Unit<'_>, names: &[String], rest: &[String]) -> bool {
    let Some(next) = rest.first() else {
        return true;
    };
    let full: Vec<String> = names.iter().cloned().chain([next.clone()]).collect();
    rest.iter().any(|name| {
        unit.lore
            .tables
            .get(Section::Names, name.as_bytes())
            .is_some()
    }) || row(unit, Section::Qualified, &full).is_some()
        || unit.project.extensions.contains(next)
        || unit.project.namespaces.contains(&full.join("::"))
}

/// Whether the file reaches the namespace through a library that the tree carries along.
fn carried_along(unit: &Unit<'_>, names: &[String]) -> bool {
    let [root] = names else { return false };
    if unit.project.left.folders.contains(root) {
        return true;
    }
    let folder = format!("/{root}/");
    unit.visible
        .files
        .iter()
        .filter_map(|&file| unit.project.files.get(file))
        .filter(|file| file.standing == Standing::Left(KeptReason::Vendored))
        .any(|file| file.path.starts_with(&format!("{root}/")) || file.path.contains(&folder))
}

fn is_namespace(unit: &Unit<'_>, path: &str) -> bool {
    unit.lore
        .tables
        .get(Section::Namespaces, path.as_bytes())
        .is_some()
}

fn row<'a>(unit: &Unit<'a>, section: Section, names: &[String]) -> Option<&'a Row> {
    let row = unit.lore.tables.get(section, names.join("::").as_bytes())?;
    let counts = row.needs.is_empty() || unit.visible.has_header(&row.needs);
    counts.then_some(row)
}
