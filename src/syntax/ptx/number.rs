//! Constants of PTX.

use super::Operand;

/// The constant that a number stands for: `12`, `0xFFU`, `0f3F800000`, `0d3FF0000000000000`, `1.5`, `0b101`, `017`.
pub(super) fn constant(text: &str) -> Option<Operand> {
    let lower = text.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0f") {
        return (digits.len() == 8)
            .then(|| u32::from_str_radix(digits, 16).ok())
            .flatten()
            .map(Operand::Single);
    }
    if let Some(digits) = lower.strip_prefix("0d") {
        return (digits.len() == 16)
            .then(|| u64::from_str_radix(digits, 16).ok())
            .flatten()
            .map(Operand::Double);
    }
    let has_exponent = lower.contains('e') && !lower.starts_with("0x");
    if lower.contains('.') || has_exponent {
        let value: f64 = lower.parse().ok()?;
        return Some(Operand::Double(value.to_bits()));
    }
    let plain = lower.strip_suffix('u').unwrap_or(&lower);
    let (digits, base) = if let Some(digits) = plain.strip_prefix("0x") {
        (digits, 16)
    } else if let Some(digits) = plain.strip_prefix("0b") {
        (digits, 2)
    } else if plain.len() > 1 && plain.starts_with('0') {
        (plain.get(1..)?, 8)
    } else {
        (plain, 10)
    };
    // A constant of PTX has 64 bits.
    let value = u64::from_str_radix(digits, base).ok()?;
    Some(Operand::Integer(i128::from(value)))
}
