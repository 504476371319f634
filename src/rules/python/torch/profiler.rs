//! `PyTorch`'s profilers: columns, attributes of events, and keywords that turn CUDA on.

use crate::python::inference::{StringRole, string_role};
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_diagnostic::codes::python::MAY_BE_COLUMN;
use torchada_mapping::{Evidence, ProfilerColumn, has};
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use};
use torchada_syntax::whole_words;
use torchada_text::TextRange;

/// Columns, attributes and keywords of profilers.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let known = &unit.context.knowledge.python_strings.profiler;
    let has = |text: &String| unit.contains(text);
    let profiles = known.markers.iter().any(has);
    if profiles && unit.is_musa() {
        switches(unit, out);
    }
    let columns: Vec<&ProfilerColumn> = known
        .columns
        .iter()
        .filter(|one| unit.contains(&one.cuda))
        .collect();
    if columns.is_empty() {
        return;
    }
    texts(unit, out, &columns, profiles);
    attributes(unit, out, &columns, profiles);
}

/// Columns in strings.
fn texts(unit: &PythonUnit<'_>, out: &mut Outcome, columns: &[&ProfilerColumn], profiles: bool) {
    let known = &unit.context.knowledge.python_strings.profiler;
    let words: Vec<&str> = columns.iter().map(|one| one.cuda.as_str()).collect();
    for literal in unit.literals(&words) {
        let Some(column) = columns
            .iter()
            .find(|one| literal.is_plain() && literal.value() == one.cuda.as_bytes())
        else {
            continue;
        };
        let of = unit.module.use_of(literal.node);
        if of.is_part() || unit.is_claimed(out, literal.node) {
            continue;
        }
        let call = of.consumer.call();
        let callee = call.map_or(&b""[..], |call| unit.module.callee_word(call));
        let mut metrics = known.metrics.iter();
        if let Some(metric) = metrics
            .find(|one| one.callee.as_bytes() == callee && one.cuda.as_bytes() == literal.value())
        {
            unit.claim(out, literal.node);
            // It takes CUDA's name on every platform.
            if unit.is_musa() {
                replace(unit, out, &literal, &metric.to, true);
            }
            continue;
        }
        let siblings = unit.module.sibling_literals(&of);
        if siblings
            .iter()
            .any(|one| one.value() == column.to.as_bytes())
            || beside_in_statement(unit, literal.node, column)
        {
            unit.claim(out, literal.node);
            continue;
        }
        if let Some(sure) = is_column(unit, &of, column, profiles) {
            let range = unit.claim(out, literal.node);
            if !sure {
                report_possible_column(unit, out, column, range);
            }
            replace(unit, out, &literal, &column.to, sure);
        }
    }
}

/// Whether a string is surely a column; `None` if it is none.
fn is_column(
    unit: &ModuleView<'_>,
    of: &Use,
    column: &ProfilerColumn,
    profiles: bool,
) -> Option<bool> {
    let known = &unit.context.knowledge.python_strings.profiler;
    let quoted = &unit.context.knowledge.python_strings.quoted;
    let tree = &unit.module.tree;
    match of.consumer {
        Consumer::Keyword { name, .. } if has(&known.keywords, tree.word(name)) => Some(true),
        Consumer::Argument { call, .. } => {
            let word = unit.module.callee_word(call);
            if has(&known.methods, word) && profiles {
                return Some(true);
            }
            if has(&quoted.members, word) {
                return Some(profiles && column.own);
            }
            (string_role(unit, of) != StringRole::Text).then_some(false)
        }
        Consumer::Target { target } | Consumer::Loop { target }
            if has(&known.keywords, unit.module.last_name(target)) =>
        {
            Some(true)
        }
        Consumer::Default { name, .. } if has(&known.keywords, tree.word(name)) => Some(true),
        // A key of the project's own results, or text for people.
        Consumer::DictKey { .. }
        | Consumer::Item { .. }
        | Consumer::Docstring
        | Consumer::Message
        | Consumer::Statement => None,
        _ => (column.own || profiles).then_some(false),
    }
}

