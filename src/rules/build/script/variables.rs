//! Variables that NVIDIA's software reads: where they get a value, and where the value is used.

use std::collections::BTreeSet;
use std::slice;

use super::pass::ScriptPass;
use super::variable_values::{home, value, values_set};
use super::view::ScriptView;
use crate::build::BuildUnit;
use crate::build::grouped_findings::GroupedFindings;
use crate::build::leftovers;
use torchada_diagnostic::codes::build::{PATH, VARIABLE};
use torchada_mapping::{Relation, Row, Section, ends_with_one, starts_with_one};
use torchada_syntax::script::{Statement, StatementKind, Word, WordPart};
use torchada_syntax::{identifier_at, is_identifier_part};
use torchada_text::TextRange;

/// The variables that get nothing but places of CUDA's which stay, `CUDNN_PATH=/opt/cudnn`: they keep their names with them,
/// because MUSA's variables would lead there. A makefile's may get others from outside.
pub(super) fn kept_variables(view: &ScriptView<'_>, found: &[Statement]) -> BTreeSet<Vec<u8>> {
    let toolkit = &view.knowledge.toolkit;
    let (mut stay, mut go) = (BTreeSet::new(), BTreeSet::new());
    let sets = found.iter().flat_map(|one| values_set(view, one));
    // A file's name, `NCCL_TOPO_DUMP_FILE=/tmp/nccl.xml`, is no place of CUDA's.
    let holds_folder = |name: TextRange| {
        is_cudas(view, name) && ends_with_one(view.of(name), &toolkit.folder_endings)
    };
    for (name, value) in sets.filter(|&(name, _)| holds_folder(name)) {
        let shown = view.unit.shown(value);
        let is_path = shown.starts_with('/') || shown.contains(":\\");
        let words = &view.unit.context.knowledge.builds.words;
        if shown.contains(&toolkit.root) || toolkit.is_in_environment(&shown.to_ascii_lowercase()) {
            go.insert(view.of(name).to_vec());
        } else if is_path && !shown.contains('$') && words.is_cudas(view.of(value)) {
            stay.insert(view.of(name).to_vec());
        }
    }
    stay.retain(|name| !go.contains(name));
    let with_values = view.only_cudas.iter();
    stay.extend(with_values.map(|&(name, _)| view.of(name).to_vec()));
    stay
}

/// The name that a statement gives a value, and names that commands take.
pub(super) fn names(pass: &mut ScriptPass<'_>, one: &Statement) {
    let view = pass.view;
    match one.kind {
        StatementKind::Assignment => {
            if let Some(row) = row(view, one.head) {
                variable(one.head, row, &mut pass.findings);
                // `LIST="$LIST;8.0"`: the finding about the value covers the variable, too.
                references(pass, one);
                value(pass, one, row);
                home(pass, one);
            } else if !unknown(pass, one.head) && view.with_places.contains(view.of(one.head)) {
                let places = one.words.iter().flat_map(Word::texts);
                for place in places.filter(|place| view.of(*place).starts_with(b"/")) {
                    pass.findings.report(
                        PATH,
                        place,
                        "its variable stays with it: let MUSA's lead to the like of the MUSA SDK",
                    );
                }
            }
        }
        // `${LIST:-8.0;9.0}`
        StatementKind::Default => {
            if let Some(row) = row(view, one.head) {
                value(pass, one, row);
            }
        }
        StatementKind::Command if view.is(one.head, &view.knowledge.naming) => {
            plain(pass, &one.words);
        }
        StatementKind::Command if view.is(one.head, &view.knowledge.comparers) => {
            // `[ -v NAME ]`
            for pair in one.words.windows(2) {
                if let [question, name] = pair
                    && let Some(text) = question.plain()
                    && view.is(text, &view.knowledge.asking)
                {
                    plain(pass, slice::from_ref(name));
                }
            }
        }
        // `ifdef NAME`
        StatementKind::Condition => plain(pass, &one.words),
        _ => {}
    }
}

fn plain(pass: &mut ScriptPass<'_>, words: &[Word]) {
    for name in words.iter().filter_map(Word::plain) {
        known(pass, name);
    }
}

/// `echo "CUDA_HOME=$CUDA_HOME" >> "$GITHUB_ENV"`, `docker run -e CUDA_VISIBLE_DEVICES=0`, `make CUDA_HOME=…`
pub(super) fn passed_on(pass: &mut ScriptPass<'_>, one: &Statement) {
    for text in one
        .words
        .iter()
        .flat_map(|word| word.split(pass.view.unit.text))
        .filter_map(|word| word.front())
    {
        let bytes = pass.view.of(text);
        let Some(len) = memchr::memchr(b'=', bytes) else {
            continue;
        };
        let name = TextRange::new(text.start, text.start + len);
        if !known(pass, name) {
            unknown(pass, name);
        }
    }
}

/// Variables among the keys of an object in JSON, which a program puts into the environment of others:
/// `ray job submit --runtime-env-json='{"env_vars": {"NCCL_DEBUG": "INFO"}}'`.
pub(super) fn keys(pass: &mut ScriptPass<'_>, one: &Statement) {
    for word in &one.words {
        for name in leftovers::words_in(pass.view.unit, word.range) {
            if is_key(pass.view.unit.text, name) && !known(pass, name) {
                unknown(pass, name);
            }
        }
    }
}

