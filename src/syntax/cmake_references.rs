//! References to variables in the words of `CMake`'s commands: `${NAME}`.

/// The reference to a variable.
pub fn reference(variable: &str) -> String {
    format!("${{{variable}}}")
}

/// The variable that a word is a reference to and nothing else.
pub fn referenced(word: &str) -> Option<&str> {
    let name = word.strip_prefix("${")?.strip_suffix('}')?;
    (!name.contains(['$', '{', '}'])).then_some(name)
}

/// The variable that a condition reads by a word: by its name, or by a reference to it.
pub fn read_variable(word: &str) -> &str {
    referenced(word).unwrap_or(word)
}
