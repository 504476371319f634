//! Variables of a shell's script that hold the folder which the script lies in: `HERE=$(cd "$(dirname "$0")" && pwd)`.

use rustc_hash::FxHashMap;
use torchada_syntax::{identifier_at, is_identifier_part};
use torchada_text::contains;

/// The variables of a script that hold its own folder, or one that it finds from there, by their names.
#[derive(Default)]
pub(super) struct ScriptFolders<'t> {
    /// The folder of each, seen from the script's own; `None` where the script sets it to two of them.
    folders: FxHashMap<&'t [u8], Option<String>>,
}

/// The program that gives the folder of a path.
const FOLDER_OF: &[u8] = b"dirname";

/// The longest path of a folder, in bytes: longer ones are not followed.
const LONGEST: usize = 512;

/// Names of a shell's for the script itself.
const SCRIPT: [&[u8]; 2] = [b"0", b"BASH_SOURCE"];

/// What stands in such values besides folders.
const NOWHERE: &[u8] = b"/dev/null";

impl<'t> ScriptFolders<'t> {
    pub(super) fn of(text: &'t [u8]) -> Self {
        let mut found = Self::default();
        if !contains(text, FOLDER_OF) {
            return found;
        }
        for line in text.split(|&byte| byte == b'\n') {
            let Some((name, value)) = assignment(line) else {
                continue;
            };
            let folder = found.folder_in(value);
            let folder = folder.filter(|folder| folder.len() <= LONGEST);
            if let Some(known) = found.folders.get_mut(name) {
                *known = known.take().filter(|known| folder.as_ref() == Some(known));
            } else if folder.is_some() {
                found.folders.insert(name, folder);
            }
        }
        found
    }

    fn folder(&self, name: &[u8]) -> Option<&str> {
        self.folders.get(name)?.as_deref()
    }

    /// The folder that a value is, seen from the script's own.
    fn folder_in(&self, value: &[u8]) -> Option<String> {
        let bare = value.trim_ascii();
        let bare = bare.strip_prefix(b"\"").unwrap_or(bare);
        let bare = std::str::from_utf8(bare.strip_suffix(b"\"").unwrap_or(bare)).ok()?;
        let is_plain = |one: char| one.is_ascii_alphanumeric() || "_./+-".contains(one);
        if let Some((_, path)) = self
            .path(bare)
            .filter(|(_, path)| path.chars().all(is_plain))
        {
            return Some(path + "/");
        }
        self.folder_above(value)
    }

    /// The folder that a value is, where it is one above a script or a folder: `$(dirname "$0")/..`.
    fn folder_above(&self, value: &[u8]) -> Option<String> {
        let count = |part: &[u8]| memchr::memmem::find_iter(value, part).count();
        let ups = count(b"/..");
        // No other folder's name stands in it.
        let ends = |at: usize| {
            let next = value.get(at + b"/..".len());
            next.is_none_or(|next| !is_identifier_part(*next) && *next != b'.')
        };
        if !memchr::memmem::find_iter(value, b"/..").all(ends)
            || count(b"/") != ups + 2 * count(NOWHERE)
        {
            return None;
        }
        let mut names = memchr::memchr_iter(b'$', value).filter_map(|at| {
            let braces = usize::from(value.get(at + 1) == Some(&b'{'));
            let start = at + 1 + braces;
            let name = value.get(start..identifier_at(value, start).end)?;
            let name = if value.get(start) == Some(&b'0') {
                b"0"
            } else {
                name
            };
            (!name.is_empty()).then_some(name)
        });
        let name = names.next()?;
        // `${BASH_SOURCE[0]:-$0}`
        if !names.all(|other| SCRIPT.contains(&other) && SCRIPT.contains(&name)) {
            return None;
        }
        let steps = count(FOLDER_OF) + ups;
        if SCRIPT.contains(&name) {
            return (count(FOLDER_OF) > 0).then(|| "../".repeat(steps - 1));
        }
        Some(self.folder(name)?.to_owned() + &"../".repeat(steps))
    }

    /// What a path means, seen from the script's folder, and how much of it the variable takes up.
    pub(super) fn path(&self, word: &str) -> Option<(usize, String)> {
        let rest = word.strip_prefix('$')?;
        let (name, path) = rest.split_once('/')?;
        let name = name
            .strip_prefix('{')
            .map_or(Some(name), |name| name.strip_suffix('}'))?;
        let folder = self.folder(name.as_bytes())?;
        let is_open = path.contains(['$', '{', '}', '%', '@']);
        (!is_open).then(|| (word.len() - path.len(), folder.to_owned() + path))
    }
}

/// The variable that a line gives a value, and the value.
fn assignment(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let equals = memchr::memchr(b'=', line)?;
    let (front, value) = (line.get(..equals)?, line.get(equals + 1..)?);
    let length = front
        .iter()
        .rev()
        .take_while(|&&byte| is_identifier_part(byte));
    let start = front.len() - length.count();
    let (before, name) = front.split_at(start);
    let is_bare = before.last().is_none_or(u8::is_ascii_whitespace);
    (is_bare && !name.is_empty()).then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_knows_its_folder_by_its_own_name() {
        let text = br#"
HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" >/dev/null 2>&1 && pwd)"
export ROOT=$(dirname "$HERE")
UP="$HERE/../.."
BESIDE="${ROOT}/kernels"
OTHER=$(dirname "$0")/kernels
TWICE=$(dirname "$0")
TWICE=/opt
GIVEN=$1
"#;
        let folders = ScriptFolders::of(text);
        let path = |word: &str| folders.path(word).map(|(_, path)| path);
        assert_eq!(path("${HERE}/src/k.cu").as_deref(), Some("src/k.cu"));
        assert_eq!(path("$ROOT/src/k.cu").as_deref(), Some("../src/k.cu"));
        assert_eq!(path("$UP/*.cu").as_deref(), Some("../../*.cu"));
        assert_eq!(path("$BESIDE/k.cu").as_deref(), Some("../kernels/k.cu"));
        for word in [
            "$OTHER/k.cu",
            "$TWICE/k.cu",
            "$GIVEN/k.cu",
            "$HERE/$name.cu",
            "src/k.cu",
        ] {
            assert_eq!(path(word), None, "{word}");
        }
    }
}
