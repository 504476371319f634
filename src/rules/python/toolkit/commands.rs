//! Programs of NVIDIA's that are run by name: `nvidia-smi`, `nvcc`.

use super::answers::takes_release;
use crate::programs::{ProgramRun, program_left, runs_program};
use crate::python::availability::host_taken::gives_host;
use crate::python::inference::{StringRole, string_role};
use crate::python::run_texts::{is_called_command, is_run};
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_diagnostic::codes::python::{COMMAND, HOST_TAKEN};
use torchada_mapping::{Command, Evidence, has};
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use};
use torchada_text::TextRange;

/// Programs that are run by name.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let commands = &unit.context.knowledge.commands.known;
    let wrappers = &unit.context.knowledge.builds.scripts.wrappers;
    let words: Vec<&str> = commands
        .iter()
        .map(|one| one.name.as_str())
        .filter(|name| unit.contains(name))
        .collect();
    if words.is_empty() {
        return;
    }
    let mut runs: Vec<Run<'_>> = Vec::new();
    for literal in unit.literals(&words) {
        if unit.is_claimed(out, literal.node) {
            continue;
        }
        let text = literal.text().into_owned();
        let found = words
            .iter()
            .find_map(|word| Some((*word, runs_program(&text, word, wrappers)?)));
        let Some((word, run)) = found else { continue };
        let alone = run == ProgramRun::Alone;
        let of = unit.module.use_of(literal.node);
        let command = commands.iter().find(|one| one.name == word);
        let has_options = text.contains(&format!("{word} -"));
        let runs_it = names_run_program(unit, &of, alone) || has_options && is_handed_on(unit, &of);
        if let Some(command) = command.filter(|_| runs_it) {
            let only_asks = alone && asks_whether_it_runs(unit, &of);
            runs.push(Run {
                literal,
                command,
                only_asks,
            });
        }
    }
    for run in &runs {
        // Who finds MUSA's program goes on to read what NVIDIA's prints.
        let is_read = runs
            .iter()
            .any(|one| one.command.name == run.command.name && !one.only_asks);
        if is_read || !rename(unit, out, &run.literal, run.command) {
            report(unit, out, &run.literal, run.command);
        }
    }
}

/// A place of a module where a program is run, or looked for.
struct Run<'u> {
    literal: Literal,
    command: &'u Command,
    /// Whether the code there asks no more than whether the program runs.
    only_asks: bool,
}

fn report(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, command: &Command) {
    let range = unit.claim(out, literal.node);
    let (message, help) = program_left(command);
    let finding = if takes_host_without_it(unit, literal.node) {
        let message = format!("{message}: without it the CPU is taken");
        unit.finding(HOST_TAKEN, range, message)
    } else {
        unit.finding(COMMAND, range, message)
    };
    out.report(finding.help(help));
}

/// Whether a program is run in a `try` that takes the host for the device where the program is not there.
fn takes_host_without_it(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let mut tries = tree
        .ancestors(node)
        .filter(|&one| tree.kind(one) == Kind::Try);
    tries.any(|one| {
        let body = tree.child(one, Field::Body);
        let is_inside = body.is_some_and(|body| tree.range(body).covers(tree.range(node)));
        let mut clauses = tree
            .children(one)
            .filter(|&clause| tree.kind(clause) == Kind::Except);
        is_inside
            && clauses.any(|clause| {
                let block = tree.children(clause).last().into_iter();
                let statements: Vec<NodeId> =
                    block.flat_map(|block| tree.children(block)).collect();
                gives_host(unit, &statements)
            })
    })
}

/// Name MUSA's program in place of NVIDIA's. Returns whether that was done.
fn rename(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, command: &Command) -> bool {
    // Who looks for a compiler goes on to run it.
    let Some(to) = command.to.as_deref().filter(|_| !command.compiler) else {
        return false;
    };
    if !unit.is_musa() || unit.modules.has_musa() || literal.value() != command.name.as_bytes() {
        return false;
    }
    let Some(range) = literal.in_file(TextRange::new(0, command.name.len())) else {
        return false;
    };
    unit.claim(out, literal.node);
    unit.change(out, Change::new(range, to).evidence(Evidence::Confirmed))
}

