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

/// The variables whose references stand in a text, apart from those whose names are put together of others.
pub fn references(text: &str) -> impl Iterator<Item = &str> {
    let starts = memchr::memmem::find_iter(text.as_bytes(), b"${");
    starts.filter_map(|start| {
        let rest = text.get(start + 2..)?;
        let end = rest.find(['$', '{', '}'])?;
        let (name, behind) = rest.split_at(end);
        behind.starts_with('}').then_some(name)
    })
}
