//! `torch.cuda.X`, under whatever name `torch` is known: in calls, annotations, decorators,
//! assignments.

use super::attribute_access::{
    getattr_member, has_default, is_inner, is_replaced, is_torch_of_table, is_unpacked_torch,
    lacking_beside, lacking_by_alias, refuses_types,
};
use super::imports::{after_import, needed_for};
use super::keywords::too_much;
use super::names::{self, Verdict, left, verdict};
use super::patched::{follows, is_mock_of_torch};
use crate::python::module_view::has_one_in;
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_diagnostic::codes::python::{ABSENT_NAME, OUT_OF_REACH, PERHAPS, STANDS_IN};
use torchada_diagnostic::{Applicability, KeptReason};
use torchada_mapping::Evidence;
use torchada_syntax::python::{BoundValue, Kind, NodeId};
use torchada_text::{TextRange, contains, last_part};

/// Attributes of `PyTorch`'s modules for CUDA.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let tree = &unit.module.tree;
    let words = unit.words();
    for node in tree.of(Kind::Attribute) {
        if is_inner(unit, node) {
            continue;
        }
        if let Some(chain) = AttributeChain::of(unit, node)
            && chain.may_matter(unit, &words)
            && !unit.is_claimed(out, chain.root)
        {
            chain.translate(unit, out);
        }
    }
}

/// `root.a.b.c`
struct AttributeChain {
    node: NodeId,
    root: NodeId,
    /// The names behind the root, in order.
    parts: Vec<NodeId>,
}

/// A dotted name that a chain may be.
#[derive(Clone, Copy)]
struct NameInChain<'n> {
    name: &'n str,
    /// The module of the tree through which the chain reaches the name.
    home: Option<&'n str>,
    /// Whether the chain surely is the name.
    sure: bool,
    range: TextRange,
}

impl AttributeChain {
    fn of(unit: &ModuleView<'_>, node: NodeId) -> Option<Self> {
        let (root, parts) = unit.module.tree.chain(node)?;
        Some(Self { node, root, parts })
    }

    /// Whether a look at it may pay: it has a word of CUDA's, or its root may stand for one.
    fn may_matter(&self, unit: &ModuleView<'_>, words: &[TextRange]) -> bool {
        let tree = &unit.module.tree;
        let has = |node: NodeId| has_one_in(words, tree.range(node));
        has(self.node) || {
            let bindings = unit.module.meanings(self.root);
            bindings.iter().any(|binding| match &binding.what {
                BoundValue::Import(path) => unit.python_values().has_word(path.as_bytes()),
                BoundValue::Value(value) => has(*value),
                _ => false,
            })
        }
    }

    fn translate(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let range = unit.module.tree.range(self.node);
        if is_mock_of_torch(unit, self.root) {
            self.translate_mock(unit, out);
            return;
        }
        let inner = format!(".{}", unit.python_values().module.cuda);
        let (name, sure) = match unit.resolve(self.node) {
            _ if is_torch_of_table(unit, self.root) => (unit.shown(range), true),
            Some(one) => {
                let sure = one.is_sure();
                (one.name, sure)
            }
            // `torch` that nothing binds comes from where the text does not show.
            None if unit
                .module
                .is_builtin(self.root, &unit.python_values().torch_names.root) =>
            {
                (unit.shown(range), true)
            }
            None if is_unpacked_torch(unit, self.root) => (unit.shown(range), false),
            // `profiles.torch.cuda`, of a module that comes from nobody knows where.
            None if contains(range.of(unit.text), &inner) => (unit.shown(range), true),
            None => return,
        };
        // The whole of it is a name that a module of the tree re-exports, and that changes there.
        if unit
            .through_tree(self.node)
            .is_some_and(|(_, rest)| rest == 0)
        {
            return;
        }
        // `PyTorch`'s module, reached through another one.
        if let Some(at) = name.find(&inner) {
            self.of_another(unit, out, &name, at + 1);
            return;
        }
        if refuses_types(unit, self.node)
            && let Verdict::Becomes(..) = verdict(unit, &name)
        {
            out.report(left(unit, STANDS_IN, None, &name, range));
            return;
        }
        if let Some(lacking) = lacking_by_alias(unit, self.node)
            && let Verdict::Becomes(..) = verdict(unit, &name)
        {
            out.report(needed_for(unit, &name, &lacking, range));
            return;
        }
        // `getattr(torch.cuda, "nvtx")`: the member decides.
        let name = NameInChain {
            name: &name,
            home: None,
            sure,
            range,
        };
        self.translate_name(unit, out, name);
    }

