//! Variables that a text sets for the command in it: `CUDA_VISIBLE_DEVICES=0 python train.py`.

use crate::python::inference::{StringRole, string_role};
use crate::python::run_texts::{EXPORT, is_called_command, is_run};
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_diagnostic::codes::python::{BY_RULE, IN_COMMAND};
use torchada_mapping::{Evidence, Row, Runtime, Section};
use torchada_syntax::python::{HOLE, Literal, Use};
use torchada_text::TextRange;

/// How many words behind a variable are looked at for the program that gets it.
const WORDS: usize = 16;

/// How many bytes behind it: a text may set any number of variables, and each is followed that far.
const BYTES: usize = 4096;

/// An assignment in a text.
struct Assignment<'a> {
    /// Where the name stands in the text.
    name: TextRange,
    row: &'a Row,
    /// Whether an option of a build makes it: `-DTORCH_CUDA_ARCH_LIST=8.0`.
    is_option: bool,
    /// Whether a shell gives it to all programs that it starts: `export NCCL_DEBUG=INFO`.
    is_exported: bool,
}

/// Translate the names of the variables that a text sets for a command, or report the first one that stays.
pub fn translate(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    text: &str,
    is_for_others: bool,
) {
    let may_set = text.contains('=') || text.starts_with(EXPORT);
    if !unit.is_musa() || !may_set || unit.is_claimed(out, literal.node) {
        return;
    }
    let found = assignments(unit, text);
    if found.is_empty() {
        return;
    }
    let of = unit.module.use_of(literal.node);
    if string_role(unit, &of) == StringRole::Text {
        return;
    }
    let may_change = !is_for_others && !unit.modules.has_musa();
    let is_run = is_command(unit, &of);
    let (mut left, mut by_rule) = (None, None);
    for one in &found {
        let is_commands = !one.is_option
            && (is_run || one.is_exported || starts_program(unit, text, one.name.end));
        let changed = may_change && is_commands && rename(unit, out, literal, one);
        if !changed {
            left = left.or(Some(one.row));
        } else if one.row.evidence == Some(Evidence::Rule) {
            by_rule = by_rule.or(Some(one.row));
        }
    }
    let range = unit.module.tree.range(literal.node);
    if let Some(row) = by_rule {
        let to = row.to.as_deref().unwrap_or_default();
        let message = format!("`{}` becomes `{to}` by its prefix alone", row.cuda);
        let advice = row.advice.as_deref().unwrap_or_default().to_owned();
        unit.report(out, BY_RULE, range, message, advice);
    }
    let Some(row) = left else { return };
    let message = format!("`{}` is set in a text, which stays", row.cuda);
    let help = match row.to.as_deref() {
        Some(to) => format!("where it is run as a command, write `{to}`"),
        None => row.advice.as_deref().unwrap_or_default().to_owned(),
    };
    unit.report(out, IN_COMMAND, range, message, help);
}

/// The assignments in a text to variables that the tables have.
fn assignments<'a>(unit: &ModuleView<'a>, text: &str) -> Vec<Assignment<'a>> {
    let signs = text.match_indices('=').map(|(at, _)| at);
    let found = signs.filter_map(|end| {
        let front = text.get(..end)?;
        let is_word = |one: char| one.is_ascii_alphanumeric() || one == '_';
        let start = front.trim_end_matches(is_word).len();
        let before = front.get(..start)?;
        let begins = before
            .chars()
            .next_back()
            .is_none_or(|one| one.is_whitespace() || "'\";&|(".contains(one));
        let word = front.get(start..)?;
        // `"-DTORCH_CUDA_ARCH_LIST=8.0"`: builds know variables by the same names.
        let option = word.strip_prefix('D').filter(|_| before.ends_with('-'));
        let name = option.or(begins.then_some(word))?;
        let row = unit.context.row(Section::Environment, name.as_bytes())?;
        Some(Assignment {
            name: TextRange::new(end - name.len(), end),
            row,
            is_option: option.is_some(),
            is_exported: is_exported(before),
        })
    });
    found.chain(exported_alone(unit, text)).collect()
}

/// The variable that a text exports which does nothing else: `export NCCL_DEBUG`.
fn exported_alone<'a>(unit: &ModuleView<'a>, text: &str) -> Option<Assignment<'a>> {
    let name = text.strip_prefix(EXPORT)?.strip_prefix(' ')?;
    let tables = &unit.context.tables;
    let row = tables.get(Section::Environment, name.as_bytes())?;
    Some(Assignment {
        name: TextRange::new(text.len() - name.len(), text.len()),
        row,
        is_option: false,
        is_exported: true,
    })
}

/// Whether what stands before a variable is the word by which a shell exports it, at the start of a statement.
fn is_exported(before: &str) -> bool {
    let before = before.strip_suffix(' ').map(str::trim_end);
    let front = before.and_then(|before| before.strip_suffix(EXPORT));
    front.is_some_and(|front| {
        let front = front.trim_end_matches([' ', '\t']);
        front.is_empty() || front.ends_with(['\n', ';', '&', '|', '('])
    })
}

/// Name MUSA's variable in place of CUDA's. Returns whether that was done.
fn rename(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    one: &Assignment<'_>,
) -> bool {
    let proven = one
        .row
        .evidence
        .filter(|&evidence| evidence <= Evidence::Rule && evidence <= unit.settings.min_evidence);
    let has_cuda_value = one.row.runtime == Some(Runtime::Keep);
    let (Some(to), Some(evidence), Some(range)) =
        (one.row.to.as_deref(), proven, literal.in_file(one.name))
    else {
        return false;
    };
    let change = Change::new(range, to).evidence(evidence);
    !has_cuda_value && unit.change(out, change)
}

/// Whether a text is handed to what runs it, or is what a name for commands holds.
fn is_command(unit: &ModuleView<'_>, of: &Use) -> bool {
    is_run(unit, of) || is_called_command(unit, of)
}

/// Whether a program stands behind the variable that is set at a place of a text: `=0 python train.py`, `=0 OTHER=1 bash`.
fn starts_program(unit: &ModuleView<'_>, text: &str, sign: usize) -> bool {
    let known = &unit.context.knowledge.commands;
    let Some(value) = text.get(sign + 1..) else {
        return false;
    };
    let value = &value[..value.floor_char_boundary(BYTES)];
    let quote = value.chars().next().filter(|one| matches!(one, '\'' | '"'));
    let behind = match quote {
        Some(quote) => value[1..].split_once(quote).map(|(_, behind)| behind),
        None => value
            .split_once(char::is_whitespace)
            .map(|(_, behind)| behind),
    };
    let mut words = behind.unwrap_or_default().split_whitespace().take(WORDS);
    let program = words.find(|word| !word.contains('='));
    program.is_some_and(|word| {
        let path = word.trim_matches(|one| matches!(one, '"' | '\''));
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        !name.contains(HOLE) && known.launches(name)
    })
}
