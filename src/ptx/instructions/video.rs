//! Video instructions: arithmetic of bytes and halves of registers, with a second operation or a merge behind it.
//! "PTX ISA", sections "Scalar Video Instructions" and "SIMD Video Instructions".

// Operands have the letters of the ISA.
#![allow(clippy::many_single_char_names)]

use super::unknown;
use crate::lowerer::{Lowered, Lowerer, modifiers};
use crate::types::{Class, Kind};
use crate::value::Value;
use torchada_syntax::ptx::{Instruction, Operand};

/// What an opcode says.
#[derive(Default)]
struct Video<'o> {
    operation: &'o str,
    /// Whether the result, and each source, are signed.
    signs: Vec<bool>,
    saturates: bool,
    second: Option<&'o str>,
    comparison: Option<&'o str>,
    wraps: bool,
    shift: u32,
    plus_one: bool,
}

/// A part of a register: where it starts, and how many bits it has.
#[derive(Clone, Copy)]
struct Part {
    start: u32,
    bits: u32,
}

const WHOLE: Part = Part { start: 0, bits: 32 };

impl<'o> Video<'o> {
    fn of(opcode: &'o str) -> Option<Self> {
        let mut found = Self {
            operation: opcode.split('.').next()?.trim_end_matches(['2', '4']),
            ..Self::default()
        };
        for part in modifiers(opcode) {
            match part {
                "u32" => found.signs.push(false),
                "s32" => found.signs.push(true),
                "sat" => found.saturates = true,
                "add" | "min" | "max" => found.second = Some(part),
                "wrap" => found.wraps = true,
                "clamp" => {}
                "shr7" => found.shift = 7,
                "shr15" => found.shift = 15,
                "po" => found.plus_one = true,
                "eq" | "ne" | "lt" | "le" | "gt" | "ge" => found.comparison = Some(part),
                _ => return None,
            }
        }
        if found.operation == "vset" {
            // Its result has no type: it is 0 or 1.
            found.signs.insert(0, false);
        }
        (found.signs.len() == 3).then_some(found)
    }

    /// The result of an operation on two numbers of C++ that are wide enough, `x` and `y`.
    fn apply(&self, x: &str, y: &str, wide: &str) -> Option<String> {
        let bits = "torchada::ptx::minimum<unsigned int>";
        let amount = if self.wraps {
            format!("(unsigned int){y} & 31u")
        } else {
            format!("{bits}((unsigned int){y}, 32u)")
        };
        Some(match self.operation {
            "vadd" => format!("{x} + {y}"),
            "vsub" => format!("{x} - {y}"),
            "vabsdiff" => format!("({x} < {y} ? {y} - {x} : {x} - {y})"),
            "vmin" => format!("torchada::ptx::minimum<{wide}>({x}, {y})"),
            "vmax" => format!("torchada::ptx::maximum<{wide}>({x}, {y})"),
            "vavrg" => format!("({x} + {y} + ({x} + {y} >= 0 ? 1 : 0)) >> 1"),
            "vshl" => format!("torchada::ptx::video_shl({x}, {amount})"),
            "vshr" => format!("{x} >> ({amount})"),
            "vset" => {
                let sign = match self.comparison? {
                    "eq" => "==",
                    "ne" => "!=",
                    "lt" => "<",
                    "le" => "<=",
                    "gt" => ">",
                    _ => ">=",
                };
                format!("({x} {sign} {y} ? 1 : 0)")
            }
            _ => return None,
        })
    }

    fn saturated(&self, text: String, bits: u32) -> String {
        if self.saturates {
            format!(
                "torchada::ptx::clamp<{}>({text})",
                integer(self.signs[0], bits).cpp()
            )
        } else {
            text
        }
    }
}

fn integer(is_signed: bool, bits: u32) -> Kind {
    Kind::new(
        if is_signed {
            Class::Signed
        } else {
            Class::Unsigned
        },
        bits,
    )
}

