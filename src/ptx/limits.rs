//! What a statement may have at most: a tree can hold statements that nobody wrote.

use super::lowerer::Lowered;
use super::{Fault, Reason};
use torchada_mapping::ptx::Limits;
use torchada_syntax::ptx::{AsmStatement, Item, Piece};

fn too_many(what: &str, most: usize) -> Fault {
    let text = format!("it has more than {most} {what}");
    Fault::new(Reason::Unreadable, text)
}

/// Whether a statement is short enough to be read.
pub(super) fn of_statement(limits: Limits, statement: &AsmStatement) -> Lowered<()> {
    let literals: usize = statement.template.iter().map(Piece::count).sum();
    if literals > limits.literals {
        return Err(too_many("literals", limits.literals));
    }
    Ok(())
}

/// Whether the text of a template is short enough to be read.
pub(super) fn of_text(limits: Limits, text: &str) -> Lowered<()> {
    if text.len() > limits.bytes {
        return Err(too_many("bytes", limits.bytes));
    }
    Ok(())
}

/// Whether a template that was read can be translated without much work.
pub(super) fn of_items(limits: Limits, items: &[Item]) -> Lowered<()> {
    let mut open: Vec<&Item> = items.iter().collect();
    let (mut registers, mut branches) = (0, 0);
    while let Some(item) = open.pop() {
        match item {
            Item::Declaration(declaration) => registers += declaration.variables.len(),
            Item::Label(_) => branches += 1,
            // Each may become a comparison and a branch.
            Item::Targets(_, labels) => branches += labels.len(),
            Item::Instruction(instruction) => {
                branches += usize::from(instruction.opcode.starts_with("bra"));
            }
            Item::Scope(inside) => open.extend(inside),
        }
    }
    if registers > limits.registers {
        return Err(too_many("registers", limits.registers));
    }
    if branches > limits.branches {
        return Err(too_many("labels and branches", limits.branches));
    }
    Ok(())
}
