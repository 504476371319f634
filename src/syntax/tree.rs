//! Syntax trees, for the decisions that need one.

use std::cell::RefCell;
use std::thread::LocalKey;

use tree_sitter::{Parser, Tree};
use tree_sitter_language::LanguageFn;

use super::lexer::is_identifier_part;
use super::python;

thread_local! {
    /// Parsers for each thread: making one costs more than parsing a small chunk.
    static CUDA: RefCell<Option<Parser>> = const { RefCell::new(None) };
    static CMAKE: RefCell<Option<Parser>> = const { RefCell::new(None) };
    static PYTHON: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// Parse text in a language. `None` where the grammar can't be loaded, which is a fault of the
/// build and not of the text. `last` is the tree of an earlier text, whose nodes `Tree::edit` has moved to where they lie in
/// this one: what did not change is not parsed again.
fn parse(
    slot: &'static LocalKey<RefCell<Option<Parser>>>,
    language: LanguageFn,
    source: &[u8],
    last: Option<&Tree>,
) -> Option<Tree> {
    slot.with_borrow_mut(|slot| {
        if slot.is_none() {
            let mut parser = Parser::new();
            parser.set_language(&language.into()).ok()?;
            *slot = Some(parser);
        }
        let parser = slot.as_mut()?;
        parser.reset();
        parser.parse(source, last)
    })
}

/// The grammar's tree of Python text. `None` where it can't be parsed.
pub(super) fn parse_python(source: &[u8]) -> Option<Tree> {
    parse(&PYTHON, tree_sitter_python::LANGUAGE, source, None)
}

/// The grammar's tree of [`cmake_text`]. `None` where it can't be parsed.
pub(super) fn parse_cmake(text: &[u8], last: Option<&Tree>) -> Option<Tree> {
    parse(&CMAKE, tree_sitter_cmake::LANGUAGE, text, last)
}

/// What the grammar reads of a file of `CMake`'s: the text with blanks in place of lines such as `@PACKAGE_INIT@`, which a template has where commands stand, and with letters for the marks in `${@PROJECT_NAME@_VERSION}`.
pub(super) fn cmake_text(source: &[u8]) -> Vec<u8> {
    let mut text = source.to_vec();
    // The grammar takes a mark of the byte order for a part of the first command's name.
    if let Some(mark) = text.get_mut(..3).filter(|mark| *mark == b"\xef\xbb\xbf") {
        mark.fill(b' ');
    }
    for line in text.split_mut(|&byte| byte == b'\n') {
        let word = line.trim_ascii();
        let name = word
            .strip_prefix(b"@")
            .and_then(|word| word.strip_suffix(b"@"));
        if name.is_some_and(|name| name.iter().all(|&byte| is_identifier_part(byte))) {
            line.fill(b' ');
        }
    }
    let references: Vec<usize> = memchr::memmem::find_iter(&text, b"${").collect();
    for start in references {
        let rest = text.get_mut(start + 2..).unwrap_or_default();
        let is_name = |byte: &&u8| is_identifier_part(**byte) || **byte == b'@';
        let len = rest.iter().take_while(is_name).count();
        if rest.get(len) == Some(&b'}') {
            let name = rest.iter_mut().take(len);
            name.filter(|byte| **byte == b'@')
                .for_each(|byte| *byte = b'_');
        }
    }
    text
}

/// How many error and missing nodes the tree of `source` has. `None` where it can't be parsed.
pub fn syntax_errors(source: &[u8]) -> Option<usize> {
    Some(errors_in(&parse(
        &CUDA,
        tree_sitter_cuda::LANGUAGE,
        source,
        None,
    )?))
}

/// How many error and missing nodes the tree of Python text has. `None` where it can't be parsed.
pub fn python_errors(source: &[u8]) -> Option<usize> {
    if python::is_sound(source) {
        return Some(0);
    }
    Some(errors_in(&parse_python(source)?))
}

/// How many error and missing nodes the tree of a file of `CMake`'s has. `None` where it can't be parsed.
pub fn cmake_errors(source: &[u8]) -> Option<usize> {
    Some(errors_in(&parse_cmake(&cmake_text(source), None)?))
}

fn errors_in(tree: &Tree) -> usize {
    if !tree.root_node().has_error() {
        return 0;
    }
    let mut cursor = tree.walk();
    let mut errors = 0;
    loop {
        let node = cursor.node();
        errors += usize::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return errors;
            }
        }
    }
}
