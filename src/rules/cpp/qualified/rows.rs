//! Applies the rows of the tables to a reading of a qualified name.

use std::borrow::Cow;
use std::ops::Range;

use super::chain::{PossiblePath, QualifiedName};
use super::visible_namespaces::is_own_namespace;
use crate::Outcome;
use crate::cpp::CppUnit;
use crate::cpp::rule_names::QUALIFIED;
use crate::cpp::verdict::{Reference, Replacement, keep_if};
use torchada_diagnostic::KeptReason;
use torchada_mapping::{Evidence, Relation, Row, Section};
use torchada_project::Disposition;
use torchada_syntax::Token;
use torchada_text::TextRange;

/// The note of a row about an unknown name in a known namespace.
const PARTLY: &str = "the namespace is known, the name in it is not";

/// What the source of a row says about a name that the SDK does not have in a namespace that it has.
const UNLISTED: &str = "not there: no header of the SDK declares it in ";

/// No row of a table has more parts.
const LONGEST: usize = 16;

impl QualifiedName {
    /// Keep a name of the project's own, with what of it reads like CUDA's.
    pub(super) fn keep_own(&self, unit: &CppUnit<'_>, out: &mut Outcome) {
        for &part in &self.parts {
            let name = part.text(unit.text);
            if unit.context.tables.changes(Section::Names, name) {
                unit.keep(out, part.range(), KeptReason::ProjectDeclared);
            }
            out.claim(part);
        }
    }

    /// A row for the name as a whole, or for its last parts (`DeviceType::CUDA`). Gives the number of written parts in front
    /// of what the row is about, if there is such a row.
    pub(super) fn whole(
        &self,
        unit: &CppUnit<'_>,
        out: &mut Outcome,
        reading: &PossiblePath,
    ) -> Option<usize> {
        let path = &reading.path;
        for len in (2..=path.len().min(LONGEST)).rev() {
            // A row for the front of a longer name, or for all of its end.
            let end = path.len() - len;
            for from in std::iter::once(0).chain((end > 0).then_some(end)) {
                let Some(names) = path.get(from..from + len) else {
                    continue;
                };
                let Some(row) = row(unit, Section::Qualified, names) else {
                    continue;
                };
                if row.relation == Relation::Same {
                    return None;
                }
                // `mine::cuda::barrier`, where the tree has the namespace `mine::cuda`.
                if from > 0 && is_own_namespace(unit, path.get(..=from).unwrap_or_default()) {
                    self.keep_own(unit, out);
                    return Some(0);
                }
                let in_front = from.saturating_sub(reading.implied);
                if is_own_enumerator(unit, names) {
                    unit.keep(out, self.range(), KeptReason::ProjectDeclared);
                    return Some(in_front);
                }
                self.apply(unit, out, reading, from..from + len, row);
                return Some(in_front);
            }
        }
        None
    }

    /// A row for a namespace at the front; the rest is looked up as a plain name.
    pub(super) fn namespace(
        &self,
        unit: &CppUnit<'_>,
        out: &mut Outcome,
        reading: &PossiblePath,
        opens: bool,
    ) -> bool {
        let tables = unit.context.tables;
        let path = &reading.path;
        for len in (1..=path.len().min(LONGEST)).rev() {
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
            if is_carried_along(unit, names) {
                unit.keep(out, self.range(), KeptReason::Vendored);
                return true;
            }
            let rest = path.get(len..).unwrap_or_default();
            // Where no namespace can stand, a name of the project's own is meant: `program<cuda::ptx>`.
            if rest.is_empty() && !opens && row.to.is_none() && row.relation != Relation::Same {
                return false;
            }
            if row.relation == Relation::Same {
                return self.rest(unit, out, reading, len, row, false);
            }
            let mut row = Cow::Borrowed(row);
            let known = opens || rest.is_empty() || known_inside(unit, names, rest);
            if !known && row.evidence == Some(Evidence::Sdk) && tables.facts_list(&row.cuda) {
                let row = row.to_mut();
                row.relation = Relation::Absent;
                row.source = format!("{UNLISTED}{}", row.to.take().unwrap_or_default()).into();
            } else if !known && row.relation == Relation::Renamed {
                // The namespace is known and the name in it is not: that is no more evidence than a rule.
                let row = row.to_mut();
                row.evidence = Some(Evidence::Rule.max(row.evidence.unwrap_or(Evidence::Rule)));
                row.note = Some(PARTLY.into());
            }
            // Where the namespace itself is implied, only what is behind it is written.
            let speaks = reading.implied < len || !known;
            if speaks {
                self.apply(unit, out, reading, 0..len, &row);
            }
            let is_reported = speaks && row.relation != Relation::Renamed;
            self.rest(unit, out, reading, len, &row, is_reported);
            return true;
        }
        false
    }

