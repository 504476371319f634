//! Strings that are one name or one header of CUDA's, in a module that puts source together, or defines macros for it.

use super::source_strings;
use crate::Outcome;
use crate::python::inference::{StringRole, string_role};
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::python::MAY_BE_SOURCE;
use torchada_mapping::{Relation, Section};
use torchada_syntax::HOLE;
use torchada_syntax::python::{Kind, Literal, NodeId};
use torchada_text::{Spans, contains};

/// How many names a message lists.
const LISTED: usize = 6;

/// Reports names that may become a part of source, by what stands in the same module: `headers = ["ATen/cuda/CUDAContext.h"]`
/// beside source, `{"bfloat16": "__nv_bfloat16"}` beside `f"-DTYPE={…}"`.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let table = &unit.context.knowledge.embedded;
    let tree = &unit.module.tree;
    let strings = unit.module.strings().iter().copied();
    let mut candidates = strings
        .filter(|&node| tree.kind(node) == Kind::Str && table.may_matter(tree.word(node)))
        .peekable();
    if candidates.peek().is_none() {
        return;
    }
    let mut reported = Spans::default();
    reported.extend(out.findings.iter().map(|one| one.range));
    reported.extend(out.kept.iter().map(|one| one.range));
    let is_reported = |node: NodeId| {
        unit.is_claimed(out, node)
            || unit.is_edited(out, node)
            || reported.overlaps(tree.range(node))
    };
    let mut left: Vec<(NodeId, String)> = candidates
        .filter(|&node| !is_reported(node))
        .filter_map(|node| Some((node, renamed_name(unit, node)?)))
        .collect();
    if left.is_empty() {
        return;
    }
    let has_source = source_strings::all(unit, table)
        .iter()
        .any(|source| source.is_certain);
    if !has_source {
        if !defines_macros(unit) {
            return;
        }
        // No macro has a header for its value: `include / "nccl.h"` is a file's path.
        left.retain(|(_, name)| unit.context.tables.header(name).is_none());
    }
    report(unit, out, &left, has_source);
}

/// Report strings with their names at the first of them. `has_source` says that there is source beside them.
fn report(unit: &PythonUnit<'_>, out: &mut Outcome, left: &[(NodeId, String)], has_source: bool) {
    let tree = &unit.module.tree;
    let Some((first, _)) = left.first() else {
        return;
    };
    let mut names: Vec<&str> = left.iter().map(|(_, name)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let mut shown: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    if shown.len() > LISTED {
        let more = shown.split_off(LISTED).len();
        shown.push(format!("{more} more"));
    }
    let (stay, them) = match names.len() {
        1 => ("stays", "it becomes"),
        _ => ("stay", "they become"),
    };
    let (part, port) = if has_source {
        ("source beside", "did in the source beside")
    } else {
        ("source by a macro (`-D`)", "does in source")
    };
    let message = format!(
        "{} {stay}: whether {them} a part of the {part} is not clear from the string's context",
        shown.join(", ")
    );
    let range = tree.range(*first);
    let help = format!("where it becomes source, write MUSA's name, as the port {port}");
    unit.report(out, MAY_BE_SOURCE, range, message, help);
    for (node, _) in left {
        unit.claim(out, *node);
        if node != first {
            out.keep(tree.range(*node), KeptReason::NamedBeside);
        }
    }
}

/// Whether the module puts values into macros for a compiler: `f"-DTYPE={name}"`, `"-DTYPE=" + name`.
fn defines_macros(unit: &ModuleView<'_>) -> bool {
    let tree = &unit.module.tree;
    let strings = unit.module.strings().iter();
    let literals = strings
        .filter(|&&node| contains(tree.word(node), DEFINE))
        .filter_map(|&node| Literal::read(tree, node));
    literals.into_iter().any(|literal| {
        let value = literal.value();
        let open = value.strip_suffix(HOLE.as_bytes()).unwrap_or(value);
        value.starts_with(DEFINE) && open.ends_with(b"=")
    })
}

/// What begins the definition of a macro on a compiler's command line.
const DEFINE: &[u8] = b"-D";

/// The name or the header that a string consists of, if the port renames it in source.
fn renamed_name(unit: &ModuleView<'_>, node: NodeId) -> Option<String> {
    let value = Literal::plain_text(&unit.module.tree, node)?;
    let tables = unit.context.tables;
    let row = tables
        .get(Section::Names, value.as_bytes())
        .filter(|row| row.stem)
        .or_else(|| tables.header(&value))?;
    let is_named = row.relation == Relation::Renamed && row.to.is_some();
    (is_named && string_role(unit, &unit.module.use_of(node)) != StringRole::Text).then_some(value)
}
