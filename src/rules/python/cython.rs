//! Cython: its blocks of C declarations by the rules for C++, and the names that the Python takes from the declarations.

use std::collections::{BTreeMap, BTreeSet};

use crate::cpp::{self, EmbeddedCpp};
use crate::{Outcome, Unit};
use torchada_diagnostic::Applicability;
use torchada_diagnostic::codes::python::NAME_LEFT;
use torchada_edit::{Edit, EditKind};
use torchada_mapping::{Relation, Section, ends_with_one};
use torchada_project::{Context, Project, PythonCode};
use torchada_syntax::cython::Cython;
use torchada_syntax::{LexOptions, TokenKind, lex};
use torchada_text::{Fragment, TextRange};

/// The name under which edits of Cython's own are counted.
pub const NAME: &str = "cython-name";

/// A file of Cython.
pub type CythonUnit<'a> = Unit<'a, &'a Cython>;

/// Let the rules for C++ look at the blocks of declarations, and rename in the Python what they declare.
pub fn check(unit: &CythonUnit<'_>, out: &mut Outcome) {
    let known = CythonNames::new(unit);
    for declarations in &unit.code.externs {
        let guest = EmbeddedCpp {
            headers: &[],
            template: false,
            rules: cpp::RULES,
        };
        let mut inner = out.inside();
        guest.check(unit, declarations, &mut inner);
        known.leave_own(unit.text, declarations, &mut inner);
        out.absorb(inner);
    }
    if unit.settings.runs(NAME) {
        names(unit, &known, out);
    }
}

/// The names that Cython has for what blocks of C declarations bring: those of this file, and of the files that declare
/// for others.
struct CythonNames {
    /// Names of CUDA's, with their counterparts.
    renamed: BTreeMap<Vec<u8>, String>,
    /// The names that this file gives to functions and types which C calls by other names, and those that it takes from
    /// modules outside of the tree.
    own: BTreeSet<Vec<u8>>,
    /// The names that this file and the files of declarations in the tree give so.
    own_of_all: BTreeSet<Vec<u8>>,
}

impl CythonNames {
    fn new(unit: &CythonUnit<'_>) -> Self {
        let (cython, context) = (unit.code, unit.context);
        let own = own_names(unit.project, cython, unit.text);
        let mut known = Self {
            renamed: renamed_names(cython, context),
            own_of_all: own.clone(),
            own,
        };
        let endings = &context.knowledge.embedded.cython.declarations;
        for file in &unit.project.files {
            if let Some(PythonCode::Cython(other)) = file.python.as_deref()
                && ends_with_one(file.path.as_bytes(), endings)
            {
                let text = file.text.as_deref().unwrap_or_default();
                let own = own_names(unit.project, other, text);
                let renamed = renamed_names(other, context).into_iter();
                known
                    .renamed
                    .extend(renamed.filter(|(name, _)| !own.contains(name)));
                known.own_of_all.extend(own);
            }
        }
        known.renamed.retain(|name, _| !known.own.contains(name));
        known
    }

    /// Take the findings and edits of Cython's own names out of what the rules for C++ found in a block, and the edits of a
    /// name whose counterpart the block declares as well: the header of such a block has both names.
    fn leave_own(&self, text: &[u8], block: &Fragment, inner: &mut Outcome) {
        let declared = lex(block.text(), LexOptions::default());
        let is_own = |range: TextRange| {
            let before = range.start.checked_sub(1).and_then(|at| text.get(at));
            self.own.contains(range.of(text)) && !matches!(before, Some(b'"' | b'\''))
        };
        inner.edits.retain(|edit| {
            !is_own(edit.range) && !declared.has_word(block.text(), &edit.replacement)
        });
        inner.findings.retain(|finding| !is_own(finding.range));
        inner.kept.retain(|kept| !is_own(kept.range));
    }
}

fn own_names(project: &Project, cython: &Cython, text: &[u8]) -> BTreeSet<Vec<u8>> {
    let taken = taken_from_outside(project, cython, text).map(|(_, name)| name);
    let own = cython.own.iter().copied().chain(taken);
    own.map(|range| range.of(text).to_vec()).collect()
}

/// The names that a file takes from modules that are not in the tree, each with its module's.
fn taken_from_outside<'a>(
    project: &'a Project,
    cython: &'a Cython,
    text: &'a [u8],
) -> impl Iterator<Item = (&'a str, TextRange)> {
    let cimports = cython.cimports.iter();
    cimports.filter_map(move |&(module, name)| {
        let module = std::str::from_utf8(module.of(text)).ok()?;
        let path = module.replace('.', "/");
        let files = ["pxd", "pyx", "py"].map(|ending| format!("{path}.{ending}"));
        let mut places = files.iter().chain([&path]);
        let is_inside = module.starts_with('.') || places.any(|one| project.places.have(one));
        (!is_inside).then_some((module, name))
    })
}

/// The names of CUDA's in the blocks of C declarations of a file, with their counterparts.
fn renamed_names(cython: &Cython, context: Context<'_>) -> BTreeMap<Vec<u8>, String> {
    let mut found = BTreeMap::new();
    for text in cython.externs.iter().map(Fragment::text) {
        for token in lex(text, LexOptions::default()).tokens {
            let word = token.text(text);
            let row = context.row(Section::Names, word);
            if let Some(row) = row.filter(|row| row.relation == Relation::Renamed)
                && token.kind == TokenKind::Identifier
                && let Some(to) = row.to.as_deref().filter(|to| !to.contains("::"))
            {
                found.insert(word.to_vec(), to.to_owned());
            }
        }
    }
    found
}

/// Rename what the code calls by names that are declared; report the other names of CUDA's.
fn names(unit: &CythonUnit<'_>, known: &CythonNames, out: &mut Outcome) {
    let tables = unit.context.tables;
    let is_cudas = |name: &[u8]| {
        let row = tables.get(Section::Names, name);
        row.is_some_and(|row| row.relation != Relation::Same && row.stem)
    };
    for (module, name) in taken_from_outside(unit.project, unit.code, unit.text) {
        if is_cudas(name.of(unit.text)) {
            let name_shown = unit.shown(name);
            let message =
                format!("`{name_shown}` stays: it comes from `{module}`, which is not in the tree");
            let help = "declare what MUSA has in a `cdef extern` block, and use that";
            unit.report(out, NAME_LEFT, name, message, help);
        }
    }
    for &range in &unit.code.names {
        let word = range.of(unit.text);
        if known.own.contains(word) {
            continue;
        }
        let row = tables.get(Section::Names, word);
        if let Some(to) = known.renamed.get(word) {
            let edit = Edit {
                range,
                replacement: to.clone().into_bytes(),
                applicability: Applicability::Safe,
                kind: EditKind::Rename,
                group: out.group(),
                rule: NAME,
                evidence: row.and_then(|row| row.evidence),
            };
            if out.edits.insert(edit).is_ok() {
                continue;
            }
        }
        if is_cudas(word) && !known.own_of_all.contains(word) {
            let name = String::from_utf8_lossy(word);
            let message = format!("`{name}` stays: no `cdef extern` block of the tree declares it");
            let help = "declare what MUSA has in a `cdef extern` block, and call that";
            unit.report(out, NAME_LEFT, range, message, help);
        }
    }
}
