//! Strings that name a backend of `torch.distributed`: `"nccl"`, `"cpu:gloo,cuda:nccl"`.

use super::arms::is_of_gpu_by_arm;
use super::compared::{
    is_compared_with_groups, is_compared_with_kept, is_compared_with_others, is_of_torch,
};
use crate::python::devices::both_names::with_both;
use crate::python::devices::own_devices;
use crate::python::devices::users_words::takes_users_word;
use crate::python::inference::callee::outer_name;
use crate::python::inference::options;
use crate::python::inference::options::has;
use crate::python::inference::{StringRole, each_use, names_entry, role_by_flow, string_role};
use crate::python::reserved::alternatives::Alternatives;
use crate::python::reserved::alternatives_beside::{among, neighbours, rivals_of_device};
use crate::python::unit::Change;
use crate::python::{ModuleView, PythonUnit};
use crate::{Outcome, Rule};
use torchada_diagnostic::{Applicability, Code, Kept, KeptReason, Severity};
use torchada_mapping::stub::{Backend, StubKnowledge};
use torchada_mapping::{Evidence, ValueKind};
use torchada_syntax::python::{Consumer, Dotted, Field, Kind, Literal, Use};
use torchada_text::TextRange;

/// A string that may name a backend.
pub const MAY_BE_BACKEND: Code = Code {
    id: "PY035",
    severity: Severity::Warning,
    title: "may name a backend of torch.distributed; its position does not tell",
};

/// Backends of `torch.distributed`.
pub struct Backends;

const RULE: &str = "python-backends";

impl Rule<PythonUnit<'_>> for Backends {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        &[MAY_BE_BACKEND]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        if !unit.is_musa() {
            return;
        }
        let known = StubKnowledge::builtin();
        let backends = &known.backends;
        let words: Vec<String> = backends
            .iter()
            .flat_map(|one| [one.cuda.clone(), one.cuda.to_ascii_uppercase()])
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut own = None;
        for literal in unit.literals(&words).filter(Literal::is_plain) {
            // A library to link is no backend, nor is what another rule knows.
            if unit.is_edited(out, literal.node) || unit.is_claimed(out, literal.node) {
                continue;
            }
            for backend in backends {
                let pieces = pieces(unit, &literal, &backend.cuda, &backend.musa);
                if pieces.is_empty() {
                    continue;
                }
                let string = BackendString::of(unit, &literal);
                if string.is_of_registry(unit) {
                    unit.claim(out, literal.node);
                    let range = unit.module.tree.range(literal.node);
                    let reason = KeptReason::NotADevice;
                    out.kept.push(Kept { range, reason });
                    continue;
                }
                let is_arm = is_of_gpu_by_arm(unit, &string.of, literal.node, &string.alternatives);
                if !is_arm && !string.is_torchs(unit) && names_entry(unit, &string.of) {
                    unit.claim(out, literal.node);
                    let range = unit.module.tree.range(literal.node);
                    let reason = KeptReason::NotADevice;
                    out.kept.push(Kept { range, reason });
                    continue;
                }
                if !is_arm && string.reading != StringRole::Known(ValueKind::Backend) {
                    // In capitals the library is more often meant than a backend.
                    if !string.in_capitals() {
                        string.keep_or_report(unit, out, &backend.musa);
                    } else if string.takes_backend(unit) {
                        string.report(unit, out, &backend.musa.to_ascii_uppercase());
                    }
                    continue;
                }
                unit.claim(out, literal.node);
                // The project picks MUSA's itself; what it hands to torch directly is its one choice.
                if unit.tells_musas_backend() && !string.is_handed_to_torch(unit) {
                    let range = unit.module.tree.range(literal.node);
                    let reason = KeptReason::MusaBranch;
                    out.kept.push(Kept { range, reason });
                    continue;
                }
                // One platform's backend among those of several.
                let is_answer = is_compared_with_groups(unit, &string.of);
                if !is_answer
                    && among(unit, string.alternatives.iter().cloned()) != Alternatives::None
                    && !is_of_gpu(unit, &string.of)
                    || !is_answer && is_compared_with_others(unit, &string.of)
                    || is_compared_with_kept(unit, &string.of)
                {
                    let range = unit.module.tree.range(literal.node);
                    let reason = KeptReason::VendorBranch;
                    out.kept.push(Kept { range, reason });
                    continue;
                }
                let found = || has_own_modes(unit) || own_devices::home(unit).is_some();
                let mut is_own = || *own.get_or_insert_with(found);
                let doubtful = || string.in_capitals() && !string.has_host_alternative(unit);
                if !is_arm
                    && !is_answer
                    && !string.is_torchs(unit)
                    && (string.has_other_alternative(unit) || is_own() || doubtful())
                {
                    string.report(unit, out, &backend.musa);
                    continue;
                }
                if string.is_listed_with(&backend.musa) {
                    let range = unit.module.tree.range(literal.node);
                    let reason = KeptReason::MusaBranch;
                    out.kept.push(Kept { range, reason });
                    continue;
                }
                let group = out.group();
                let pieces = match string.with_both(unit, backend) {
                    Some(both) => {
                        let range = unit.module.tree.range(literal.node);
                        let reason = KeptReason::BesideMusas;
                        out.kept.push(Kept { range, reason });
                        both
                    }
                    None => pieces,
                };
                for (range, to) in pieces {
                    let change = Change {
                        range,
                        to: &to,
                        rule: RULE,
                        applicability: Applicability::Safe,
                        evidence: Some(Evidence::Confirmed),
                    };
                    unit.change_in(out, &change, group);
                }
            }
        }
    }
}

