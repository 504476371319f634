//! Places in CUDA's toolkit: `/usr/local/cuda-12.4/lib64`, and `/bin/nvcc` below its folder.

use torchada_mapping::{Section, has};
use torchada_project::Context;
use torchada_text::TextRange;

/// Advice about an unknown path in CUDA's toolkit.
pub const ADVICE: &str = "see what it is for, and where the MUSA SDK has the like";
/// Advice about a path whose version is put together at run time.
pub const OPEN: &str = "without a version it is `/usr/local/musa`";

/// Advice about a path that a command removes, links, moves or fills, or that is asked for beside such commands.
pub const PLACED: &str = "see what has to stand there for MUSA: a port does not say what is removed, linked, moved or copied";

/// The translation of a path, as ranges in the text that it stands in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathRewrite {
    /// The path becomes MUSA's by these edits, of which there may be none.
    Known(Vec<(TextRange, String)>),
    /// Nobody knows it, up to where it ends.
    Unknown(usize),
}

/// Whether a variable's name says that it holds the toolkit's folder: `CUDA_HOME`.
pub fn is_home(context: Context<'_>, variable: &[u8]) -> bool {
    let row = context.row(Section::Environment, variable);
    let homes = &context.knowledge.builds.scripts.toolkit.variables;
    row.and_then(|row| row.to.as_deref())
        .is_some_and(|to| has(homes, to))
}

/// The counterpart in MUSA's toolkit of a folder of CUDA's.
pub fn folder<'a>(context: Context<'a>, name: &str) -> Option<&'a str> {
    let parts = &context.knowledge.builds.scripts.toolkit.parts;
    parts.get(name).map(String::as_str)
}

/// The places in a text where the toolkit's folder is written out, with what becomes of each. `goes_on` says that
/// the text's end is not the path's: a variable stands behind it.
pub fn written(context: Context<'_>, text: &[u8], goes_on: bool) -> Vec<(TextRange, ToolkitPath)> {
    let toolkit = &context.knowledge.builds.scripts.toolkit;
    let roots = memchr::memmem::find_iter(text, toolkit.root.as_bytes());
    let found = roots.filter_map(|at| {
        let end = at + toolkit.root.len();
        let rest = text.get(end..).unwrap_or_default();
        let version = match rest.strip_prefix(b"-") {
            Some(number) => 1 + release(number),
            None => 0,
        };
        // `/usr/local/cuda*/bin`, `/usr/local/cuda-*/bin`
        let starred = rest
            .get(version..)
            .is_some_and(|rest| rest.starts_with(b"*/"));
        let is_open = version == 1 && !starred;
        let version = version + usize::from(starred);
        let whole = TextRange::new(at, end + version);
        let fate = match rest.get(version) {
            // A version that a variable holds.
            None if goes_on => ToolkitPath::Open,
            Some(byte) if !byte.is_ascii() => ToolkitPath::Open,
            // Another folder: `/usr/local/cuda-samples`.
            Some(byte) if byte.is_ascii_alphanumeric() || b"_-".contains(byte) => return None,
            _ if is_open => ToolkitPath::Open,
            _ => match below(context, text, whole.end) {
                PathRewrite::Known(mut edits) => {
                    edits.insert(0, (whole, toolkit.to.clone()));
                    ToolkitPath::Known(edits)
                }
                PathRewrite::Unknown(end) => ToolkitPath::Unknown(TextRange::new(at, end)),
            },
        };
        Some((whole, fate))
    });
    found.collect()
}

/// The length of a number of a release, in which variables may stand: `12.4`, `$(CUDA_VER)`, `${MAJOR}.${MINOR}`. MUSA's
/// folder has no number in its name, so what the variables hold is of no account.
fn release(number: &[u8]) -> usize {
    let mut len = 0;
    while let Some(rest) = number.get(len..) {
        len += match rest {
            [b'0'..=b'9' | b'.', ..] => 1,
            [b'$', b'{', b'{', ..] => match memchr::memmem::find(rest, b"}}") {
                Some(end) => end + 2,
                None => break,
            },
            [b'$', open @ (b'{' | b'('), inside @ ..] => {
                let close = if *open == b'{' { b'}' } else { b')' };
                // A variable in a variable's name closes first.
                match memchr::memchr2(close, b'$', inside) {
                    Some(end) if inside.get(end) == Some(&close) => 2 + end + 1,
                    _ => break,
                }
            }
            [b'$', behind @ ..] => {
                let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
                match behind.iter().take_while(is_name).count() {
                    0 => break,
                    name => 1 + name,
                }
            }
            _ => break,
        };
    }
    len
}

