//! Where the source of a row of the tables can be read.

use std::sync::LazyLock;

use regex::Regex;

/// The page of a source that names a file of a public repository: `OWNER/NAME:path`, perhaps with a line.
pub(super) fn page(source: &str) -> Option<String> {
    static FILE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let word = "[A-Za-z0-9][A-Za-z0-9_.-]*";
        Regex::new(&format!(
            r"\b({word}/{word}):([A-Za-z0-9_./-]*[A-Za-z0-9_])(?::([0-9]+))?"
        ))
        .ok()
    });
    let found = FILE.as_ref()?.captures(source)?;
    let (repository, path) = (found.get(1)?.as_str(), found.get(2)?.as_str());
    let line = found
        .get(3)
        .map_or_else(String::new, |line| format!("#L{}", line.as_str()));
    Some(format!(
        "https://github.com/{repository}/blob/HEAD/{path}{line}"
    ))
}

#[cfg(test)]
mod tests {
    use super::page;

    #[test]
    fn a_source_in_a_public_repository_has_a_page() {
        assert_eq!(
            page("used: MooreThreads/torch_musa:torch_musa/a.cpp:89").as_deref(),
            Some("https://github.com/MooreThreads/torch_musa/blob/HEAD/torch_musa/a.cpp#L89")
        );
        assert_eq!(page("prefix rule of the library"), None);
    }
}