    fn translate_name(&self, unit: &PythonUnit<'_>, out: &mut Outcome, found: NameInChain<'_>) {
        let NameInChain { name, range, .. } = found;
        let Some(follows_code) = self.code_follows(unit, out, found) else {
            return;
        };
        match verdict(unit, name) {
            Verdict::NotOurs | Verdict::Same => {}
            Verdict::Left(code, row) => {
                out.report(left(unit, code, row, name, range));
            }
            Verdict::Becomes(to, evidence) => {
                if let Some(keyword) = too_much(unit, self.node, name) {
                    let message = format!("`{name}` stays: `{to}` takes no `{keyword}`");
                    let help =
                        "leave the keyword out where MUSA is used, and write the counterpart there";
                    unit.report(out, OUT_OF_REACH, range, message, help);
                    return;
                }
                let Some((range, to)) = self.visible(unit, out, name, &to) else {
                    // `cudnn.version() < 90000`: the finding about the comparison says what to do.
                    if out.findings.iter().any(|one| one.range.covers(range)) {
                        out.keep(range, KeptReason::NamedBeside);
                        return;
                    }
                    let finding = left(unit, OUT_OF_REACH, None, name, range);
                    out.report(finding.help(format!("write `{to}`")));
                    return;
                };
                let whole = unit.module.tree.range(self.node);
                out.findings.extend(names::difference(unit, name, whole));
                if to.as_bytes() == range.of(unit.text) {
                    return;
                }
                let applicability = if follows_code {
                    self.applicability(unit, out, found, &to)
                } else {
                    Applicability::Unsafe
                };
                let change = Change::new(range, &to)
                    .applicability(applicability)
                    .evidence(evidence);
                unit.change(out, change);
            }
        }
    }

    /// Whether the code still does what it says once the name is MUSA's, by the member that it takes of it; `None` where
    /// the name stays for that member, which is reported.
    fn code_follows(
        &self,
        unit: &PythonUnit<'_>,
        out: &mut Outcome,
        found: NameInChain<'_>,
    ) -> Option<bool> {
        let NameInChain {
            name, home, range, ..
        } = found;
        let member = getattr_member(unit, self.node).map(|member| format!("{name}.{member}"));
        let Some(member) = member.or_else(|| lacking_beside(unit, self.node, name)) else {
            return Some(true);
        };
        match verdict(unit, &member) {
            // The code says what it takes where the counterpart lacks the member.
            Verdict::Left(code, _) if code == ABSENT_NAME && has_default(unit, self.node) => {}
            Verdict::Left(code, row) => {
                out.report(left(unit, code, row, &member, range));
                return None;
            }
            Verdict::Becomes(to, _) if is_replaced(unit, self.node) => {
                return follows(unit, out, home, &member, &to, range);
            }
            _ => {}
        }
        Some(true)
    }

    /// Whether the name surely is `PyTorch`'s; one that may be the project's own is reported.
    fn applicability(
        &self,
        unit: &PythonUnit<'_>,
        out: &mut Outcome,
        found: NameInChain<'_>,
        to: &str,
    ) -> Applicability {
        let tree = &unit.module.tree;
        let torch_names = &unit.python_values().torch_names;
        let is_torch = torch_names.is_root(tree.word(self.root));
        if found.sure || (is_torch && self.comes_from_star(unit)) {
            return Applicability::Safe;
        }
        let range = tree.range(self.node);
        let shown = unit.shown(range);
        let whose = if shown == found.name {
            "PyTorch's"
        } else {
            found.name
        };
        let message = format!("`{shown}` may be {whose}, or something of the project's own");
        let help = format!("where it is PyTorch's, write `{to}`; `--unsafe` does so");
        unit.report(out, PERHAPS, range, message, help);
        Applicability::Unsafe
    }

