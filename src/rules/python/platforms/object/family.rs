//! Families of questions for a platform: `is_cuda`, `is_hip` and `is_npu` in one class or one module.

use std::collections::BTreeSet;

use crate::python::inference::callee::node_of;
use crate::python::{ModuleView, PythonUnit};
use torchada_mapping::has;
use torchada_syntax::python::{Field, NodeId};

/// How many other platforms a family asks for at least.
const OTHERS: usize = 2;

/// How many questions a finding names.
const NAMED: usize = 4;

/// A family of questions.
pub(super) struct Family<'u> {
    /// The name of the class, or of the question for CUDA.
    pub(super) at: NodeId,
    /// The class that has the questions, by its place in the outline and its name.
    pub(super) class: Option<(usize, &'u str)>,
    /// The questions, that for CUDA first.
    pub(super) questions: Vec<&'u str>,
    /// Everything that the class or the module defines.
    pub(super) members: BTreeSet<&'u str>,
}

/// What a name asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Platform {
    Cuda,
    Musa,
    Other,
}

/// The families of a module that know nothing of MUSA.
pub(super) fn families<'u>(unit: &'u PythonUnit<'_>) -> Vec<Family<'u>> {
    let Some(outline) = unit.modules.outline(unit.index) else {
        return Vec::new();
    };
    // What nobody imports is a program's own, as that of a build.
    if unit.modules.importers(unit.index).is_empty() {
        return Vec::new();
    }
    let owners: BTreeSet<Option<usize>> = outline
        .functions
        .iter()
        .filter(|head| !head.nested && asks_for(unit, head.name) == Some(Platform::Cuda))
        .map(|head| head.class)
        .collect();
    owners
        .into_iter()
        .filter_map(|owner| {
            let own = || {
                let functions = outline.functions.iter();
                functions.filter(move |head| head.class == owner && !head.nested)
            };
            let asked =
                |what: Platform| own().filter(move |head| asks_for(unit, head.name) == Some(what));
            if asked(Platform::Musa).next().is_some() || asked(Platform::Other).count() < OTHERS {
                return None;
            }
            let first = asked(Platform::Cuda).next()?;
            let class = owner.and_then(|at| Some((at, outline.classes.get(at)?)));
            let (name, at) = class.map_or((first.name, first.at), |(_, head)| (head.name, head.at));
            let node = node_of(unit, name, at)?;
            Some(Family {
                at: unit.module.tree.child(node, Field::Name)?,
                class: class.map(|(at, head)| (at, head.name)),
                questions: asked(Platform::Cuda)
                    .chain(asked(Platform::Other))
                    .map(|head| head.name)
                    .collect(),
                members: own().map(|head| head.name).collect(),
            })
        })
        .collect()
}

/// The platform that a function asks for by its name: `is_cuda`, `is_npu_available`.
fn asks_for(unit: &ModuleView<'_>, name: &str) -> Option<Platform> {
    let words = &unit.python_values().vendors;
    let name = name.trim_start_matches('_').strip_prefix("is_")?;
    let word = name.strip_suffix("_available").unwrap_or(name).as_bytes();
    if has(&words.own, word) {
        Some(Platform::Cuda)
    } else if has(&words.target, word) {
        Some(Platform::Musa)
    } else {
        has(&words.others, word).then_some(Platform::Other)
    }
}

impl Family<'_> {
    /// What the finding about the family says.
    pub(super) fn message(&self, unit: &ModuleView<'_>) -> String {
        let shown = self.questions.iter().take(NAMED);
        let shown: Vec<String> = shown.map(|name| format!("`{name}`")).collect();
        let files = match self.files(unit) {
            1 => "1 file asks".to_owned(),
            count => format!("{count} files ask"),
        };
        let owner = match self.class {
            Some((_, name)) => format!("`{name}` answers"),
            None => "The project asks".to_owned(),
        };
        format!(
            "{owner} {} and nothing for MUSA; {files} it",
            shown.join(", ")
        )
    }

    /// How many files of the tree ask one of the questions.
    fn files(&self, unit: &ModuleView<'_>) -> usize {
        let files = unit.modules.project().files.len();
        let asks = |&file: &usize| {
            let mut questions = self.questions.iter();
            file != unit.index && questions.any(|name| unit.modules.has(file, name.as_bytes()))
        };
        (0..files).filter(asks).count()
    }
}
