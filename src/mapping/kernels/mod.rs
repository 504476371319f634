//! Which of `PyTorch`'s operators have a kernel in the `torch_musa` of a run: by the lists of its releases, and above these
//! by what was seen on the user's machine.

pub(super) mod calls;

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::operators::{KernelNote, Operators};
use super::{Facts, Version};

/// The namespace of `PyTorch`'s operators.
pub const NAMESPACE: &str = "aten::";

/// What a `torch_musa` has of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Support {
    /// A kernel.
    Kernel,
    /// A kernel that copies to the CPU and back.
    Host,
    /// Nothing of its own, and none is needed: the operator is made of others.
    Composite,
    /// A kernel that only raises an error.
    Refused,
    /// No kernel.
    Missing,
    /// No kernel, as CUDA has none.
    CpuOnly,
    /// No kernel: the operator belongs to another device.
    Foreign,
    /// Nobody knows: the operator is newer than the lists.
    Newer,
}

impl Support {
    /// Whether a call of the operator raises an error on MUSA where it works on CUDA.
    pub fn lacks(self) -> bool {
        matches!(self, Self::Missing | Self::Refused)
    }
}

/// What the lists say of an operator.
#[derive(Clone, Copy, Debug, Default)]
struct Listed {
    composite: bool,
    /// The first release with a kernel.
    since: Option<&'static str>,
    /// What an operator is without a kernel.
    without: Option<Support>,
    /// Whether the CPU has a kernel, too.
    on_cpu: bool,
    newer: Option<&'static str>,
    host: Option<&'static KernelNote>,
    refused: Option<&'static KernelNote>,
}

/// The lists by the names of operators.
#[derive(Debug, Default)]
pub(super) struct OperatorIndex {
    listed: FxHashMap<&'static str, Listed>,
    /// The overloads by the name that they share, sorted.
    overloads: FxHashMap<&'static str, Vec<&'static str>>,
    methods: FxHashSet<&'static str>,
}

impl OperatorIndex {
    /// The index of the built-in lists.
    pub(super) fn builtin() -> &'static Self {
        static INDEX: OnceLock<OperatorIndex> = OnceLock::new();
        INDEX.get_or_init(|| Self::new(Operators::builtin()))
    }

    fn new(operators: &'static Operators) -> Self {
        let mut index = Self::default();
        let (table, lists) = (&operators.table, &operators.lists);
        for name in &lists.torch.composite {
            index.entry(name).composite = true;
        }
        for (names, without, on_cpu) in [
            (&lists.torch.none, Support::Missing, true),
            (&lists.torch.cuda_only, Support::Missing, false),
            (&lists.torch.cpu_only, Support::CpuOnly, true),
            (&lists.torch.foreign, Support::Foreign, false),
        ] {
            for name in names {
                let entry = index.entry(name);
                (entry.without, entry.on_cpu) = (Some(without), on_cpu);
            }
        }
        for (since, names) in &lists.kernels {
            for name in names {
                let entry = index.entry(name);
                (entry.since, entry.on_cpu) = (Some(since.as_str()), true);
            }
        }
        for (version, names) in &lists.newer {
            for name in names {
                index.entry(name).newer = Some(version);
            }
        }
        for note in &table.host {
            for name in &note.operators {
                index.entry(name).host = Some(note);
            }
        }
        for note in &table.refused {
            for name in &note.operators {
                index.entry(name).refused = Some(note);
            }
        }
        let mut names: Vec<&str> = index.listed.keys().copied().collect();
        names.sort_unstable();
        for name in names {
            index.overloads.entry(base(name)).or_default().push(name);
        }
        index.methods = lists.torch.methods.iter().map(String::as_str).collect();
        index
    }

    fn entry(&mut self, name: &'static str) -> &mut Listed {
        self.listed.entry(name).or_default()
    }

    /// The names that overloads share.
    pub(super) fn bases(&self) -> impl Iterator<Item = &'static str> {
        self.overloads.keys().copied()
    }

    /// The names of all operators.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.overloads.values().flatten().copied()
    }

    /// Whether an operator is a method of tensors, too.
    pub(super) fn is_method(&self, base: &str) -> bool {
        self.methods.contains(base)
    }
}

