//! Paths inside a tree, as text with `/` between components.

use std::path::Path;

/// The folder of a path; empty for a file at the root.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folders above a path, the innermost first, the root (an empty one) last.
pub fn folders(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder(path)), |path| {
        path.rsplit_once('/')
            .map(|(above, _)| above)
            .or((!path.is_empty()).then_some(""))
    })
}

/// The last component of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// `path` as seen from `folder`, without `.` and `..`; `None` where it leaves the tree.
pub fn join(folder: &str, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut joined = String::with_capacity(folder.len() + 1 + path.len());
    let add = |part: &str, joined: &mut String| {
        if !joined.is_empty() {
            joined.push('/');
        }
        joined.push_str(part);
    };
    for part in folder.split('/').filter(|part| !part.is_empty()) {
        add(part, &mut joined);
    }
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if joined.is_empty() => return None,
            ".." => joined.truncate(joined.rfind('/').unwrap_or(0)),
            part => add(part, &mut joined),
        }
    }
    Some(joined)
}

/// The target of a link at `path`, if it lies inside the tree; `target` as the link has it.
pub fn link_target(path: &str, target: &Path) -> Option<String> {
    join(folder(path), target.to_str()?)
}

/// The relative path that leads from `folder` to `target`.
pub fn relative(folder: &str, target: &str) -> String {
    let from: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = target.split('/').collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.len() - shared;
    let mut parts = vec![".."; up];
    parts.extend(to.get(shared..).unwrap_or_default());
    parts.join("/")
}

/// The path of the file `name` in the folder of `path`.
pub fn sibling(path: &str, name: &str) -> String {
    match folder(path) {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

/// Whether `path` is `suffix` or ends with `/suffix`.
pub fn ends_with(path: &str, suffix: &str) -> bool {
    path.strip_suffix(suffix)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// How many leading folders two paths share.
pub fn shared_folders(a: &str, b: &str) -> usize {
    folder(a)
        .split('/')
        .zip(folder(b).split('/'))
        .take_while(|(x, y)| x == y)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_and_led_back() {
        assert_eq!(join("a/b", "../c/./d.h").as_deref(), Some("a/c/d.h"));
        assert_eq!(join("a", "../../x"), None);
        assert_eq!(relative("a/b", "a/c/d.h"), "../c/d.h");
        assert_eq!(relative("a", "a/d.h"), "d.h");
        assert!(ends_with("x/y/z.h", "y/z.h") && !ends_with("x/yy/z.h", "y/z.h"));
    }
}
