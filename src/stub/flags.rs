//! Options of compilers, as `_flags.py` needs them.

use std::collections::BTreeSet;

use super::python;
use crate::mapping::knowledge::Knowledge;
use crate::mapping::{Nature, Relation, Row, Section, Tables};

/// Write them.
pub(super) fn write(out: &mut String, tables: &Tables) {
    counterparts(out, tables);
    kinds(out, tables);
    let syntax = &Knowledge::builtin().builds.flags;
    python::string(
        out,
        "GPU_OPTION",
        "The option of mcc's for one of MUSA's GPUs, with `{}` for its number.",
        &syntax.gpu_option,
    );
    python::string(
        out,
        "LINKER_PREFIX",
        "What a clang hands options to the linker on with.",
        &syntax.linker_prefix,
    );
    python::string(
        out,
        "WINDOWS_PREFIX",
        "What options of Windows' compiler begin with.",
        &syntax.windows,
    );
}

/// Write what stands in the place of options, compilers and macros of CUDA's.
fn counterparts(out: &mut String, tables: &Tables) {
    let builds = &Knowledge::builtin().builds;
    let syntax = &builds.flags;
    let has = |list: &[String], row: &Row| list.iter().any(|one| *one == *row.cuda);
    // What says what is made stays: mcc stops at it, and nothing else is made in its place.
    let rows = || {
        let rows = tables.rows(Section::Flags);
        rows.filter(|row| !has(&syntax.output, row))
    };
    let flags = rows().filter_map(|row| {
        let dropped = (row.relation == Relation::Absent).then_some("");
        let alone = has(&syntax.compiling, row).then_some(syntax.compile_only.as_str());
        Some((&*row.cuda, row.to.as_deref().or(dropped).or(alone)?))
    });
    python::map(
        out,
        "COMPILER_FLAGS",
        "Options of nvcc and what mcc takes in their place; empty for what it does without.",
        &flags.collect(),
    );
    let keys = builds.extensions.compilers.iter();
    let keys = keys.map(|(cuda, musa)| (cuda.as_str(), musa.as_str()));
    python::map(
        out,
        "COMPILER_KEYS",
        "The compilers, as keys of `extra_compile_args`.",
        &keys.collect(),
    );
    let switches = tables.rows(Section::Names).filter_map(|row| {
        let to = row.to.as_deref().filter(|_| row.nature == Nature::Switch)?;
        Some((&*row.cuda, to))
    });
    python::map(
        out,
        "SWITCHES",
        "Macros that a build defines for headers of CUDA's.",
        &switches.collect(),
    );
    let unknown = rows().filter(|row| row.relation == Relation::Unknown);
    python::set(
        out,
        "UNKNOWN_FLAGS",
        "Options of nvcc of which no counterpart is known.",
        &unknown.map(|row| &*row.cuda).collect(),
    );
}

/// Write which options of compilers are of a kind that the package treats by itself.
fn kinds(out: &mut String, tables: &Tables) {
    let knowledge = Knowledge::builtin();
    let builds = &knowledge.builds;
    let syntax = &builds.flags;
    let gpus = tables
        .rows(Section::Flags)
        .filter(|row| row.family.as_deref() == Some(&*syntax.gpu_family));
    let gpus: BTreeSet<&str> = gpus.map(|row| &*row.cuda).collect();
    let set = |lists: &[&'static [String]]| -> BTreeSet<&str> {
        lists
            .iter()
            .copied()
            .flatten()
            .map(String::as_str)
            .collect()
    };
    let host = set(&[&syntax.for_the_host]);
    let linker = set(&[&syntax.for_the_linker]);
    let with_values = &set(&[
        &syntax.with_values,
        &syntax.for_the_host,
        &syntax.for_the_linker,
    ]);
    let shared = &set(&[&syntax.shared]) | &gpus;
    let words = set(&[
        &knowledge.shapes.architecture.fronts,
        &builds.cmake.architectures.words,
    ]);
    let hands_on = set(&[&syntax.hands_on]);
    let for_each = syntax.for_each.iter();
    let for_each = for_each.map(|(option, to)| (option.as_str(), to.as_str()));
    python::map(
        out,
        "FLAGS_FOR_EACH",
        "Options whose value nvcc parts at its commas, with what mcc takes in front of each part.",
        &for_each.collect(),
    );
    let joined = set(&[&syntax.joined]);
    for (name, doc, of) in [
        (
            "FLAGS_WITH_VALUES",
            "Options of nvcc whose value is the next word, where none stands behind a `=`.",
            with_values,
        ),
        (
            "HOST_FLAGS",
            "Those of them whose values are options of the host's compiler, which mcc is, too.",
            &host,
        ),
        (
            "LINKER_FLAGS",
            "Those of them whose values are options of the linker.",
            &linker,
        ),
        (
            "JOINED_FLAGS",
            "Options whose value nvcc takes as the next word, too, and mcc only behind a `=`.",
            &joined,
        ),
        ("GPU_FLAGS", "Options of nvcc that name GPUs.", &gpus),
        ("GPU_VALUES", "What their values begin with.", &words),
        (
            "SHARED_FLAGS",
            "Options of nvcc that compilers for the host have, too.",
            &shared,
        ),
        (
            "FORWARDING",
            "What options of such compilers begin with that hand the rest on, commas and all.",
            &hands_on,
        ),
    ] {
        python::set(out, name, doc, of);
    }
}
