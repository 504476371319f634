//! `cvt`: conversions between types.

use super::unknown;
use crate::lowerer::{Lowered, Lowerer, modifiers};
use crate::types::{Class, Kind};
use crate::value::{Value, cast};
use torchada_syntax::ptx::{Instruction, Operand};

/// What the modifiers of a conversion say.
#[allow(clippy::struct_excessive_bools)]
pub(super) struct Conversion {
    /// `rn`, `rz`, `rm`, `rp` for a floating-point result, with an `i` behind the `r` for an integral value.
    pub(super) rounding: Option<String>,
    pub(super) saturates: bool,
    pub(super) flushes: bool,
    pub(super) relu: bool,
    /// Whether what is too large becomes the largest number.
    pub(super) finite: bool,
    pub(super) to: Kind,
    pub(super) from: Kind,
}

pub(crate) fn lower(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let mut types = Vec::new();
    let mut names = Vec::new();
    let (mut rounding, mut saturates, mut flushes) = (None, false, false);
    let (mut relu, mut finite) = (false, false);
    for part in modifiers(&instruction.opcode) {
        match part {
            "sat" => saturates = true,
            "ftz" => flushes = true,
            "relu" => relu = true,
            "rn" | "rz" | "rm" | "rp" | "rni" | "rzi" | "rmi" | "rpi" | "rna" => {
                rounding = Some(part.to_owned());
            }
            "satfinite" => finite = true,
            _ => {
                types.push(Kind::named(part).ok_or_else(unknown)?);
                names.push(part);
            }
        }
    }
    let (&[to, from], &[to_name, _]) = (types.as_slice(), names.as_slice()) else {
        return Err(unknown());
    };
    let conversion = Conversion {
        rounding,
        saturates,
        flushes,
        relu,
        finite,
        to,
        from,
    };
    match instruction.operands.as_slice() {
        [d, a] if to_name == "tf32" => {
            let value = lowerer.read(a, Kind::F32)?;
            let function = match conversion.rounding.as_deref() {
                Some("rna") if !relu => "tf32",
                Some("rn") => "tf32_even",
                Some("rz") => "tf32_cut",
                _ => return Err(unknown()),
            };
            // The largest number of the format.
            let value = conversion.limited(value.text, "__uint_as_float(0x7f7fe000u)");
            let text = format!("torchada::ptx::{function}({value})");
            lowerer.write(d, &Value::new(text, Kind::U32))
        }
        [d, a] => {
            let value = conversion.read(lowerer, a)?;
            let value = conversion.apply(&value).ok_or_else(unknown)?;
            lowerer.write(d, &value)
        }
        [d, high, low] => {
            let high = conversion.read(lowerer, high)?;
            let low = conversion.read(lowerer, low)?;
            let value = conversion.pair(&high, &low).ok_or_else(unknown)?;
            lowerer.write(d, &value)
        }
        _ => Err(unknown()),
    }
}

impl Conversion {
    /// The operand: a wider register gives its lower part.
    fn read(&self, lowerer: &mut Lowerer<'_>, operand: &Operand) -> Lowered<Value> {
        let value = lowerer.read(operand, self.from)?;
        Ok(match self.from.class {
            Class::Float if self.flushes && self.from.bits == 32 => {
                Value::new(format!("torchada::ptx::ftz({})", value.text), self.from)
            }
            _ => value,
        })
    }

    fn apply(&self, value: &Value) -> Option<Value> {
        let text = match (self.from.class, self.to.class) {
            _ if self.relu => return self.to_half(value),
            _ if self.from.is_integer() && self.to.is_integer() => return self.integers(value),
            (_, Class::Half | Class::Bfloat) => return self.to_half(value),
            (Class::Half, Class::Float) if self.to.bits == 32 && self.rounding.is_none() => {
                format!("__half2float({})", value.text)
            }
            (Class::Half, Class::Float) if self.rounding.is_none() => {
                format!("(double)__half2float({})", value.text)
            }
            (Class::Bfloat, Class::Float) if self.to.bits == 32 && self.rounding.is_none() => {
                format!("__bfloat162float({})", value.text)
            }
            (Class::Bfloat, Class::Float) if self.rounding.is_none() => {
                format!("(double)__bfloat162float({})", value.text)
            }
            (Class::Half | Class::Bfloat, _) if self.to.is_integer() => {
                let call = if self.from.class == Class::Half {
                    "__half2float"
                } else {
                    "__bfloat162float"
                };
                let single = Value::new(format!("{call}({})", value.text), Kind::F32);
                return self.to_integer(&single);
            }
            (Class::Float, Class::Float) => return self.floats(value),
            (Class::Float, _) if self.to.is_integer() => return self.to_integer(value),
            (_, Class::Float) if self.from.is_integer() => return self.integer_to_float(value),
            _ => return None,
        };
        self.saturated(Value::new(text, self.to))
    }

