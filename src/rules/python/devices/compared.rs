//! Devices that code asks for by comparing a name with theirs: `x.device.type == "cuda"`.

use crate::python::ModuleView;
use crate::python::inference::{
    compared_in, is_cudas_device, is_member_of_device_enum, names_cudas_device, only_value,
    string_role, typed_object,
};
use torchada_mapping::has;
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use};
use torchada_text::TextRange;

/// Whether a value says which device is asked for: it is compared, is one of a tuple, or the function around compares what
/// holds it with CUDA's device.
pub fn is_compared_with_device(unit: &ModuleView<'_>, of: &Use) -> bool {
    let fronts = &unit.python_values().words_of_calls.compares_front;
    let is_cudas = |text: &Literal| names_cudas_device(unit, text);
    match of.consumer {
        Consumer::Comparison { .. } | Consumer::Pattern { .. } => true,
        Consumer::Argument { call, .. } => has(fronts, unit.module.callee_word(call)),
        // One of a fixed set, in which MUSA's would have a place of its own: `KERNELS = {"attention": ("cuda", "xpu")}`.
        _ if is_in_tuple(unit, of) => true,
        _ => compared(unit, of).iter().any(is_cudas),
    }
}

fn is_in_tuple(unit: &ModuleView<'_>, of: &Use) -> bool {
    let tree = &unit.module.tree;
    let around = of.items().next().and_then(|item| tree.parent(item));
    around.is_some_and(|around| matches!(tree.kind(around), Kind::Tuple | Kind::Set))
}

/// Whether a comparison decides between two sides: `if x.device.type == "cuda": … else: …`.
pub fn has_other_side(unit: &ModuleView<'_>, of: &Use) -> bool {
    let tree = &unit.module.tree;
    let decided = decided(unit, of).filter(|&one| tree.kind(one) == Kind::If);
    decided.is_some_and(|decided| tree.otherwise(decided).is_some())
}

/// What the condition is of that a comparison stands in.
pub fn decided(unit: &ModuleView<'_>, of: &Use) -> Option<NodeId> {
    let tree = &unit.module.tree;
    let Consumer::Comparison { other, .. } = of.consumer else {
        return None;
    };
    let mut up = tree.ancestors(other);
    up.find(|&one| !is_of_condition(tree.kind(one)))
}

/// Whether what stands around a comparison's side is still a part of the condition.
fn is_of_condition(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Comparison | Kind::Boolean | Kind::Not | Kind::Parenthesized | Kind::Attribute
    )
}

/// The object whose front a call looks for: `device` in `device.startswith("cuda")`.
pub fn compared_by_front(unit: &ModuleView<'_>, call: NodeId) -> Option<NodeId> {
    let fronts = &unit.python_values().words_of_calls.compares_front;
    let object = unit.module.tree.receiver(call);
    object.filter(|_| has(fronts, unit.module.callee_word(call)))
}

/// How many nodes of a condition are looked at. Beyond: what stands further on is not seen.
const CONDITION: usize = 128;

/// Whether the condition around a comparison also asks whether the same value begins as a device with a number does:
/// `name == "cuda" or name.startswith("cuda:")`.
pub(super) fn is_asked_with_number(unit: &ModuleView<'_>, of: &Use, cuda: &str) -> bool {
    let tree = &unit.module.tree;
    let Consumer::Comparison { other, .. } = of.consumer else {
        return false;
    };
    let around = tree.ancestors(other);
    let around = around.take_while(|&one| is_of_condition(tree.kind(one)));
    let Some(condition) = around.last() else {
        return false;
    };
    let text = |node: NodeId| tree.range(node).of(unit.text);
    let is_numbered = |node: NodeId| {
        let value = Literal::read(tree, node);
        value.is_some_and(|value| value.value().strip_suffix(b":") == Some(cuda.as_bytes()))
    };
    let mut parts = tree.with_below(condition).take(CONDITION);
    parts.any(|one| {
        tree.kind(one) == Kind::Call
            && compared_by_front(unit, one).is_some_and(|object| text(object) == text(other))
            && tree.argument(one, 0).is_some_and(is_numbered)
    })
}

/// Whether a value is compared with the type of one of `PyTorch`'s devices, `x.device.type == "cuda"`, or is one of those
/// that an enumeration of such types has.
pub fn is_type_of_device(unit: &ModuleView<'_>, of: &Use) -> bool {
    if let Consumer::Target { target } = of.consumer {
        return is_member_of_device_enum(unit, target);
    }
    let other = of.compared_with();
    other.is_some_and(|other| typed_object(unit, other).is_some())
}

