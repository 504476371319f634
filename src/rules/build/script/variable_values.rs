//! What variables that NVIDIA's software reads get: places of the toolkit that MUSA's never has, and lists of GPUs.

use std::collections::BTreeSet;

use super::pass::ScriptPass;
use super::view::ScriptView;
use crate::build::arch;
use crate::build::toolkit::is_home;
use torchada_diagnostic::codes::build::{ARCHITECTURE, VARIABLE};
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::{Row, Section, VariableValue};
use torchada_syntax::script::{Statement, StatementKind, Word, WordPart};
use torchada_text::{TextRange, contains};

/// A place of CUDA's toolkit that MUSA's never has: the folder of an environment that a package manager makes,
/// `CUDA_HOME=$CONDA_PREFIX`.
pub(super) fn home(pass: &mut ScriptPass<'_>, one: &Statement) {
    let view = pass.view;
    let toolkit = &view.unit.context.knowledge.builds.scripts.toolkit;
    let [word] = one.words.as_slice() else {
        return;
    };
    if !is_home(view.unit.context, view.of(one.head)) {
        return;
    }
    let text = view.unit.shown(word.range).to_ascii_lowercase();
    if toolkit.is_in_environment(&text) {
        pass.findings.replace(word.range, &toolkit.to, None);
    }
}

/// The variables that a statement gives a value, or lets others have with one, each with the value: `CUDA_HOME=/opt/cuda`,
/// `echo "CUDA_HOME=C:\cuda" >> $GITHUB_ENV`.
pub(super) fn values_set(view: &ScriptView<'_>, one: &Statement) -> Vec<(TextRange, TextRange)> {
    let values = one.words.first().zip(one.words.last());
    let whole = values.map(|(first, last)| TextRange::new(first.range.start, last.range.end));
    let pair = |word: Word| {
        let range = word.front()?;
        let (name, value) = range
            .of(view.unit.text)
            .split_at(memchr::memchr(b'=', view.of(range))?);
        // A blank in `C:\Program Files` ends the word.
        let is_windows = contains(value, b":\\");
        let end = whole
            .filter(|_| is_windows)
            .map_or(word.range.end, |whole| whole.end);
        let name = TextRange::new(range.start, range.start + name.len());
        Some((name, TextRange::new(name.end + 1, end)))
    };
    match one.kind {
        _ if view.unit.language == BuildLanguage::Make => Vec::new(),
        StatementKind::Assignment => whole.map(|whole| (one.head, whole)).into_iter().collect(),
        _ => {
            let words = one.words.iter().flat_map(|word| word.split(view.unit.text));
            words.filter_map(pair).collect()
        }
    }
}

/// The variables that a file gives CUDA's numbers of GPUs, where it has a list of them that other software reads.
pub(super) fn numbered<'u>(view: &ScriptView<'u>, found: &[Statement]) -> BTreeSet<&'u [u8]> {
    let text = view.unit.text;
    let is_list = |name: TextRange| list_row(view, name).is_some();
    if !found.iter().any(|one| is_list(one.head)) {
        return BTreeSet::new();
    }
    let sets = found.iter().flat_map(|one| values_set(view, one));
    // The numbers of a list itself become MUSA's.
    let numbered =
        sets.filter(|&(name, value)| !is_list(name) && arch::has_cudas_number(view.of(value)));
    numbered.map(|(name, _)| name.of(text)).collect()
}

/// The row of a variable that is the list of GPUs.
fn list_row<'v>(view: &ScriptView<'v>, name: TextRange) -> Option<&'v Row> {
    let tables = view.unit.context.tables;
    let row = tables.get(Section::Environment, view.of(name))?;
    becomes_list(view, row).then_some(row)
}

/// Whether a variable becomes MUSA's list of GPUs.
fn becomes_list(view: &ScriptView<'_>, row: &Row) -> bool {
    let list = &view.unit.context.knowledge.builds.flags.gpu_list;
    row.to.as_deref() == Some(&**list)
}

/// The variables that get a value which CUDA's variables alone take, `backend:cudaMallocAsync`, each with the value's row.
pub(super) fn only_cudas<'v>(
    view: &ScriptView<'v>,
    found: &[Statement],
) -> Vec<(TextRange, &'v VariableValue)> {
    let known = &view
        .unit
        .context
        .knowledge
        .python_strings
        .environment
        .values;
    if !known.iter().any(|one| contains(view.unit.text, &one.text)) {
        return Vec::new();
    }
    let sets = found.iter().flat_map(|one| values_set(view, one));
    let kept = sets.filter_map(|(name, value)| {
        let mut values = known.iter();
        let row = values.find(|one| {
            one.variable.as_bytes() == view.of(name) && contains(view.of(value), &one.text)
        });
        Some((name, row?))
    });
    kept.collect()
}

