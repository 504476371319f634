//! `mov`: copies, packs and unpacks registers.

use super::unknown;
use crate::lowerer::{Lowered, Lowerer, modifiers};
use crate::types::{Class, Kind};
use crate::value::Value;
use crate::{Fault, Reason};
use torchada_syntax::ptx::{Instruction, Operand};

pub(crate) fn lower(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let kind = modifiers(&instruction.opcode)
        .last()
        .and_then(|name| match *name {
            "b128" => Some(Kind::U64),
            name => Kind::named(name),
        })
        .ok_or_else(unknown)?;
    match instruction.operands.as_slice() {
        [Operand::Vector(to), Operand::Vector(from)] => each(lowerer, kind, to, from),
        [destination, Operand::Vector(parts)] => {
            let value = pack(lowerer, kind, parts)?;
            lowerer.write(destination, &value)
        }
        [Operand::Vector(parts), source] => unpack(lowerer, kind, parts, source),
        [destination, source] => {
            let value = if kind == Kind::PREDICATE {
                Value::new(lowerer.condition(source, false)?, kind)
            } else {
                lowerer.read(source, kind)?
            };
            lowerer.write(destination, &value)
        }
        _ => Err(unknown()),
    }
}

/// `mov.v2.u32 {a, b}, {c, d}`, and `mov.b128` of the two halves of which such a register is made.
fn each(lowerer: &mut Lowerer<'_>, kind: Kind, to: &[Operand], from: &[Operand]) -> Lowered<()> {
    if to.len() != from.len() {
        return Err(unknown());
    }
    let mut values = Vec::new();
    for source in from {
        let value = lowerer.read(source, kind)?;
        // A source may be one of the destinations before it.
        let name = lowerer.fresh("moved");
        lowerer.line(format!(
            "const {} {name} = {};",
            kind.storage().cpp(),
            value.read_as(kind.storage()).unwrap_or(value).text
        ));
        values.push(Value::new(name, kind.storage()));
    }
    for (destination, value) in to.iter().zip(values) {
        lowerer.write(destination, &value)?;
    }
    Ok(())
}

/// `prmt`: chooses bytes by a selector. CUDA's call for it takes three bits of each part, so that a selector which
/// repeats a sign, or may, needs another.
pub(crate) fn permute(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let [d, a, b, selector] = instruction.operands.as_slice() else {
        return Err(unknown());
    };
    let call = match lowerer.constant(selector) {
        Ok(constant) if constant & 0x8888 == 0 => "__byte_perm",
        _ => "torchada::ptx::prmt",
    };
    let mut arguments = Vec::new();
    for operand in [a, b, selector] {
        arguments.push(lowerer.read(operand, Kind::U32)?.text);
    }
    let text = format!("{call}({})", arguments.join(", "));
    lowerer.write(d, &Value::new(text, Kind::U32))
}

/// The type of one of several equal parts of a register.
fn part_kind(kind: Kind, parts: usize) -> Kind {
    let count = u32::try_from(parts).unwrap_or(1).max(1);
    Kind::new(Class::Unsigned, kind.bits / count)
}

fn pack(lowerer: &mut Lowerer<'_>, kind: Kind, parts: &[Operand]) -> Lowered<Value> {
    let part = part_kind(kind, parts.len());
    let whole = Kind::new(Class::Unsigned, kind.bits);
    let mut terms = Vec::new();
    for (at, operand) in parts.iter().enumerate() {
        let value = lowerer.read(operand, part)?;
        let value = value.read_as(whole).unwrap_or(value);
        let shift = part.bits as usize * at;
        terms.push(if shift == 0 {
            value.operand()
        } else {
            format!("{} << {shift}", value.operand())
        });
    }
    let [first, others @ ..] = terms.as_slice() else {
        return Err(Fault::new(Reason::Operand, "an empty vector".to_owned()));
    };
    let others: Vec<String> = others.iter().map(|term| format!("({term})")).collect();
    let all: Vec<&str> = std::iter::once(first.as_str())
        .chain(others.iter().map(String::as_str))
        .collect();
    Ok(Value::new(all.join(" | "), whole))
}

fn unpack(
    lowerer: &mut Lowerer<'_>,
    kind: Kind,
    parts: &[Operand],
    source: &Operand,
) -> Lowered<()> {
    let part = part_kind(kind, parts.len());
    let whole = Kind::new(Class::Unsigned, kind.bits);
    let value = lowerer.read(source, whole)?;
    // The source may be one of the destinations.
    let name = lowerer.fresh("packed");
    lowerer.line(format!("const {} {name} = {};", whole.cpp(), value.text));
    for (at, operand) in parts.iter().enumerate() {
        let shift = part.bits as usize * at;
        let text = if shift == 0 {
            name.clone()
        } else {
            format!("{name} >> {shift}")
        };
        let value = Value::new(crate::value::cast(part, &text), part);
        lowerer.write(operand, &value)?;
    }
    Ok(())
}