/// An operand without its selector, and the selector.
fn selected(operand: &Operand) -> (&Operand, Option<&str>) {
    match operand {
        Operand::Part(base, part) => (base, Some(part)),
        one => (one, None),
    }
}

fn part(selector: Option<&str>) -> Option<Part> {
    let Some(selector) = selector else {
        return Some(WHOLE);
    };
    let (letter, number) = selector.split_at_checked(1)?;
    let number: u32 = number.parse().ok()?;
    match (letter, number) {
        ("b", 0..=3) => Some(Part {
            start: 8 * number,
            bits: 8,
        }),
        ("h", 0..=1) => Some(Part {
            start: 16 * number,
            bits: 16,
        }),
        _ => None,
    }
}

/// The part of a register that an operand names, as a number of 64 bits.
fn number(lowerer: &mut Lowerer<'_>, operand: &Operand, is_signed: bool) -> Lowered<String> {
    let (base, selector) = selected(operand);
    let part = part(selector).ok_or_else(unknown)?;
    let value = lowerer.read(base, Kind::U32)?.operand();
    let kind = integer(is_signed, part.bits).cpp();
    Ok(match part.start {
        0 => format!("(long long)({kind}){value}"),
        start => format!("(long long)({kind})({value} >> {start})"),
    })
}

pub(crate) fn lower(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let video = Video::of(&instruction.opcode).ok_or_else(unknown)?;
    let name = instruction.opcode.split('.').next().unwrap_or_default();
    match name.chars().last() {
        Some('2') => return several(lowerer, instruction, &video, 16),
        Some('4') => return several(lowerer, instruction, &video, 8),
        _ => {}
    }
    let [d, a, b, rest @ ..] = instruction.operands.as_slice() else {
        return Err(unknown());
    };
    let (d, selector) = selected(d);
    let place = part(selector).ok_or_else(unknown)?;
    if video.operation == "vmad" {
        let [c] = rest else { return Err(unknown()) };
        let text = product(lowerer, &video, [a, b, c])?.ok_or_else(unknown)?;
        return lowerer.write(d, &Value::new(text, Kind::U32));
    }
    let x = number(lowerer, a, video.signs[1])?;
    let y = number(lowerer, b, video.signs[2])?;
    let text = video.apply(&x, &y, "long long").ok_or_else(unknown)?;
    let text = video.saturated(text, place.bits);
    let c = match rest {
        [] => None,
        [c] => Some(lowerer.read(c, Kind::U32)?.operand()),
        _ => return Err(unknown()),
    };
    let text = match (c, video.second) {
        (None, None) => format!("(unsigned int)({text})"),
        (Some(c), Some("add")) => format!("(unsigned int)({text}) + {c}"),
        // Nothing says whether the third operand of `vset` has a sign.
        (Some(_), Some(_)) if video.operation == "vset" => return Err(unknown()),
        (Some(c), Some(which)) => {
            let name = if which == "min" { "minimum" } else { "maximum" };
            let kind = integer(video.signs[0], 32).cpp();
            format!(
                "(unsigned int)torchada::ptx::{name}<long long>(torchada::ptx::video_cut({text}), ({kind}){c})"
            )
        }
        (Some(c), None) if place.bits < 32 => {
            let ones = (1_u32 << place.bits) - 1;
            let kept = !(ones << place.start);
            format!(
                "({c} & {kept:#x}u) | (((unsigned int)({text}) & {ones:#x}u) << {})",
                place.start
            )
        }
        _ => return Err(unknown()),
    };
    lowerer.write(d, &Value::new(text, Kind::U32))
}

