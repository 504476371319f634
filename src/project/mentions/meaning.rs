//! Which files a mention means.
//!
//! A file is renamed only where all that names it can follow, so every file that a mention may mean counts. What a build hands
//! to compilers is another question, for which `built/sources.rs` knows folders, and `python_builds/files.rs` values.

use super::embedded_symbols::spelled;
use crate::facts::{Mention, Reach};
use crate::tree::paths;
use crate::tree::patterns::{at_path, matches_below, wildcard_match};
use torchada_text::{TextRange, line_of};

/// Whether a last component stands for more than one file.
pub(crate) fn is_pattern(name: &str, endings: &[&str]) -> bool {
    is_end(name, endings) || name.contains(['*', '?', '{', '}', '$', '%', '@'])
}

/// Whether a text is the end of a name: `.cu`, `_sm90.cu`.
fn is_end(name: &str, endings: &[&str]) -> bool {
    endings.contains(&name) || name.starts_with(['_', '-'])
}

/// The meaning of a mention, worked out once for many files.
pub(crate) struct Meaning<'a> {
    mention: &'a Mention,
    /// The last component, with `*` for each placeholder.
    name: String,
    /// The folders that stand directly before it.
    folders: String,
    /// The front of all paths that it can mean, where it names no folder.
    front: String,
    /// The folders that it is joined to.
    joined: String,
    /// The whole pattern, where it has wildcards behind folders that it names: `csrc/**/*.cu`.
    glob: Option<String>,
}

impl Mention {
    /// A name that stands at a range of a text, and has to lead to a file wherever that lies.
    pub(crate) fn in_text(text: &[u8], range: TextRange, name: &str) -> Self {
        Self {
            range,
            binds: true,
            text: name.to_owned(),
            line: line_of(text, range.start),
            reach: Reach::Open,
        }
    }

    /// The meaning of the mention in the file `from`.
    pub(crate) fn meaning(&self, from: &str, endings: &[&str]) -> Meaning<'_> {
        let mut meaning = Meaning {
            mention: self,
            name: String::new(),
            folders: String::new(),
            front: String::new(),
            joined: String::new(),
            glob: None,
        };
        let below = match &self.reach {
            Reach::Open | Reach::Deep => paths::folder(from),
            Reach::Joined(folders) => {
                meaning.joined.clone_from(folders);
                paths::folder(from)
            }
            Reach::From(folder) => folder,
            Reach::At(_) | Reach::Below(_) | Reach::Spelled | Reach::Expression => return meaning,
        };
        let name = paths::file_name(&self.text);
        meaning.name = skeleton(name, endings);
        let folders = behind_capitals(paths::folder(&self.text));
        meaning.folders = folders_above(folders);
        meaning.glob = glob(folders, &meaning.name);
        if self.reach == Reach::Deep && meaning.glob.is_none() && !meaning.folders.is_empty() {
            meaning.glob = Some(format!("**/{}/**/{}", meaning.folders, meaning.name));
        }
        // A generator names what it writes anywhere; `*.cu` means what lies beside it.
        let letters = meaning.name.bytes().filter(u8::is_ascii_alphanumeric);
        if is_pattern(name, endings) && letters.count() < MIN_LITERAL && !below.is_empty() {
            meaning.front = format!("{below}/");
        }
        meaning
    }
}

impl Meaning<'_> {
    /// Whether the file `path` may be meant.
    pub(crate) fn takes_in(&self, path: &str) -> bool {
        let text = &self.mention.text;
        match &self.mention.reach {
            Reach::At(folder) => return at_path(folder, text, path),
            Reach::Below(folder) => return matches_below(folder, text, path),
            Reach::Spelled => return is_spelled(text, path),
            Reach::Expression => return wildcard_match(text, paths::file_name(path)),
            Reach::Open | Reach::Deep | Reach::From(_) | Reach::Joined(_) => {}
        }
        if !wildcard_match(&self.name, paths::file_name(path)) {
            return false;
        }
        if let Some(glob) = &self.glob {
            at_path("", glob, path)
        } else if self.folders.is_empty() {
            path.starts_with(&self.front)
                || !self.joined.is_empty() && paths::ends_with(paths::folder(path), &self.joined)
        } else {
            paths::ends_with(paths::folder(path), &self.folders)
        }
    }
}

/// Whether a symbol spells a path, or the end of one that begins with a folder or a file's name.
fn is_spelled(symbol: &str, path: &str) -> bool {
    let Some(front) = path.len().checked_sub(symbol.len()) else {
        return false;
    };
    let (Some(above), Some(end)) = (path.get(..front), path.get(front..)) else {
        return false;
    };
    (above.is_empty() || above.ends_with('/')) && spelled(end) == symbol
}

/// Whether a part of a path may stand for any folders: a placeholder, or a step up.
fn is_open(part: &str) -> bool {
    matches!(part, "" | "." | "..") || part.contains(['{', '}', '$', '%', '@'])
}

/// A pattern for paths below any folder, where folders that are named stand before wildcards. What stands before a
/// placeholder may be elsewhere.
fn glob(folders: &str, name: &str) -> Option<String> {
    let parts: Vec<&str> = folders.split('/').collect();
    let from = parts.iter().rposition(|part| is_open(part));
    let parts = parts.get(from.map_or(0, |at| at + 1)..)?;
    let first = parts.iter().position(|part| part.contains(['*', '?']))?;
    (first > 0).then(|| format!("**/{}/{name}", parts.join("/")))
}

/// The number of literal characters, the ending included, from which on a pattern names certain files.
const MIN_LITERAL: usize = 8;

/// Folders without a word in front that another program puts a folder in place of: `SOURCE_PATH/src` in a makefile that
/// a script fills in.
fn behind_capitals(folders: &str) -> &str {
    let (first, rest) = folders.split_once('/').unwrap_or((folders, ""));
    let is_part = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
    let is_word = first.contains('_') && first.bytes().all(is_part);
    if is_word { rest } else { folders }
}

/// The literal folders that stand directly before the last component.
fn folders_above(folders: &str) -> String {
    let folders: Vec<&str> = folders
        .rsplit('/')
        .take_while(|part| !is_open(part) && !part.contains(['*', '?']))
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
