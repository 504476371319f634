//! `ldmatrix`, `stmatrix` and `movmatrix`: what loads, stores and transposes the fragments of matrices.

use super::matrix::count_of_registers;
use super::unknown;
use crate::lowerer::{Lowered, Lowerer, modifiers};
use crate::types::Kind;
use crate::value::Value;
use torchada_syntax::ptx::{Address, Instruction, Operand};

/// `ldmatrix`, `stmatrix` and `movmatrix` of 8 × 8 elements of 16 bits.
pub(crate) fn exchange(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    // The assembler takes them in any order.
    let parts = modifiers(&instruction.opcode);
    let transposed = parts.contains(&"trans");
    let count = parts.iter().find_map(|part| {
        part.strip_prefix('x')
            .and_then(|count| count.parse::<usize>().ok())
    });
    let known = parts.iter().all(|part| {
        matches!(
            *part,
            "sync"
                | "aligned"
                | "m8n8"
                | "b16"
                | "trans"
                | "shared"
                | "shared::cta"
                | "x1"
                | "x2"
                | "x4"
        )
    });
    let is_whole = ["sync", "aligned", "m8n8", "b16"]
        .iter()
        .all(|part| parts.contains(part));
    if !known || !is_whole {
        return Err(unknown());
    }
    let [first, second] = instruction.operands.as_slice() else {
        return Err(unknown());
    };
    if instruction.opcode.starts_with("movmatrix.") {
        let value = lowerer.read(second, Kind::U32)?;
        let text = format!("torchada::ptx::transposed({})", value.text);
        return lowerer.write(first, &Value::new(text, Kind::U32));
    }
    let loads = instruction.opcode.starts_with("ldmatrix.");
    let (registers, address) = if loads {
        (first, second)
    } else {
        (second, first)
    };
    let registers = registers.elements();
    if count != Some(registers.len()) {
        return Err(count_of_registers());
    }
    let Operand::Address(address) = address else {
        return Err(unknown());
    };
    let address = row_address(lowerer, address)?;
    let row = lowerer.fresh("row");
    lowerer.line("{");
    lowerer.depth += 1;
    lowerer.line(format!("const unsigned int {row} = {address};"));
    if loads {
        load(lowerer, &registers, &row, transposed)?;
    } else {
        store(lowerer, &registers, &row, transposed)?;
    }
    lowerer.depth -= 1;
    lowerer.line("}");
    Ok(())
}

/// Load a fragment into registers. They are written once all of it is loaded.
fn load(
    lowerer: &mut Lowerer<'_>,
    registers: &[&Operand],
    row: &str,
    transposed: bool,
) -> Lowered<()> {
    let mut loaded = Vec::new();
    for (at, register) in registers.iter().enumerate() {
        let value = lowerer.fresh("loaded");
        lowerer.line(format!(
            "const unsigned int {value} = torchada::ptx::load_matrix<{transposed}>({row}, {at});"
        ));
        loaded.push((register, value));
    }
    for (register, value) in loaded {
        lowerer.write(register, &Value::new(value, Kind::U32))?;
    }
    Ok(())
}

/// Store a fragment from registers.
fn store(
    lowerer: &mut Lowerer<'_>,
    registers: &[&Operand],
    row: &str,
    transposed: bool,
) -> Lowered<()> {
    for (at, register) in registers.iter().enumerate() {
        let value = lowerer.read(register, Kind::U32)?;
        lowerer.line(format!(
            "torchada::ptx::store_matrix<{transposed}>({row}, {at}, {});",
            value.text
        ));
    }
    lowerer.line("__syncwarp();");
    Ok(())
}

/// The address of a row in shared memory, as a number of 32 bits.
fn row_address(lowerer: &mut Lowerer<'_>, address: &Address) -> Lowered<String> {
    let base = lowerer.stored(&address.base)?;
    let base = base.read_as(Kind::U32).unwrap_or(base);
    Ok(match address.offset {
        0 => base.text,
        offset if offset < 0 => format!("{} - {}", base.operand(), -offset),
        offset => format!("{} + {offset}", base.operand()),
    })
}
