//! `atom` and `red`: reads and writes of memory at once.

use super::load_store::Access;
use super::unknown;
use crate::lowerer::{Lowered, Lowerer};
use crate::types::{Class, Kind};
use crate::value::Value;
use torchada_mapping::Evidence;
use torchada_mapping::ptx::Exactness;
use torchada_syntax::ptx::{Instruction, Operand};

pub(crate) fn lower(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let access = Access::of(&instruction.opcode)?;
    let returns = instruction.opcode.starts_with("atom.");
    let operation = operation(&access).ok_or_else(unknown)?;
    let function = function(operation, access.kind).ok_or_else(unknown)?;
    let is_vector = operation == "add" && access.kind.class != Class::Unsigned;
    if access.vector != 1 && !is_vector || access.order == "volatile" {
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
    let kind = kind_of_argument(operation, access.kind);
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
    // The elements of a vector are atomic each by itself.
    let parts = |operand: &'_ Operand| match operand {
        Operand::Vector(parts) => parts.clone(),
        one => vec![one.clone()],
    };
    let destinations = destination.map(parts);
    let values: Vec<Vec<Operand>> = values.iter().map(parts).collect();
    let mut calls = Vec::new();
    for step in 0..access.vector {
        let pointer = access.pointer(lowerer, address, kind.cpp(), kind.bits / 8, step)?;
        let mut arguments = vec![pointer];
        for value in &values {
            let value = value.get(step).filter(|_| value.len() == access.vector);
            arguments.push(lowerer.read(value.ok_or_else(unknown)?, kind)?.text);
        }
        calls.push(format!("{function}({})", arguments.join(", ")));
    }
    match destinations.as_deref() {
        None => calls
            .iter()
            .for_each(|call| lowerer.line(format!("{call};"))),
        Some(destinations) if destinations.len() == calls.len() => {
            write_results(lowerer, destinations, calls, kind)?;
        }
        Some(_) => return Err(unknown()),
    }
    if acquires {
        lowerer.line(access.fence());
    }
    Ok(())
}

/// The kind of the values that a call takes. Two's complement: 64-bit additions of either sign are the same.
fn kind_of_argument(operation: &str, kind: Kind) -> Kind {
    match kind.class {
        Class::Signed if operation == "add" && kind.bits == 64 => Kind::U64,
        Class::Bits => kind.as_bits(),
        _ => kind,
    }
}

/// What an instruction does with memory: its one modifier that is not known otherwise.
fn operation<'i>(access: &Access<'i>) -> Option<&'i str> {
    // Numbers too small to be normal are kept (`noftz`), as the call does.
    let mut parts = access.others.iter().filter(|part| **part != "noftz");
    let operation = *parts.next()?;
    parts.next().is_none().then_some(operation)
}

/// Write the results of calls to their destinations.
fn write_results(
    lowerer: &mut Lowerer<'_>,
    destinations: &[Operand],
    calls: Vec<String>,
    kind: Kind,
) -> Lowered<()> {
    if let [destination] = destinations {
        return lowerer.write(destination, &Value::new(calls.concat(), kind));
    }
    // A destination may be one of the values behind it.
    let names: Vec<String> = calls.iter().map(|_| lowerer.fresh("before")).collect();
    for (name, call) in names.iter().zip(calls) {
        lowerer.line(format!("const {} {name} = {call};", kind.cpp()));
    }
    for (destination, name) in destinations.iter().zip(names) {
        lowerer.write(destination, &Value::new(name, kind))?;
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
        "cas" if kind.is_integer() && kind.bits == 16 => "torchada::ptx::atomic_cas_16",
        "inc" if kind == Kind::U32 => "atomicInc",
        "dec" if kind == Kind::U32 => "atomicDec",
        _ => return None,
    })
}
