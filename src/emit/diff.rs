//! Unified diffs that `git apply` takes.

use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::text::{Stretch, stretches};

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// One file before and after.
#[derive(Clone, Copy, Debug)]
pub struct FileChange<'a> {
    /// The path before, relative to the root; `None` for a file that is added.
    pub old_path: Option<&'a Path>,
    /// The path after, relative to the root; `None` for a file that is removed.
    pub new_path: Option<&'a Path>,
    /// The bytes before.
    pub old: &'a [u8],
    /// The bytes after.
    pub new: &'a [u8],
    /// Permission bits before. Of a file that is added, nobody asks.
    pub old_mode: u32,
    /// Permission bits after. Of a file that is removed, nobody asks.
    pub mode: u32,
    /// Whether it is a symbolic link, the bytes being its target.
    pub link: bool,
}

impl<'a> FileChange<'a> {
    /// The change of a file's text, whatever its mode.
    pub fn of_text(old_path: &'a Path, new_path: &'a Path, old: &'a [u8], new: &'a [u8]) -> Self {
        const MODE: u32 = 0o644;
        Self {
            old_path: Some(old_path),
            new_path: Some(new_path),
            old,
            new,
            old_mode: MODE,
            mode: MODE,
            link: false,
        }
    }
}

/// Write one file's diff; nothing where nothing changes.
///
/// The bytes of the file go out as they are, so `out` must not be a writer that interprets them.
///
/// # Errors
/// When `out` can't take it.
pub fn diff(change: &FileChange<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (Some(old_path), Some(new_path)) = (
        change.old_path.or(change.new_path),
        change.new_path.or(change.old_path),
    ) else {
        return Ok(());
    };
    let added = change.old_path.is_none();
    let removed = change.new_path.is_none();
    let renamed = old_path != new_path;
    let old_mode = git_mode(change.old_mode, change.link);
    let new_mode = git_mode(change.mode, change.link);
    let has_mode = !added && !removed && old_mode != new_mode;
    if !renamed && !added && !removed && !has_mode && change.old == change.new {
        return Ok(());
    }
    let old_name = quoted(b"a/", old_path);
    let new_name = quoted(b"b/", new_path);
    line(out, &[b"diff --git ", &old_name, b" ", &new_name])?;

    let is_binary = looks_binary(change.old) || looks_binary(change.new);
    let old_lines = lines(if is_binary { b"" } else { change.old });
    let new_lines = lines(if is_binary { b"" } else { change.new });
    let compared = compare(&old_lines, &new_lines);
    if has_mode {
        line(out, &[b"old mode ", old_mode])?;
        line(out, &[b"new mode ", new_mode])?;
    }
    if added {
        line(out, &[b"new file mode ", new_mode])?;
    } else if removed {
        line(out, &[b"deleted file mode ", old_mode])?;
    } else if renamed {
        let percent = if is_binary && change.old != change.new {
            0
        } else {
            similarity(&compared, old_lines.len(), new_lines.len())
        };
        let percent = percent.to_string();
        line(out, &[b"similarity index ", percent.as_bytes(), b"%"])?;
        line(out, &[b"rename from ", &quoted(b"", old_path)])?;
        line(out, &[b"rename to ", &quoted(b"", new_path)])?;
    }
    if change.old == change.new {
        return Ok(());
    }
    if change.link && !added && !removed {
        // The only place where git reads that an existing path is a link. Its hashes are used
        // for binary patches only.
        line(out, &[b"index 0000000..0000000 ", new_mode])?;
    }
    let (before, after): (&[u8], &[u8]) = (
        if added { b"/dev/null" } else { &old_name },
        if removed { b"/dev/null" } else { &new_name },
    );
    if is_binary {
        // The words that git uses. Nobody could read more, and git would not apply less.
        let parts = [b"Binary files ", before, b" and ", after, b" differ"];
        return line(out, &parts);
    }
    header(out, b"--- ", before)?;
    header(out, b"+++ ", after)?;
    for group in with_context(&compared) {
        hunk(out, &group, &old_lines, &new_lines)?;
    }
    Ok(())
}

/// A header with a path. A path with spaces ends in a tab, or what follows could be a date.
fn header(out: &mut dyn Write, start: &[u8], name: &[u8]) -> io::Result<()> {
    let end: &[u8] = if name.contains(&b' ') && !name.starts_with(b"\"") {
        b"\t"
    } else {
        b""
    };
    line(out, &[start, name, end])
}

fn line(out: &mut dyn Write, parts: &[&[u8]]) -> io::Result<()> {
    for part in parts {
        out.write_all(part)?;
    }
    out.write_all(b"\n")
}

/// Whether git would take a content for no text.
fn looks_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(8000).any(|byte| *byte == 0)
}

