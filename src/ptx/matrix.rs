//! `mma.sync` and what loads and stores its fragments, for warps of 32 lanes, by shuffles: every lane works out its
//! own elements of the product.
//!
//! The layout of fragments is that of "PTX ISA", section "Matrix Fragments for mma.m16n8kX": the lane `4 g + t` has
//! of A the rows `g` and `g + 8`, of B the column `g`, of C and D the columns `2 t` and `2 t + 1` of both rows.

use super::Fault;
use super::kind::{Class, Kind};
use super::lower::{Lowered, Lowerer, modifiers};
use super::value::Value;
use crate::syntax::ptx::{Address, Instruction, Operand};

pub(super) fn multiply(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let unknown = || Fault::unknown(&instruction.opcode);
    let parts = modifiers(&instruction.opcode);
    let [
        "sync",
        "aligned",
        shape,
        "row",
        "col",
        d_type,
        a_type,
        b_type,
        c_type,
    ] = parts.as_slice()
    else {
        return Err(unknown());
    };
    let depth: usize = shape
        .strip_prefix("m16n8k")
        .and_then(|depth| depth.parse().ok())
        .ok_or_else(unknown)?;
    // The elements of a 32-bit register, and how they are read.
    let (elements, format) = match (*a_type, *b_type) {
        ("f16", "f16") => (2, "half_at"),
        ("bf16", "bf16") => (2, "bfloat_at"),
        ("tf32", "tf32") => (1, "tf32_at"),
        ("s8", "s8") => (4, "s8_at"),
        ("u8", "u8") => (4, "u8_at"),
        _ => return Err(unknown()),
    };
    let registers = depth / (4 * elements);
    if ![1, 2].contains(&registers) || !depth.is_multiple_of(4 * elements) || d_type != c_type {
        return Err(unknown());
    }
    let sums = match (*d_type, elements) {
        ("f32", 1 | 2) | ("s32", 4) => 4,
        ("f16", 2) if *a_type == "f16" => 2,
        _ => return Err(unknown()),
    };
    let [d, a, b, c] = instruction.operands.as_slice() else {
        return Err(unknown());
    };
    let (d, a, b, c) = (vector(d), vector(a), vector(b), vector(c));
    if d.len() != sums || c.len() != sums || a.len() != 2 * registers || b.len() != registers {
        return Err(unknown());
    }
    let sum = if elements == 4 { Kind::S32 } else { Kind::F32 };
    let name = |lowerer: &mut Lowerer<'_>, wanted: &str, values: &[String], kind: Kind| {
        let name = lowerer.fresh(wanted);
        let length = values.len();
        lowerer.line(format!(
            "{} {name}[{length}] = {{{}}};",
            kind.cpp(),
            values.join(", ")
        ));
        name
    };
    lowerer.line("{");
    lowerer.depth += 1;
    let a = texts(lowerer, &a, Kind::U32)?;
    let a = name(lowerer, "a", &a, Kind::U32);
    let b = texts(lowerer, &b, Kind::U32)?;
    let b = name(lowerer, "b", &b, Kind::U32);
    let c = if sums == 2 {
        let halves = texts(lowerer, &c, Kind::U32)?;
        let halves = halves
            .iter()
            .flat_map(|pair| [0, 1].map(|at| format!("torchada::ptx::half_at({pair}, {at})")));
        halves.collect()
    } else {
        texts(lowerer, &c, sum)?
    };
    let c = name(lowerer, "sum", &c, sum);
    lowerer.line(format!(
        "torchada::ptx::multiply<{registers}, {elements}>({c}, {a}, {b}, torchada::ptx::{format});"
    ));
    for (at, destination) in d.iter().enumerate() {
        let value = if sums == 2 {
            let (low, high) = (2 * at, 2 * at + 1);
            let text = format!("torchada::ptx::halves({c}[{low}], {c}[{high}])");
            Value::new(text, Kind::U32)
        } else {
            Value::new(format!("{c}[{at}]"), sum)
        };
        lowerer.write(destination, &value)?;
    }
    lowerer.depth -= 1;
    lowerer.line("}");
    Ok(())
}

/// `ldmatrix`, `stmatrix` and `movmatrix` of 8 × 8 elements of 16 bits.
pub(super) fn exchange(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let unknown = || Fault::unknown(&instruction.opcode);
    let parts = modifiers(&instruction.opcode);
    let ["sync", "aligned", "m8n8", rest @ .., "b16"] = parts.as_slice() else {
        return Err(unknown());
    };
    let transposed = rest.contains(&"trans");
    let count = rest.iter().find_map(|part| {
        part.strip_prefix('x')
            .and_then(|count| count.parse::<usize>().ok())
    });
    let known = rest.iter().all(|part| {
        matches!(
            *part,
            "trans" | "shared" | "shared::cta" | "x1" | "x2" | "x4"
        )
    });
    if !known {
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
    let registers = vector(registers);
    if count != Some(registers.len()) {
        return Err(unknown());
    }
    let Operand::Address(address) = address else {
        return Err(unknown());
    };
    let address = row_address(lowerer, address)?;
    let name = lowerer.fresh("row");
    lowerer.line("{");
    lowerer.depth += 1;
    lowerer.line(format!("const unsigned int {name} = {address};"));
    let mut loaded = Vec::new();
    for (at, register) in registers.iter().enumerate() {
        if loads {
            let value = lowerer.fresh("loaded");
            lowerer.line(format!(
                "const unsigned int {value} = torchada::ptx::load_matrix<{transposed}>({name}, {at});"
            ));
            loaded.push((register, value));
        } else {
            let value = lowerer.read(register, Kind::U32)?;
            lowerer.line(format!(
                "torchada::ptx::store_matrix<{transposed}>({name}, {at}, {});",
                value.text
            ));
        }
    }
    for (register, value) in loaded {
        lowerer.write(register, &Value::new(value, Kind::U32))?;
    }
    if !loads {
        lowerer.line("__syncwarp();");
    }
    lowerer.depth -= 1;
    lowerer.line("}");
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

fn vector(operand: &Operand) -> Vec<&Operand> {
    match operand {
        Operand::Vector(parts) => parts.iter().collect(),
        one => vec![one],
    }
}

fn texts(lowerer: &mut Lowerer<'_>, operands: &[&Operand], kind: Kind) -> Lowered<Vec<String>> {
    let read = operands.iter().map(|operand| {
        let value = lowerer.read(operand, kind)?;
        // A list in braces takes no conversion that may lose something.
        Ok(match value.kind.class {
            Class::Integer => super::value::cast(kind, &value.text),
            _ => value.text,
        })
    });
    read.collect()
}
