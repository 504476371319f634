//! `cp.async`: a copy from global to shared memory, made at once. What waits for such copies then waits for nothing:
//! the copy is done where the instruction stands, which is before the earliest place at which a program may rely on
//! it, and shared memory is written by this thread either way.

use super::unknown;
use crate::lowerer::{Lowered, Lowerer, modifiers};
use crate::types::Kind;
use crate::{Fault, Reason};
use torchada_syntax::ptx::{Instruction, Operand};

pub(crate) fn lower(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let (mut has_policy, mut kind) = (false, None);
    for part in modifiers(&instruction.opcode) {
        match part {
            "async" | "shared" | "shared::cta" | "global" => {}
            "ca" | "cg" => kind = Some(part),
            "L2::cache_hint" => has_policy = true,
            _ if part.starts_with("L2::") => {}
            _ => return Err(unknown()),
        }
    }
    kind.ok_or_else(unknown)?;
    let mut operands: Vec<&Operand> = instruction.operands.iter().collect();
    if has_policy {
        operands.pop();
    }
    let [to, from, size, rest @ ..] = operands.as_slice() else {
        return Err(unknown());
    };
    let bytes = lowerer.argument(size)?;
    let to = base(lowerer, to)?;
    let from = base(lowerer, from)?;
    let to = format!("torchada::ptx::shared<void>({to})");
    let from = format!("(const void *)({from})");
    match rest {
        [] => lowerer.line(format!("torchada::ptx::copy<{bytes}>({to}, {from});")),
        [count] => {
            let count = match lowerer.stored(count) {
                // A predicate says that the source is not read.
                Ok(value) if value.kind == Kind::PREDICATE => {
                    format!("{} ? 0u : (unsigned int){bytes}", value.operand())
                }
                _ => lowerer.read(count, Kind::U32)?.text,
            };
            lowerer.line(format!(
                "torchada::ptx::copy_filled<{bytes}>({to}, {from}, {count});"
            ));
        }
        _ => return Err(unknown()),
    }
    Ok(())
}

fn base(lowerer: &mut Lowerer<'_>, operand: &Operand) -> Lowered<String> {
    let Operand::Address(address) = operand else {
        return Err(Fault::new(
            Reason::Operand,
            "an address is missing".to_owned(),
        ));
    };
    let value = lowerer.stored(&address.base)?;
    let text = if value.kind.bits == 32 {
        value
            .read_as(Kind::U32)
            .map_or(value.text.clone(), |value| value.text)
    } else if address.offset == 0 {
        value.text.clone()
    } else {
        value
            .read_as(Kind::U64)
            .map_or(value.text.clone(), |value| value.text)
    };
    Ok(match address.offset {
        0 => text,
        offset if offset < 0 => format!("{text} - {}", -offset),
        offset => format!("{text} + {offset}"),
    })
}
