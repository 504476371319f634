//! Trees of a project's modules in few bytes, for those who ask for a module again.

use std::sync::Arc;

use quick_cache::Weighter;

use super::tree_cache::{TreeCache, tree_cache};
use torchada_syntax::python::{Module, PackedTree};

/// The bytes of the packed trees that are kept.
const PACKED: u64 = 12 << 20;

/// About how many modules that are.
const PACKED_MODULES: usize = 4096;

/// The packed trees of a project's modules. They have no texts, so they stay when those are forgotten.
#[derive(Clone, Debug)]
pub struct PackedTrees(Arc<TreeCache<Arc<PackedTree>, BySize>>);

impl Default for PackedTrees {
    fn default() -> Self {
        Self(Arc::new(tree_cache(PACKED_MODULES, PACKED, BySize)))
    }
}

impl PackedTrees {
    /// The module of a text, whose place in the project is `at`; parsed, where no tree of it is kept.
    pub(super) fn module<'p>(
        &self,
        at: usize,
        text: &'p [u8],
        parse: impl FnOnce() -> Option<Module<'p>>,
    ) -> Option<Module<'p>> {
        let packed = self.0.get(&at);
        if let Some(module) = packed.and_then(|packed| Module::unpacked(text, &packed)) {
            return Some(module);
        }
        let module = parse()?;
        if let Some(packed) = module.pack() {
            self.0.insert(at, Arc::new(packed));
        }
        Some(module)
    }
}

#[derive(Clone, Debug)]
struct BySize;

impl Weighter<usize, Arc<PackedTree>> for BySize {
    fn weight(&self, _: &usize, packed: &Arc<PackedTree>) -> u64 {
        u64::try_from(packed.size()).unwrap_or(u64::MAX).max(1)
    }
}