fn git_mode(mode: u32, link: bool) -> &'static [u8] {
    if link {
        b"120000"
    } else if mode & 0o100 != 0 {
        b"100755"
    } else {
        b"100644"
    }
}

/// The lines with their ends. Only `\n` ends one, as for git.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

/// Where the old lines are the new ones, and where they are not.
fn compare(old: &[&[u8]], new: &[&[u8]]) -> Vec<Stretch> {
    if old.len() != new.len() {
        return stretches(old, new);
    }
    // Translation hardly ever moves a line. As many lines as before are compared in pairs, which
    // takes no longer however much has changed.
    let mut compared = Vec::new();
    let mut at = 0;
    while at < old.len() {
        let is_same = old.get(at) == new.get(at);
        let rest = old.iter().zip(new).skip(at);
        let len = rest.take_while(|(a, b)| (a == b) == is_same).count();
        compared.push(Stretch {
            old: at..at + len,
            new: at..at + len,
            is_same,
        });
        at += len;
    }
    compared
}

/// The share of lines that stay, in whole percent; 100 only where all do.
fn similarity(compared: &[Stretch], old: usize, new: usize) -> usize {
    let same = compared.iter().filter(|one| one.is_same);
    let same: usize = same.map(|one| one.old.len()).sum();
    (200 * same).checked_div(old + new).unwrap_or(100)
}

/// The changes in groups, each with the lines around it. Two changes are in one group where the lines around them meet.
fn with_context(compared: &[Stretch]) -> Vec<Vec<Stretch>> {
    // The first lines of a stretch, and the last ones.
    let head = |one: &Stretch, len: usize| Stretch {
        old: one.old.start..one.old.start + len,
        new: one.new.start..one.new.start + len,
        is_same: true,
    };
    let tail = |one: &Stretch, len: usize| Stretch {
        old: one.old.end - len..one.old.end,
        new: one.new.end - len..one.new.end,
        is_same: true,
    };
    let mut groups = Vec::new();
    let mut group: Vec<Stretch> = Vec::new();
    for one in compared {
        let len = one.old.len();
        let has_change = group.iter().any(|one| !one.is_same);
        if !one.is_same || (has_change && len <= 2 * CONTEXT) {
            group.push(one.clone());
            continue;
        }
        if has_change {
            group.push(head(one, CONTEXT));
            groups.push(group);
        }
        group = vec![tail(one, len.min(CONTEXT))];
    }
    if let Some(last) = group.pop_if(|last| last.is_same) {
        group.push(head(&last, last.old.len().min(CONTEXT)));
    }
    if group.iter().any(|one| !one.is_same) {
        groups.push(group);
    }
    groups
}

fn hunk(out: &mut dyn Write, group: &[Stretch], old: &[&[u8]], new: &[&[u8]]) -> io::Result<()> {
    let (Some(first), Some(last)) = (group.first(), group.last()) else {
        return Ok(());
    };
    let place = |range: Range<usize>| match range.len() {
        // An empty range is named by the line before it.
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        len => format!("{},{len}", range.start + 1),
    };
    let old_place = place(first.old.start..last.old.end);
    let new_place = place(first.new.start..last.new.end);
    writeln!(out, "@@ -{old_place} +{new_place} @@")?;
    for one in group {
        if one.is_same {
            body(out, b" ", old, one.old.clone())?;
        } else {
            body(out, b"-", old, one.old.clone())?;
            body(out, b"+", new, one.new.clone())?;
        }
    }
    Ok(())
}

fn body(out: &mut dyn Write, sign: &[u8], lines: &[&[u8]], range: Range<usize>) -> io::Result<()> {
    for text in lines.get(range).unwrap_or_default() {
        out.write_all(sign)?;
        out.write_all(text)?;
        if !text.ends_with(b"\n") {
            out.write_all(b"\n\\ No newline at end of file\n")?;
        }
    }
    Ok(())
}

/// A path as git writes it: in quotes with escapes where it holds a quote, a backslash, a control
/// character or a byte that is no ASCII.
fn quoted(prefix: &[u8], path: &Path) -> Vec<u8> {
    let bytes = path.as_os_str().as_bytes();
    let odd = |byte: &u8| !(0x20..0x7f).contains(byte) || matches!(byte, b'"' | b'\\');
    if !bytes.iter().any(odd) {
        return [prefix, bytes].concat();
    }
    let mut out = vec![b'"'];
    out.extend_from_slice(prefix);
    for byte in bytes {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\t' => out.extend_from_slice(b"\\t"),
            plain if !odd(plain) => out.push(*plain),
            other => out.extend_from_slice(format!("\\{other:03o}").as_bytes()),
        }
    }
    out.push(b'"');
    out
}
