//! Syntax trees, for the decisions that need one.

use std::cell::RefCell;

use tree_sitter::{Parser, Tree};

thread_local! {
    /// A parser for each thread: making one costs more than parsing a small chunk.
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// Parse C++ or CUDA text. `None` where the grammar can't be loaded, which is a fault of the
/// build and not of the text.
fn parse(source: &[u8]) -> Option<Tree> {
    PARSER.with_borrow_mut(|slot| {
        if slot.is_none() {
            let mut parser = Parser::new();
            parser
                .set_language(&tree_sitter_cuda::LANGUAGE.into())
                .ok()?;
            *slot = Some(parser);
        }
        let parser = slot.as_mut()?;
        parser.reset();
        parser.parse(source, None)
    })
}

/// How many error and missing nodes the tree of `source` has. `None` where it can't be parsed.
pub fn syntax_errors(source: &[u8]) -> Option<usize> {
    let tree = parse(source)?;
    if !tree.root_node().has_error() {
        return Some(0);
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
                return Some(errors);
            }
        }
    }
}