    /// `mock_torch.cuda.is_available.return_value`, where a test replaces a module's `torch` by `mock_torch`: what is
    /// replaced is what the module asks for.
    fn translate_mock(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let tree = &unit.module.tree;
        let module = &unit.python_values().module;
        let last = |name: &str| last_part(name).to_owned();
        let Some(&first) = self
            .parts
            .first()
            .filter(|&&part| tree.word(part) == last(&module.cuda).as_bytes())
        else {
            return;
        };
        let to = last(&module.musa);
        let change = Change::new(tree.range(first), &to).evidence(Evidence::Confirmed);
        unit.change(out, change);
    }

    /// `runtime.torch.cuda`: torch, as another module of the project has imported it.
    fn of_another(&self, unit: &PythonUnit<'_>, out: &mut Outcome, name: &str, inner: usize) {
        let range = unit.module.tree.range(self.node);
        let behind = name.get(inner..).unwrap_or_default().split('.').count();
        let Some(at) = self.parts.len().checked_sub(behind) else {
            return;
        };
        let Some((&root, parts)) = self.parts.get(at..).and_then(|parts| parts.split_first())
        else {
            return;
        };
        let chain = Self {
            node: self.node,
            root,
            parts: parts.to_vec(),
        };
        let home = inner.checked_sub(1).and_then(|end| name.get(..end));
        let name = NameInChain {
            name: name.get(inner..).unwrap_or_default(),
            home,
            sure: true,
            range,
        };
        chain.translate_name(unit, out, name);
    }

    fn comes_from_star(&self, unit: &ModuleView<'_>) -> bool {
        let name = unit.module.tree.word(self.root);
        unit.module.bindings(self.root, name).1.is_empty()
    }

    /// The edit of the visible part of a dotted name: the names behind the root.
    fn visible(
        &self,
        unit: &PythonUnit<'_>,
        out: &Outcome,
        name: &str,
        to: &str,
    ) -> Option<(TextRange, String)> {
        let tree = &unit.module.tree;
        let old: Vec<&str> = name.split('.').collect();
        let through = unit.through_tree(self.node);
        let (hidden, parts) = if let Some((bound, rest)) = through {
            // The name that a module of the tree re-exports changes there.
            let hidden = match verdict(unit, &bound) {
                Verdict::Becomes(to, _) => to,
                _ => bound,
            };
            let own = self.parts.len().checked_sub(rest)?;
            (hidden, self.parts.get(own..)?)
        } else {
            let hidden = old.len().checked_sub(self.parts.len())?;
            let hidden = old.get(..hidden)?.join(".");
            (after_import(unit, out, self.root, &hidden), &*self.parts)
        };
        if parts.is_empty() {
            return None;
        }
        let new = to.strip_prefix(hidden.as_str())?.strip_prefix('.')?;
        let new: Vec<&str> = new.split('.').collect();
        let written: Vec<String> = parts.iter().map(|&part| tree.shown(part)).collect();
        let front = written
            .iter()
            .zip(&new)
            .take_while(|(old, new)| old.as_str() == **new)
            .count()
            .min(written.len().saturating_sub(1))
            .min(new.len().saturating_sub(1));
        let back = written
            .iter()
            .rev()
            .zip(new.iter().rev())
            .take_while(|(old, new)| old.as_str() == **new)
            .count()
            .min(written.len() - front - 1)
            .min(new.len() - front - 1);
        let first = tree.range(*parts.get(front)?);
        let last = tree.range(*parts.get(parts.len() - back - 1)?);
        let text = new.get(front..new.len() - back)?.join(".");
        Some((TextRange::new(first.start, last.end), text))
    }
}
