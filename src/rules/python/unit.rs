//! What a rule for Python sees, and how it says what to change.

use rustc_hash::FxHashSet;

use crate::diagnostic::{Applicability, Code, Finding};
use crate::edit::{Edit, EditKind, GroupId};
use crate::mapping::{Evidence, Positions};
use crate::project::Lore;
use crate::rules::{Dialect, Outcome, RuleSettings};
use crate::syntax::python::{Kind, Literal, Module, NodeId};
use crate::text::{LineIndex, TextRange};

/// A module of Python with what is known around it.
pub struct PythonUnit<'a> {
    /// Path relative to the root.
    pub path: &'a str,
    /// The whole text.
    pub text: &'a [u8],
    /// Its lines.
    pub lines: &'a LineIndex,
    /// Its tree and names.
    pub module: &'a Module<'a>,
    /// Tables.
    pub lore: Lore<'a>,
    /// Members of `PyTorch`'s objects that classes of the tree define themselves.
    pub own_members: &'a FxHashSet<String>,
    /// What the user decided.
    pub settings: &'a RuleSettings,
}

/// An edit that a rule wants.
pub struct Change<'r> {
    /// What is replaced.
    pub range: TextRange,
    /// By what.
    pub to: &'r str,
    /// The rule's name.
    pub rule: &'static str,
    /// Whether the meaning is sure.
    pub applicability: Applicability,
    /// What is known of the mapping.
    pub evidence: Option<Evidence>,
}

impl<'a> PythonUnit<'a> {
    /// What values are by their position.
    pub fn positions(&self) -> &'a Positions {
        &self.lore.knowledge.positions
    }

    /// Whether names become MUSA's.
    pub fn is_musa(&self) -> bool {
        self.settings.dialect == Dialect::Musa
    }

    /// A finding at a place.
    pub fn finding(&self, code: Code, range: TextRange, message: impl Into<String>) -> Finding {
        Finding::at(code, self.path, self.text, self.lines, range, message)
    }

    /// What stands at a place.
    pub fn shown(&self, range: TextRange) -> String {
        String::from_utf8_lossy(range.of(self.text)).into_owned()
    }

    /// Replace a range. Returns whether the edit was taken: another rule may have been first.
    pub fn change(&self, out: &mut Outcome, change: &Change<'_>) -> bool {
        let group = out.group();
        self.change_in(out, change, group)
    }

    /// Replace a range in a group that stands or falls together.
    pub fn change_in(&self, out: &mut Outcome, change: &Change<'_>, group: GroupId) -> bool {
        let edit = Edit {
            range: change.range,
            replacement: change.to.as_bytes().to_vec(),
            applicability: change.applicability,
            kind: EditKind::Rewrite,
            group,
            rule: change.rule,
            evidence: change.evidence,
        };
        out.edits.insert(edit).is_ok()
    }

    /// The string literals of the module, those that Python joins taken together, whose text has
    /// one of the words.
    pub fn literals<'w>(&'w self, words: &'w [&'w str]) -> impl Iterator<Item = Literal> {
        let tree = &self.module.tree;
        tree.nodes().filter_map(move |node| {
            let whole = match tree.kind(node) {
                Kind::ConcatenatedString => true,
                Kind::Str => tree
                    .parent(node)
                    .is_none_or(|up| tree.kind(up) != Kind::ConcatenatedString),
                _ => false,
            };
            if !whole {
                return None;
            }
            let text = tree.word(node);
            let has = |word: &&str| contains(text, word.as_bytes());
            if !words.iter().any(has) {
                return None;
            }
            Literal::read(tree, node).filter(|literal| !literal.is_bytes())
        })
    }

    /// Whether a node is dealt with.
    pub fn is_claimed(&self, out: &Outcome, node: NodeId) -> bool {
        out.is_claimed_at(self.module.tree.range(node).start)
    }

    /// Mark a node as dealt with.
    pub fn claim(&self, out: &mut Outcome, node: NodeId) {
        out.claim_at(self.module.tree.range(node).start);
    }
}

/// Whether a word stands somewhere in a text.
pub fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len().max(1)).any(|window| window == word)
}
