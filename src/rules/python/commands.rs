//! Programs of NVIDIA's that are run by name: `nvidia-smi`, `nvcc`.

use super::inference::{StringRole, string_role};
use super::{ModuleView, PythonUnit};
use crate::programs::{program_left, runs_program};
use crate::{Outcome, Rule};
use torchada_diagnostic::{Code, Severity};
use torchada_mapping::Command;
use torchada_syntax::python::{Consumer, Field, Literal, Use};

/// A program of NVIDIA's is run.
pub const COMMAND: Code = Code {
    id: "PY060",
    severity: Severity::Warning,
    title: "a program of NVIDIA's is run",
};

/// Programs that are run by name.
pub struct CommandNames;

impl Rule<PythonUnit<'_>> for CommandNames {
    fn name(&self) -> &'static str {
        "python-commands"
    }

    fn codes(&self) -> &'static [Code] {
        &[COMMAND]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let commands = &unit.context.knowledge.commands.known;
        let words: Vec<&str> = commands
            .iter()
            .map(|one| one.name.as_str())
            .filter(|name| unit.contains(name))
            .collect();
        if words.is_empty() {
            return;
        }
        for literal in unit.literals(&words) {
            if unit.is_claimed(out, literal.node) {
                continue;
            }
            let text = String::from_utf8_lossy(literal.value()).into_owned();
            let found = words
                .iter()
                .find_map(|word| Some((*word, runs_program(&text, word)?)));
            let Some((word, alone)) = found else { continue };
            let of = unit.module.use_of(literal.node);
            if !is_run(unit, &of, alone) {
                continue;
            }
            if let Some(command) = commands.iter().find(|one| one.name == word) {
                report(unit, out, &literal, command);
            }
        }
    }
}

fn report(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, command: &Command) {
    unit.claim(out, literal.node);
    let range = unit.module.tree.range(literal.node);
    let (message, help) = program_left(command);
    out.findings
        .push(unit.finding(COMMAND, range, message).help(help));
}

/// Whether the program that a text names is run. `alone` says that the text is nothing but the program's name.
fn is_run(unit: &ModuleView<'_>, of: &Use, alone: bool) -> bool {
    let known = &unit.context.knowledge.commands;
    let tree = &unit.module.tree;
    match of.consumer {
        Consumer::Argument { call, .. } | Consumer::Keyword { call, .. }
            if known.runs(unit.module.callee_word(call)) =>
        {
            true
        }
        // `for target in ["cxx", "nvcc"]`
        _ if alone && is_flag_key(unit, of) => false,
        // Options of a compiler, by its name; kinds of compilers.
        Consumer::DictKey { .. }
        | Consumer::Comparison { .. }
        | Consumer::Pattern { .. }
        | Consumer::Item { .. }
        | Consumer::Annotation => false,
        Consumer::Target { target } => alone || known.holds(&unit.module.last_name(target)),
        Consumer::DictValue { pair } => {
            alone
                || tree
                    .child(pair, Field::Key)
                    .is_some_and(|key| known.holds(&unit.module.last_name(key)))
        }
        _ => alone && string_role(unit, of) != StringRole::Text,
    }
}

/// Whether the list in which a name stands has keys of flags for compilers in it.
fn is_flag_key(unit: &ModuleView<'_>, of: &Use) -> bool {
    let tree = &unit.module.tree;
    let keys = &unit.context.knowledge.commands.flag_keys;
    let list = of.items().last().and_then(|item| tree.parent(item));
    let mut entries = list.into_iter().flat_map(|list| tree.children(list));
    entries.any(|one| {
        Literal::read(tree, one)
            .is_some_and(|text| keys.iter().any(|key| key.as_bytes() == text.value()))
    })
}
