//! `shfl`: values of other lanes.

use super::unknown;
use crate::lowerer::{Lowered, Lowerer, modifiers};
use crate::types::{Class, Kind};
use crate::value::Value;
use torchada_syntax::ptx::{Instruction, Operand};

pub(crate) fn lower(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let parts = modifiers(&instruction.opcode);
    // Without a mask, the lanes that are there take part.
    let (mode, destination, value, lane, clamp, mask) =
        match (parts.as_slice(), instruction.operands.as_slice()) {
            (["sync", mode, "b32"], [d, value, lane, clamp, mask]) => {
                (mode, d, value, lane, clamp, Some(mask))
            }
            ([mode, "b32"], [d, value, lane, clamp]) => (mode, d, value, lane, clamp, None),
            _ => return Err(unknown()),
        };
    let kept = value_of(lowerer, value)?;
    let lane = lowerer.read(lane, Kind::U32)?;
    let mask = match mask {
        Some(mask) => lowerer.read(mask, Kind::U32)?,
        None => Value::new("__activemask()", Kind::U32),
    };
    // The whole warp, as `__shfl_sync` has it without a width.
    let whole = if *mode == "up" { 0 } else { 0x1f };
    let width = match lowerer.constant(clamp) {
        Ok(clamp) if clamp & 0x1f == whole => Some(32 - (clamp >> 8 & 0x1f)),
        _ => None,
    };
    let (first, second) = match destination {
        Operand::Pair(first, second) => (&**first, Some(&**second)),
        one => (one, None),
    };
    if let (Some(width), None) = (width, second) {
        let name = match *mode {
            "idx" => "__shfl_sync",
            "up" => "__shfl_up_sync",
            "down" => "__shfl_down_sync",
            "bfly" => "__shfl_xor_sync",
            _ => return Err(unknown()),
        };
        let width = if width == 32 {
            String::new()
        } else {
            format!(", {width}")
        };
        let call = format!("{name}({}, {}, {}{width})", mask.text, kept.text, lane.text);
        return lowerer.write(first, &Value::new(call, kept.kind));
    }
    let clamp = lowerer.read(clamp, Kind::U32)?;
    let bits = kept.read_as(Kind::U32).ok_or_else(unknown)?;
    let in_range = lowerer.local("bool", "in_range");
    let call = format!(
        "torchada::ptx::shfl_{mode}({}, {}, {}, {}, {in_range})",
        mask.text, bits.text, lane.text, clamp.text
    );
    lowerer.write(first, &Value::new(call, Kind::U32))?;
    match second {
        Some(second) => lowerer.write(second, &Value::new(in_range, Kind::PREDICATE)),
        None => Ok(()),
    }
}

/// `match.all.sync`: the mask, and whether all its lanes have the same value.
pub(crate) fn match_all(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let [destination, value, mask] = instruction.operands.as_slice() else {
        return Err(unknown());
    };
    let kind = if instruction.opcode.ends_with("b64") {
        Kind::U64
    } else {
        Kind::U32
    };
    let value = lowerer.read(value, kind)?;
    let mask = lowerer.read(mask, Kind::U32)?;
    let call = format!(
        "torchada::ptx::match_all<{}>({}, {})",
        kind.cpp(),
        mask.text,
        value.text
    );
    match destination {
        Operand::Pair(lanes, same) => {
            let name = lowerer.fresh("matched");
            lowerer.line(format!("const unsigned int {name} = {call};"));
            lowerer.write(lanes, &Value::new(name.clone(), Kind::U32))?;
            lowerer.write(same, &Value::new(format!("{name} != 0u"), Kind::PREDICATE))
        }
        one => lowerer.write(one, &Value::new(call, Kind::U32)),
    }
}

/// `redux.sync` of floats: the smallest or largest of them, or of their magnitudes.
pub(crate) fn reduce(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let [destination, value, mask] = instruction.operands.as_slice() else {
        return Err(unknown());
    };
    let parts = modifiers(&instruction.opcode);
    let which = if parts.contains(&"max") { "max" } else { "min" };
    let how = if parts.contains(&"NaN") { "nan" } else { "ptx" };
    let mask = lowerer.read(mask, Kind::U32)?.text;
    let value = lowerer.read(value, Kind::F32)?.text;
    let value = if parts.contains(&"abs") {
        format!("fabsf({value})")
    } else {
        value
    };
    let text = format!(
        "torchada::ptx::reduce_floats({mask}, {value}, [](float x, float y) {{ return \
         torchada::ptx::f{which}_{how}(x, y); }})"
    );
    lowerer.write(destination, &Value::new(text, Kind::F32))
}

/// `elect.sync`: one lane of a mask, for which the predicate holds. The lowest one is as good as any.
pub(crate) fn elect(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let [Operand::Pair(lane, elected), mask] = instruction.operands.as_slice() else {
        return Err(unknown());
    };
    let mask = lowerer.read(mask, Kind::U32)?;
    let call = format!("torchada::ptx::elected({})", mask.text);
    let value = Value::new(format!("__get_laneid() == {call}"), Kind::PREDICATE);
    lowerer.write(lane, &Value::new(call, Kind::U32))?;
    lowerer.write(elected, &value)
}

/// The value that is handed on: a floating-point number as it is, anything else as bits.
fn value_of(lowerer: &mut Lowerer<'_>, operand: &Operand) -> Lowered<Value> {
    match lowerer.stored(operand) {
        Ok(value) if value.kind.class == Class::Float && value.kind.bits == 32 => Ok(value),
        _ => lowerer.read(operand, Kind::U32),
    }
}
