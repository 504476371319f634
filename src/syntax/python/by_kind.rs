//! The nodes of a tree, sorted by their kinds.

use super::kind::Kind;
use super::records::{NodeId, NodeRecord};

/// The nodes of each kind, in the order of the text.
#[derive(Debug)]
pub(super) struct ByKind {
    nodes: Vec<NodeId>,
    /// Where those of each kind start in the list.
    starts: Vec<u32>,
}

impl ByKind {
    /// Sort the nodes of a tree by their kinds.
    pub(super) fn new(records: &[NodeRecord]) -> Self {
        let mut starts = vec![0_u32; usize::from(u8::MAX) + 2];
        for record in records {
            if let Some(count) = starts.get_mut(usize::from(record.kind as u8) + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut nodes = vec![NodeId(0); records.len()];
        for (id, record) in records.iter().enumerate() {
            if let Some(at) = next.get_mut(usize::from(record.kind as u8)) {
                if let Some(slot) = nodes.get_mut(*at as usize) {
                    *slot = NodeId(id as u32);
                }
                *at += 1;
            }
        }
        Self { nodes, starts }
    }

    /// The nodes of a kind.
    pub(super) fn of(&self, kind: Kind) -> &[NodeId] {
        let at = usize::from(kind as u8);
        let place = |at: usize| self.starts.get(at).map_or(0, |start| *start as usize);
        self.nodes.get(place(at)..place(at + 1)).unwrap_or_default()
    }
}
