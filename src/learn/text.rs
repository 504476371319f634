//! Texts as TOML writes them.

/// A string in quotes.
pub(super) fn quoted(text: &str) -> String {
    // A literal needs no escapes, and few texts have what it can't hold.
    let plain = |character: char| !character.is_control() && character != '"' && character != '\\';
    if text.chars().all(plain) {
        return format!("\"{text}\"");
    }
    toml::Value::String(text.to_owned()).to_string()
}

/// A key: in quotes only where it needs them.
pub(super) fn key(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if !name.is_empty() && name.bytes().all(plain) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// A list of strings on one line.
pub(super) fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}
