//! `mma.sync` for warps of 32 lanes, by shuffles: every lane works out its own elements of the product.
//!
//! The layout of fragments is that of "PTX ISA", sections "Matrix Fragments for mma.m16n8kX" and "mma.m8n8kX", which has
//! the upper rows alone: the lane `4 g + t` has
//! of A the rows `g` and `g + 8`, of B the column `g`, of C and D the columns `2 t` and `2 t + 1` of both rows.

use super::unknown;
use crate::lowerer::{Lowered, Lowerer, modifiers};
use crate::types::{Class, Kind};
use crate::value::Value;
use crate::{Fault, Reason};
use torchada_syntax::ptx::{Instruction, Operand};

/// What the modifiers of `mma.sync` say.
struct Product<'i> {
    /// Whether half of A are zeroes that are not there: an operand says where the other elements stand.
    is_sparse: bool,
    saturates: bool,
    /// How many rows of A a lane has.
    rows: usize,
    /// The elements of a register.
    elements: usize,
    /// The registers of B, and of a row of A without the zeroes that are not there.
    registers: usize,
    /// The types of the elements of A, B, and of C and D.
    a: &'i str,
    b: &'i str,
    sum: &'i str,
}

impl<'i> Product<'i> {
    fn of(opcode: &'i str) -> Option<Self> {
        let mut parts = modifiers(opcode);
        let is_sparse = parts
            .first()
            .is_some_and(|part| matches!(*part, "sp" | "sp::ordered_metadata"));
        if is_sparse {
            parts.remove(0);
        }
        let count = parts.len();
        parts.retain(|part| *part != "satfinite");
        let saturates = parts.len() < count;
        let ["sync", "aligned", shape, "row", "col", d, a, b, c] = *parts.as_slice() else {
            return None;
        };
        let (rows, depth) = match shape.strip_prefix("m16n8k") {
            Some(depth) => (2, depth),
            None => (1, shape.strip_prefix("m8n8k")?),
        };
        let depth: usize = depth.parse().ok()?;
        let elements = match a {
            "tf32" | "f64" => 1,
            "f16" | "bf16" => 2,
            "s8" | "u8" | "e4m3" | "e5m2" => 4,
            _ => 8,
        };
        (d == c).then_some(Self {
            is_sparse,
            saturates,
            rows,
            elements,
            registers: depth / (4 * elements),
            a,
            b,
            sum: d,
        })
    }

    /// Whether a register of C or D has two sums.
    fn is_packed(&self) -> bool {
        self.sum == "f16"
    }

    /// The kind in which sums are computed. It is so wide that no sum overflows.
    fn sum_kind(&self) -> Kind {
        match self.sum {
            "s32" => Kind::S64,
            "f64" => Kind::new(Class::Float, 64),
            _ => Kind::F32,
        }
    }

    /// The elements of C, one by one.
    fn addends(&self, lowerer: &mut Lowerer<'_>, c: &[&Operand]) -> Lowered<Vec<String>> {
        if !self.is_packed() {
            let kind = if self.sum == "s32" {
                Kind::S32
            } else {
                self.sum_kind()
            };
            return texts(lowerer, c, kind);
        }
        let halves = texts(lowerer, c, Kind::U32)?;
        let halves = halves
            .iter()
            .flat_map(|pair| [0, 1].map(|at| format!("torchada::ptx::half_at({pair}, {at})")));
        Ok(halves.collect())
    }

    /// The register at `at` of D, of an array of sums.
    fn result(&self, sums: &str, at: usize) -> Value {
        if self.is_packed() {
            let (low, high) = (2 * at, 2 * at + 1);
            let text = format!("torchada::ptx::halves({sums}[{low}], {sums}[{high}])");
            Value::new(text, Kind::U32)
        } else if self.saturates {
            let text = format!("torchada::ptx::clamp<int>({sums}[{at}])");
            Value::new(text, Kind::S32)
        } else if self.sum == "s32" {
            Value::new(format!("(int){sums}[{at}]"), Kind::S32)
        } else {
            Value::new(format!("{sums}[{at}]"), self.sum_kind())
        }
    }
}

pub(crate) fn multiply(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let product = Product::of(&instruction.opcode).ok_or_else(unknown)?;
    let Product {
        is_sparse,
        rows,
        elements,
        registers,
        ..
    } = product;
    let sums = if product.is_packed() { rows } else { 2 * rows };
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
    let register = if product.sum == "f64" {
        product.sum_kind()
    } else {
        Kind::U32
    };
    lowerer.line("{");
    lowerer.depth += 1;
    let a = texts(lowerer, &a, register)?;
    let a = array(lowerer, "a", &a, register);
    let b = texts(lowerer, &b, register)?;
    let b = array(lowerer, "b", &b, register);
    let c = product.addends(lowerer, &c)?;
    let c = array(lowerer, "sum", &c, product.sum_kind());
    let read = |kind: &str| match kind {
        "f16" => "torchada::ptx::half_at".to_owned(),
        "bf16" => "torchada::ptx::bfloat_at".to_owned(),
        kind => format!("torchada::ptx::{kind}_at"),
    };
    lowerer.line(match places {
        None => format!(
            "torchada::ptx::multiply<{rows}, {registers}, {elements}>({c}, {a}, {b}, {}, {});",
            read(product.a),
            read(product.b)
        ),
        Some((places, selector)) => format!(
            "torchada::ptx::multiply_sparse<{}>({c}, {a}, {b}, {}, {selector}, {});",
            registers / 2,
            places.text,
            read(product.a)
        ),
    });
    for (at, destination) in d.iter().enumerate() {
        lowerer.write(destination, &product.result(&c, at))?;
    }
    lowerer.depth -= 1;
    lowerer.line("}");
    Ok(())
}

/// A local array of these values. Returns its name.
fn array(lowerer: &mut Lowerer<'_>, wanted: &str, values: &[String], kind: Kind) -> String {
    let name = lowerer.fresh(wanted);
    let length = values.len();
    lowerer.line(format!(
        "{} {name}[{length}] = {{{}}};",
        kind.cpp(),
        values.join(", ")
    ));
    name
}

pub(super) fn count_of_registers() -> Fault {
    Fault::new(
        Reason::Operand,
        "its operands have more or fewer registers than its name says".to_owned(),
    )
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
