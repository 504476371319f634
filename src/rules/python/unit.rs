//! What a rule for Python sees, and how it says what to change.

use std::cell::Cell;
use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use super::uses::Memo;
use crate::diagnostic::{Applicability, Code, Finding, Severity};
use crate::edit::{Edit, EditKind, GroupId};
use crate::mapping::{Evidence, Positions};
use crate::project::Context;
use crate::project::python::{Definition, Modules, TreeSource};
use crate::rules::{Dialect, Outcome, RuleSettings};
use crate::syntax::python::{Certainty, Dotted, Field, Kind, Literal, Module, NodeId};
use crate::text::{LineIndex, TextRange};

/// A counterpart on which too little stands.
pub const TOO_WEAK: Code = Code {
    id: "PY077",
    severity: Severity::Warning,
    title: "left because its evidence is below `min-evidence`",
};

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
    /// Its place in the project.
    pub index: usize,
    /// The modules of the tree.
    pub modules: &'a Modules<'a>,
    /// Their trees.
    pub trees: &'a dyn TreeSource,
    /// Whether an edit needs the package for run time in this module.
    pub needs_stub: &'a Cell<bool>,
    /// What names were found to hold.
    pub memo: &'a Memo,
    /// Tables.
    pub context: Context<'a>,
    /// Packages of `packages.toml` that the tree holds itself, by their first names.
    pub own_packages: &'a FxHashSet<String>,
    /// The file whose C++ knows CUDA's device by the name that it has in `PyTorch`, in a tree whose C++ is not
    /// `PyTorch`'s.
    pub device_home: Option<&'a str>,
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

/// Nobody asks for the lines of a file that is only looked at for another.
static NO_LINES: LazyLock<LineIndex> = LazyLock::new(|| LineIndex::new(b""));

impl<'a> PythonUnit<'a> {
    /// Another file of the tree, to be asked how it uses a name.
    pub fn other(&self, file: usize) -> Option<Self> {
        Some(Self {
            path: self.modules.path(file),
            text: self.modules.text(file),
            lines: &NO_LINES,
            module: self.trees.module(file)?,
            index: file,
            ..*self
        })
    }

    /// Whether a word stands somewhere in the text.
    pub fn says(&self, word: &str) -> bool {
        self.module.says(word)
    }

    /// What values are by their position.
    pub fn positions(&self) -> &'a Positions {
        &self.context.knowledge.positions
    }

    /// Whether names become MUSA's.
    pub fn is_musa(&self) -> bool {
        self.settings.dialect == Dialect::Musa
    }

    /// What an expression names, through the modules of the tree: what comes from outside in the end has
    /// its name there.
    pub fn resolve(&self, expression: NodeId) -> Option<Dotted> {
        let Some(found) = self.module.resolve(expression) else {
            return self.name_by_star(expression);
        };
        let root = self.positions().module.cuda.split('.').next();
        if found.name.split('.').next() == root {
            return Some(found);
        }
        match self.modules.lookup(self.index, &found.name) {
            Some(Definition::Outside(name)) => Some(Dotted { name, ..found }),
            _ => Some(found),
        }
    }

    /// Where a name from outside comes through a module of the tree's: its name there, and how many parts
    /// of the expression follow behind it.
    pub fn through_tree(&self, expression: NodeId) -> Option<(String, usize)> {
        let Some(found) = self.module.resolve(expression) else {
            let (root, parts) = self.chain(expression)?;
            return Some((self.star_name(root)?, parts.len()));
        };
        let dots = found.name.bytes().take_while(|&byte| byte == b'.').count();
        let (dots, rest) = found.name.split_at(dots);
        let parts: Vec<&str> = rest.split('.').collect();
        if dots.is_empty() && self.modules.files_of(self.index, rest).is_empty() {
            return None;
        }
        (1..=parts.len()).find_map(|size| {
            let front = format!("{dots}{}", parts.get(..size)?.join("."));
            match self.modules.lookup(self.index, &front)? {
                Definition::Outside(name) => Some((name, parts.len() - size)),
                _ => None,
            }
        })
    }

    /// The first name of a chain of attributes, and the names behind it.
    pub fn chain(&self, expression: NodeId) -> Option<(NodeId, Vec<String>)> {
        let tree = &self.module.tree;
        let mut parts: Vec<String> = Vec::new();
        let mut root = expression;
        while tree.kind(root) == Kind::Attribute {
            parts.push(self.shown(tree.range(tree.child(root, Field::Attribute)?)));
            root = tree.child(root, Field::Object)?;
        }
        parts.reverse();
        (tree.kind(root) == Kind::Identifier).then_some((root, parts))
    }

    /// The name outside the tree of a name that came in with all the names of a module of the tree's.
    fn star_name(&self, root: NodeId) -> Option<String> {
        let word = self.module.tree.word(root);
        if !self.module.bindings(root, word).1.is_empty() {
            return None;
        }
        let word = String::from_utf8_lossy(word);
        match self.modules.lookup_here(self.index, &word)? {
            Definition::Outside(name) => Some(name),
            _ => None,
        }
    }

    /// What an expression names whose first name came in so.
    fn name_by_star(&self, expression: NodeId) -> Option<Dotted> {
        let (root, parts) = self.chain(expression)?;
        let mut name = self.star_name(root)?;
        for part in parts {
            name.push('.');
            name.push_str(&part);
        }
        let certainty = Certainty::Sure;
        Some(Dotted { name, certainty })
    }

    /// A finding at a place.
    pub fn finding(&self, code: Code, range: TextRange, message: impl Into<String>) -> Finding {
        Finding::at(code, self.path, self.text, self.lines, range, message)
    }

    /// What stands at a place.
    pub fn shown(&self, range: TextRange) -> String {
        String::from_utf8_lossy(range.of(self.text)).into_owned()
    }

    /// Whether programs import the package for run time.
    pub fn imports_stub(&self) -> bool {
        self.settings.import_stub.is_wanted()
    }

    /// Replace a range. Returns whether the edit was taken: another rule may have been first.
    pub fn change(&self, out: &mut Outcome, change: &Change<'_>) -> bool {
        let group = out.group();
        self.change_in(out, change, group)
    }

    /// Replace a range in a group that stands or falls together.
    pub fn change_in(&self, out: &mut Outcome, change: &Change<'_>, group: GroupId) -> bool {
        let weak = change
            .evidence
            .filter(|&evidence| evidence > self.settings.min_evidence);
        if let Some(evidence) = weak {
            let message = format!(
                "`{}` stays and does not become `{}`, which has only the evidence `{}`",
                self.shown(change.range),
                change.to,
                evidence.as_str()
            );
            out.findings
                .push(self.finding(TOO_WEAK, change.range, message));
            return false;
        }
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
        self.literals_with(|text| {
            let mut words = words.iter();
            words.any(|word| contains(text, word.as_bytes()))
        })
    }

    /// The same, for those as they are written that are wanted.
    pub fn literals_with<'w>(
        &'w self,
        is_wanted: impl Fn(&[u8]) -> bool + 'w,
    ) -> impl Iterator<Item = Literal> {
        let tree = &self.module.tree;
        self.module.strings().iter().filter_map(move |&node| {
            let literal = is_wanted(tree.word(node)).then(|| Literal::read(tree, node))??;
            (!literal.is_bytes()).then_some(literal)
        })
    }

    /// Whether a rule writes something at a node.
    pub fn is_edited(&self, out: &Outcome, node: NodeId) -> bool {
        let range = self.module.tree.range(node);
        out.edits.touches(range)
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
    memchr::memmem::find(text, word).is_some()
}
