//! MTX, MUSA's own assembly, in place of an instruction, where the targets and the SDK are known to have it.

use super::load_store::Access;
use crate::lowerer::{Lowered, Lowerer, modifiers};
use torchada_mapping::ptx::Alternative;
use torchada_syntax::ptx::{Instruction, Operand};

/// Write an alternative of an instruction. Where its operands have another form than those that are known to work, the
/// instruction becomes what it does everywhere else, and the result is false.
pub(crate) fn lower(
    lowerer: &mut Lowerer<'_>,
    instruction: &Instruction,
    one: &Alternative,
) -> Lowered<bool> {
    let names: Vec<&str> = one.operands.split_whitespace().collect();
    if names.len() != instruction.operands.len() {
        return Ok(false);
    }
    let access = if names.is_empty() {
        None
    } else {
        Some(Access::of(&instruction.opcode)?)
    };
    let kind = modifiers(&instruction.opcode)
        .last()
        .copied()
        .unwrap_or_default();
    let mut text = one.mtx.replace("{type}", kind);
    let (mut outputs, mut inputs) = (String::new(), Vec::new());
    for (at, (name, operand)) in names.iter().zip(&instruction.operands).enumerate() {
        let place = name.trim_matches(['[', ']']);
        text = text.replace(&format!("{{{place}}}"), &format!("%{at}"));
        let Some(access) = &access else {
            return Ok(false);
        };
        if *name == "d" {
            let is_pointer = matches!(operand, Operand::Placeholder(index)
                if lowerer.outer.get(*index).is_some_and(|outer| outer.is_pointer));
            match lowerer.destination(operand)? {
                Some((to, kind))
                    if kind.is_integer() && kind.bits == access.kind.bits && !is_pointer =>
                {
                    outputs = format!("\"=R\"({to})");
                }
                _ => return Ok(false),
            }
        } else if place == *name {
            let value = lowerer.read(operand, access.kind.as_bits())?;
            inputs.push(format!("\"R\"({})", value.text));
        } else {
            let kind = access.kind.as_bits().cpp();
            let pointer = access.pointer(lowerer, operand, kind, access.kind.bits / 8, 0)?;
            inputs.push(format!("\"R\"({pointer})"));
        }
    }
    let list = |operands: &str| match operands {
        "" => ":".to_owned(),
        operands => format!(": {operands}"),
    };
    let (outputs, inputs) = (list(&outputs), list(&inputs.join(", ")));
    lowerer.line(format!(
        "asm volatile(\".mtx\\n\" \"{text}\" {outputs} {inputs} : \"memory\");"
    ));
    lowerer.exactness = lowerer.exactness.max(one.exactness);
    lowerer.evidence = lowerer.evidence.max(one.evidence);
    Ok(true)
}