/// Whether an expression is one of two values by what `PyTorch`'s module for CUDA answers: `"cuda" if
/// torch.cuda.is_available() else "cpu"`.
fn asks_torch(unit: &ModuleView<'_>, value: NodeId) -> bool {
    let tree = &unit.module.tree;
    let front = format!("{}.", unit.python_values().module.cuda);
    let condition = tree.nth(value, 1);
    let asked = condition.filter(|_| tree.kind(value) == Kind::Conditional);
    let callee = asked
        .filter(|&one| tree.kind(one) == Kind::Call)
        .and_then(|call| unit.callee_name(call));
    callee.is_some_and(|callee| callee.name.starts_with(&front))
}

/// Whether the type of a device is asked for in code that says nothing of MUSA and makes devices itself, in a project that
/// knows MUSA: `device = torch.device(f"cuda:{rank}")`, then `device.type == "cuda"`; `device = "cuda:0"`, then
/// `device.startswith("cuda")`; `device = "cuda" if torch.cuda.is_available() else "cpu"`, then `device == "cuda"`. What
/// the code makes is MUSA's on MUSA, so the question is one for that. The code is the module, or the
/// function, where the rest of the module speaks of MUSA.
pub fn is_of_own_making(unit: &ModuleView<'_>, subject: NodeId) -> bool {
    if let Some(value) = only_value(unit, subject) {
        let tree = &unit.module.tree;
        let is_device = |one: NodeId| is_cudas_device(unit, one);
        return is_device(value)
            || asks_torch(unit, value) && tree.nth(value, 0).is_some_and(is_device);
    }
    if typed_object(unit, subject).is_none() {
        return false;
    }
    let whole = unit.modules.text(unit.index);
    let of_module = || {
        let module = unit.other(unit.index);
        let range = TextRange::new(0, whole.len());
        !unit.mentions_musa(whole) && module.is_some_and(|module| makes_devices(&module, range))
    };
    if unit.memo.makes_devices(unit.index, of_module) {
        return true;
    }
    let tree = &unit.module.tree;
    let function = tree
        .ancestors(subject)
        .filter(|&one| tree.kind(one) == Kind::Function)
        .last();
    function.is_some_and(|function| {
        !unit.mentions_musa(tree.word(function)) && makes_devices(unit, tree.range(function))
    })
}

/// Whether code has texts that become devices of `PyTorch`'s, and are not only compared with such.
fn makes_devices(unit: &ModuleView<'_>, range: TextRange) -> bool {
    let devices = &unit.context.knowledge.devices;
    let words: Vec<&str> = devices.iter().map(|one| one.cuda.as_str()).collect();
    let mut texts = unit.literals(&words);
    texts.any(|text| {
        range.covers(unit.module.tree.range(text.node))
            && names_cudas_device(unit, &text)
            && makes_device(unit, &unit.module.use_of(text.node))
    })
}

fn makes_device(unit: &ModuleView<'_>, of: &Use) -> bool {
    string_role(unit, of).is_device() && !is_compared_with_device(unit, of)
}

/// Whether the function compares the parameter whose annotation a text stands in with CUDA's device, in a project that
/// tells MUSA's devices from CUDA's.
pub fn is_annotation_of_compared(unit: &ModuleView<'_>, text: NodeId) -> bool {
    let tree = &unit.module.tree;
    let mut up = tree.ancestors(text);
    let typed = up.find(|&one| {
        matches!(
            tree.kind(one),
            Kind::TypedParameter | Kind::TypedDefaultParameter
        )
    });
    let name = typed.and_then(|typed| tree.child(typed, Field::Name).or(tree.nth(typed, 0)));
    let is_cudas = |text: &Literal| names_cudas_device(unit, text);
    unit.distinguishes_musa_from_cuda()
        && name.is_some_and(|name| compared_around(unit, name).iter().any(is_cudas))
}

/// The literals that a function compares a name with: the parameter whose default the value is, the name that the value
/// is compared with itself, or the name that it is assigned to.
pub fn compared(unit: &ModuleView<'_>, of: &Use) -> Vec<Literal> {
    match of.consumer {
        Consumer::Default { name, .. } => compared_around(unit, name),
        Consumer::Comparison { other: name, .. } | Consumer::Target { target: name }
            if unit.module.tree.kind(name) == Kind::Identifier =>
        {
            compared_around(unit, name)
        }
        _ => Vec::new(),
    }
}

/// The literals that the function around an expression compares the same expression with.
pub fn compared_around(unit: &ModuleView<'_>, expression: NodeId) -> Vec<Literal> {
    let tree = &unit.module.tree;
    let function = tree.function_around(expression);
    let body = function.and_then(|function| tree.child(function, Field::Body));
    body.map_or_else(Vec::new, |body| {
        compared_in(unit, body, tree.word(expression))
    })
}

/// Whether an operator asks whether something is among others: `in`, `not in`.
pub fn is_membership(operator: &[u8]) -> bool {
    operator == b"in" || operator.starts_with(b"not")
}