    /// A result between 0 and 1, where `.sat` asks for that.
    fn saturated(&self, value: Value) -> Option<Value> {
        if !self.saturates {
            return Some(value);
        }
        (value.kind.class == Class::Float).then(|| {
            Value::new(
                format!("torchada::ptx::saturate({})", value.text),
                value.kind,
            )
        })
    }

    fn integers(&self, value: &Value) -> Option<Value> {
        if self.rounding.is_some() {
            return None;
        }
        if !self.saturates {
            return value.read_as(self.to);
        }
        let text = format!("torchada::ptx::clamp<{}>({})", self.to.cpp(), value.text);
        Some(Value::new(text, self.to))
    }

    fn floats(&self, value: &Value) -> Option<Value> {
        let rounding = self.rounding.as_deref();
        let single = self.from.bits == 32;
        let text = match (self.from.bits, self.to.bits, rounding) {
            (32, 32, None) | (64, 64, None) => value.text.clone(),
            (32, 64, None) => cast(Kind::new(Class::Float, 64), &value.text),
            (64, 32, Some("rn")) => cast(Kind::F32, &value.text),
            (64, 32, Some("rz")) => format!("__double2float_rz({})", value.text),
            (64, 32, Some("rm")) => format!("__double2float_rd({})", value.text),
            (64, 32, Some("rp")) => format!("__double2float_ru({})", value.text),
            (a, b, Some(rounding)) if a == b => {
                let call = match rounding {
                    "rni" => "rint",
                    "rzi" => "trunc",
                    "rmi" => "floor",
                    "rpi" => "ceil",
                    _ => return None,
                };
                let suffix = if single { "f" } else { "" };
                format!("{call}{suffix}({})", value.text)
            }
            _ => return None,
        };
        let value = Value::new(text, self.to);
        let value = if self.flushes && self.to.bits == 32 && self.from.bits == 64 {
            Value::new(format!("torchada::ptx::ftz({})", value.text), self.to)
        } else {
            value
        };
        self.saturated(value)
    }

    /// From a floating-point number to an integer, which always saturates.
    fn to_integer(&self, value: &Value) -> Option<Value> {
        let mode = match self.rounding.as_deref()? {
            "rni" => "rn",
            "rzi" => "rz",
            "rmi" => "rd",
            "rpi" => "ru",
            _ => return None,
        };
        let from = if value.kind.bits == 32 {
            "float"
        } else {
            "double"
        };
        let signed = self.to.class == Class::Signed;
        // A narrower integer has a range of its own: the call saturates at 32 bits.
        let (name, wide) = integer_name(signed, self.to.bits);
        let number = &value.text;
        let text = format!("__{from}2{name}_{mode}({number})");
        let value = Value::new(text, wide);
        if self.to.bits >= 32 {
            return Some(value);
        }
        let text = format!("torchada::ptx::clamp<{}>({})", self.to.cpp(), value.text);
        // What is no number becomes the highest bit of the narrow type.
        let text = match (from, signed) {
            ("double", false) => {
                let highest = 1_u32 << (self.to.bits - 1);
                format!("torchada::ptx::unless_nan({number}, {text}, {highest:#x}u)")
            }
            _ => text,
        };
        Some(Value::new(text, self.to))
    }

    fn integer_to_float(&self, value: &Value) -> Option<Value> {
        let mode = match self.rounding.as_deref()? {
            "rn" => "rn",
            "rz" => "rz",
            "rm" => "rd",
            "rp" => "ru",
            _ => return None,
        };
        let signed = self.from.class == Class::Signed;
        let (name, wide) = integer_name(signed, self.from.bits);
        let to = if self.to.bits == 32 {
            "float"
        } else {
            "double"
        };
        let argument = if self.from.bits < 32 {
            cast(wide, &value.text)
        } else {
            value.text.clone()
        };
        // A double has every 32-bit integer.
        let text = if to == "double" && wide.bits == 32 {
            cast(self.to, &argument)
        } else {
            format!("__{name}2{to}_{mode}({argument})")
        };
        self.saturated(Value::new(text, self.to))
    }
}

/// How conversions call an integer, and its type: one of 64 bits, or of 32.
fn integer_name(is_signed: bool, bits: u32) -> (&'static str, Kind) {
    match (is_signed, bits) {
        (true, 64) => ("ll", Kind::S64),
        (false, 64) => ("ull", Kind::U64),
        (true, _) => ("int", Kind::S32),
        (false, _) => ("uint", Kind::U32),
    }
}
