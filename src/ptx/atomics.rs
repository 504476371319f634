//! `atom` and `red`: reads and writes of memory at once.

use super::Fault;
use super::kind::{Class, Kind};
use super::lower::{Lowered, Lowerer};
use super::memory::Access;
use super::value::Value;
use crate::mapping::Evidence;
use crate::mapping::ptx::Exactness;
use crate::syntax::ptx::Instruction;

pub(super) fn lower(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let unknown = || Fault::unknown(&instruction.opcode);
    let access = Access::of(&instruction.opcode)?;
    let returns = instruction.opcode.starts_with("atom.");
    let mut operation = None;
    for part in &access.others {
        match *part {
            // Numbers too small to be normal are kept, as the call does.
            "noftz" => {}
            one if operation.is_none() => operation = Some(one),
            _ => return Err(unknown()),
        }
    }
    let operation = operation.ok_or_else(unknown)?;
    let function = function(operation, access.kind).ok_or_else(unknown)?;
    if access.vector != 1 || access.order == "volatile" {
        return Err(unknown());
    }
    let (destination, operands) = if returns {
        let (first, rest) = instruction.operands.split_first().ok_or_else(unknown)?;
        (Some(first), rest)
    } else {
        (None, instruction.operands.as_slice())
    };
    let count = if operation == "cas" { 3 } else { 2 };
    let count = count + usize::from(access.has_policy);
    if operands.len() != count {
        return Err(unknown());
    }
    let (address, values) = operands.split_first().ok_or_else(unknown)?;
    let values = values
        .get(..if operation == "cas" { 2 } else { 1 })
        .ok_or_else(unknown)?;
    // Two's complement: 64-bit additions of either sign are the same.
    let kind = match (operation, access.kind) {
        (
            "add",
            Kind {
                class: Class::Signed,
                bits: 64,
            },
        ) => Kind::U64,
        (_, kind) if kind.class == Class::Bits => kind.as_bits(),
        (_, kind) => kind,
    };
    let pointer = access.pointer(lowerer, address, kind.cpp(), kind.bits / 8, 0)?;
    let mut arguments = vec![pointer];
    for value in values {
        arguments.push(lowerer.read(value, kind)?.text);
    }
    let releases = matches!(access.order, "release" | "acq_rel");
    let acquires = matches!(access.order, "acquire" | "acq_rel");
    if access.scope == "sys" && access.space != "shared" {
        // Public ports write the plain call; nothing else shows that it holds for other devices.
        lowerer.evidence = lowerer.evidence.max(Evidence::Contested);
    }
    if releases || acquires {
        lowerer.exactness = lowerer.exactness.max(Exactness::Stronger);
    }
    if releases {
        lowerer.line(access.fence());
    }
    let call = format!("{function}({})", arguments.join(", "));
    match destination {
        Some(destination) => lowerer.write(destination, &Value::new(call, kind))?,
        None => lowerer.line(format!("{call};")),
    }
    if acquires {
        lowerer.line(access.fence());
    }
    Ok(())
}

/// The function of CUDA's, which MUSA has under the same name.
fn function(operation: &str, kind: Kind) -> Option<&'static str> {
    let is_integer = kind.is_integer() && matches!(kind.bits, 32 | 64);
    let is_added = is_integer
        || matches!(
            kind.class,
            Class::Float | Class::Half | Class::HalfPair | Class::Bfloat | Class::BfloatPair
        );
    Some(match operation {
        "add" if is_added => "atomicAdd",
        "min" if is_integer && kind.class != Class::Bits => "atomicMin",
        "max" if is_integer && kind.class != Class::Bits => "atomicMax",
        "and" if is_integer => "atomicAnd",
        "or" if is_integer => "atomicOr",
        "xor" if is_integer => "atomicXor",
        "exch" if is_integer => "atomicExch",
        "cas" if is_integer => "atomicCAS",
        "inc" if kind == Kind::U32 => "atomicInc",
        "dec" if kind == Kind::U32 => "atomicDec",
        _ => return None,
    })
}
