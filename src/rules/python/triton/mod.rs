//! Kernels in Triton: names of NVIDIA's backend, options that MUSA's GPUs can't serve, targets.

use super::unit::{Change, contains};
use super::{PythonRule, PythonUnit};
use crate::diagnostic::{Applicability, Code, Severity};
use crate::mapping::triton::{Triton as Table, TritonName};
use crate::rules::Outcome;
use crate::syntax::python::{Field, Kind, Literal, NodeId, What};
use crate::text::TextRange;

/// A name of NVIDIA's backend.
pub const BACKEND_NAME: Code = Code {
    id: "PY072",
    severity: Severity::Warning,
    title: "a name of Triton's that is made for NVIDIA's GPUs",
};
/// More warps than a block of MUSA's holds.
pub const WARPS: Code = Code {
    id: "PY073",
    severity: Severity::Warning,
    title: "more warps than a block holds on some of MUSA's GPUs",
};
/// Options of NVIDIA's backend.
pub const OPTION: Code = Code {
    id: "PY074",
    severity: Severity::Warning,
    title: "an option of Triton's for NVIDIA's GPUs",
};
/// The target of a kernel.
pub const TARGET: Code = Code {
    id: "PY075",
    severity: Severity::Warning,
    title: "a target of Triton's is CUDA's",
};
/// The threads in a warp.
pub const WARP_SIZE: Code = Code {
    id: "PY076",
    severity: Severity::Note,
    title: "the threads in a warp as a number of CUDA's",
};

/// Kernels in Triton.
pub struct Triton;

const RULE: &str = "python-triton";

/// How many arguments of a call are looked at.
const REACH: usize = 256;

impl PythonRule for Triton {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        const CODES: [Code; 5] = [BACKEND_NAME, WARPS, OPTION, TARGET, WARP_SIZE];
        &CODES
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let Ok(table) = Table::builtin() else { return };
        if !contains(unit.text, table.word.as_bytes()) {
            return;
        }
        let tree = &unit.module.tree;
        for node in tree.nodes() {
            if tree.is_broken(node) {
                continue;
            }
            match tree.kind(node) {
                Kind::Attribute => named(unit, table, out, node),
                Kind::Identifier if tree.field(node) == Field::Function => {
                    named(unit, table, out, node);
                }
                Kind::Import => imported(unit, table, out, node),
                Kind::ImportFrom => imported_from(unit, table, out, node),
                Kind::KeywordArgument => option(unit, table, out, node),
                Kind::Pair => option_of_pair(unit, table, out, node),
                Kind::Call => target(unit, table, out, node),
                Kind::Comparison => compared(unit, table, out, node),
                Kind::Assignment | Kind::DefaultParameter | Kind::TypedDefaultParameter => {
                    warp_size(unit, table, out, node);
                }
                _ => {}
            }
        }
    }
}

/// `tl.extra.cuda.libdevice.rsqrt`, `tl.inline_asm_elementwise`: the whole chain, once.
fn named(unit: &PythonUnit<'_>, table: &Table, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    let inner = tree.field(node) == Field::Object
        && tree
            .parent(node)
            .is_some_and(|up| tree.kind(up) == Kind::Attribute);
    if inner {
        return;
    }
    let mut root = node;
    while tree.kind(root) == Kind::Attribute {
        match tree.child(root, Field::Object) {
            Some(object) => root = object,
            None => return,
        }
    }
    // What a project calls so itself has no import behind it.
    if tree.kind(root) != Kind::Identifier {
        return;
    }
    let Some(name) = unit.module.resolve(node) else {
        return;
    };
    if !name.name.starts_with(table.word.as_str()) {
        return;
    }
    let Some(row) = table.holding(&name.name) else {
        return;
    };
    // What is imported by itself is spoken of at the import.
    if root == node && tree.kind(node) == Kind::Identifier && row.name != name.name {
        return;
    }
    let whole = unit.shown(tree.range(node));
    if row.to.is_some() && !whole.contains("cuda") {
        return;
    }
    report(unit, out, tree.range(node), &name.name, row);
    if row.to.is_some() {
        backend(unit, out, node, row);
    }
}

/// The part of a dotted name that says `cuda`, where only that part changes.
fn backend(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId, row: &TritonName) {
    let (Some(to), true) = (row.to.as_deref(), unit.is_musa()) else {
        return;
    };
    let tree = &unit.module.tree;
    let parts = row.name.split('.').zip(to.split('.'));
    let Some((old, new)) = parts.into_iter().find(|(old, new)| old != new) else {
        return;
    };
    let place = std::iter::once(node)
        .chain(tree.below(node))
        .find(|&one| tree.kind(one) == Kind::Identifier && tree.word(one) == old.as_bytes());
    if let Some(place) = place {
        let change = Change {
            range: tree.range(place),
            to: new,
            rule: RULE,
            applicability: Applicability::Safe,
            evidence: row.evidence,
        };
        unit.change(out, &change);
    }
}

