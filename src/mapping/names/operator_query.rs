//! Looks an operator up that somebody typed: `aten::add.Tensor`, `torch.ops.aten.add`, `torch.bincount`.

use serde::Serialize;

use crate::Tables;
use crate::kernels::{Kernels, NAMESPACE, OperatorIndex, Support};
use crate::names::likeness::near_misses;
use crate::operators::Operators;

/// The answer of the lists to a question for an operator.
#[derive(Debug, Serialize)]
pub struct OperatorAnswer {
    /// The function of `PyTorch`'s that was asked for; `None` where an operator was named.
    pub function: Option<String>,
    /// The operators in which each call of the function ends, where they have other names.
    pub ends: Vec<OperatorRow>,
    /// The operators of the name.
    pub operators: Vec<OperatorRow>,
    /// The release of `torch_musa` that is spoken of.
    pub release: String,
    /// Whether it was asked itself.
    pub seen: bool,
    /// Where the lists come from.
    pub source: String,
}

/// What there is of one operator.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OperatorRow {
    /// Its name with the namespace.
    pub name: String,
    /// What there is of it.
    pub support: Support,
    /// The first release with a kernel.
    pub since: Option<&'static str>,
    /// The release of `PyTorch` that has it, where the lists' has not.
    pub newer: Option<&'static str>,
    /// When it runs on the CPU, where that is not always so.
    pub when: Option<&'static str>,
    /// What else says so.
    pub source: Option<&'static str>,
    /// What to do instead.
    pub instead: Option<&'static str>,
}

/// What the lists say of a name; `None` for one that they don't have.
pub(crate) fn ask(tables: &Tables, name: &str) -> Option<OperatorAnswer> {
    let kernels = tables.kernels();
    let rows = |names: &[&'static str]| names.iter().map(|one| row(kernels, one)).collect();
    let answer = |function: Option<&str>, ends: &[&'static str], operators: &[&'static str]| {
        let answer = OperatorAnswer {
            function: function.map(str::to_owned),
            ends: rows(ends),
            operators: rows(operators),
            release: kernels.release(),
            seen: kernels.are_seen(),
            source: kernels.source(),
        };
        (!ends.is_empty() || !operators.is_empty()).then_some(answer)
    };
    if let Some(operator) = operator(name) {
        return answer(None, &[], &kernels.overloads(operator));
    }
    answer(Some(name), &ends(name), &called(kernels, name))
}

/// Names of operators or functions that may have been meant, best first.
pub(crate) fn similar_operators(name: &str) -> Vec<String> {
    let index = OperatorIndex::builtin();
    let Some(typed) = operator(name) else {
        let Some(module) = module(name) else {
            return Vec::new();
        };
        let bases = index
            .bases()
            .filter_map(|one| one.strip_prefix(module.front.as_str()));
        let written = |one: &&str| format!("{}.{one}", module.python);
        let bases: Vec<&str> = bases.filter(|one| !one.starts_with('_')).collect();
        let typed = name.rsplit('.').next().unwrap_or(name);
        return near_misses(typed, bases.into_iter())
            .iter()
            .map(written)
            .collect();
    };
    let front = name.strip_suffix(typed).unwrap_or_default();
    let has_overload = typed.contains('.');
    let known = index
        .names()
        .filter(|one| has_overload || !one.contains('.'));
    let near = near_misses(typed, known.chain(index.bases()));
    near.iter().map(|one| format!("{front}{one}")).collect()
}

/// The operator that a name is: `add.Tensor` for `aten::add.Tensor`.
fn operator(name: &str) -> Option<&str> {
    let modules = &Operators::builtin().table.modules;
    name.strip_prefix(NAMESPACE).or_else(|| {
        let mut modules = modules.iter().filter(|module| module.overloads);
        modules.find_map(|module| name.strip_prefix(module.python.as_str())?.strip_prefix('.'))
    })
}

/// The module that a function belongs to.
fn module(function: &str) -> Option<&'static crate::operators::OperatorModule> {
    let (module, _) = function.rsplit_once('.')?;
    let mut modules = Operators::builtin().table.modules.iter();
    modules.find(|one| one.python == module)
}

/// The operators that a function is called like.
fn called(kernels: Kernels<'_>, function: &str) -> Vec<&'static str> {
    let Some(module) = module(function) else {
        return Vec::new();
    };
    let last = function.rsplit('.').next().unwrap_or(function);
    kernels.overloads(&format!("{}{last}", module.front))
}

/// The operators in which each call of a function ends.
fn ends(function: &str) -> Vec<&'static str> {
    let operators = Operators::builtin();
    let listed = operators.lists.ends.get(function);
    let by_hand = operators.table.ends.iter();
    let by_hand = by_hand.filter(|row| row.function == function && row.keyword.is_none());
    let all = listed.into_iter().chain(by_hand.map(|row| &row.operators));
    all.flatten().map(String::as_str).collect()
}

fn row(kernels: Kernels<'_>, operator: &'static str) -> OperatorRow {
    let support = kernels.support(operator).unwrap_or(Support::Newer);
    let note = kernels.note(operator);
    OperatorRow {
        name: format!("{NAMESPACE}{operator}"),
        support,
        since: kernels.since(operator),
        newer: kernels.newer(operator),
        when: note.and_then(|note| note.when.as_deref()),
        source: note.map(|note| note.source.as_str()),
        instead: support
            .lacks()
            .then(|| Operators::builtin().instead(operator)),
    }
}
