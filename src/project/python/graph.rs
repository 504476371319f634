//! The graph of imports.

use rustc_hash::FxHashMap;

/// The graph of imports.
#[derive(Default, Debug)]
pub(super) struct Graph {
    /// For each file, those that its imports load.
    pub(super) edges: Vec<Box<[u32]>>,
    /// For each file, those without which it can't be loaded, and the places of the statements, in their order.
    pub(super) needed: Vec<Box<[(usize, usize)]>>,
    /// For each file, the files that import something of it, and the places of the statements.
    pub(super) importers: FxHashMap<usize, Vec<(usize, usize)>>,
    pub(super) reaches_device: Vec<bool>,
    pub(super) loads_torch: Vec<bool>,
}

impl Graph {
    pub(super) fn reaches_device(&self, at: usize) -> bool {
        self.reaches_device.get(at).copied().unwrap_or(false)
    }

    pub(super) fn loads_torch(&self, at: usize) -> bool {
        self.loads_torch.get(at).copied().unwrap_or(false)
    }

    pub(super) fn importers(&self, at: usize) -> &[(usize, usize)] {
        self.importers.get(&at).map_or(&[], Vec::as_slice)
    }

    pub(super) fn imports(&self, from: usize, to: usize) -> bool {
        let edges = self.edges.get(from);
        edges.is_some_and(|edges| edges.binary_search(&(to as u32)).is_ok())
    }
}