/// Translate an attribute of an event: `event.cuda_time_total`.
fn attributes(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    columns: &[&ProfilerColumn],
    profiles: bool,
) {
    let tree = &unit.module.tree;
    // Attributes that the module itself gives values are its own.
    let is_own = |column: &ProfilerColumn| {
        tree.nodes().any(|node| {
            let word = || tree.word(node) == column.cuda.as_bytes();
            match tree.kind(node) {
                Kind::Attribute => {
                    tree.field(node) == Field::Left
                        && tree
                            .child(node, Field::Attribute)
                            .is_some_and(|name| tree.word(name) == column.cuda.as_bytes())
                }
                Kind::Identifier => {
                    word()
                        && tree.parent(node).is_some_and(|up| {
                            matches!(
                                tree.kind(up),
                                Kind::Function | Kind::KeywordArgument | Kind::Parameters
                            ) || (tree.kind(up) == Kind::Assignment
                                && tree.field(node) == Field::Left)
                        })
                }
                _ => false,
            }
        })
    };
    for column in columns {
        let mut own = None;
        for node in tree.of(Kind::Attribute) {
            if tree.is_broken(node) {
                continue;
            }
            let Some(name) = tree.child(node, Field::Attribute) else {
                continue;
            };
            if tree.word(name) != column.cuda.as_bytes()
                || *own.get_or_insert_with(|| is_own(column))
                || beside_in_statement(unit, node, column)
            {
                continue;
            }
            let sure = profiles && (column.own || tree.field(node) != Field::Function);
            if !(sure || column.own) {
                continue;
            }
            let range = tree.range(name);
            if !sure {
                report_possible_column(unit, out, column, range);
            }
            let change = change(range, &column.to, sure);
            unit.change(out, change);
        }
    }
}

/// How many bytes of a statement are searched.
const REACH: usize = 2048;

/// Whether the counterpart stands in the same statement, so that the code knows both names already.
fn beside_in_statement(unit: &ModuleView<'_>, node: NodeId, column: &ProfilerColumn) -> bool {
    let tree = &unit.module.tree;
    let statement = tree.ancestors(node).find(|&one| {
        tree.parent(one)
            .is_none_or(|up| matches!(tree.kind(up), Kind::Block | Kind::Module))
    });
    statement.is_some_and(|statement| {
        let text = tree.word(statement);
        text.len() <= REACH && whole_words(text, column.to.as_bytes()).next().is_some()
    })
}

/// Make `profile(use_device="musa")` of `profile(use_cuda=True)`.
fn switches(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let tree = &unit.module.tree;
    let known = &unit.context.knowledge.python_strings.profiler.switches;
    for node in tree.of(Kind::KeywordArgument) {
        let Some((name, value)) = tree.name_and_value(node) else {
            continue;
        };
        let word = tree.word(name);
        let Some(switch) = known.iter().find(|one| one.cuda.as_bytes() == word) else {
            continue;
        };
        let callee = tree
            .call_with(node)
            .and_then(|call| unit.module.callee_name(call));
        if !callee.is_some_and(|callee| callee.is_sure() && callee.name == switch.callee) {
            continue;
        }
        let to = match tree.kind(value) {
            Kind::True => switch.value.clone(),
            Kind::False => "None".to_owned(),
            _ => {
                let range = tree.range(value);
                let shown = unit.shown(range);
                format!("{} if ({shown}) else None", switch.value)
            }
        };
        let text = format!("{}={to}", switch.keyword);
        unit.change(out, change(tree.range(node), &text, true));
    }
}

fn report_possible_column(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    column: &ProfilerColumn,
    range: TextRange,
) {
    let message = format!(
        "`{}` stays: it may be a column of PyTorch's profiler, or a name of the project's own",
        column.cuda
    );
    let help = format!("as a column it is `{}`, on every platform", column.to);
    unit.report(out, MAY_BE_COLUMN, range, message, help);
}

fn replace(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, to: &str, sure: bool) {
    let whole = TextRange::new(0, literal.value().len());
    if let Some(range) = literal.in_file(whole) {
        unit.change(out, change(range, to, sure));
    }
}

fn change(range: TextRange, to: &str, sure: bool) -> Change<'_> {
    Change::new(range, to)
        .sure(sure)
        .evidence(Evidence::Confirmed)
}