/// The places in a text where a path goes on behind a variable that holds the folder, `$cuda_home/lib64`, with what
/// becomes of each.
pub fn behind_variables(context: Context<'_>, text: &[u8]) -> Vec<PathRewrite> {
    let dollars = memchr::memchr_iter(b'$', text);
    let found = dollars.filter_map(|dollar| {
        let open = usize::from(matches!(text.get(dollar + 1), Some(b'{' | b'(')));
        let start = dollar + 1 + open;
        let rest = text.get(start..)?;
        let len = rest
            .iter()
            .take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'_')
            .count();
        let name = rest.get(..len)?.to_ascii_uppercase();
        is_home(context, &name).then(|| below(context, text, start + len + open))
    });
    found.collect()
}

/// The translation of a path that a text spells out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ToolkitPath {
    /// Its version is not there.
    Open,
    /// The path becomes MUSA's by these edits.
    Known(Vec<(TextRange, String)>),
    /// Nobody knows the place.
    Unknown(TextRange),
}

/// The end of the path that begins at `from`.
pub fn end(text: &[u8], from: usize) -> usize {
    let ends =
        |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b':' | b';' | b',' | b'"' | b'\'');
    let rest = text.get(from..).unwrap_or_default();
    from + rest.iter().position(ends).unwrap_or(rest.len())
}

/// MUSA's header in the place of one of CUDA's in the toolkit's folder.
pub fn header(context: Context<'_>, name: &[u8]) -> Option<String> {
    let row = context.row(Section::Headers, name)?;
    row.header_target(std::str::from_utf8(name).ok()?)
}

/// The length of `targets/x86_64-linux/`, below which CUDA's toolkit has the folders for a machine that `include` and `lib64`
/// lead to.
fn of_machine(context: Context<'_>, path: &[u8]) -> usize {
    let mut machines = context.knowledge.builds.scripts.toolkit.machines.iter();
    let is_front = |machine: &&String| path.starts_with(machine.as_bytes());
    machines.find(is_front).map_or(0, String::len)
}

/// Whether a path begins with a folder that only CUDA's toolkit has: `/targets/x86_64-linux/lib`.
pub fn is_machines(context: Context<'_>, path: &[u8]) -> bool {
    let path = path.strip_prefix(b"/");
    path.is_some_and(|path| of_machine(context, path) > 0)
}

/// The file that a path names in one of a toolkit's folders: that of `/include/cuda_runtime.h`, but not of `/src/cuda.h`.
pub fn file_below<'p>(context: Context<'_>, path: &'p [u8]) -> Option<&'p [u8]> {
    let slash = memchr::memrchr(b'/', path)?;
    let (above, name) = (path.get(..slash)?, path.get(slash + 1..)?);
    let above = std::str::from_utf8(above.strip_prefix(b"/")?).ok()?;
    folder(context, above).map(|_| name)
}

/// A path below the toolkit's folder, which begins with a slash in a text: `/lib64`.
pub fn below(context: Context<'_>, text: &[u8], from: usize) -> PathRewrite {
    let none = PathRewrite::Known(Vec::new());
    let bytes = text.get(from..).unwrap_or_default();
    let Some(path) = bytes.strip_prefix(b"/") else {
        return none;
    };
    let above = of_machine(context, path);
    let path = path.get(above..).unwrap_or_default();
    let len = path
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
        .count();
    // `$(CUDA_HOME)/.` is the folder itself.
    let Some(name) = path.get(..len).filter(|name| !matches!(*name, b"" | b".")) else {
        return none;
    };
    let end = end(text, from);
    let range = TextRange::new(from + 1, from + 1 + above + len);
    // Programs and libraries in it have words of their own; a folder in the folder may be anything.
    let deeper = text
        .get(range.end..end)
        .and_then(|rest| rest.strip_prefix(b"/"))
        .unwrap_or_default();
    let commands = &context.knowledge.commands.known;
    let program = commands.iter().find(|one| one.name.as_bytes() == deeper);
    if let Some(program) = program {
        return match &program.to {
            Some(to) => PathRewrite::Known(vec![(TextRange::new(range.end + 1, end), to.clone())]),
            None => PathRewrite::Unknown(end),
        };
    }
    let known = folder(context, &String::from_utf8_lossy(name));
    // `/include/cuda_runtime.h`
    if let Some(to) = known
        && let Some(header) = header(context, deeper)
    {
        let place = TextRange::new(range.end + 1, end);
        return PathRewrite::Known(vec![(range, to.to_owned()), (place, header)]);
    }
    let is_open = !deeper.is_empty() && (!deeper.starts_with(b"lib") || deeper.contains(&b'/'));
    match known {
        Some(to) if !is_open => PathRewrite::Known(vec![(range, to.to_owned())]),
        _ => PathRewrite::Unknown(end),
    }
}
