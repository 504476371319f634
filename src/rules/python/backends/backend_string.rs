//! A string with the name of a backend, and what the code around it says of it.

use super::arms::is_of_gpu_by_arm;
use super::compared::{is_compared_with_others, is_of_torch};
use crate::Outcome;
use crate::python::devices::both_names::{BothNames, with_both};
use crate::python::devices::users_words::takes_users_word;
use crate::python::inference::callee::outer_name;
use crate::python::inference::{StringRole, annotated, any_use, role_by_flow, string_role};
use crate::python::reserved::alternatives::Alternatives;
use crate::python::reserved::alternatives_beside::{among, neighbours, rivals_of_device};
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::python::MAY_BE_BACKEND;
use torchada_mapping::stub::Backend;
use torchada_mapping::{ValueKind, has, starts_with_one};
use torchada_syntax::python::{Binding, Consumer, Dotted, Field, Kind, Literal, NodeId, Use};
use torchada_text::TextRange;

/// How many values of a name are looked at.
const BINDINGS: usize = 16;

/// A string with the name of a backend, and the code that uses the string.
pub(super) struct BackendString<'l> {
    pub(super) literal: &'l Literal,
    pub(super) of: Use,
    pub(super) reading: StringRole,
    /// The literals that are alternatives to the string.
    pub(super) alternatives: Vec<Literal>,
}

impl<'l> BackendString<'l> {
    pub(super) fn of(unit: &ModuleView<'_>, literal: &'l Literal) -> Self {
        let of = unit.module.use_of(literal.node);
        let (reading, alternatives) = match annotated(unit, literal.node) {
            Some(found) => found,
            None => (string_role(unit, &of), neighbours(unit, &of).collect()),
        };
        // `true_backend` may be an implementation, or what a process group is made with.
        let reading = match reading {
            StringRole::Known(ValueKind::Other) if !matches!(of.consumer, Consumer::Path) => {
                match role_by_flow(unit, &of) {
                    StringRole::Unknown => reading,
                    found => found,
                }
            }
            found => found,
        };
        Self {
            literal,
            of,
            reading,
            alternatives,
        }
    }

    /// The name of the function that takes the string.
    fn callee(&self, unit: &ModuleView<'_>) -> Option<Dotted> {
        unit.callee_name(self.of.consumer.call()?)
    }

    /// Whether the string is a word of another package's or program's: `WeightTransferConfig(backend="nccl")` of vLLM's,
    /// `json.dumps({"backend": "nccl"})`.
    pub(super) fn is_of_registry(&self, unit: &ModuleView<'_>) -> bool {
        let tree = &unit.module.tree;
        let call = match self.of.consumer {
            Consumer::DictValue { pair } => tree
                .parent(pair)
                .and_then(|dictionary| tree.call_with(dictionary)),
            consumer => consumer.call(),
        };
        let callee = call.and_then(|call| tree.callee(call));
        let name = callee.and_then(|callee| outer_name(unit, callee));
        let known = &unit.python_values().process_groups.registries;
        name.is_some_and(|name| starts_with_one(name, known))
    }

    /// Whether a function of torch's takes the string, so that the string can only be a backend. The default of a parameter
    /// is taken where the parameter is.
    pub(super) fn is_torchs(&self, unit: &ModuleView<'_>) -> bool {
        if self.is_handed_to_torch(unit) {
            return true;
        }
        let Consumer::Default { name, .. } = self.of.consumer else {
            return false;
        };
        any_use(unit, name, &mut |unit, node| {
            let takers = &unit.python_values().process_groups.takers;
            let call = unit.module.use_of(node).consumer.call();
            let callee = call.and_then(|call| unit.callee_name(call));
            is_of_torch(unit, callee.filter(|one| !takers.contains(&one.name)))
        })
    }

    /// Whether a function of torch's takes the backend that may lack MUSA's.
    pub(super) fn takes_backend(&self, unit: &ModuleView<'_>) -> bool {
        let takers = &unit.python_values().process_groups.takers;
        let callee = self.callee(unit);
        callee.is_some_and(|callee| takers.contains(&callee.name))
    }

    /// Whether a function of torch's takes the string itself.
    pub(super) fn is_handed_to_torch(&self, unit: &ModuleView<'_>) -> bool {
        is_of_torch(unit, self.callee(unit))
    }

    /// Whether the string is one platform's backend among those of several.
    pub(super) fn is_beside_others(&self, unit: &ModuleView<'_>) -> bool {
        let alternatives = self.alternatives.iter().cloned();
        among(unit, alternatives) != Alternatives::None && !is_of_gpu(unit, &self.of)
            || is_compared_with_others(unit, &self.of)
    }

    /// Whether the string is compared with a name that the same code gives the same backend, which becomes MUSA's there:
    /// `if torch.cuda.is_available(): backend = "nccl"`, then `backend == "nccl"`.
    pub(super) fn is_compared_with_own(&self, unit: &ModuleView<'_>) -> bool {
        let Some(name) = self.of.compared_with() else {
            return false;
        };
        let values = unit.module.meanings(name).iter().filter_map(Binding::value);
        let mut own = values.take(BINDINGS).filter_map(|value| {
            let literal = Literal::read(&unit.module.tree, value)?;
            (literal.value() == self.literal.value()).then_some(literal)
        });
        own.any(|literal| {
            let one = BackendString::of(unit, &literal);
            is_of_gpu_by_arm(unit, &one.of, literal.node, &one.alternatives)
                || !one.is_beside_others(unit)
        })
    }

