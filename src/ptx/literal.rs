//! Constants of PTX as C++ writes them.

use super::types::{Class, Kind};
use torchada_syntax::ptx::Operand;

/// A constant as a literal of a type; `None` for what is no constant, or none of that type.
pub(super) fn text(operand: &Operand, kind: Kind) -> Option<String> {
    match (operand, kind.class) {
        (Operand::Integer(value), Class::Predicate) => Some((*value != 0).to_string()),
        (Operand::Integer(value), _) if kind.is_integer() => Some(integer(*value, kind)),
        (Operand::Single(bits), Class::Float) if kind.bits == 32 => Some(single(*bits)),
        (Operand::Single(bits), _) if kind.is_integer() && kind.bits == 32 => {
            Some(integer(i128::from(*bits), kind))
        }
        (Operand::Double(bits), Class::Float) => {
            let value = f64::from_bits(*bits);
            #[allow(clippy::cast_possible_truncation)]
            let narrow = value as f32;
            Some(if kind.bits == 32 {
                single(narrow.to_bits())
            } else if value.is_finite() && value.abs() < 1e15 {
                format!("{value:?}")
            } else {
                format!("__longlong_as_double({}ll)", bits.cast_signed())
            })
        }
        (Operand::Double(bits), _) if kind.is_integer() && kind.bits == 64 => {
            Some(integer(i128::from(*bits), kind))
        }
        _ => None,
    }
}

fn single(bits: u32) -> String {
    let value = f32::from_bits(bits);
    let shown = format!("{value:?}f");
    if value.is_finite() && shown.len() <= 12 && !shown.contains('e') {
        shown
    } else {
        format!("__uint_as_float({bits:#010x}u)")
    }
}

/// An integer cut to the width of a type.
fn integer(value: i128, kind: Kind) -> String {
    let mask = (1_i128 << kind.bits) - 1;
    let bits = value & mask;
    if kind.class == Class::Signed {
        let half = 1_i128 << (kind.bits - 1);
        let value = if bits >= half { bits - mask - 1 } else { bits };
        return match (value, kind.bits) {
            (value, 64) if value == -half => "(-9223372036854775807ll - 1)".to_owned(),
            (value, 64) => format!("{value}ll"),
            (value, 32) if value == -half => "(-2147483647 - 1)".to_owned(),
            (value, _) => value.to_string(),
        };
    }
    let suffix = if kind.bits == 64 { "ull" } else { "u" };
    if bits < 1024 {
        format!("{bits}{suffix}")
    } else {
        format!("{bits:#x}{suffix}")
    }
}