    /// The part of the name that is written for a place in a reading of it, where one is.
    fn written(&self, reading: &PossiblePath, at: usize) -> Option<Token> {
        let at = at.checked_sub(reading.implied)?;
        self.parts.get(at).copied()
    }

    /// The names behind a namespace, from a place in the reading on. Returns whether the tables had something to say of
    /// one. `is_reported` is set if the whole name has a finding already, because its namespace stays.
    fn rest(
        &self,
        unit: &CppUnit<'_>,
        out: &mut Outcome,
        reading: &PossiblePath,
        from: usize,
        namespace: &Row,
        is_reported: bool,
    ) -> bool {
        let mut spoke = false;
        for (at, name) in reading.path.iter().enumerate().skip(from) {
            let row = unit.context.row(Section::Names, name.as_bytes());
            let (Some(token), Some(row)) = (self.written(reading, at), row) else {
                continue;
            };
            let range = token.range();
            // A plain word is the library's only inside its own namespace.
            if row.relation == Relation::Same || !(row.stem || row.library == namespace.library) {
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
            if is_reported && row.relation != Relation::Renamed {
                continue;
            }
            let to = row.to.as_deref().unwrap_or_default().to_owned();
            Reference::whole(range, name, row, to, QUALIFIED).apply_row(unit, out);
        }
        spoke
    }

    /// Do what a row says of a stretch of the reading.
    fn apply(
        &self,
        unit: &CppUnit<'_>,
        out: &mut Outcome,
        reading: &PossiblePath,
        stretch: Range<usize>,
        row: &Row,
    ) {
        let names = reading.path.get(stretch.clone()).unwrap_or_default();
        let to: Vec<&str> = row.to.as_deref().unwrap_or_default().split("::").collect();
        let range = self.range();
        if keep_if(unit, out, range, unit.foreign(range)) {
            return;
        }
        let key = names.join("::");
        let partly = row.note.as_deref() == Some(PARTLY) || row.source.starts_with(UNLISTED);
        let shown = if partly {
            reading.path.join("::")
        } else {
            key.clone()
        };
        if unit.context.tables.is_forbidden(key.as_bytes()) {
            unit.keep(out, range, KeptReason::Forbidden);
            return;
        }
        let written = |at: usize| self.written(reading, at);
        let mut changes = Vec::new();
        if to.len() == names.len() {
            for (at, (old, new)) in stretch.zip(names.iter().zip(to)) {
                if let Some(token) = written(at)
                    && old != new
                    && token.text(unit.text) == old.as_bytes()
                {
                    changes.push(Replacement {
                        range: token.range(),
                        to: new.to_owned(),
                    });
                }
            }
        } else if let (Some(first), Some(last)) = (written(stretch.start), written(stretch.end - 1))
        {
            let range = TextRange::new(first.range().start, last.range().end);
            changes.push(Replacement {
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
        .apply_row(unit, out);
    }
}

/// Whether `DeviceType::CUDA` is of an enumeration of the project's own that is visible here.
fn is_own_enumerator(unit: &CppUnit<'_>, names: &[String]) -> bool {
    let [kind, name] = names else {
        return false;
    };
    let declared = unit.declared.get(name.as_bytes());
    declared.is_some_and(|one| one.is_member_of(kind.as_bytes()))
}

/// Whether what follows the namespace is known: names of the tables, a namespace inside, or
/// something that the project itself declares there.
fn known_inside(unit: &CppUnit<'_>, names: &[String], rest: &[String]) -> bool {
    let Some(next) = rest.first() else {
        return true;
    };
    let full: Vec<String> = names.iter().cloned().chain([next.clone()]).collect();
    rest.iter()
        .any(|name| unit.context.row(Section::Names, name.as_bytes()).is_some())
        || row(unit, Section::Qualified, &full).is_some()
        || unit.project.extensions.contains(next)
        || unit.project.own_namespaces.contains(&full.join("::"))
}

/// Whether the file reaches the namespace through a library that the tree carries along.
pub(super) fn is_carried_along(unit: &CppUnit<'_>, names: &[String]) -> bool {
    let [root] = names else { return false };
    if unit.project.left.folders.contains(root) {
        return true;
    }
    let folder = format!("/{root}/");
    unit.visible
        .files
        .iter()
        .filter_map(|&file| unit.project.files.get(file))
        .filter(|file| file.disposition == Disposition::Left(KeptReason::Vendored))
        .any(|file| file.path.starts_with(&format!("{root}/")) || file.path.contains(&folder))
}

fn row<'a>(unit: &CppUnit<'a>, section: Section, names: &[String]) -> Option<&'a Row> {
    let row = unit.context.row(section, names.join("::").as_bytes())?;
    let counts = row.needs.is_empty() || unit.visible.has_header(&row.needs);
    counts.then_some(row)
}
