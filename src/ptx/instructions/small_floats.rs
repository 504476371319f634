//! `cvt` to and from numbers of eight bits or fewer, which stand in pairs: `e4m3x2`, `e2m1x2`.

use super::unknown;
use crate::lowerer::{Lowered, Lowerer, modifiers};
use crate::types::{Class, Kind};
use crate::value::Value;
use torchada_syntax::ptx::{Instruction, Operand};

/// A format, as its name says: `e4m3` has four bits of exponent and three of fraction.
#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    fraction: u32,
}

impl Format {
    /// The format of a pair.
    fn of_pair(name: &str) -> Option<Self> {
        let (exponent, fraction) = name
            .strip_suffix("x2")?
            .strip_prefix('e')?
            .split_once('m')?;
        Some(Self {
            exponent: exponent.parse().ok()?,
            fraction: fraction.parse().ok()?,
        })
    }

    /// How far apart the numbers of a pair stand: those of six bits have a byte each.
    fn step(self) -> u32 {
        if self.exponent + self.fraction < 4 {
            4
        } else {
            8
        }
    }

    /// The function of the header that converts to the format, or from it.
    fn function(self, direction: &str) -> String {
        format!(
            "torchada::ptx::{direction}_small<{}, {}>",
            self.exponent, self.fraction
        )
    }

    fn pair(self) -> Kind {
        Kind::new(Class::Unsigned, 2 * self.step())
    }
}

pub(crate) fn lower(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let parts = modifiers(&instruction.opcode);
    let [flags @ .., to, from] = parts.as_slice() else {
        return Err(unknown());
    };
    let relu = flags.contains(&"relu");
    let positive = |text: String| {
        if relu {
            format!("torchada::ptx::relu({text})")
        } else {
            text
        }
    };
    let (destination, sources) = instruction.operands.split_first().ok_or_else(unknown)?;
    if let Some(format) = Format::of_pair(to) {
        let floats = floats(lowerer, from, sources)?.ok_or_else(unknown)?;
        let convert = format.function("to");
        let [high, low] = floats.map(|float| format!("{convert}({})", positive(float)));
        let text = format!("((unsigned int){high} << {}) | {low}", format.step());
        return lowerer.write(destination, &Value::new(text, format.pair()));
    }
    let (Some(format), [pair]) = (Format::of_pair(from), sources) else {
        return Err(unknown());
    };
    let convert = format.function("from");
    let mut number = |shift: u32| -> Lowered<String> {
        let pair = lowerer.read(pair, format.pair())?.operand();
        let shifted = if shift == 0 {
            pair
        } else {
            format!("{pair} >> {shift}")
        };
        Ok(positive(format!("{convert}({shifted})")))
    };
    let (high, low) = (number(format.step())?, number(0)?);
    let (high, low) = match *to {
        "f16x2" => {
            let half = |text| format!("(unsigned int)__half_as_ushort(__float2half_rn({text}))");
            (half(high), half(low))
        }
        // The upper half of such a float has all that is not zero in it.
        "bf16x2" => {
            let half = |text| format!("(__float_as_uint({text}) >> 16)");
            (half(high), half(low))
        }
        _ => return Err(unknown()),
    };
    let text = format!("({high} << 16) | {low}");
    lowerer.write(destination, &Value::new(text, Kind::U32))
}

/// The upper and the lower source as floats.
fn floats(
    lowerer: &mut Lowerer<'_>,
    from: &str,
    sources: &[Operand],
) -> Lowered<Option<[String; 2]>> {
    Ok(match (from, sources) {
        ("f32", [high, low]) => {
            let high = lowerer.read(high, Kind::F32)?.text;
            Some([high, lowerer.read(low, Kind::F32)?.text])
        }
        ("f16x2", [pair]) => {
            let half = |text| format!("__half2float(__ushort_as_half((unsigned short){text}))");
            let pair = lowerer.read(pair, Kind::U32)?.operand();
            Some([half(format!("({pair} >> 16)")), half(pair)])
        }
        ("bf16x2", [pair]) => {
            let pair = lowerer.read(pair, Kind::U32)?.operand();
            let float = |text| format!("__uint_as_float({text})");
            Some([
                float(format!("{pair} & 0xffff0000u")),
                float(format!("{pair} << 16")),
            ])
        }
        _ => None,
    })
}