/// Whether a name is a key in JSON: in double quotes, which a shell may want escaped, and before a colon.
fn is_key(text: &[u8], name: TextRange) -> bool {
    let behind = text.get(name.end..).unwrap_or_default();
    let behind = behind.strip_prefix(b"\\").unwrap_or(behind);
    text.get(..name.start)
        .is_some_and(|front| front.ends_with(b"\""))
        && behind
            .strip_prefix(b"\"")
            .is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"))
}

/// Report a variable of one library's that no table has. One that the script reads itself is its own. Returns whether it
/// is such a variable.
fn unknown(pass: &mut ScriptPass<'_>, name: TextRange) -> bool {
    let view = pass.view;
    let known = &view.knowledge.library_variables;
    let word = view.of(name);
    let tables = view.unit.context.tables;
    let is_known = || tables.get(Section::Environment, word).is_some();
    let is_one = starts_with_one(word, &known.fronts) && !view.read.contains(word) && !is_known();
    if is_one && !pass.findings.is_handled(name) {
        pass.findings.report(VARIABLE, name, &known.advice);
    }
    is_one
}

/// The variables whose names begin so and whose values a file reads: `$NCCL_HOPS`, `${NCCL_HOPS}`, `$(NCCL_HOPS)`.
pub(super) fn read<'u>(unit: &BuildUnit<'u>, fronts: &[String]) -> BTreeSet<&'u [u8]> {
    let signs = memchr::memchr_iter(b'$', unit.text);
    let names = signs.filter_map(|sign| {
        let rest = unit.text.get(sign + 1..)?;
        let rest = rest
            .strip_prefix(b"{")
            .or_else(|| rest.strip_prefix(b"("))
            .unwrap_or(rest);
        Some(identifier_at(rest, 0).of(rest))
    });
    names.filter(|name| starts_with_one(name, fronts)).collect()
}

/// Variables whose values are used.
pub(super) fn references(pass: &mut ScriptPass<'_>, one: &Statement) {
    for part in one.words.iter().flat_map(|word| &word.parts) {
        let names = match *part {
            WordPart::Variable { name, .. } => vec![name],
            WordPart::Result(whole) => names_in_expression(pass.view, whole),
            WordPart::Text(text) => names_for_another_shell(pass.view, text),
        };
        for name in names {
            known(pass, name);
        }
    }
    // `$(CUDA_HOME:%/=%)`
    if one.kind == StatementKind::Call {
        known(pass, one.head);
    }
}

/// The variables of a text whose values another shell puts in: `echo "export PATH=\$CUDA_HOME/bin" >> ~/.bashrc`. That shell
/// finds them under the names that the port gives them.
pub(super) fn names_for_another_shell(view: &ScriptView<'_>, whole: TextRange) -> Vec<TextRange> {
    let text = view.of(whole);
    let places = memchr::memmem::find_iter(text, ESCAPED);
    let names = places.map(|at| {
        let start = at + ESCAPED.len();
        let start = start + usize::from(text.get(start) == Some(&b'{'));
        identifier_at(text, start).shifted(whole.start)
    });
    names.collect()
}

/// What stands before the name of a variable that this shell leaves alone.
const ESCAPED: &[u8] = b"\\$";

/// The variables that an expression of a workflow reads: `${{ env.TORCH_CUDA_ARCH_LIST }}`. The workflow itself sets them.
fn names_in_expression(view: &ScriptView<'_>, whole: TextRange) -> Vec<TextRange> {
    let text = view.of(whole);
    if !text.starts_with(b"${{") {
        return Vec::new();
    }
    let places = memchr::memmem::find_iter(text, ENVIRONMENT);
    let names = places.filter_map(|at| {
        let before = text.get(at.checked_sub(1)?)?;
        let name = identifier_at(text, at + ENVIRONMENT.len());
        (!is_identifier_part(*before) && *before != b'.').then(|| name.shifted(whole.start))
    });
    names.collect()
}

/// What stands before the name of a variable of the environment in an expression of a workflow.
const ENVIRONMENT: &[u8] = b"env.";

/// Translate or report a variable that a table has. Returns whether it is such a variable.
fn known(pass: &mut ScriptPass<'_>, name: TextRange) -> bool {
    let row = row(pass.view, name);
    if let Some(row) = row {
        variable(name, row, &mut pass.findings);
    }
    row.is_some()
}

fn variable(name: TextRange, row: &Row, findings: &mut GroupedFindings<'_>) {
    if findings.is_handled(name) {
        return;
    }
    findings.apply_row(name, row, VARIABLE);
}

/// Whether a name is one of CUDA's that a port writes otherwise wherever it is set in the environment.
pub(super) fn is_cudas(view: &ScriptView<'_>, name: TextRange) -> bool {
    row(view, name).is_some_and(|row| row.relation == Relation::Renamed)
}

fn row<'v>(view: &ScriptView<'v>, name: TextRange) -> Option<&'v Row> {
    let row = view.unit.context.row(Section::Environment, view.of(name));
    row.filter(|_| !view.with_places.contains(view.of(name)))
}
