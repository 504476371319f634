//! What a module says of itself: the platform that it is for, and those for which it imports others.

use std::cell::LazyCell;

use super::answer::verdict;
use super::branches::skips;
use super::named_modules::{by_name, compares_with_cuda, named};
use super::names::words;
use super::newest_gpus::number;
use super::packages::{PlatformPackages, by_package};
use super::reached::Reason;
use super::verdict::Verdict;
use crate::python::ModuleView;
use torchada_mapping::starts_with_one;
use torchada_project::replay::Cause;
use torchada_syntax::python::{Branch, Guard, Kind, Module, ModuleOutline, NodeId};
use torchada_text::line_of;

/// What a module says of itself.
#[derive(Default, Debug)]
pub(super) struct Facts {
    /// Why MUSA does not reach it, if it says so.
    pub(super) unreached: Option<Reason>,
    /// The platform that its name and the name of its folders say.
    pub(super) named: Option<Cause>,
    /// Whether only its name says so, and it asks whether a device is CUDA's, too: it may be for all devices.
    pub(super) compares_with_cuda: bool,
    /// Whether something may start it that no import shows: a program, a test.
    pub(super) is_started: bool,
    /// Whether the name of the module, or of a folder around it, says that it is CUDA's.
    pub(super) is_cudas: bool,
    /// The imports in branches, by place.
    gates: Vec<(usize, Gate)>,
}

/// Who runs an import.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Gate {
    /// Everybody who loads the module.
    Open,
    /// Everybody who calls the function around it.
    Called,
    /// Some of those who load or use the module.
    Half,
    /// Only a platform that MUSA is not.
    Closed(Cause),
    /// Only checkers of types.
    Typing,
}

impl Facts {
    pub(super) fn of(
        view: &ModuleView<'_>,
        outline: &ModuleOutline<'_>,
        packages: &PlatformPackages<'_>,
    ) -> Self {
        let gates = gates(view, outline);
        let parts = words_of_path(view);
        let own = &view.python_values().vendors.own;
        let is_cudas = |part: &Vec<String>| part.iter().any(|word| own.contains(word));
        let named = named(view, &parts).filter(|_| !parts.last().is_some_and(is_cudas));
        let by_name = || {
            let named = named.as_ref()?;
            by_name(view, outline, named)
        };
        let is_vendors = matches!(named, Some(Cause::Vendor(_)));
        let by_content =
            by_mark(view, outline).or_else(|| by_package(view, outline, &packages.vendors));
        let is_by_content = by_content.is_some();
        let unreached = by_content
            .or_else(|| by_name().filter(|_| is_vendors))
            .or_else(|| by_package(view, outline, &packages.nvidias))
            .or_else(by_name);
        let compares_with_cuda = is_vendors
            && !is_by_content
            && unreached.is_some()
            && compares_with_cuda(view, outline, named.as_ref());
        Self {
            unreached,
            compares_with_cuda,
            named,
            is_started: view.modules.is_program(view.index) || is_test(&parts),
            is_cudas: parts.iter().any(is_cudas),
            gates,
        }
    }

    /// Who runs the import at a place.
    pub(super) fn gate(&self, at: usize) -> Gate {
        match self.gates.binary_search_by_key(&at, |&(at, _)| at) {
            Ok(found) => self
                .gates
                .get(found)
                .map_or(Gate::Open, |(_, gate)| gate.clone()),
            Err(_) => Gate::Open,
        }
    }
}

/// The gates of the imports that not everybody runs who loads the module.
fn gates(view: &ModuleView<'_>, outline: &ModuleOutline<'_>) -> Vec<(usize, Gate)> {
    // Most conditions stand around no import.
    let says: Vec<LazyCell<Option<Verdict>, _>> = outline
        .branches
        .iter()
        .map(|one| LazyCell::new(|| condition_verdict(view, one)))
        .collect();
    let mut found: Vec<(usize, Gate)> = Vec::new();
    for import in outline.imports.iter().chain(&outline.stars) {
        let gate = match (import.guard, closed(outline, &says, import.branch)) {
            (Guard::Typing, _) => Gate::Typing,
            (_, Some(cause)) => Gate::Closed(cause),
            (Guard::Nothing, None) => continue,
            (Guard::Function, None) if import.branch.is_none() => Gate::Called,
            _ => Gate::Half,
        };
        found.push((import.at, gate));
    }
    found.sort_by_key(|&(at, _)| at);
    found.dedup_by_key(|&mut (at, _)| at);
    found
}

