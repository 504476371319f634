//! Translates one file of Cython: its Python as a module, its C declarations by the rules for C++, and
//! the names that the Python takes from the declarations.

use std::collections::{BTreeMap, BTreeSet};

use super::python;
use super::translated::{AnalysisContext, Translated};
use crate::diagnostic::{Applicability, Code, Finding, Kept, Severity};
use crate::edit::{Edit, EditKind, EditSet};
use crate::mapping::{Relation, Section};
use crate::project::{Context, Project, PythonCode, Source};
use crate::rules::cpp::Guest;
use crate::rules::{Dialect, Outcome, cpp};
use crate::syntax::cython::Cython;
use crate::syntax::{LexOptions, TokenKind, lex, python_errors};
use crate::text::{Fragment, LineIndex, TextRange};

/// A name of CUDA's in Cython that stays.
pub const NAME_LEFT: Code = Code {
    id: "PY087",
    severity: Severity::Warning,
    title: "CUDA name in Cython that stays",
};

/// The name under which edits of Cython's own are counted.
pub const RULE: &str = "cython-name";

/// The name under which edits of the names of renamed files are counted, as in other Python.
const RENAMED: &str = "python-renamed-sources";

/// Translate a file.
pub(super) fn translate(
    analysis: AnalysisContext<'_, '_>,
    index: usize,
    file: &Source,
    text: &[u8],
) -> Translated {
    let AnalysisContext {
        context, settings, ..
    } = analysis;
    let project = analysis.project;
    let renamed = project.renamed_mentions(index);
    if !context.python_may_matter_beside(text, &project.python_packages) && renamed.is_empty() {
        return Translated::default();
    }
    let Some(PythonCode::Cython(cython)) = file.python.as_deref() else {
        return Translated::default();
    };
    let lines = LineIndex::new(text);
    let code = &cython.python;
    let mut done = python::module(analysis, index, file);
    // Its places are those of the Python inside.
    done.branches_not_built.clear();
    let mut out = Outcome::default();
    for finding in done.findings.iter_mut().chain(&mut done.suppressed) {
        if !finding.is_whole() {
            let range = code.near(finding.range);
            finding.start = lines.position(text, range.start);
            finding.end = lines.position(text, range.end);
            finding.range = range;
        }
    }
    let near = |kept: &Kept| Kept {
        range: code.near(kept.range),
        ..kept.clone()
    };
    done.kept = done.kept.iter().map(near).collect();
    if settings.dialect == Dialect::Musa {
        let known = CythonNames::new(project, cython, text, context);
        for declarations in &cython.externs {
            let guest = Guest {
                project,
                index,
                file_text: text,
                lines: &lines,
                context,
                settings,
                headers: &[],
                template: false,
                rules: cpp::RULES,
            };
            let mut inner = out.inside();
            guest.check(declarations, &mut inner);
            known.leave_own(text, declarations, &mut inner);
            out.absorb(inner);
        }
        names(file, text, &lines, cython, context, &known, &mut out);
    }
    for (range, to) in renamed {
        let edit = Edit::rewrite(range, &to, RENAMED, None, out.group());
        // What another rule has made of the place, it has made of the name, too.
        out.edits.insert(edit).ok();
    }
    let mut edits = std::mem::take(&mut out.edits);
    edits.retain(|edit| edit.applicability == Applicability::Safe || settings.unsafe_edits);
    let mut left: Vec<TextRange> = Vec::new();
    for edit in done.edits.iter() {
        let place = code.to_file(edit.range).or_else(|| code.spread(edit.range));
        // Groups of the two sides have nothing to do with each other.
        let group = out.group();
        let taken = place.is_some_and(|range| {
            let edit = Edit {
                range,
                group,
                ..edit.clone()
            };
            edits.insert(edit).is_ok()
        });
        if !taken {
            left.push(code.near(edit.range));
        }
    }
    // What the edits make must be no worse to read than what was there.
    let errors =
        |text: &[u8]| python_errors(Cython::read(text).python.text()).unwrap_or(usize::MAX);
    let applied = edits.apply(text);
    let broken = !edits.is_empty() && errors(&applied.text) > errors(text);
    if broken {
        left.extend(edits.iter().map(|edit| edit.range));
        edits = EditSet::default();
    }
    for range in left {
        let message = format!("`{}` can't be changed in place", shown(text, range));
        let finding = Finding::at(NAME_LEFT, &file.path, text, &lines, range, message);
        done.findings
            .push(finding.help("translate this place by hand"));
    }
    done.findings.extend(out.findings);
    done.kept.extend(out.kept);
    done.edits = edits.into();
    done
}

