//! Names of source files in the cells of a notebook. What its cells printed when they ran, such as the log of a build,
//! asks for no file.

use super::in_build_files::{mentions, mentions_sources};
use crate::facts::Mention;
use crate::tree::source::magics;
use torchada_classify::{FileClass, FileKind};
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::knowledge::Knowledge;
use torchada_syntax::notebook::Notebook;
use torchada_text::{LineIndex, TextRange};

/// The mentions of files with one of `endings` in a notebook; in its whole text, where it can't be read as one.
pub(super) fn in_notebook(
    path: &str,
    class: FileClass,
    text: &[u8],
    endings: &[&str],
    knowledge: &Knowledge,
) -> Vec<Mention> {
    if !mentions_sources(text, endings) {
        return Vec::new();
    }
    let Ok(notebook) = Notebook::read(text, magics(&knowledge.embedded.notebook)) else {
        return mentions(path, class, text, endings, knowledge);
    };
    let script = FileClass {
        kind: FileKind::Build,
        language: Some(BuildLanguage::Shell),
        ..class
    };
    let mut found = mentions(path, class, notebook.code.text(), endings, knowledge);
    for line in &notebook.foreign {
        let line = line.range;
        let Some(cell) = notebook.cell_at(line.start) else {
            continue;
        };
        let own = TextRange::new(line.start - cell.start, line.end - cell.start);
        let named = mentions(path, script, own.of(&cell.source), endings, knowledge);
        found.extend(named.into_iter().map(|mention| Mention {
            range: mention.range.shifted(line.start),
            ..mention
        }));
    }
    let lines = LineIndex::new(text);
    for mention in &mut found {
        mention.range = notebook.code.near(mention.range);
        mention.line = lines.position(text, mention.range.start).line;
    }
    found
}
