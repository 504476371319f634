//! What a backend's name is compared with.

use crate::python::ModuleView;
use crate::python::devices::compared::compared_around;
use crate::python::reserved::vendor_files::stays_whole;
use torchada_mapping::{ValueKind, has};
use torchada_syntax::python::{Consumer, Dotted, Kind, Use};

/// Whether a string is compared with what `PyTorch` says of a process group, which is MUSA's backend on MUSA whatever others
/// it is compared with: `torch.distributed.get_backend() in ["nccl", "hccl"]`.
pub(super) fn is_compared_with_groups(unit: &ModuleView<'_>, of: &Use) -> bool {
    let Consumer::Comparison { other, .. } = of.consumer else {
        return false;
    };
    let is_call = unit.module.tree.kind(other) == Kind::Call;
    let callee = unit.callee_name(other).filter(|_| is_call);
    callee.is_some_and(|callee| {
        let gives_backend = unit.python_values().result(&callee.name) == Some(ValueKind::Backend);
        gives_backend && is_of_torch(unit, Some(callee))
    })
}

/// Whether the function compares the same name with another platform's backend, too, in another statement.
pub(super) fn is_compared_with_others(unit: &ModuleView<'_>, of: &Use) -> bool {
    let Consumer::Comparison { other, .. } = of.consumer else {
        return false;
    };
    let others = &unit.python_values().process_groups.others;
    let compared = compared_around(unit, other);
    compared.iter().any(|literal| has(others, literal.value()))
}

/// Whether a string is compared with what a method of the tree's gives, and one of these methods stands in a file that
/// stays CUDA's as a whole.
pub(super) fn is_compared_with_kept(unit: &ModuleView<'_>, of: &Use) -> bool {
    let Consumer::Comparison { other, .. } = of.consumer else {
        return false;
    };
    if unit.module.tree.kind(other) != Kind::Call {
        return false;
    }
    let name = String::from_utf8_lossy(unit.module.callee_word(other)).into_owned();
    let mut methods = unit.modules.methods(&name).iter().take(METHODS);
    methods.any(|&(file, _)| unit.other(file).is_some_and(|other| stays_whole(&other)))
}

/// How many methods of one name are looked at.
const METHODS: usize = 32;

/// Whether a function that is called is one of `PyTorch`'s.
pub(super) fn is_of_torch(unit: &ModuleView<'_>, callee: Option<Dotted>) -> bool {
    let names = &unit.python_values().torch_names;
    callee.is_some_and(|callee| callee.is_sure() && names.has(&callee.name))
}
