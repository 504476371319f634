//! Translates one notebook: the code of its cells is one module, and nothing else changes in the file.

use super::file_analysis::FileAnalysis;
use super::notebook_commands::{Commands, translate_commands};
use super::python;
use super::translated::Translated;
use crate::diagnostic::codes::python::{ACROSS_LINES, MAGIC_LEFT, NO_NOTEBOOK};
use crate::diagnostic::{Applicability, Finding, FindingCell};
use crate::edit::{Edit, EditKind, EditSet, GroupId};
use crate::mapping::python::embedded::Notebooks;
use crate::project::{PythonCode, Source, magics};
use crate::rules::suppression;
use crate::syntax::notebook::{Cell, ForeignLine, Magics, Notebook, json_escaped};
use crate::text::{LineIndex, TextRange};

/// Translate a notebook.
pub(super) fn translate(file: FileAnalysis<'_, '_>) -> Translated {
    let (source, text, context) = (file.source, file.text, file.context);
    let table = &context.knowledge.embedded.notebook;
    let may_matter = |text: &[u8]| {
        context.python_may_matter(text, &file.project.python_entry_words)
            || suppression::may_have_markers(text)
            || table.mentions_cuda(text)
    };
    if !may_matter(text) {
        return Translated::default();
    }
    let magics = magics(table);
    let left = |why: &str, help: &str| Translated {
        findings: vec![
            Finding::whole(
                NO_NOTEBOOK,
                &source.path,
                format!("`{}` was left as it is: {why}", source.path),
            )
            .help(help),
        ],
        ..Translated::default()
    };
    let notebook = match source.python.as_deref() {
        Some(PythonCode::Notebook(Ok(notebook))) => notebook,
        Some(PythonCode::Notebook(Err(why))) => return left(why, "mend the file, then port again"),
        _ => return Translated::default(),
    };
    let mut foreign = notebook.foreign.iter();
    let speaks = |line: &ForeignLine| table.mentions_cuda(&seen(notebook, line.range));
    let commands = translate_commands(file, notebook);
    if !may_matter(notebook.code.text()) && !foreign.any(speaks) && commands.is_empty() {
        return Translated::default();
    }
    if let Some(language) = &notebook.language
        && !table.languages.contains(language)
    {
        let why = format!("its cells are written in {language}");
        return left(&why, "translate it by hand");
    }
    translate_cells(file, notebook, commands, magics)
}

/// Translate the code of a notebook's cells. `commands` has what becomes of their commands.
fn translate_cells(
    file: FileAnalysis<'_, '_>,
    notebook: &Notebook,
    commands: Commands,
    magics: Magics<'_>,
) -> Translated {
    let code = notebook.code.text();
    let mut done = python::module(file);
    // Its places are those of the Python inside.
    done.branches_not_built.clear();
    let lines = LineIndex::new(code);
    let table = &file.context.knowledge.embedded.notebook;
    let magics_left = magics_left(table, file.source, notebook, &lines, &commands);
    done.findings.extend(magics_left);
    done.edits = with_commands(&done, &commands).into();
    done.kept.extend(commands.kept);
    let changed = into_file(file, notebook, &lines, &mut done, magics);
    for finding in done.findings.iter_mut().chain(&mut done.suppressed) {
        locate(finding, notebook, code, &lines);
    }
    done.findings.extend(commands.findings);
    let kept = done.kept.iter_mut().map(|one| &mut one.range);
    for range in kept.chain(&mut done.withdrawn) {
        *range = notebook.code.near(*range);
    }
    done.edits = changed.into();
    done
}

/// The edits of a notebook's Python, and those of its commands, each cell's in groups of their own.
fn with_commands(done: &Translated, commands: &Commands) -> EditSet {
    let (mut all, mut groups) = (EditSet::default(), 0);
    let of_cells = commands.edits.iter().map(Vec::as_slice);
    for edits in std::iter::once(&*done.edits).chain(of_cells) {
        let before = groups;
        for edit in edits {
            let group = GroupId(before + edit.group.0);
            groups = groups.max(group.0);
            let edit = Edit {
                group,
                ..edit.clone()
            };
            if all.insert(edit).is_err() {
                all.withdraw(group);
            }
        }
    }
    all
}

/// The findings about lines that are no Python and speak of CUDA, and of which `commands` says nothing.
fn magics_left(
    table: &Notebooks,
    file: &Source,
    notebook: &Notebook,
    lines: &LineIndex,
    commands: &Commands,
) -> Vec<Finding> {
    let code = notebook.code.text();
    let mut findings = Vec::new();
    let mut last = None;
    for line in &notebook.foreign {
        let range = line.range;
        let line = seen(notebook, range);
        // Of a cell in another language one line speaks for all.
        let whole_cell = notebook.cell_at(range.start).filter(|cell| cell.is_foreign);
        let cell = whole_cell.map(|cell| cell.number);
        let is_comment = whole_cell.is_some() && line.trim_ascii_start().starts_with(b"# ");
        let is_reported = || commands.mention(notebook.code.near(range));
        if table.mentions_cuda(&line)
            && !is_comment
            && (cell.is_none() || cell != last)
            && !is_reported()
        {
            last = cell;
            let shown = String::from_utf8_lossy(&line).into_owned();
            let message = match whole_cell.map(|cell| first_line(&cell.source)) {
                Some(magic) if magic != shown => {
                    format!("`{shown}` stays: it is handed to `{magic}`")
                }
                _ => format!("`{shown}` is no Python, and stays"),
            };
            let finding = Finding::at(MAGIC_LEFT, &file.path, code, lines, range, message);
            findings.push(
                finding.help("if the notebook needs it on MUSA, write what does the same there"),
            );
        }
    }
    findings
}

