//! `bar.sync` and `bar.red`: barriers of all threads of a block.

use super::kind::Kind;
use super::lower::{Lowered, Lowerer};
use super::value::Value;
use super::{Fault, Reason};
use crate::syntax::ptx::Instruction;

pub(super) fn lower(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let unknown = || Fault::unknown(&instruction.opcode);
    let reduces = instruction.opcode.contains(".red.");
    let operands = instruction.operands.as_slice();
    let (destination, operands) = if reduces {
        let (first, rest) = operands.split_first().ok_or_else(unknown)?;
        (Some(first), rest)
    } else {
        (None, operands)
    };
    let (value, barrier) = match (reduces, operands) {
        (false, [barrier]) => (None, barrier),
        (true, [barrier, value]) => (Some(value), barrier),
        _ => return Err(named()),
    };
    // Other barriers than the first are waited for by a part of the block only.
    if lowerer.constant(barrier).ok() != Some(0) {
        return Err(named());
    }
    let (Some(destination), Some(value)) = (destination, value) else {
        lowerer.line("__syncthreads();");
        return Ok(());
    };
    let condition = lowerer.condition(value, false)?;
    let (call, kind) = if instruction.opcode.contains(".popc.") {
        (format!("__syncthreads_count({condition})"), Kind::U32)
    } else if instruction.opcode.contains(".and.") {
        (
            format!("__syncthreads_and({condition}) != 0"),
            Kind::PREDICATE,
        )
    } else if instruction.opcode.contains(".or.") {
        (
            format!("__syncthreads_or({condition}) != 0"),
            Kind::PREDICATE,
        )
    } else {
        return Err(unknown());
    };
    lowerer.write(destination, &Value::new(call, kind))
}

fn named() -> Fault {
    Fault::new(
        Reason::None {
            advice: "On mp_31 `__musa::async_barrier` has barriers that count warps; elsewhere let the whole block \
                     wait with __syncthreads(), where all of it comes by."
                .to_owned(),
        },
        "a barrier for a part of the block".to_owned(),
    )
}
