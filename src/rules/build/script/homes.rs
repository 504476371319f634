//! Variables of makefiles that hold the toolkit's folder: `CUDA ?= /usr/local/cuda`.

use std::collections::BTreeSet;

use torchada_mapping::builds::Scripts;
use torchada_mapping::{ends_with_one, has};
use torchada_syntax::script::{Statement, StatementKind, Word};

/// The variables that assignments give the folder. One whose other values only people can give keeps it, because they give it
/// MUSA's: `CUDA := $(CUDA_DIR)`, `CUDA = /opt/cuda-10.0`.
pub(super) fn homes(all: &[(&[u8], &Statement)], known: &Scripts) -> (Names, Names) {
    let (mut homes, mut others) = (BTreeSet::new(), BTreeSet::new());
    for &(text, one) in all {
        if one.kind != StatementKind::Assignment {
            continue;
        }
        let name = one.head.of(text).to_vec();
        match one.words.as_slice() {
            [word] if is_toolkit(text, word, known) || is_home(text, word, known) => {
                homes.insert(name)
            }
            [word] if is_left_open(text, word, known) => false,
            _ => others.insert(name),
        };
    }
    (homes, others)
}

/// Names of variables.
type Names = BTreeSet<Vec<u8>>;

/// Whether a word is the toolkit's folder, of whatever version, and nothing in it.
fn is_toolkit(text: &[u8], word: &Word, known: &Scripts) -> bool {
    let path = path(text, word);
    path.strip_prefix(known.toolkit.root.as_bytes())
        .is_some_and(is_version)
}

/// Whether a word is a variable of the environment that becomes the one with MUSA's folder: `CUDA_DIR = ${CUDA_HOME}`.
fn is_home(text: &[u8], word: &Word, known: &Scripts) -> bool {
    word.variable()
        .is_some_and(|name| has(&known.toolkit.homes, name.of(text)))
}

/// Whether a word is a variable that holds CUDA's folder by its name, or that folder in another place.
fn is_left_open(text: &[u8], word: &Word, known: &Scripts) -> bool {
    let (_, folder) = known.toolkit.folder_and_name();
    if let Some(name) = word.variable() {
        let name = name.of(text).to_ascii_uppercase();
        return name.starts_with(folder.to_ascii_uppercase().as_bytes())
            && ends_with_one(name, &known.toolkit.folder_endings);
    }
    let path = path(text, word);
    let last = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    path.starts_with(b"/") && last.strip_prefix(folder.as_bytes()).is_some_and(is_version)
}

/// The path that a word without variables is.
fn path<'t>(text: &'t [u8], word: &Word) -> &'t [u8] {
    let path = word.plain().map_or(&b""[..], |range| range.of(text));
    path.strip_suffix(b"/").unwrap_or(path)
}

/// Whether this is nothing, or a version behind a folder's name: `-12.4`.
fn is_version(behind: &[u8]) -> bool {
    let version = behind.strip_prefix(b"-").unwrap_or(behind);
    let mut bytes = version.iter();
    bytes.all(|byte| byte.is_ascii_digit() || *byte == b'.')
}