fn shown(text: &[u8], range: TextRange) -> String {
    String::from_utf8_lossy(range.of(text)).into_owned()
}

/// The names that Cython has for what blocks of C declarations bring: those of this file, and of the files that declare
/// for others.
struct CythonNames {
    /// Names of CUDA's, with their counterparts.
    renamed: BTreeMap<Vec<u8>, String>,
    /// Names of this file's own, for what C calls otherwise.
    own: BTreeSet<Vec<u8>>,
    /// Such names of all those files.
    own_of_all: BTreeSet<Vec<u8>>,
}

impl CythonNames {
    fn new(project: &Project, cython: &Cython, text: &[u8], context: Context<'_>) -> Self {
        let own = own_names(cython, text);
        let mut known = Self {
            renamed: renamed_names(cython, context),
            own_of_all: own.clone(),
            own,
        };
        let endings = &context.knowledge.embedded.cython.declarations;
        for file in &project.files {
            if let Some(PythonCode::Cython(other)) = file.python.as_deref()
                && endings.iter().any(|ending| file.path.ends_with(ending))
            {
                let own = own_names(other, file.text.as_deref().unwrap_or_default());
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

    /// Take out of what the rules for C++ say of a block what they say of Cython's own names, and edits of names of
    /// whose counterparts the block declares the names as well: its header has both.
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

fn own_names(cython: &Cython, text: &[u8]) -> BTreeSet<Vec<u8>> {
    let own = cython.own.iter();
    own.map(|range| range.of(text).to_vec()).collect()
}

/// The names of CUDA's in the blocks of C declarations of a file, with their counterparts.
fn renamed_names(cython: &Cython, context: Context<'_>) -> BTreeMap<Vec<u8>, String> {
    let mut found = BTreeMap::new();
    for text in cython.externs.iter().map(Fragment::text) {
        for token in lex(text, LexOptions::default()).tokens {
            let word = token.text(text);
            let row = context.tables.get(Section::Names, word);
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
fn names(
    file: &Source,
    text: &[u8],
    lines: &LineIndex,
    cython: &Cython,
    context: Context<'_>,
    known: &CythonNames,
    out: &mut Outcome,
) {
    for &range in &cython.names {
        let word = range.of(text);
        if known.own.contains(word) {
            continue;
        }
        let row = context.tables.get(Section::Names, word);
        if let Some(to) = known.renamed.get(word) {
            let edit = Edit {
                range,
                replacement: to.clone().into_bytes(),
                applicability: Applicability::Safe,
                kind: EditKind::Rename,
                group: out.group(),
                rule: RULE,
                evidence: row.and_then(|row| row.evidence),
            };
            if out.edits.insert(edit).is_ok() {
                continue;
            }
        }
        let is_cudas = row.is_some_and(|row| row.relation != Relation::Same && row.stem);
        if is_cudas && !known.own_of_all.contains(word) {
            let name = String::from_utf8_lossy(word);
            let message = format!("`{name}` stays: no `cdef extern` block of the tree declares it");
            let finding = Finding::at(NAME_LEFT, &file.path, text, lines, range, message);
            out.findings.push(
                finding.help("declare what MUSA has in a `cdef extern` block, and call that"),
            );
        }
    }
}
