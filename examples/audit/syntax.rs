//! Syntax errors, counted by a parser.

use tree_sitter::{Parser, Tree};

/// How many nodes of the text's syntax tree are errors or missing; none where no tree can be
/// made.
pub(crate) fn errors(text: &[u8]) -> Option<usize> {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_cuda::LANGUAGE.into())
        .ok()?;
    Some(count(&parser.parse(text, None)?))
}

fn count(tree: &Tree) -> usize {
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
