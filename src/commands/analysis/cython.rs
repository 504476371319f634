//! Translates one file of Cython: its Python as a module, its C declarations and their names by the rule for Cython. The
//! edits of both sides are put together, and are taken back where Cython can be read worse than before.

use super::file_analysis::FileAnalysis;
use super::python;
use super::translated::Translated;
use crate::diagnostic::Applicability;
use crate::diagnostic::codes::python::NAME_LEFT;
use crate::edit::{Edit, EditSet};
use crate::mapping::Dialect;
use crate::project::PythonCode;
use crate::rules::Outcome;
use crate::rules::python::cython::check;
use crate::syntax::cython::Cython;
use crate::syntax::python_errors;
use crate::text::{Fragment, LineIndex, TextRange};

/// The name under which edits of the names of renamed files are counted, as in other Python.
const RENAMED: &str = "python-renamed-sources";

/// Translate a file.
pub(super) fn translate(file: FileAnalysis<'_, '_>) -> Translated {
    let (text, settings) = (file.text, file.settings);
    let Some(PythonCode::Cython(cython)) = file.source.python.as_deref() else {
        return Translated::default();
    };
    let lines = LineIndex::new(text);
    let code = &cython.python;
    let mut done = python::module(file);
    // Its places are those of the Python inside.
    done.branches_not_built.clear();
    let mut out = Outcome::default();
    place_in_file(&mut done, code, text, &lines);
    let unit = file.unit(text, &lines, cython);
    if settings.dialect == Dialect::Musa {
        check(&unit, &mut out);
    }
    for (range, to) in file.project.renamed_mentions(file.index) {
        let edit = Edit::rewrite(range, &to, RENAMED, None, out.group());
        // What another rule has made of the place, it has made of the name, too.
        out.edits.insert(edit).ok();
    }
    let mut edits = std::mem::take(&mut out.edits);
    edits.retain(|edit| edit.applicability == Applicability::Safe || settings.unsafe_edits);
    let mut left = add_python(&mut edits, &done, code, &mut out);
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
        let message = format!("`{}` can't be changed in place", unit.shown(range));
        let finding = unit.finding(NAME_LEFT, range, message);
        done.findings
            .push(finding.help("translate this place by hand"));
    }
    done.findings.extend(out.findings);
    done.kept.extend(out.kept);
    done.edits = edits.into();
    done
}

/// Give what was found in the Python its places in the file.
fn place_in_file(done: &mut Translated, code: &Fragment, text: &[u8], lines: &LineIndex) {
    for finding in done.findings.iter_mut().chain(&mut done.suppressed) {
        if !finding.is_whole() {
            let range = code.near(finding.range);
            finding.start = lines.position(text, range.start);
            finding.end = lines.position(text, range.end);
            finding.range = range;
        }
    }
    for kept in &mut done.kept {
        kept.range = code.near(kept.range);
    }
}

/// Add the edits of the Python. Returns the places of those that can't be made.
fn add_python(
    edits: &mut EditSet,
    done: &Translated,
    code: &Fragment,
    out: &mut Outcome,
) -> Vec<TextRange> {
    let mut left = Vec::new();
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
    left
}