/// The first line of a cell that says something: its magic.
fn first_line(source: &[u8]) -> String {
    let mut lines = source.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty()).unwrap_or_default();
    String::from_utf8_lossy(first).into_owned()
}

/// The text that people see in a range of the code: magics as they are.
fn seen(notebook: &Notebook, range: TextRange) -> Vec<u8> {
    let of_cell = |cell: &Cell| {
        let range = within(cell, range);
        range.of(&cell.source).to_vec()
    };
    notebook.cell_at(range.start).map_or(Vec::new(), of_cell)
}

/// A range of the code as one of a cell's source.
fn within(cell: &Cell, range: TextRange) -> TextRange {
    let end = cell.source.len();
    let start = range.start.saturating_sub(cell.start).min(end);
    TextRange::new(
        start,
        range.end.saturating_sub(cell.start).clamp(start, end),
    )
}

/// Give a finding the place in its cell.
fn locate(finding: &mut Finding, notebook: &Notebook, code: &[u8], lines: &LineIndex) {
    let Some(cell) = notebook
        .cell_at(finding.range.start)
        .filter(|_| !finding.is_whole())
    else {
        return;
    };
    let above = lines.position(code, cell.start).line - 1;
    finding.start.line -= above.min(finding.start.line - 1);
    finding.end.line -= above.min(finding.end.line - 1);
    finding.cell = Some(Box::new(FindingCell {
        number: cell.number,
        source: cell.source.clone(),
        range: within(cell, finding.range),
    }));
    finding.range = notebook.code.near(finding.range);
}

/// The edits of the code as edits of the file.
fn into_file(
    file: FileAnalysis<'_, '_>,
    notebook: &Notebook,
    lines: &LineIndex,
    done: &mut Translated,
    magics: Magics<'_>,
) -> EditSet {
    let code = notebook.code.text();
    let mut changed = EditSet::default();
    let mut gone: Vec<GroupId> = Vec::new();
    for edit in done.edits.iter() {
        let place = notebook.code.spread(edit.range);
        let cell = notebook.cell_at(edit.range.start);
        let edit_in_file = place.zip(cell).map(|(range, cell)| Edit {
            range,
            replacement: written(file.text, cell, range, &edit.replacement),
            kind: EditKind::Rewrite,
            ..edit.clone()
        });
        if edit_in_file.is_none_or(|edit| changed.insert(edit).is_err()) {
            gone.push(edit.group);
        }
    }
    // The file read again must give what the edits made of the cells; otherwise none is made.
    let stands = |changed: &EditSet| {
        let again = Notebook::read(&changed.apply(file.text).text, magics);
        again.is_ok_and(|again| again.sources() == done.edits.apply(&notebook.sources()).text)
    };
    if gone.is_empty() && !stands(&changed) {
        gone = done.edits.iter().map(|edit| edit.group).collect();
    }
    for edit in done.edits.iter() {
        if !gone.contains(&edit.group) {
            continue;
        }
        changed.withdraw(edit.group);
        done.withdrawn.push(edit.range);
        let shown = String::from_utf8_lossy(edit.range.of(code)).into_owned();
        let to = String::from_utf8_lossy(&edit.replacement).into_owned();
        let message = format!("`{shown}` stays: the file can't take `{to}` where it lies");
        let finding = Finding::at(
            ACROSS_LINES,
            &file.source.path,
            code,
            lines,
            edit.range,
            message,
        );
        done.findings
            .push(finding.help("translate this place by hand"));
    }
    changed.retain(|edit| edit.applicability != Applicability::DisplayOnly);
    changed
}

/// The text in the file for a replacement. A whole line that comes before a line of a list is one of the list.
fn written(text: &[u8], cell: &Cell, place: TextRange, replacement: &[u8]) -> Vec<u8> {
    let before = text.get(..place.start).unwrap_or_default();
    let Some(above) = before.strip_suffix(b"\"").filter(|_| cell.is_list) else {
        return json_escaped(replacement);
    };
    let mut out = Vec::new();
    let gap = above.len() - above.trim_ascii_end().len();
    let gap = above.get(above.len() - gap..).unwrap_or_default();
    let mut rest = replacement;
    while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
        let (line, behind) = rest.split_at(end + 1);
        out.extend(json_escaped(line));
        out.extend_from_slice(b"\",");
        out.extend_from_slice(gap);
        out.push(b'"');
        rest = behind;
    }
    out.extend(json_escaped(rest));
    out
}