/// `import triton.language.extra.cuda.libdevice as ld`
fn imported(unit: &PythonUnit<'_>, table: &Table, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    for name in tree.children(node) {
        let path = tree.child(name, Field::Name).unwrap_or(name);
        let shown = unit.shown(tree.range(path));
        if let Some(row) = table.holding(&shown) {
            report(unit, out, tree.range(path), &shown, row);
            backend(unit, out, path, row);
        }
    }
}

/// `from triton.language.extra.cuda import libdevice`
fn imported_from(unit: &PythonUnit<'_>, table: &Table, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    let Some(module) = tree.child(node, Field::ModuleName) else {
        return;
    };
    let path = unit.shown(tree.range(module));
    if !path.starts_with(table.word.as_str()) {
        return;
    }
    let names: Vec<NodeId> = tree.children(node).filter(|&one| one != module).collect();
    let mut all_move = !names.is_empty();
    let mut moved = None;
    for &name in &names {
        let word = tree.child(name, Field::Name).unwrap_or(name);
        let full = format!("{path}.{}", unit.shown(tree.range(word)));
        match table.holding(&full) {
            Some(row) => {
                report(unit, out, tree.range(word), &full, row);
                all_move &= row.to.is_some();
                moved = Some(row);
            }
            None => all_move = false,
        }
    }
    if let Some(row) = moved.filter(|_| all_move) {
        backend(unit, out, module, row);
    }
}

fn report(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    range: TextRange,
    name: &str,
    row: &TritonName,
) {
    let message = match row.to.as_deref() {
        Some(to) => format!("`{name}` is made for NVIDIA's GPUs; MUSA's backend has `{to}`"),
        None => format!("`{name}` is made for NVIDIA's GPUs"),
    };
    let finding = unit.finding(BACKEND_NAME, range, message);
    out.findings.push(finding.help(row.advice.clone()));
}

/// `num_warps=16`, `num_ctas=2`
fn option(unit: &PythonUnit<'_>, table: &Table, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    let (Some(name), Some(value)) = (
        tree.child(node, Field::Name),
        tree.child(node, Field::Value),
    ) else {
        return;
    };
    set(unit, table, out, tree.word(name), value, tree.range(node));
}

/// `{"num_warps": 16}`
fn option_of_pair(unit: &PythonUnit<'_>, table: &Table, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    let (Some(key), Some(value)) = (tree.child(node, Field::Key), tree.child(node, Field::Value))
    else {
        return;
    };
    if tree.kind(key) == Kind::Str {
        let name = unit.module.last_name(key);
        set(unit, table, out, &name, value, tree.range(node));
    }
}

fn set(
    unit: &PythonUnit<'_>,
    table: &Table,
    out: &mut Outcome,
    name: &[u8],
    value: NodeId,
    range: TextRange,
) {
    let options = &table.options;
    let numbers = || numbers(unit, value);
    if name == options.warps.as_bytes() {
        let targets = unit.lore.tables.targets();
        let widest = targets.iter().filter_map(|one| one.warp_size).max();
        let limit = table.threads.block / widest.unwrap_or(table.warp.threads).max(1);
        let most = numbers().into_iter().max().unwrap_or(0);
        if most > limit {
            let wide: Vec<&str> = targets
                .iter()
                .filter(|one| {
                    one.warp_size
                        .is_some_and(|size| size.saturating_mul(most) > table.threads.block)
                })
                .map(|one| &*one.name)
                .collect();
            let message = format!(
                "{most} warps are more than the {} threads of a block hold on {}",
                table.threads.block,
                wide.join(", ")
            );
            let finding = unit.finding(WARPS, range, message);
            out.findings.push(finding.help(format!(
                "a warp has {} threads there: use at most {limit} warps, or choose by the target's warp size",
                widest.unwrap_or_default()
            )));
        }
    } else if name == options.clusters.as_bytes() {
        if numbers().into_iter().any(|one| one > 1) {
            let finding = unit.finding(OPTION, range, "MUSA has no clusters of blocks");
            out.findings
                .push(finding.help(options.advice_clusters.clone()));
        }
    } else if options.nvidia.iter().any(|one| one.as_bytes() == name) && launches(unit, value) {
        let shown = String::from_utf8_lossy(name);
        let finding = unit.finding(
            OPTION,
            range,
            format!("`{shown}` is an option for NVIDIA's GPUs"),
        );
        out.findings
            .push(finding.help(options.advice_nvidia.clone()));
    }
}

/// The numbers that an expression may be: `8 if wide else 16`.
fn numbers(unit: &PythonUnit<'_>, value: NodeId) -> Vec<u32> {
    let tree = &unit.module.tree;
    let all = std::iter::once(value).chain(tree.below(value).take(REACH));
    let choice = |one: &NodeId| {
        tree.kind(*one) == Kind::Integer
            && (*one == value || {
                tree.parent(*one)
                    .is_some_and(|up| tree.kind(up) == Kind::Conditional && tree.ordinal(*one) != 1)
            })
    };
    all.filter(choice)
        .filter_map(|one| std::str::from_utf8(tree.word(one)).ok()?.parse().ok())
        .collect()
}

