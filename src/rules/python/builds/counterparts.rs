//! The counterparts of `PyTorch`'s builders, and the edit that writes the name of one.

use super::extensions::is_builder;
use crate::python::ModuleView;
use torchada_mapping::{Evidence, Section, ends_with_one};
use torchada_syntax::python::{Kind, Literal, NodeId};
use torchada_text::{contains, last_part};

/// The rule by its name.
pub const BUILDER_NAMES: &str = "python-builder-names";

/// The counterpart of a name of `PyTorch`'s builders: a name in `torch_musa`'s module.
pub(super) fn counterpart(unit: &ModuleView<'_>, name: &str) -> Option<(String, Evidence)> {
    if !is_builder(unit, name) || stays_for_host(unit, name) {
        return None;
    }
    let row = unit.context.row(Section::Python, name.as_bytes())?;
    let evidence = row.evidence?;
    let to = row.to.as_deref()?;
    let known = &unit.context.knowledge.builds.extensions;
    let (home, last) = to.rsplit_once('.')?;
    let strong = evidence <= unit.settings.min_evidence;
    (home == known.home && strong).then(|| (last.to_owned(), evidence))
}

/// Whether a name that serves hosts, too, has nothing to do with CUDA in this module.
fn stays_for_host(unit: &ModuleView<'_>, name: &str) -> bool {
    let builds = &unit.python_values().builds;
    let known = &unit.context.knowledge.builds.extensions;
    let last = last_part(name);
    let has_word = |text: &[u8]| {
        let lower = text.to_ascii_lowercase();
        let mut words = builds.words.iter().chain(&builds.sources);
        words.any(|word| contains(&lower, word))
    };
    let is_for_device = || {
        has_word(unit.text)
            && !loaders_of_host_sources(unit).is_some_and(|loaders| {
                let mut loaders = loaders.into_iter();
                !loaders.any(|one| has_word(unit.module.tree.word(one)))
            })
    };
    if unit.memo.is_built_for_device(unit.index, is_for_device) {
        return false;
    }
    last != known.command || unit.contains(&known.host_builder)
}

/// The functions that import the builder and name host sources themselves, where no other code imports it: what the rest of
/// the module says of CUDA is not about what they build.
fn loaders_of_host_sources(unit: &ModuleView<'_>) -> Option<Vec<NodeId>> {
    let tree = &unit.module.tree;
    let endings = &unit.context.knowledge.builds.extensions.host.endings;
    let imports = tree.of_any(&[Kind::Import, Kind::ImportFrom]);
    let imports = imports.filter(|&one| super::names_module(unit, one));
    let around = imports.map(|one| tree.function_around(one));
    let loaders: Vec<NodeId> = around.collect::<Option<_>>()?;
    let names_host_source = |&function: &NodeId| {
        let texts = tree
            .below(function)
            .filter_map(|one| Literal::read(tree, one));
        let mut texts = texts.map(|one| one.value().to_vec());
        texts.any(|text| ends_with_one(text, endings))
    };
    let all_do = !loaders.is_empty() && loaders.iter().all(names_host_source);
    all_do.then_some(loaders)
}

/// The statement that binds a name.
pub(super) fn binder(unit: &ModuleView<'_>, at: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    let found = tree.statement(at)?;
    matches!(tree.kind(found), Kind::Import | Kind::ImportFrom).then_some(found)
}
