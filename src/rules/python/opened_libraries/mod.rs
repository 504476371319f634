//! Libraries that are opened by name, and the functions that are looked up in them: ctypes, cffi.

mod exports;
mod files;
mod functions;
mod joined_names;
mod opening;

use super::PythonUnit;
use super::inference::{StringRole, string_role};
use super::joined_findings::join;
use crate::{Change, Outcome};
use exports::is_exported;
use files::{FileName, file_name};
use functions::{translate_members, translate_names_in_strings};
use joined_names::report_joined_names;
use opening::OpenedLibraries;
use torchada_diagnostic::codes::python::{FUNCTION_NAME, LIBRARY_FILE};
use torchada_diagnostic::{Finding, KeptReason};
use torchada_mapping::stub::{SharedLibrary, StubKnowledge};
use torchada_mapping::{LoaderArgument, Relation, Row, Section};
use torchada_syntax::python::Literal;
use torchada_text::{TextRange, last_part};

/// Libraries that are opened by name.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let known = &unit.context.knowledge.python_strings.libraries;
    let opens = known
        .loaders
        .iter()
        .any(|loader| unit.contains(last_part(&loader.callee)));
    let declares = known.declares.iter().any(|method| unit.contains(method));
    let is_described = OpenedLibraries::is_described(unit);
    if !opens && !declares && !is_described && !unit.contains(&known.prefix) {
        return;
    }
    let before = out.findings.len();
    let mut opened = OpenedLibraries::of(unit);
    if opened.is_used() && unit.is_musa() {
        opened.tables_named_in_strings = functions::tables_named_in_strings(unit, &opened);
    }
    translate_files(unit, out, &opened);
    if unit.is_musa() {
        report_joined_names(unit, out);
    }
    if opened.is_used() {
        translate_members(unit, out, &opened);
    }
    if opened.is_used() || declares || is_described {
        translate_names_in_strings(unit, out, &opened);
    }
    join_names(unit, out, before);
}

/// Join the findings about names of functions in a module: what finds one of them at run time finds the others as well.
fn join_names(unit: &PythonUnit<'_>, out: &mut Outcome, from: usize) {
    let key = |_: &Finding| String::new();
    join(unit, out, from, FUNCTION_NAME, key, |first, places| {
        if places.count == 1 {
            return first;
        }
        let name = first.message.split('`').nth(1).unwrap_or_default();
        let lines = places.shown();
        let lines = if lines.is_empty() {
            lines
        } else {
            format!(" ({lines})")
        };
        let message = format!(
            "names of functions such as `{name}` stay in {} places{lines}: they are CUDA's, or the project's own",
            places.count
        );
        Finding {
            message,
            help: Some(JOINED.to_owned()),
            ..first
        }
    });
}

/// The advice for a wrapper of a library.
const JOINED: &str = "the runtime package finds each of them by either name in MUSA's library: a wrapper of this kind works \
    as it is where the package is imported";

/// Translate the names of libraries' files.
fn translate_files(unit: &PythonUnit<'_>, out: &mut Outcome, opened: &OpenedLibraries<'_>) {
    let known = &unit.context.knowledge.python_strings.libraries;
    for literal in unit.literals(&[known.prefix.as_str()]) {
        if unit.is_claimed(out, literal.node) {
            continue;
        }
        if let Some(file) = file_name(unit, &literal) {
            translate_file(unit, out, opened, &literal, &file);
        }
    }
    // `find_library("cudart")`
    for &(argument, takes) in &opened.arguments {
        if takes == LoaderArgument::Name
            && let Some(literal) = Literal::read(&unit.module.tree, argument)
            && let Some(row) = unit.context.row(Section::Libraries, literal.value())
        {
            unit.claim(out, literal.node);
            let whole = TextRange::new(0, literal.value().len());
            let file = FileName {
                row,
                part: whole,
                has_no_folder: true,
                is_linked: false,
                is_whole_name: true,
            };
            translate_file(unit, out, opened, &literal, &file);
        }
    }
}