/// Whether an argument is one of a launch (`kernel[grid](…)`) or of a configuration.
fn launches(unit: &PythonUnit<'_>, value: NodeId) -> bool {
    let tree = &unit.module.tree;
    let call = tree
        .ancestors(value)
        .take(4)
        .find(|&up| tree.kind(up) == Kind::Call);
    let Some(call) = call else { return false };
    let callee = tree.child(call, Field::Function);
    callee.is_some_and(|callee| {
        tree.kind(callee) == Kind::Subscript || unit.module.callee_word(call) == b"Config"
    })
}

/// `GPUTarget("cuda", 80, 32)`
fn target(unit: &PythonUnit<'_>, table: &Table, out: &mut Outcome, call: NodeId) {
    let tree = &unit.module.tree;
    let names = &table.target;
    if unit.module.callee_word(call) != names.word.as_bytes() {
        return;
    }
    let first = tree
        .child(call, Field::Arguments)
        .and_then(|arguments| tree.nth(arguments, 0))
        .and_then(|first| Literal::read(tree, first))
        .filter(|literal| literal.value() == names.cuda.as_bytes());
    let Some(literal) = first else { return };
    let range = tree.range(call);
    let message = format!("`{}` is a target of CUDA's", unit.shown(range));
    let finding = unit.finding(TARGET, range, message);
    out.findings.push(finding.help(format!(
        "MUSA's is `{}(\"{}\", 31, 32)`, or `22` with warps of 128 threads",
        names.word, names.musa
    )));
    unit.claim(out, literal.node);
}

/// `get_current_target().backend == "cuda"`
fn compared(unit: &PythonUnit<'_>, table: &Table, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    let names = &table.target;
    let is_backend = |side: NodeId| {
        tree.kind(side) == Kind::Attribute
            && tree
                .child(side, Field::Attribute)
                .is_some_and(|one| tree.word(one) == names.member.as_bytes())
            && tree
                .child(side, Field::Object)
                .is_some_and(|object| gives_target(unit, table, object))
    };
    if !tree.children(node).take(REACH).any(is_backend) {
        return;
    }
    let below = tree.below(node).take(REACH);
    let literal = below
        .filter_map(|one| Literal::read(tree, one))
        .find(|literal| literal.value() == names.cuda.as_bytes());
    let Some(literal) = literal else { return };
    let range = tree.range(node);
    let message = format!("`{}` asks for NVIDIA's backend", unit.shown(range));
    let finding = unit.finding(TARGET, range, message);
    out.findings.push(finding.help(format!(
        "on MUSA the backend is `{}`: where the branch is for every GPU, let it pass, too",
        names.musa
    )));
    unit.claim(out, literal.node);
    let place = TextRange::new(0, names.cuda.len());
    let alone = tree.parent(literal.node) == Some(node);
    let place = literal.in_file(place);
    if let Some(range) = place.filter(|_| alone && unit.is_musa()) {
        let change = Change {
            range,
            to: &names.musa,
            rule: RULE,
            applicability: Applicability::Unsafe,
            evidence: None,
        };
        unit.change(out, &change);
    }
}

/// Whether an expression is the target that runs: the call, or a name that has it as its value.
fn gives_target(unit: &PythonUnit<'_>, table: &Table, node: NodeId) -> bool {
    let module = unit.module;
    let tree = &module.tree;
    let getter = table.target.getter.as_bytes();
    match tree.kind(node) {
        Kind::Call => module.callee_word(node) == getter,
        Kind::Identifier => {
            module
                .bindings(node, tree.word(node))
                .1
                .iter()
                .any(|one| match one.what {
                    What::Value(value) => {
                        tree.kind(value) == Kind::Call && module.callee_word(value) == getter
                    }
                    _ => false,
                })
        }
        _ => false,
    }
}

/// `WARP_SIZE = 32`, `def f(warp_size=32)`
fn warp_size(unit: &PythonUnit<'_>, table: &Table, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    let (name, value) = match tree.kind(node) {
        Kind::Assignment => (
            tree.child(node, Field::Left),
            tree.child(node, Field::Right),
        ),
        _ => (
            tree.child(node, Field::Name),
            tree.child(node, Field::Value),
        ),
    };
    let (Some(name), Some(mut value)) = (name, value) else {
        return;
    };
    // `tl.constexpr(32)`
    if tree.kind(value) == Kind::Call
        && let Some(first) = tree
            .child(value, Field::Arguments)
            .and_then(|arguments| tree.nth(arguments, 0))
    {
        value = first;
    }
    let warp = &table.warp;
    if tree.kind(value) != Kind::Integer || tree.word(value) != warp.threads.to_string().as_bytes()
    {
        return;
    }
    let word = unit.module.last_name(name);
    let word = String::from_utf8_lossy(&word).to_ascii_lowercase();
    if warp.names.iter().any(|one| one == word.trim_matches('_')) {
        let range = tree.range(node);
        let message = format!("`{}` is true of CUDA's warps", unit.shown(range));
        let finding = unit.finding(WARP_SIZE, range, message);
        out.findings.push(finding.help(warp.advice.clone()));
    }
}
