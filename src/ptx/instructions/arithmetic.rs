//! Arithmetic of floating-point numbers with the modifiers that change its operands or its result: `.ftz`, `.sat`,
//! `.relu`, `.NaN`, `.abs`, `.xorsign`, and the directed rounding modes.

use super::unknown;
use crate::lowerer::{Lowered, Lowerer, modifiers};
use crate::types::{Class, Kind};
use crate::value::Value;
use torchada_syntax::ptx::Instruction;

/// What an opcode says.
#[allow(clippy::struct_excessive_bools)]
struct Arithmetic<'o> {
    operation: &'o str,
    /// The number of a directed rounding mode, as the header's functions take it.
    directed: Option<usize>,
    /// Whether the nearest number is asked for by `.rn`.
    is_nearest: bool,
    flushes: bool,
    saturates: bool,
    relu: bool,
    /// `.NaN`: the result is NaN where an operand is.
    spreads: bool,
    xorsign: bool,
    absolute: bool,
    /// The type of the operation on one number.
    kind: Kind,
    /// Whether it is done for both numbers of a pair.
    is_pair: bool,
    /// The narrower type of the operands before the last one, in `fma.rn.f32.f16`, or of the first in `add.f32.f16`.
    narrow: Option<Kind>,
}

const HALF: Kind = Kind::new(Class::Half, 16);
const BFLOAT: Kind = Kind::new(Class::Bfloat, 16);

impl<'o> Arithmetic<'o> {
    fn of(opcode: &'o str) -> Option<Self> {
        let mut found = Self {
            operation: opcode.split('.').next()?,
            directed: None,
            is_nearest: false,
            flushes: false,
            saturates: false,
            relu: false,
            spreads: false,
            xorsign: false,
            absolute: false,
            kind: Kind::F32,
            is_pair: false,
            narrow: None,
        };
        let mut kinds = Vec::new();
        for part in modifiers(opcode) {
            match part {
                "rn" => found.is_nearest = true,
                "rz" => found.directed = Some(0),
                "rm" => found.directed = Some(1),
                "rp" => found.directed = Some(2),
                "ftz" => found.flushes = true,
                "sat" => found.saturates = true,
                "relu" => found.relu = true,
                "NaN" => found.spreads = true,
                "xorsign" => found.xorsign = true,
                "abs" => found.absolute = true,
                "f32x2" => {
                    found.is_pair = true;
                    kinds.push(Kind::F32);
                }
                _ => kinds.push(Kind::named(part)?),
            }
        }
        found.kind = *kinds.first()?;
        found.narrow = kinds.get(1).copied();
        match found.kind.class {
            Class::HalfPair => (found.is_pair, found.kind) = (true, HALF),
            Class::BfloatPair => (found.is_pair, found.kind) = (true, BFLOAT),
            _ => {}
        }
        Some(found)
    }

    /// The operation on numbers of its type.
    fn scalar(&self, operands: &[String]) -> Option<String> {
        let is_half = self.kind.bits == 16;
        let is_order = matches!(self.operation, "min" | "max");
        let call = |name: &str, text: &str| format!("torchada::ptx::{name}({text})");
        let flush = |text: &str| match (self.flushes, self.kind.class) {
            (true, Class::Half) => call("ftz_half", text),
            (true, Class::Float) => call("ftz", text),
            _ => text.to_owned(),
        };
        // Halves are ordered as the floats that they are.
        let number = |text: String| match self.kind.class {
            Class::Half if is_order => format!("__half2float({text})"),
            Class::Bfloat if is_order => format!("__bfloat162float({text})"),
            _ => text,
        };
        let magnitude = if self.kind.bits == 64 {
            "fabs"
        } else {
            "fabsf"
        };
        let absolute = |text: String| {
            if self.absolute {
                format!("{magnitude}({text})")
            } else {
                text
            }
        };
        let signed: Vec<String> = operands.iter().map(|text| number(flush(text))).collect();
        let values: Vec<String> = signed.iter().cloned().map(absolute).collect();
        let result = match values.as_slice() {
            [a] => self.of_one(a)?,
            [a, b] if is_order => {
                let text = self.order(a, b);
                match (self.xorsign && !is_half, signed.as_slice()) {
                    (true, [a, b]) => format!("torchada::ptx::xorsign({a}, {b}, {text})"),
                    _ => text,
                }
            }
            [a, b, c] if is_order => self.order(&self.order(a, b), c),
            [a, b] => self.of_two(a, b)?,
            [a, b, c] => self.of_three(a, b, c)?,
            _ => return None,
        };
        let result = match self.kind.class {
            Class::Half if is_order => call("half_of", &result),
            Class::Bfloat if is_order => call("bfloat_of", &result),
            // An order changes no operand.
            _ if is_order => result,
            _ => flush(&result),
        };
        // A conversion to float may lose the sign of what is no number.
        let result = match operands {
            [a, b] if is_half && self.xorsign => {
                format!("torchada::ptx::xorsign_half({a}, {b}, {result})")
            }
            _ => result,
        };
        Some(match (self.saturates, self.relu, self.kind.class) {
            (true, ..) if is_half => call("saturate_half", &result),
            (true, ..) => call("saturate", &result),
            (_, true, Class::Half) => call("relu_half", &result),
            (_, true, Class::Bfloat) => call("relu_bfloat", &result),
            (_, true, _) => return None,
            _ => result,
        })
    }