/// `vmad`: a product and a sum, which may be shifted.
fn product(
    lowerer: &mut Lowerer<'_>,
    video: &Video<'_>,
    operands: [&Operand; 3],
) -> Lowered<Option<String>> {
    let plain = |operand: &Operand| match operand {
        Operand::Negative(inner) => (true, (**inner).clone()),
        one => (false, one.clone()),
    };
    let [(a_minus, a), (b_minus, b), (c_minus, c)] = operands.map(plain);
    let minus = a_minus != b_minus;
    let is_signed = video.signs[1] || video.signs[2] || minus || c_minus;
    // A negated product of two unsigned numbers has 65 bits.
    if (minus || c_minus) && !video.signs[1] && !video.signs[2] || minus && c_minus {
        return Ok(None);
    }
    let x = number(lowerer, &a, video.signs[1])?;
    let y = number(lowerer, &b, video.signs[2])?;
    let wide = if is_signed {
        "long long"
    } else {
        "unsigned long long"
    };
    let narrow = integer(is_signed, 32);
    let c = lowerer.read(&c, narrow)?.operand();
    let sum = if is_signed {
        let product = if minus {
            format!("-({x} * {y})")
        } else {
            format!("{x} * {y}")
        };
        let c = if c_minus {
            format!("- (long long){c}")
        } else {
            format!("+ {c}")
        };
        format!("{product} {c}")
    } else {
        format!("(unsigned long long)({x}) * (unsigned long long)({y}) + {c}")
    };
    let sum = if video.plus_one {
        format!("{sum} + 1")
    } else {
        sum
    };
    let text = match video.shift {
        0 => sum,
        shift => format!("({wide})({sum}) >> {shift}"),
    };
    Ok(Some(if video.saturates {
        format!(
            "(unsigned int)torchada::ptx::clamp<{}>({text})",
            narrow.cpp()
        )
    } else {
        format!("(unsigned int)({text})")
    }))
}

/// The forms that work on both halves or all bytes of registers.
fn several(
    lowerer: &mut Lowerer<'_>,
    instruction: &Instruction,
    video: &Video<'_>,
    bits: u32,
) -> Lowered<()> {
    let [d, a, b, c] = instruction.operands.as_slice() else {
        return Err(unknown());
    };
    if video.second.is_some_and(|second| second != "add") {
        return Err(unknown());
    }
    let letter = if bits == 8 { "b" } else { "h" };
    let digits = |selector: Option<&str>, usual: &str| -> Option<Vec<u32>> {
        let text = match selector {
            Some(selector) => selector.strip_prefix(letter)?,
            None => usual,
        };
        // The last digit stands for the lowest part.
        text.chars().rev().map(|digit| digit.to_digit(8)).collect()
    };
    let count = 32 / bits;
    let choice = |digits: Vec<u32>| {
        let is_whole = digits.len() == count as usize && digits.iter().all(|one| *one < 2 * count);
        let nibbles = digits.iter().enumerate();
        is_whole.then(|| nibbles.fold(0, |all, (at, digit)| all | digit << (4 * at)))
    };
    let (first, second) = if bits == 8 {
        ("3210", "7654")
    } else {
        ("10", "32")
    };
    let (d, mask) = selected(d);
    let mask = digits(mask, first).ok_or_else(unknown)?;
    if mask.iter().any(|one| *one >= count) {
        return Err(unknown());
    }
    let mask = mask.iter().fold(0_u32, |all, one| all | 1 << one);
    let (a, a_choice) = selected(a);
    let (b, b_choice) = selected(b);
    let a_choice = digits(a_choice, first)
        .and_then(choice)
        .ok_or_else(unknown)?;
    let b_choice = digits(b_choice, second)
        .and_then(choice)
        .ok_or_else(unknown)?;
    let text = video.apply("x", "y", "int").ok_or_else(unknown)?;
    let text = video.saturated(text, bits);
    let mut values = Vec::new();
    for operand in [a, b, c] {
        values.push(lowerer.read(operand, Kind::U32)?.text);
    }
    let (x, y) = (
        integer(video.signs[1], bits).cpp(),
        integer(video.signs[2], bits).cpp(),
    );
    let adds = video.second.is_some();
    let text = format!(
        "torchada::ptx::video_simd<{bits}, {x}, {y}, {adds}>({}, {a_choice:#x}u, {b_choice:#x}u, {mask:#x}u, \
         [](int x, int y) {{ return (int)({text}); }})",
        values.join(", ")
    );
    lowerer.write(d, &Value::new(text, Kind::U32))
}