/// A string with the name of a backend, and the code that uses the string.
struct BackendString<'l> {
    literal: &'l Literal,
    of: Use,
    reading: StringRole,
    /// The literals that are alternatives to the string.
    alternatives: Vec<Literal>,
}

impl<'l> BackendString<'l> {
    fn of(unit: &ModuleView<'_>, literal: &'l Literal) -> Self {
        let of = unit.module.use_of(literal.node);
        let (reading, alternatives) = match options::annotated(unit, literal.node) {
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
        match self.of.consumer {
            Consumer::Argument { call, .. } | Consumer::Keyword { call, .. } => unit.callee(call),
            _ => None,
        }
    }

    /// Whether the string is a word of another package's or program's: `WeightTransferConfig(backend="nccl")` of vLLM's,
    /// `json.dumps({"backend": "nccl"})`.
    fn is_of_registry(&self, unit: &ModuleView<'_>) -> bool {
        let tree = &unit.module.tree;
        let call = match self.of.consumer {
            Consumer::Argument { call, .. } | Consumer::Keyword { call, .. } => Some(call),
            Consumer::DictValue { pair } => tree
                .parent(pair)
                .and_then(|dictionary| tree.parent(dictionary))
                .filter(|&list| tree.kind(list) == Kind::ArgumentList)
                .and_then(|list| tree.parent(list)),
            _ => None,
        };
        let callee = call.and_then(|call| tree.child(call, Field::Function));
        let name = callee.and_then(|callee| outer_name(unit, callee));
        let known = &unit.python_values().process_groups.registries;
        name.is_some_and(|name| known.iter().any(|one| name.starts_with(one.as_str())))
    }

    /// Whether a function of torch's takes the string, so that the string can only be a backend. The default of a parameter
    /// is taken where the parameter is.
    fn is_torchs(&self, unit: &ModuleView<'_>) -> bool {
        if self.is_handed_to_torch(unit) {
            return true;
        }
        let Consumer::Default { name, .. } = self.of.consumer else {
            return false;
        };
        let mut found = false;
        each_use(unit, name, &mut |unit, node| {
            found = found
                || match unit.module.use_of(node).consumer {
                    Consumer::Argument { call, .. } | Consumer::Keyword { call, .. } => {
                        let takers = &unit.python_values().process_groups.takers;
                        let callee = unit.callee(call);
                        let callee = callee.filter(|callee| !takers.contains(&callee.name));
                        is_of_torch(unit, callee)
                    }
                    _ => false,
                };
        });
        found
    }

    /// Whether a function of torch's takes the backend that may lack MUSA's.
    fn takes_backend(&self, unit: &ModuleView<'_>) -> bool {
        let takers = &unit.python_values().process_groups.takers;
        let callee = self.callee(unit);
        callee.is_some_and(|callee| takers.contains(&callee.name))
    }

    /// Whether a function of torch's takes the string itself.
    fn is_handed_to_torch(&self, unit: &ModuleView<'_>) -> bool {
        is_of_torch(unit, self.callee(unit))
    }

    /// Whether MUSA's backend stands beside the string.
    fn is_listed_with(&self, musa: &str) -> bool {
        let mut alternatives = self.alternatives.iter();
        alternatives.any(|one| one.value().eq_ignore_ascii_case(musa.as_bytes()))
    }

    /// What a place becomes that takes a word which a person has written: CUDA's backend and MUSA's.
    fn with_both(
        &self,
        unit: &PythonUnit<'_>,
        names: &Backend,
    ) -> Option<Vec<(TextRange, String)>> {
        let (mut cuda, mut musa) = (names.cuda.clone(), names.musa.clone());
        if self.in_capitals() {
            (cuda, musa) = (cuda.to_ascii_uppercase(), musa.to_ascii_uppercase());
        }
        let is_whole = self.literal.value() == cuda.as_bytes();
        let both = (is_whole && takes_users_word(unit, &self.of, self.literal.node))
            .then(|| with_both(unit, self.literal, &self.of, &cuda, &musa));
        both.flatten().map(|one| vec![one])
    }

    fn in_capitals(&self) -> bool {
        self.literal.value().iter().all(u8::is_ascii_uppercase)
    }

    /// Whether one of the alternatives names no backend of a process group.
    fn has_other_alternative(&self, unit: &ModuleView<'_>) -> bool {
        // The values of other keys are no alternatives to the string.
        if matches!(self.of.consumer, Consumer::DictValue { .. }) {
            return false;
        }
        let known = &unit.python_values().process_groups.backends;
        let tree = &unit.module.tree;
        // The key in `settings["backend"] == "nccl"` is no alternative.
        let is_key = |node| {
            tree.parent(node)
                .is_some_and(|up| tree.kind(up) == Kind::Subscript)
        };
        let mut alternatives = self.alternatives.iter().filter(|one| !is_key(one.node));
        alternatives.any(|literal| {
            let text = String::from_utf8_lossy(literal.value()).to_ascii_lowercase();
            let mut names = text.split([':', ',']);
            literal.is_plain() && names.any(|name| !known.iter().any(|one| one == name))
        })
    }

    /// Whether all alternatives are backends, and one of them is a backend for hosts.
    fn has_host_alternative(&self, unit: &ModuleView<'_>) -> bool {
        let hosts = &unit.python_values().process_groups.hosts;
        let mut alternatives = self.alternatives.iter();
        alternatives.any(|literal| has(hosts, &literal.value().to_ascii_lowercase()))
            && !self.has_other_alternative(unit)
    }

    /// Keep a string whose position does not show that it is a backend, and report it if it may be one.
    fn keep_or_report(&self, unit: &PythonUnit<'_>, out: &mut Outcome, musa: &str) {
        let reason = match self.reading {
            StringRole::Text => KeptReason::Prose,
            StringRole::Unknown | StringRole::Ambiguous => return self.report(unit, out, musa),
            StringRole::Known(_) if self.has_host_alternative(unit) => {
                return self.report(unit, out, musa);
            }
            StringRole::Known(_) => KeptReason::NotADevice,
        };
        let range = unit.module.tree.range(self.literal.node);
        out.kept.push(Kept { range, reason });
    }

    fn report(&self, unit: &PythonUnit<'_>, out: &mut Outcome, musa: &str) {
        let range = unit.module.tree.range(self.literal.node);
        let shown = unit.shown(range);
        let message =
            format!("{shown} stays: whether it names a backend is not clear from its context");
        let finding = unit.finding(MAY_BE_BACKEND, range, message);
        out.findings.push(finding.help(format!(
            "write `{musa}` where it is a backend of torch.distributed; where it is a mode of the project's own, \
             keep it at all its places"
        )));
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
        && string_role(unit, &of) == StringRole::Known(ValueKind::Device)
        && rivals_of_device(unit, &of) == Alternatives::None
}

/// Whether the module has words for modes of the project's own that are no process groups.
fn has_own_modes(unit: &ModuleView<'_>) -> bool {
    let own = &unit.python_values().process_groups.own;
    let words: Vec<&str> = own.iter().map(String::as_str).collect();
    let mut literals = unit.literals(&words);
    literals.any(|literal| has(own, literal.value()))
}

/// The places of a backend in a list `device:backend,…`, and of the devices before it. Torch takes
/// backends in capitals, too.
fn pieces(
    unit: &ModuleView<'_>,
    literal: &Literal,
    cuda: &str,
    musa: &str,
) -> Vec<(TextRange, String)> {
    let value = String::from_utf8_lossy(literal.value()).into_owned();
    let mut found = Vec::new();
    let mut start = 0;
    // `--trace=cuda,nccl` is an option, and `^nccl` excludes the backend.
    let entries = value.split(',').filter(|_| !value.contains(['=', '^']));
    for entry in entries {
        let (device, backend) = entry.split_once(':').unwrap_or(("", entry));
        let at = start + entry.len() - backend.len();
        let to = if backend == cuda {
            Some(musa.to_owned())
        } else {
            (backend == cuda.to_ascii_uppercase()).then(|| musa.to_ascii_uppercase())
        };
        if let Some(to) = to {
            found.push((TextRange::new(at, at + backend.len()), to));
            let devices = &unit.context.knowledge.devices;
            if let Some(known) = devices.iter().find(|one| one.cuda == device) {
                let range = TextRange::new(start, start + device.len());
                found.push((range, known.to.clone()));
            }
        }
        start += entry.len() + 1;
    }
    found
        .into_iter()
        .filter_map(|(range, to)| Some((literal.in_file(range)?, to)))
        .collect()
}
