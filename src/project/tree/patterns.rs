//! Patterns of paths, with `*` for any run of characters.

use super::paths;

/// Whether a path is the one that a pattern of a manifest in `folder` gives: folder by folder,
/// with `**` for any number of them.
pub(crate) fn at_path(folder: &str, pattern: &str, path: &str) -> bool {
    let Some(pattern) = paths::join(folder, pattern) else {
        return false;
    };
    let pattern: Vec<&str> = pattern.split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    parts_match(&pattern, &path)
}

fn parts_match(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => {
            (0..=path.len()).any(|skip| parts_match(rest, path.get(skip..).unwrap_or_default()))
        }
        (Some((part, pattern)), Some((name, path))) => {
            wildcard_match(&part.replace('?', "*"), name) && parts_match(pattern, path)
        }
        _ => false,
    }
}

/// Whether a path lies below `folder` and its name is one that `pattern` gives.
pub(crate) fn matches_below(folder: &str, pattern: &str, path: &str) -> bool {
    let inside = folder.is_empty()
        || path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'));
    // `recursive-include csrc ops/*.cu` gives a folder with the name.
    let depth = pattern.split('/').count();
    let end: Vec<&str> = path.rsplitn(depth + 1, '/').take(depth).collect();
    let end: Vec<&str> = end.into_iter().rev().collect();
    let pattern: Vec<&str> = pattern.split('/').collect();
    inside && parts_match(&pattern, &end)
}

/// A text with `*` for each stretch from one mark to another: `${NAME}`, `[ab]`. One that stays open goes to the end.
pub(crate) fn with_holes(text: &str, open: &str, close: char) -> String {
    let mut found = String::new();
    let mut rest = text;
    while let Some((front, behind)) = rest.split_once(open) {
        found.push_str(front);
        found.push('*');
        rest = behind.split_once(close).map_or("", |(_, behind)| behind);
    }
    found.push_str(rest);
    found
}

/// Whether `text` matches `pattern`, where `*` stands for any run of characters.
pub fn wildcard_match(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    for part in middle.split('*') {
        match rest.find(part) {
            Some(at) => rest = rest.get(at + part.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    rest.ends_with(last)
}
