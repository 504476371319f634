//! Integer literals.

/// The value of an integer literal of C++, whatever its base, suffix and separators; `None` for
/// anything else, such as a floating-point literal.
pub fn integer(literal: &[u8]) -> Option<u64> {
    let text: String = literal
        .iter()
        .filter(|byte| **byte != b'\'')
        .map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect();
    let text = text.trim_end_matches(['u', 'l', 'z']);
    let (digits, base) = if let Some(digits) = text.strip_prefix("0x") {
        (digits, 16)
    } else if let Some(digits) = text.strip_prefix("0b") {
        (digits, 2)
    } else if let Some(digits) = text.strip_prefix('0').filter(|rest| !rest.is_empty()) {
        (digits, 8)
    } else {
        (text, 10)
    };
    // A sign is no part of a literal.
    let plain = digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
    u64::from_str_radix(digits, base).ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::integer;

    #[test]
    fn literals_of_every_base_have_their_value() {
        for (literal, value) in [
            ("800", 800),
            ("0", 0),
            ("0x1Fu", 31),
            ("0b101", 5),
            ("0755", 0o755),
            ("7'000ULL", 7000),
            ("32uz", 32),
        ] {
            assert_eq!(integer(literal.as_bytes()), Some(value), "{literal}");
        }
        for wrong in ["1.0", "1e3", "", "u", "08", "+1"] {
            assert_eq!(integer(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