/// Report the variables that stay because they get a value which CUDA's variables alone take.
pub(super) fn report_only_cudas(pass: &mut ScriptPass<'_>) {
    for (name, row) in &pass.view.only_cudas {
        if !pass.findings.is_handled(*name) {
            pass.findings.report(VARIABLE, *name, &row.advice);
        }
    }
}

/// Values that only CUDA's variables take.
pub(super) fn value(pass: &mut ScriptPass<'_>, one: &Statement, row: &Row) {
    let view = pass.view;
    let is_number = |part: &WordPart| {
        match part {
            WordPart::Text(range) => view.of(*range).iter().any(u8::is_ascii_alphanumeric),
            // `${{ inputs.cuda && '7.5 8.0+PTX' || '' }}`, and what a command prints, `$(echo $ARCHS | tr ';' ' ')`
            WordPart::Result(range) => {
                let text = view.of(*range);
                text.starts_with(b"$(") || text.starts_with(b"`") || arch::has_cudas_number(text)
            }
            // `${LIST:-7.5;8.0+PTX}`, and `$archs` below `ARG archs="8.0;9.0"`
            WordPart::Variable { name, whole } => {
                // What the list itself has where it has no value is a statement of its own.
                arch::has_cudas_number(view.of(*whole)) && list_row(view, *name).is_none()
                    || view.numbered.contains(view.of(*name))
            }
        }
    };
    // A path is no list of numbers.
    let is_path =
        |part: &WordPart| matches!(part, WordPart::Text(range) if view.of(*range).contains(&b'/'));
    let mut parts = one.words.iter().flat_map(|word| &word.parts);
    if !becomes_list(view, row) || parts.clone().any(is_path) || !parts.any(is_number) {
        return;
    }
    let whole = match (one.words.first(), one.words.last()) {
        (Some(first), Some(last)) => TextRange::new(first.range.start, last.range.end),
        _ => return,
    };
    let variables = one.words.iter().any(|word| word.plain().is_none());
    let already = view.of(whole);
    if already
        .iter()
        .all(|byte| byte.is_ascii_digit() || *byte == b';')
        && !already.contains(&b'.')
        && arch::are_musas(view.unit, already)
    {
        return;
    }
    if variables {
        report_number(pass, whole, row);
        return;
    }
    let list = arch::list(view.unit.context, view.unit.settings);
    let quoted = view
        .unit
        .text
        .get(whole.start.wrapping_sub(1))
        .is_some_and(|one| matches!(one, b'"' | b'\''));
    let literal = one.kind == StatementKind::Default
        || matches!(
            view.unit.language,
            BuildLanguage::Make | BuildLanguage::Ninja
        );
    let list = if quoted || literal || !list.contains(';') {
        list
    } else {
        format!("\"{list}\"")
    };
    let shown = format!("`{}` in `{}`", view.unit.shown(whole), row.cuda);
    arch::replace(&mut pass.findings, view.unit, whole, &list, shown);
}

/// CUDA's numbers that a list of GPUs is compared with: `[ "$TORCH_CUDA_ARCH_LIST" = "8.7" ]`. It never is one of them on MUSA.
pub(super) fn compared(pass: &mut ScriptPass<'_>, one: &Statement) {
    let view = pass.view;
    let first = one.words.first();
    let compares = first.is_some_and(|word| view.runs_one_of(word, &view.knowledge.comparers));
    if !compares || !one.words.iter().any(|word| view.is_comparison(word)) {
        return;
    }
    let mut variables = one.words.iter().flat_map(Word::variables);
    let Some(row) = variables.find_map(|name| list_row(view, name)) else {
        return;
    };
    let numbers = one.words.iter().filter_map(Word::plain);
    for number in numbers.filter(|number| arch::has_cudas_number(view.of(*number))) {
        report_number(pass, number, row);
    }
}

/// Report CUDA's numbers at a place with the variable that has them, and with the name that the variable gets.
fn report_number(pass: &mut ScriptPass<'_>, place: TextRange, row: &Row) {
    let flags = &pass.view.unit.context.knowledge.builds.flags;
    let (value, name, list) = (pass.view.unit.shown(place), &row.cuda, &flags.gpu_list);
    let shown = if name == list {
        format!("`{value}` in `{name}`")
    } else {
        format!("`{value}` in `{name}`, which becomes `{list}`,")
    };
    pass.findings
        .report_as(ARCHITECTURE, place, shown, &flags.gpu_advice);
}