    /// Whether MUSA's backend stands beside the string.
    pub(super) fn is_listed_with(&self, musa: &str) -> bool {
        let mut alternatives = self.alternatives.iter();
        alternatives.any(|one| one.value().eq_ignore_ascii_case(musa.as_bytes()))
    }

    /// What a place becomes that takes a word which a person has written: CUDA's backend and MUSA's.
    pub(super) fn with_both(
        &self,
        unit: &PythonUnit<'_>,
        names: &Backend,
    ) -> Option<(TextRange, String)> {
        let (mut cuda, mut musa) = (names.cuda.clone(), names.musa.clone());
        if self.in_capitals() {
            (cuda, musa) = (cuda.to_ascii_uppercase(), musa.to_ascii_uppercase());
        }
        let is_whole = self.literal.value() == cuda.as_bytes();
        let names = BothNames {
            cuda: &cuda,
            musa: &musa,
        };
        (is_whole && takes_users_word(unit, &self.of, self.literal.node))
            .then(|| with_both(unit, self.literal, &self.of, names))?
    }

    pub(super) fn in_capitals(&self) -> bool {
        self.literal.value().iter().all(u8::is_ascii_uppercase)
    }

    /// Whether one of the alternatives names no backend of a process group.
    pub(super) fn has_other_alternative(&self, unit: &ModuleView<'_>) -> bool {
        // The values of other keys are no alternatives to the string.
        if matches!(self.of.consumer, Consumer::DictValue { .. }) {
            return false;
        }
        let known = &unit.python_values().process_groups.backends;
        let tree = &unit.module.tree;
        // The key in `settings["backend"] == "nccl"` is no alternative.
        let is_key = |node| tree.parent_if(node, Kind::Subscript).is_some();
        let mut alternatives = self.alternatives.iter().filter(|one| !is_key(one.node));
        alternatives.any(|literal| {
            let text = literal.text().to_ascii_lowercase();
            let mut names = text.split([':', ',']);
            literal.is_plain() && names.any(|name| !has(known, name))
        })
    }

    /// Whether all alternatives are backends, and one of them is a backend for hosts.
    pub(super) fn has_host_alternative(&self, unit: &ModuleView<'_>) -> bool {
        let hosts = &unit.python_values().process_groups.hosts;
        let mut alternatives = self.alternatives.iter();
        alternatives.any(|literal| has(hosts, literal.value().to_ascii_lowercase()))
            && !self.has_other_alternative(unit)
    }

    /// Whether a class has the string under a name of the same letters, by which code picks it: `NCCL = "nccl"`,
    /// `getattr(Backend, name.upper())`.
    pub(super) fn is_of_picked_attribute(&self, unit: &ModuleView<'_>) -> bool {
        let tree = &unit.module.tree;
        let Consumer::Target { target } = self.of.consumer else {
            return false;
        };
        let class = tree
            .class_around(target)
            .and_then(|class| tree.child(class, Field::Name));
        let is_alike = tree.word(target) == self.literal.value().to_ascii_uppercase();
        let Some(class) = class.filter(|_| is_alike) else {
            return false;
        };
        let picks = |call: NodeId| {
            let arguments: Vec<NodeId> = tree.arguments(call).take(2).collect();
            let &[of, name] = arguments.as_slice() else {
                return false;
            };
            unit.module.callee_word(call) == b"getattr"
                && [tree.word(class), b"cls"].contains(&tree.word(of))
                && tree.kind(name) == Kind::Call
                && unit.module.callee_word(name) == b"upper"
        };
        tree.of(Kind::Call).any(picks)
    }

    /// Keep a string whose position does not show that it is a backend, and report it if it may be one.
    pub(super) fn keep_or_report(&self, unit: &PythonUnit<'_>, out: &mut Outcome, musa: &str) {
        let reason = match self.reading {
            StringRole::Text => KeptReason::Prose,
            StringRole::Unknown | StringRole::Ambiguous => return self.report(unit, out, musa),
            StringRole::Known(_) if self.has_host_alternative(unit) => {
                return self.report(unit, out, musa);
            }
            StringRole::Known(_) => KeptReason::NotADevice,
        };
        let range = unit.module.tree.range(self.literal.node);
        out.keep(range, reason);
    }

    pub(super) fn report(&self, unit: &PythonUnit<'_>, out: &mut Outcome, musa: &str) {
        let range = unit.module.tree.range(self.literal.node);
        let shown = unit.shown(range);
        let message =
            format!("{shown} stays: whether it names a backend is not clear from its context");
        let help = format!(
            "write `{musa}` where it is a backend of torch.distributed; where it is a mode of the project's own, \
             keep it at all its places"
        );
        unit.report(out, MAY_BE_BACKEND, range, message, help);
    }
}

/// Whether a backend is that of the device which the port runs on: `{"cuda": "nccl", "npu": "hccl"}`, where the key is a
/// device of `PyTorch`'s.
fn is_of_gpu(unit: &ModuleView<'_>, of: &Use) -> bool {
    let Consumer::DictValue { pair } = of.consumer else {
        return false;
    };
    let tree = &unit.module.tree;
    let Some(key) = tree.child(pair, Field::Key) else {
        return false;
    };
    let mut devices = unit.context.knowledge.devices.iter();
    let is_cudas = Literal::read(tree, key)
        .is_some_and(|key| devices.any(|one| one.cuda.as_bytes() == key.value()));
    let of = unit.module.use_of(key);
    is_cudas
        && string_role(unit, &of).is_device()
        && rivals_of_device(unit, &of) == Alternatives::None
}
