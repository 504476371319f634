//! Bytes as hexadecimal digits.

use std::fmt::Write;

/// The bytes that digits stand for. White space between them and `0x` before them say nothing; anything else that is no
/// digit is the error.
pub(crate) fn decode(text: &str) -> Result<Vec<u8>, String> {
    let text = text.trim();
    let text = text.strip_prefix("0x").unwrap_or(text);
    let digit = |one: char| {
        one.to_digit(16)
            .map(|digit| digit as u8)
            .ok_or_else(|| format!("{one:?} is no hexadecimal digit"))
    };
    let digits = text.chars().filter(|one| !one.is_whitespace()).map(digit);
    let digits = digits.collect::<Result<Vec<u8>, String>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("there is an odd number of hexadecimal digits".to_owned());
    }
    Ok(pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

/// The digits of bytes.
pub(crate) fn encode(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
