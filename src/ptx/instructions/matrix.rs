//! `mma.sync` and what loads and stores its fragments, for warps of 32 lanes, by shuffles: every lane works out its
//! own elements of the product.
//!
//! The layout of fragments is that of "PTX ISA", sections "Matrix Fragments for mma.m16n8kX" and "mma.m8n8kX", which has
//! the upper rows alone: the lane `4 g + t` has
//! of A the rows `g` and `g + 8`, of B the column `g`, of C and D the columns `2 t` and `2 t + 1` of both rows.

use crate::lowerer::{Lowered, Lowerer, modifiers};
use crate::types::{Class, Kind};
use crate::value::Value;
use crate::{Fault, Reason};
use torchada_syntax::ptx::{Address, Instruction, Operand};

pub(crate) fn multiply(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let unknown = || Fault::unknown(&instruction.opcode);
    let mut parts = modifiers(&instruction.opcode);
    // Half of A are zeroes that are not there: an operand says where the other elements stand.
    let is_sparse = parts
        .first()
        .is_some_and(|part| matches!(*part, "sp" | "sp::ordered_metadata"));
    if is_sparse {
        parts.remove(0);
    }
    let count = parts.len();
    parts.retain(|part| *part != "satfinite");
    let saturates = parts.len() < count;
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
    let (rows, depth) = match shape.strip_prefix("m16n8k") {
        Some(depth) => (2, depth),
        None => (1, shape.strip_prefix("m8n8k").ok_or_else(unknown)?),
    };
    let depth: usize = depth.parse().map_err(|_| unknown())?;
    // The elements of a register.
    let elements = match *a_type {
        "tf32" | "f64" => 1,
        "f16" | "bf16" => 2,
        "s8" | "u8" | "e4m3" | "e5m2" => 4,
        _ => 8,
    };
    let registers = depth / (4 * elements);
    if d_type != c_type {
        return Err(unknown());
    }
    let is_packed = *d_type == "f16";
    let (sum, register) = match *d_type {
        // Wide enough that no sum overflows.
        "s32" => (Kind::S64, Kind::U32),
        "f64" => (Kind::new(Class::Float, 64), Kind::new(Class::Float, 64)),
        _ => (Kind::F32, Kind::U32),
    };
    let sums = if is_packed { rows } else { 2 * rows };
    let ([d, a, b, c], places) = match instruction.operands.as_slice() {
        [d, a, b, c] if !is_sparse => ([d, a, b, c], None),
        [d, a, b, c, places, selector] if is_sparse => {
            let places = lowerer.read(places, Kind::U32)?;
            ([d, a, b, c], Some((places, lowerer.constant(selector)?)))
        }
        _ => return Err(unknown()),
    };
    let (d, a, b, c) = (d.elements(), a.elements(), b.elements(), c.elements());
    let of_a = rows * registers / if is_sparse { 2 } else { 1 };
    if d.len() != sums || c.len() != sums || a.len() != of_a || b.len() != registers {
        return Err(count_of_registers());
    }
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
    let a = texts(lowerer, &a, register)?;
    let a = name(lowerer, "a", &a, register);
    let b = texts(lowerer, &b, register)?;
    let b = name(lowerer, "b", &b, register);
    let c = if is_packed {
        let halves = texts(lowerer, &c, Kind::U32)?;
        let halves = halves
            .iter()
            .flat_map(|pair| [0, 1].map(|at| format!("torchada::ptx::half_at({pair}, {at})")));
        halves.collect()
    } else {
        let kind = if *d_type == "s32" { Kind::S32 } else { sum };
        texts(lowerer, &c, kind)?
    };
    let c = name(lowerer, "sum", &c, sum);
    let read = |kind: &str| match kind {
        "f16" => "torchada::ptx::half_at".to_owned(),
        "bf16" => "torchada::ptx::bfloat_at".to_owned(),
        kind => format!("torchada::ptx::{kind}_at"),
    };
    lowerer.line(match places {
        None => format!(
            "torchada::ptx::multiply<{rows}, {registers}, {elements}>({c}, {a}, {b}, {}, {});",
            read(a_type),
            read(b_type)
        ),
        Some((places, selector)) => format!(
            "torchada::ptx::multiply_sparse<{}>({c}, {a}, {b}, {}, {selector}, {});",
            registers / 2,
            places.text,
            read(a_type)
        ),
    });
    for (at, destination) in d.iter().enumerate() {
        let value = if is_packed {
            let (low, high) = (2 * at, 2 * at + 1);
            let text = format!("torchada::ptx::halves({c}[{low}], {c}[{high}])");
            Value::new(text, Kind::U32)
        } else if saturates {
            Value::new(format!("torchada::ptx::clamp<int>({c}[{at}])"), Kind::S32)
        } else if *d_type == "s32" {
            Value::new(format!("(int){c}[{at}]"), Kind::S32)
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
pub(crate) fn exchange(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let unknown = || Fault::unknown(&instruction.opcode);
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

fn count_of_registers() -> Fault {
    Fault::new(
        Reason::Operand,
        "its operands have more or fewer registers than its name says".to_owned(),
    )
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

fn texts(lowerer: &mut Lowerer<'_>, operands: &[&Operand], kind: Kind) -> Lowered<Vec<String>> {
    let read = operands.iter().map(|operand| {
        let value = lowerer.read(operand, kind)?;
        // A list in braces takes no conversion that may lose something.
        Ok(match value.kind.class {
            Class::Integer => crate::value::cast(kind, &value.text),
            _ => value.text,
        })
    });
    read.collect()
}
