//! Words that are commands of another program: `run(["dask", "cuda", "worker"])`.

use crate::python::PythonUnit;
use crate::python::inference::any_use_here;
use crate::python::run_texts::is_run;
use torchada_syntax::python::{Consumer, Kind, Literal, NodeId, Use};

/// Whether a text stands behind the name of a program that is run, where the program's own commands stand.
pub(super) fn is_subcommand(unit: &PythonUnit<'_>, text: NodeId, of: &Use) -> bool {
    let known = &unit.context.knowledge.commands;
    let tree = &unit.module.tree;
    let is_program_run = || match of.consumer {
        // `args = ["dask", "cuda", "worker"]`, and then `run(args)`
        Consumer::Target { target } => any_use_here(unit, target, &mut |name| {
            is_run(unit, &unit.module.use_of(name))
        }),
        _ => is_run(unit, of),
    };
    let list = tree.parent(text).filter(|&list| {
        matches!(tree.kind(list), Kind::List | Kind::Tuple) && tree.ordinal(text) == 1
    });
    let program = list.and_then(|list| Literal::read(tree, tree.nth(list, 0)?));
    // `["python", "train.py"]`, `["./train", "cuda"]`: what follows is an argument of a program of the project's own.
    let is_anothers = |program: &Literal| {
        let name = program.text();
        let is_name = |one: char| one.is_ascii_alphanumeric() || one == '-' || one == '_';
        program.is_plain() && name.chars().all(is_name) && !known.launches(&name)
    };
    program.as_ref().is_some_and(is_anothers) && is_program_run()
}