/// Whether the code only wants to know whether a program is there, or shows what the program prints: it is looked for in a
/// condition, or run without options, and nothing but its exit code is asked for.
fn asks_whether_it_runs(unit: &ModuleView<'_>, of: &Use) -> bool {
    let known = &unit.context.knowledge.commands;
    let tree = &unit.module.tree;
    let Consumer::Argument { call, .. } = of.consumer else {
        return false;
    };
    let word = unit.module.callee_word(call);
    if known.looks_for(word) {
        return is_only_tested_for_truth(unit, call) && !takes_release(unit, call);
    }
    // `["nvidia-smi"]` has no options.
    let has_options = of.items().any(|item| {
        let list = tree.parent(item).into_iter();
        list.flat_map(|list| tree.children(list)).count() > 1
    });
    let up = tree.parent(call);
    let code = up.filter(|&up| {
        tree.kind(up) == Kind::Attribute && *unit.module.last_name(up) == *b"returncode"
    });
    let result = code.unwrap_or(call);
    let is_dropped = up.is_some_and(|up| tree.kind(up) == Kind::ExpressionStatement);
    let is_code = (code.is_some() || known.gives_code(word))
        && is_only_tested_for_truth(unit, result)
        && !takes_release(unit, result);
    !has_options && known.runs(word) && (is_dropped || is_code)
}

/// Whether the code asks no more of a value than whether it is true, None, or zero.
fn is_only_tested_for_truth(unit: &ModuleView<'_>, value: NodeId) -> bool {
    let tree = &unit.module.tree;
    let Some(up) = tree.parent(value) else {
        return false;
    };
    match tree.kind(up) {
        Kind::Not => true,
        Kind::Parenthesized | Kind::Boolean => is_only_tested_for_truth(unit, up),
        Kind::Comparison => tree
            .children(up)
            .filter(|&one| one != value)
            .any(|one| tree.kind(one) == Kind::None || tree.word(one) == b"0"),
        Kind::ArgumentList => tree
            .parent(up)
            .is_some_and(|call| unit.module.callee_word(call) == b"bool"),
        _ => tree.decided_by(value).is_some(),
    }
}

/// Whether the program that a text names is run. `alone` says that the text is nothing but the program's name.
fn names_run_program(unit: &ModuleView<'_>, of: &Use, alone: bool) -> bool {
    if is_run(unit, of) {
        return true;
    }
    match of.consumer {
        // `for target in ["cxx", "nvcc"]`
        _ if alone && is_flag_key(unit, of) => false,
        // Options of a compiler, by its name; kinds of compilers.
        Consumer::DictKey { .. }
        | Consumer::Comparison { .. }
        | Consumer::Pattern { .. }
        | Consumer::Item { .. }
        | Consumer::Annotation => false,
        Consumer::Target { .. } | Consumer::DictValue { .. } => {
            alone || is_called_command(unit, of)
        }
        _ => alone && string_role(unit, of) != StringRole::Text,
    }
}

/// Whether a program with its options is an argument of a function that may run it, or the value of a variable:
/// `run_and_match(run, "nvcc --version")`, `query = "nvidia-smi -q"`.
fn is_handed_on(unit: &ModuleView<'_>, of: &Use) -> bool {
    matches!(
        of.consumer,
        Consumer::Argument { .. } | Consumer::Target { .. }
    ) && !of.is_part()
        && string_role(unit, of) != StringRole::Text
}

/// Whether the list in which a name stands has keys of flags for compilers in it.
fn is_flag_key(unit: &ModuleView<'_>, of: &Use) -> bool {
    let tree = &unit.module.tree;
    let keys = &unit.context.knowledge.commands.flag_keys;
    let list = of.items().last().and_then(|item| tree.parent(item));
    let mut entries = list.into_iter().flat_map(|list| tree.children(list));
    entries.any(|one| Literal::read(tree, one).is_some_and(|text| has(keys, text.value())))
}