/// Write the counterpart of a library's file in place of its name, or report why the name stays.
fn translate_file(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    opened: &OpenedLibraries<'_>,
    literal: &Literal,
    file: &FileName<'_>,
) {
    let of = unit.module.use_of(literal.node);
    // `"libcublas.so." + version`: what goes on behind it may be a version of CUDA's.
    let file = FileName {
        is_whole_name: file.is_whole_name && !of.is_part(),
        ..*file
    };
    let row = file.row;
    if row.relation == Relation::Same {
        return;
    }
    let is_opened = file.is_linked || opened.takes(unit, literal.node, &of);
    let unpatched = opened.is_unpatched(&of);
    if !is_opened && (of.is_part() || string_role(unit, &of) == StringRole::Text) {
        return;
    }
    let range = unit.claim(out, literal.node);
    if is_exported(unit, &of) {
        out.keep(range, KeptReason::ProjectDeclared);
        return;
    }
    // The runtime package opens MUSA's library if code asks for CUDA's.
    let has_counterpart = row.to.is_some() && is_alike(row);
    let is_by_name = is_opened && file.has_no_folder && file.is_whole_name;
    let is_reached = is_by_name && !file.is_linked && !unpatched;
    if !unit.is_musa() && has_counterpart && is_reached {
        out.keep(range, KeptReason::AtRunTime);
        return;
    }
    let Some(to) = row.to.as_deref().filter(|_| is_alike(row)) else {
        report_without_counterpart(unit, out, range, row);
        return;
    };
    let is_clear = is_by_name && unit.is_musa();
    let has_names_that_stay = library(row).is_some_and(|one| {
        let mut tables = one.tables.iter();
        tables.any(|table| opened.tables_named_in_strings.contains(table.as_str()))
    });
    let sure = is_clear && !has_names_that_stay;
    if !sure {
        let why = if is_clear {
            "functions are looked up by names that stay"
        } else {
            why_it_stays(unit, &file, unpatched)
        };
        let help = format!(
            "where it is {} on MUSA, it has to be `{to}`",
            if file.is_linked { "linked" } else { "opened" }
        );
        let message = format!("{} stays: {why}", unit.shown(range));
        unit.report(out, LIBRARY_FILE, range, message, help);
        // A whole path leads into CUDA's folder, whatever the file is called.
        if !unit.is_musa() || !file.is_whole_name || (!file.has_no_folder && literal.is_plain()) {
            return;
        }
    }
    let Some(place) = literal.in_file(file.part) else {
        return;
    };
    let change = Change::new(place, to).sure(sure).evidence(row.evidence);
    unit.change(out, change);
}

/// Report a library whose functions MUSA has in no library of the same kind.
fn report_without_counterpart(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    range: TextRange,
    row: &Row,
) {
    let shown = unit.shown(range);
    let message = format!("{shown} stays: its functions have no counterparts of the same kind");
    let advice = match (row.to.as_deref(), row.advice.as_deref()) {
        (Some(to), _) => format!("MUSA has `{to}`, whose functions take other arguments"),
        (None, advice) => advice.unwrap_or(WITHOUT_COUNTERPART).to_owned(),
    };
    unit.report(out, LIBRARY_FILE, range, message, advice);
}

/// The advice for a library that MUSA has not.
const WITHOUT_COUNTERPART: &str = "keep it out of the path for MUSA";

/// Why a library's file keeps its name where it is not clear that the port opens it by this name alone.
fn why_it_stays(unit: &PythonUnit<'_>, file: &FileName<'_>, unpatched: bool) -> &'static str {
    if file.is_linked && !unit.is_musa() {
        "the linker takes the file by its name"
    } else if unpatched && !unit.is_musa() {
        "the runtime package does not reach the function that opens it"
    } else if !file.is_whole_name {
        "it is a pattern, or a part of a name"
    } else if !file.has_no_folder {
        "it stands in a folder, which may be CUDA's"
    } else {
        "whether it is opened is not clear from its context"
    }
}

/// Whether a library's functions have names of the same kind on both sides.
fn is_alike(row: &Row) -> bool {
    library(row).is_some()
}

/// The library of a file whose functions have names of the same kind on both sides.
fn library(row: &Row) -> Option<&'static SharedLibrary> {
    let stub = StubKnowledge::builtin();
    let name = row.cuda.strip_prefix("lib").unwrap_or(&row.cuda);
    let stem = name.split('.').next().unwrap_or(name);
    stub.libraries.iter().find(|one| one.stem == stem)
}
