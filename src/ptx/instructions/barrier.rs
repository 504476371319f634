//! `bar.sync`, `bar.red` and `bar.arrive`: barriers of all threads of a block, or of a warp.

use super::unknown;
use crate::lowerer::{Lowered, Lowerer, modifiers};
use crate::types::Kind;
use crate::value::Value;
use crate::{Fault, Reason};
use torchada_syntax::ptx::Instruction;

pub(crate) fn lower(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let reduces = instruction.opcode.contains(".red.");
    let operands = instruction.operands.as_slice();
    let (destination, operands) = if reduces {
        let (first, rest) = operands.split_first().ok_or_else(unknown)?;
        (Some(first), rest)
    } else {
        (None, operands)
    };
    let (value, barrier) = match (reduces, operands) {
        (false, _) => (None, operands),
        (true, [barrier @ .., value]) => (Some(value), barrier),
        _ => return Err(unknown()),
    };
    let arrives = instruction.opcode.contains(".arrive");
    // Barriers of all threads are passed by all in one order, whatever they are called. One of 32 threads is passed
    // by the warp that comes to it, one of as many as a block can have by all. Any other number means a part of the
    // block that only the launch tells.
    let count = match barrier {
        [_, count] => lowerer.constant(count).ok(),
        _ => None,
    };
    let is_warp = count == Some(32);
    let is_block = !arrives && (barrier.len() == 1 || count.is_some() && count == lowerer.block);
    if !is_warp && !is_block {
        return Err(named());
    }
    if arrives {
        return Ok(());
    }
    let (Some(destination), Some(value)) = (destination, value) else {
        lowerer.line(if is_warp {
            "__syncwarp();"
        } else {
            "__syncthreads();"
        });
        return Ok(());
    };
    let condition = lowerer.condition(value, false)?;
    let how = modifiers(&instruction.opcode);
    let how = how
        .iter()
        .find(|part| matches!(**part, "popc" | "and" | "or"));
    let (block, warp, kind) = match how {
        Some(&"popc") => ("__syncthreads_count", "__ballot_sync", Kind::U32),
        Some(&"and") => ("__syncthreads_and", "__all_sync", Kind::PREDICATE),
        Some(&"or") => ("__syncthreads_or", "__any_sync", Kind::PREDICATE),
        _ => return Err(unknown()),
    };
    let call = if is_warp {
        format!("{warp}(0xffffffffu, {condition})")
    } else {
        format!("{block}({condition})")
    };
    let call = match (kind, is_warp) {
        (Kind::PREDICATE, _) => format!("{call} != 0"),
        (_, true) => format!("__popc({call})"),
        _ => call,
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