    fn order(&self, a: &str, b: &str) -> String {
        let which = self.operation;
        let how = if self.spreads { "nan" } else { "ptx" };
        format!("torchada::ptx::f{which}_{how}({a}, {b})")
    }

    /// The function for a directed rounding mode.
    fn toward(&self, name: &str, mode: usize) -> String {
        let double = if self.kind.bits == 64 { "_double" } else { "" };
        format!("torchada::ptx::{name}_directed{double}<{mode}>")
    }

    fn of_one(&self, a: &str) -> Option<String> {
        Some(match (self.operation, self.kind.class, self.directed) {
            ("neg", Class::Float, None) => format!("-{}", Value::new(a, self.kind).operand()),
            ("neg", _, None) => format!("torchada::ptx::negative({a})"),
            ("abs", Class::Float, None) => format!("fabsf({a})"),
            ("abs", _, None) => format!("torchada::ptx::magnitude({a})"),
            ("rcp", Class::Float, Some(mode)) => {
                format!("{}(1.0, {a})", self.toward("div", mode))
            }
            ("sqrt", Class::Float, Some(mode)) => format!("{}({a})", self.toward("sqrt", mode)),
            _ => return None,
        })
    }

    fn of_two(&self, a: &str, b: &str) -> Option<String> {
        let minus = |b: &str| format!("-{}", Value::new(b, self.kind).operand());
        if let Some(mode) = self.directed {
            return Some(match self.operation {
                "sub" => format!("{}({a}, {})", self.toward("add", mode), minus(b)),
                "add" | "mul" | "div" => format!("{}({a}, {b})", self.toward(self.operation, mode)),
                _ => return None,
            });
        }
        Some(match (self.operation, self.kind.class, self.kind.bits) {
            ("add" | "sub" | "mul", Class::Half | Class::Bfloat, _) => {
                format!("__h{}({a}, {b})", self.operation)
            }
            ("add", Class::Float, 32) => format!("__fadd_rn({a}, {b})"),
            ("sub", Class::Float, 32) => format!("__fadd_rn({a}, {})", minus(b)),
            ("mul", Class::Float, 32) => format!("__fmul_rn({a}, {b})"),
            _ => return None,
        })
    }

    fn of_three(&self, a: &str, b: &str, c: &str) -> Option<String> {
        if !matches!(self.operation, "fma" | "mad") {
            return None;
        }
        Some(match (self.directed, self.kind.class, self.kind.bits) {
            (Some(mode), Class::Float, _) => format!("{}({a}, {b}, {c})", self.toward("fma", mode)),
            (None, Class::Half | Class::Bfloat, _) => format!("__hfma({a}, {b}, {c})"),
            (None, Class::Float, 32) => format!("fmaf({a}, {b}, {c})"),
            (None, Class::Float, _) if self.is_nearest => format!("fma({a}, {b}, {c})"),
            _ => return None,
        })
    }
}

pub(crate) fn lower(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let arithmetic = Arithmetic::of(&instruction.opcode).ok_or_else(unknown)?;
    let (d, operands) = instruction.operands.split_first().ok_or_else(unknown)?;
    let kind = arithmetic.kind;
    if !arithmetic.is_pair {
        let mut texts = Vec::new();
        for (at, operand) in operands.iter().enumerate() {
            let is_last = at + 1 == operands.len();
            texts.push(match arithmetic.narrow {
                Some(narrow) if !is_last => {
                    let value = lowerer.read(operand, narrow)?;
                    let call = if narrow == HALF {
                        "__half2float"
                    } else {
                        "__bfloat162float"
                    };
                    format!("{call}({})", value.text)
                }
                _ => lowerer.read(operand, kind)?.operand(),
            });
        }
        let text = arithmetic.scalar(&texts).ok_or_else(unknown)?;
        return lowerer.write(d, &Value::new(text, kind));
    }
    // A function that computes one number is applied to both numbers of a pair.
    let (pair, name) = match kind.class {
        Class::Half => (Kind::new(Class::HalfPair, 32), "each_half"),
        Class::Bfloat => (Kind::new(Class::BfloatPair, 32), "each_bfloat"),
        _ => (Kind::U64, "each_float"),
    };
    let mut pairs = Vec::new();
    for operand in operands {
        pairs.push(lowerer.read(operand, pair)?.text);
    }
    let names: Vec<String> = ["x", "y", "z"]
        .iter()
        .take(pairs.len())
        .map(ToString::to_string)
        .collect();
    let text = arithmetic.scalar(&names).ok_or_else(unknown)?;
    let parameters: Vec<String> = names
        .iter()
        .map(|name| format!("{} {name}", kind.cpp()))
        .collect();
    let text = format!(
        "torchada::ptx::{name}([]({}) {{ return {text}; }}, {})",
        parameters.join(", "),
        pairs.join(", ")
    );
    lowerer.write(d, &Value::new(text, pair))
}