/// What the condition of a branch says on MUSA.
fn condition_verdict(view: &ModuleView<'_>, branch: &Branch<'_>) -> Option<Verdict> {
    let condition = branch
        .condition
        .filter(|text| mentions_platforms(view, text))?;
    in_text(view, condition, verdict)
}

/// Whether a condition has a word that may decide it.
fn mentions_platforms(view: &ModuleView<'_>, condition: &str) -> bool {
    let known = &view.context.knowledge.platform_words;
    let vendors = &view.python_values().vendors;
    let distinguishes = view.distinguishes_musa_from_cuda();
    words(condition.as_bytes()).iter().any(|word| {
        known.vendor(word).is_some()
            || number(word).is_some()
            || distinguishes && (vendors.own.contains(word) || vendors.target.contains(word))
    })
}

/// What an expression says that is read by itself, without the module around it.
fn in_text<T>(
    view: &ModuleView<'_>,
    text: &str,
    ask: impl FnOnce(&ModuleView<'_>, NodeId) -> Option<T>,
) -> Option<T> {
    // The brackets keep its lines together.
    let text = format!("({text})");
    let module = Module::new(text.as_bytes())?;
    let inner = ModuleView {
        text: text.as_bytes(),
        is_whole_file: false,
        module: &module,
        ..*view
    };
    let statement = module.tree.of(Kind::ExpressionStatement).next()?;
    ask(&inner, module.tree.nth(statement, 0)?)
}

/// Why MUSA does not take a branch, or one around it.
fn closed<F: FnOnce() -> Option<Verdict>>(
    outline: &ModuleOutline<'_>,
    says: &[LazyCell<Option<Verdict>, F>],
    branch: Option<usize>,
) -> Option<Cause> {
    let mut at = branch;
    while let Some(place) = at {
        let branch = outline.branches.get(place)?;
        if let Some(one) = &**says.get(place)?
            && !one.holds
        {
            return Some(one.cause.clone());
        }
        // An arm before it that MUSA takes.
        let mut before = branch.before;
        while let Some(earlier) = before {
            if let Some(one) = &**says.get(earlier)?
                && one.holds
            {
                return Some(one.cause.clone());
            }
            before = outline.branches.get(earlier)?.before;
        }
        at = branch.enclosing;
    }
    None
}

/// The platform for which the tests of a module are, or without which it can't be loaded.
fn by_mark(view: &ModuleView<'_>, outline: &ModuleOutline<'_>) -> Option<Reason> {
    let reason = |at: usize, cause: Cause| {
        let words = cause.words();
        let line = line_of(view.text, at);
        let why = format!("line {line} lets it run {words} only");
        Reason { cause, why }
    };
    for (at, mark) in &outline.marks {
        if !mentions_platforms(view, mark) {
            continue;
        }
        let cause = in_text(view, mark, |view, value| {
            let tree = &view.module.tree;
            let mut calls = tree.with_below(value);
            calls.find_map(|one| Some(skips(view, one)?.0))
        });
        if let Some(cause) = cause {
            return Some(reason(*at, cause));
        }
    }
    for branch in outline.branches.iter().filter(|one| one.is_top) {
        let exits = &view.python_values().words_of_calls.exits;
        let leaves = branch.last.starts_with("raise") || starts_with_one(branch.last, exits);
        if leaves
            && branch.before.is_none()
            && let Some(one) = condition_verdict(view, branch)
            && one.holds
        {
            return Some(reason(branch.at, one.cause));
        }
    }
    None
}

/// Whether a module is one that a test run loads by its name.
fn is_test(parts: &[Vec<String>]) -> bool {
    let name = parts.last();
    let is_test = |word: Option<&String>| word.is_some_and(|word| word == TEST);
    name.is_some_and(|name| is_test(name.first()) || is_test(name.last()))
}

/// The word by which test runs find their modules.
const TEST: &str = "test";

/// The words of a path, those of the file last.
fn words_of_path(view: &ModuleView<'_>) -> Vec<Vec<String>> {
    let path = view.path.strip_suffix(".py").unwrap_or(view.path);
    path.split('/').map(|part| words(part.as_bytes())).collect()
}
