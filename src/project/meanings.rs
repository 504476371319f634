//! Which files a mention means.

use super::facts::{Mention, Reach};
use super::paths;
use super::patterns::{at_path, below, wildcard_match};

/// Whether a last component stands for more than one file.
pub(super) fn is_pattern(name: &str, endings: &[&str]) -> bool {
    is_end(name, endings) || name.contains(['*', '?', '{', '}', '$', '%', '@'])
}

/// Whether it is how names end: `.cu`, `_sm90.cu`.
fn is_end(name: &str, endings: &[&str]) -> bool {
    endings.contains(&name) || name.starts_with(['_', '-'])
}

impl Mention {
    /// Whether the mention, in the file `from`, may mean the file `path`.
    pub fn means(&self, from: &str, path: &str, endings: &[&str]) -> bool {
        match &self.reach {
            Reach::Open => self.may_mean(from, path, endings),
            Reach::At(folder) => at_path(folder, &self.text, path),
            Reach::Below(folder) => below(folder, &self.text, path),
        }
    }

    fn may_mean(&self, from: &str, path: &str, endings: &[&str]) -> bool {
        let name = paths::file_name(&self.text);
        if !wildcard_match(&skeleton(name, endings), paths::file_name(path)) {
            return false;
        }
        let folders = folders_above(&self.text);
        if folders.is_empty() {
            let below = paths::folder(from);
            // A generator names what it writes anywhere; `*.cu` means what lies beside it.
            let literal = skeleton(name, endings)
                .chars()
                .filter(char::is_ascii_alphanumeric)
                .count();
            return !is_pattern(name, endings)
                || literal >= MIN_LITERAL
                || below.is_empty()
                || path.starts_with(&format!("{below}/"));
        }
        paths::ends_with(paths::folder(path), &folders)
    }
}

/// A pattern with so many literal characters, its ending included, names certain files.
const MIN_LITERAL: usize = 8;

/// The literal folders that stand directly before the last component.
fn folders_above(text: &str) -> String {
    let folders: Vec<&str> = paths::folder(text)
        .rsplit('/')
        .take_while(|part| {
            !part.is_empty()
                && *part != ".."
                && *part != "."
                && !part.contains(['*', '?', '{', '}', '$', '%', '@'])
        })
        .collect();
    folders.into_iter().rev().collect::<Vec<_>>().join("/")
}

/// The name with everything that is filled in later as `*`.
fn skeleton(name: &str, endings: &[&str]) -> String {
    if is_end(name, endings) {
        return format!("*{name}");
    }
    let mut out = String::new();
    let mut depth = 0_usize;
    for character in name.chars() {
        match character {
            '{' => {
                depth += 1;
                out.push('*');
            }
            // What is filled in may have begun where the word did not.
            '}' if depth == 0 => out.push('*'),
            '}' => depth -= 1,
            _ if depth > 0 => {}
            '$' | '%' | '@' | '?' => out.push('*'),
            other => out.push(other),
        }
    }
    out
}
