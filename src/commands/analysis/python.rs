//! Translates one file of Python: runs its rules, applies their edits and verifies the result.

use super::file_analysis::{FileAnalysis, TreeAnalysis};
use super::limits::too_much;
use super::translated::{Translated, finish};
use crate::diagnostic::Finding;
use crate::diagnostic::codes::python::NOT_PARSED;
use crate::project::python::{Modules, TreeSource};
use crate::rules::python::reach;
use crate::rules::python::{Memo, ModuleView, PythonUnit};
use crate::rules::{Outcome, python, suppression};
use crate::syntax::python::first_fault;
use crate::text::{LineIndex, TextRange};
use crate::verify::withdraw_broken_python;

/// Translate a module.
pub(super) fn translate(file: FileAnalysis<'_, '_>) -> Translated {
    let (index, context, settings) = (file.index, file.context, file.settings);
    let modules = file.modules.for_file(index);
    let text = modules.text(index);
    // A file may be here for what others have of it alone.
    let matters = modules.may_matter(index, context);
    let starts =
        settings.import_stub.is_wanted() && python::may_start_program(&modules, index, context);
    let follows = !modules.renamed_mentions().is_empty();
    if !matters && !starts && !follows && !suppression::may_have_markers(text) {
        return Translated::default();
    }
    module(file)
}

/// Translate a module, whose text need not be all that is in the file.
pub(super) fn module(file: FileAnalysis<'_, '_>) -> Translated {
    let (index, settings) = (file.index, file.settings);
    let modules = file.modules.for_file(index);
    let text = modules.text(index);
    let trees = file.trees.pin();
    let memo = Memo::new(modules.looks());
    let Some(code) = view(file.tree, &modules, &*trees, &memo, index) else {
        let why = "its code is nested too deep, or binds a name too often, to be followed";
        return Translated {
            findings: vec![too_much(&file.source.path, why)],
            ..Translated::default()
        };
    };
    let lines = LineIndex::new(text);
    let unit = file.unit(text, &lines, code);
    let mut out = Outcome::default();
    out.findings.extend(not_parsed(&unit));
    python::check(&unit, &mut out);
    if let Some(times) = &settings.times {
        times.pass(unit.code.module.tree.take_visits());
    }
    Translated {
        branches_not_built: reach::not_reached(&unit),
        ..finish(&unit, out, |edits| {
            withdraw_broken_python(text, edits, settings.verify_all)
        })
    }
}

/// A finding where neither reader of Python can take all of a file apart.
fn not_parsed(unit: &PythonUnit<'_>) -> Option<Finding> {
    let tree = &unit.code.module.tree;
    // Of a template and of what is more than Python the Python alone is read.
    let is_whole = unit.file.python.is_none() && !unit.file.class.template;
    if !is_whole || !tree.has_errors() {
        return None;
    }
    let (start, what) = first_fault(unit.text)?;
    let place = TextRange::new(start, start);
    let (path, lines) = (&unit.file.path, unit.lines);
    let message = format!(
        "this does not parse as Python ({what}): names around here may be left without a finding"
    );
    let finding = Finding::at(NOT_PARSED, path, unit.file_text, lines, place, message);
    Some(finding.help("correct it and port again, or look through it by hand"))
}

/// The view of a module. `None` where its code can't be followed.
pub(super) fn view<'a>(
    tree: TreeAnalysis<'a, '_>,
    modules: &'a Modules<'a>,
    trees: &'a dyn TreeSource,
    memo: &'a Memo,
    index: usize,
) -> Option<ModuleView<'a>> {
    Some(ModuleView {
        path: modules.path(index),
        text: modules.text(index),
        is_whole_file: true,
        module: tree
            .settings
            .timed("Python's trees", || trees.module(index))?,
        index,
        modules,
        trees,
        memo,
        summaries: tree.shared.summaries,
        reaches: tree.shared.reaches,
        context: tree.context,
        settings: tree.settings,
    })
}