/// An operator's name without its overload.
pub fn base(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// The operators of one `torch_musa`.
#[derive(Clone, Copy, Debug)]
pub struct Kernels<'a> {
    release: Option<&'a Version>,
    facts: Option<&'a Facts>,
}

impl<'a> Kernels<'a> {
    /// The operators of a release, or of the newest that the lists have; what was seen on the user's machine counts first.
    pub(super) fn new(release: Option<&'a Version>, facts: Option<&'a Facts>) -> Self {
        let facts = facts.filter(|facts| facts.operators.is_some());
        Self { release, facts }
    }

    /// The release that is spoken of.
    pub fn release(&self) -> String {
        let own = self.release.map(Version::to_string);
        let seen = || self.facts.and_then(|facts| facts.torch_musa.clone());
        let newest = || Operators::builtin().lists.release.last();
        own.or_else(seen)
            .or_else(|| newest().map(|release| release.version.clone()))
            .unwrap_or_default()
    }

    /// Whether the user's own `torch_musa` was asked for its operators.
    pub fn are_seen(&self) -> bool {
        self.facts.is_some()
    }

    /// The overloads of an operator: of `add`, `add.Tensor` and more; of `add.Tensor` only that.
    pub fn overloads(&self, name: &str) -> Vec<&'static str> {
        let only = name.contains('.');
        // The overload without a name.
        let name = name.strip_suffix(".default").unwrap_or(name);
        let index = OperatorIndex::builtin();
        let all = index.overloads.get(base(name)).into_iter().flatten();
        all.copied().filter(|one| *one == name || !only).collect()
    }

    /// What there is of an operator, with its overload; `None` for one that no list has.
    pub fn support(&self, operator: &str) -> Option<Support> {
        let listed = OperatorIndex::builtin().listed.get(operator)?;
        let has_kernel = self.observed(operator, listed).or_else(|| {
            let since = listed.since?;
            // The newest release has each kernel of the lists.
            let Some(release) = self.release else {
                return Some(true);
            };
            Some(since.parse::<Version>().ok()? <= *release)
        });
        Some(match (listed.composite, has_kernel) {
            (_, Some(true)) if listed.refused.is_some() => Support::Refused,
            (_, Some(true)) if listed.host.is_some_and(|note| note.when.is_none()) => Support::Host,
            (true, _) => Support::Composite,
            (false, Some(true)) => Support::Kernel,
            (false, _) if listed.newer.is_some() => Support::Newer,
            (false, _) => listed.without.unwrap_or(Support::Missing),
        })
    }

    /// What was seen of an operator; `None` where that says nothing.
    fn observed(&self, operator: &str, listed: &Listed) -> Option<bool> {
        let facts = self.facts?;
        let missing = facts.operators_missing.iter();
        let mut missing = missing.map(|one| one.strip_prefix(NAMESPACE).unwrap_or(one));
        if missing.any(|one| one == operator) {
            return Some(false);
        }
        // What is not compared with CUDA's operators says nothing of those that only CUDA has.
        let is_listed = listed.on_cpu || facts.operators_beside.as_deref() == Some("CUDA");
        let may_be_there = listed.without.is_none() || listed.without == Some(Support::Missing);
        (is_listed && may_be_there && listed.newer.is_none() && !listed.composite).then_some(true)
    }

    /// The first release with a kernel of an operator.
    pub fn since(&self, operator: &str) -> Option<&'static str> {
        OperatorIndex::builtin().listed.get(operator)?.since
    }

    /// The first release of `PyTorch` that was read and has an operator, for one that is newer than the lists.
    pub fn newer(&self, operator: &str) -> Option<&'static str> {
        OperatorIndex::builtin().listed.get(operator)?.newer
    }

    /// What is known of an operator that runs on the CPU or raises an error.
    pub fn note(&self, operator: &str) -> Option<&'static KernelNote> {
        let listed = OperatorIndex::builtin().listed.get(operator)?;
        listed.refused.or(listed.host)
    }

    /// Where the lists come from.
    pub fn source(&self) -> String {
        let operators = Operators::builtin();
        let newest = operators.lists.release.last();
        let at = newest.map_or(String::new(), |one| {
            format!(" (v{}, {})", one.version, one.commit)
        });
        format!("{}{at}", operators.table.list)
    }
}
