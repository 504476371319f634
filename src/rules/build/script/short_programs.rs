//! Short programs in Python that commands run: `python -c "import torch; print(torch.cuda.device_count())"`.

use super::pass::ScriptPass;
use super::view::ScriptView;
use crate::build::leftovers::words_in;
use torchada_diagnostic::codes::build::PYTHON;
use torchada_mapping::python::gpus::Gpus;
use torchada_mapping::{Dialect, Evidence, Relation, Row, Section};
use torchada_text::TextRange;

/// Give a program MUSA's names, where all that it has of CUDA's are names of `PyTorch`'s that the tables rename, and let its
/// import of torch bring MUSA's package along. Returns whether it is translated.
pub(super) fn translate(pass: &mut ScriptPass<'_>, program: TextRange) -> bool {
    let view = pass.view;
    if view.unit.settings.dialect != Dialect::Musa {
        return false;
    }
    let values = &view.unit.context.knowledge.python_values;
    let package = values.import_home(&values.module.musa);
    let torch = &values.torch_names.root;
    let Some(import) = end_of_import(view.of(program), torch, &package) else {
        return false;
    };
    let words = words_in(view.unit, program).into_iter();
    let names: Option<Vec<_>> = words.map(|word| renamed(view, program, word)).collect();
    let Some(mut names) = names else {
        return false;
    };
    // A name may have several words of CUDA's.
    names.dedup_by_key(|(name, _)| *name);
    if names.is_empty()
        || names
            .iter()
            .any(|(name, _)| pass.findings.is_handled(*name))
    {
        return false;
    }
    for (name, row) in names {
        pass.findings.apply_row(name, row, PYTHON);
    }
    let behind = TextRange::new(program.start + import, program.start + import);
    pass.findings.replace(behind, &format!(", {package}"), None);
    true
}

/// The dotted name around a word, with the row that renames it.
fn renamed<'v>(
    view: &ScriptView<'v>,
    program: TextRange,
    word: TextRange,
) -> Option<(TextRange, &'v Row)> {
    let name = dotted_name(view, program, word);
    // Numbers of a release or of a GPU, `torch.version.cuda` and `torch.cuda.get_device_capability`, are for who reads them.
    let module = &view.unit.context.knowledge.python_values.module.cuda;
    let shown = view.unit.shown(name);
    let mut facts_of_gpus = Gpus::builtin().values();
    let is_inside = shown.starts_with(module.as_str());
    let is_asked = is_inside && facts_of_gpus.all(|one| one.name != shown);
    let row = view.unit.context.row(Section::Python, view.of(name))?;
    let evidence = row.evidence.unwrap_or(Evidence::Rule);
    let is_renamed = row.relation == Relation::Renamed && row.to.is_some();
    (is_asked && is_renamed && evidence <= view.unit.settings.min_evidence).then_some((name, row))
}

/// A word with the names around it: `torch.cuda.is_available`.
pub(super) fn dotted_name(view: &ScriptView<'_>, program: TextRange, word: TextRange) -> TextRange {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let (front, rest) = view.of(program).split_at(word.start - program.start);
    let before = front.iter().rev().take_while(|&byte| is_part(byte)).count();
    let behind = rest.iter().take_while(|&byte| is_part(byte)).count();
    TextRange::new(word.start - before, word.start + behind)
}

/// Where the name of a package ends that a statement imports by this name, unless `other` is imported beside it.
fn end_of_import(program: &[u8], package: &str, other: &str) -> Option<usize> {
    let mut start = 0;
    for statement in program.split(|byte| matches!(byte, b';' | b'\n')) {
        let written = statement.trim_ascii_start();
        if let Some(list) = written.strip_prefix(b"import ") {
            let mut at = start + (statement.len() - list.len());
            let mut end = None;
            for name in list.split(|&byte| byte == b',') {
                if name.trim_ascii() == other.as_bytes() {
                    return None;
                }
                if name.trim_ascii() == package.as_bytes() {
                    end = Some(at + name.trim_ascii_end().len());
                }
                at += name.len() + 1;
            }
            if end.is_some() {
                return end;
            }
        }
        start += statement.len() + 1;
    }
    None
}
