//! What a tree needs packages for that are made for CUDA.

use std::collections::BTreeMap;

use super::TranslatedTree;
use crate::mapping::python::packages::Packages;
use crate::project::Context;
use crate::project::python::ModuleIndex;
use crate::report::PackageLoss;

/// What a tree can't do without each package of the table, by the packages' names.
pub(in crate::commands) fn package_needs(
    tree: &TranslatedTree,
    context: Context<'_>,
) -> BTreeMap<String, PackageLoss> {
    let index = ModuleIndex::new(&tree.project, context);
    let found = Packages::builtin().rows().iter().filter_map(|package| {
        let need = index.need(package.name())?;
        let chain = need.chain.iter().map(|&place| index.place(place));
        let lost = need.lost.iter().map(|&at| index.module_name(at));
        let loss = PackageLoss {
            chain: chain.collect(),
            lost: lost.collect(),
        };
        Some((package.name().to_owned(), loss))
    });
    found.collect()
}
