//! Limits on the size and the nesting of files that are translated.

use crate::classify::{FileClass, FileKind};
use crate::diagnostic::Finding;
use crate::diagnostic::codes::project::{TOO_MANY_INCLUDES, TOO_MUCH};
use crate::mapping::files::{BuildLanguage, Limits};
use crate::mapping::knowledge::Knowledge;
use crate::project::magics;
use crate::syntax::notebook::Notebook;
use crate::syntax::{Blocks, Depth};

/// A file sees more files than are followed.
pub(super) fn too_many_includes(path: &str, limits: &Limits) -> Finding {
    let message = format!(
        "the includes of `{path}` reach more than {} files of the tree, and only so many were followed",
        limits.includes
    );
    Finding::whole(TOO_MANY_INCLUDES, path, message).help(
        "look for names of the project's own that look like CUDA's, and name them in `own-names`",
    )
}

/// The limit that a file exceeds, as a text for people; `None` for a file that can be translated.
pub(super) fn exceeds(
    class: FileClass,
    path: &str,
    text: &[u8],
    limits: &Limits,
) -> Option<String> {
    let (bytes, blocks) = match class.kind {
        FileKind::Python => (limits.bytes.python, Blocks::None),
        FileKind::Build => match class.language? {
            BuildLanguage::CMake | BuildLanguage::Make => (limits.bytes.build, Blocks::Commands),
            _ => (limits.bytes.build, Blocks::None),
        },
        kind if kind.is_cpp() || kind == FileKind::Musa => (limits.bytes.cpp, Blocks::Directives),
        _ => return None,
    };
    if text.len() > bytes {
        return Some(format!("it has {} bytes, more than {bytes}", text.len()));
    }
    let mut depth = Depth::of(text, blocks, limits.brackets);
    if depth.brackets > limits.brackets {
        depth = depth_of_cells(path, text, limits).unwrap_or(depth);
    }
    let all = [
        (
            depth.brackets,
            limits.brackets,
            "brackets stand inside each other",
        ),
        (
            depth.blocks,
            limits.blocks,
            "conditionals stand inside each other",
        ),
        (
            depth.branches,
            limits.branches,
            "lines begin, part or end conditionals",
        ),
        (
            depth.condition,
            limits.condition,
            "bytes stand in one condition",
        ),
    ];
    all.into_iter()
        .find(|(found, most, _)| found > most)
        .map(|(found, most, what)| format!("{found} {what}, more than {most}"))
}

/// How deep the code of a notebook is nested; `None` for a file that is no notebook. Each colour in a traceback that a cell
/// has put out opens a bracket which nothing closes.
fn depth_of_cells(path: &str, text: &[u8], limits: &Limits) -> Option<Depth> {
    let table = &Knowledge::builtin().embedded.notebook;
    if !table.has(path) {
        return None;
    }
    let magics = magics(table);
    let notebook = Notebook::read(text, magics).ok()?;
    Some(Depth::of(
        notebook.code.text(),
        Blocks::None,
        limits.brackets,
    ))
}

/// A file is left because there is too much of it.
pub fn too_much(path: &str, why: &str) -> Finding {
    Finding::whole(
        TOO_MUCH,
        path,
        format!("`{path}` was copied as it is: {why}"),
    )
    .help("translate it by hand, or split it; `exclude` leaves it out without a word")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_in_what_a_notebook_has_put_out_do_not_count() {
        let limits = &Knowledge::builtin().files.limits;
        let class = FileClass {
            kind: FileKind::Python,
            template: false,
            language: None,
        };
        let many = "\\u001b[0;32m".repeat(limits.brackets + 1);
        let notebook = |code: &str, output: &str| {
            format!(
                "{{\"cells\": [{{\"cell_type\": \"code\", \"source\": \"{code}\", \"outputs\": [\"{output}\"]}}]}}"
            )
        };
        let exceeds = |path: &str, text: String| exceeds(class, path, text.as_bytes(), limits);
        assert_eq!(exceeds("a.ipynb", notebook("x = 1", &many)), None);
        assert!(exceeds("a.ipynb", notebook(&many, "")).is_some());
        assert!(exceeds("a.py", notebook("x = 1", &many)).is_some());
    }
}
