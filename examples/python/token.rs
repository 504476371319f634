//! The tokens of a Python file, by the grammar alone: nothing here knows the translator.

use std::ops::Range;

use anyhow::{Context, Result};
use tree_sitter::{Node, Parser};

use super::source::Source;
use super::words;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// An identifier.
    Name,
    /// A string literal, with its quotes; in one with holes, what is between them is apart.
    Text,
    /// A string that stands alone as a statement: a docstring, or as good as one.
    Doc,
    /// A comment.
    Comment,
    /// Anything else.
    Other,
}

/// A token and the places that belong to it.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    /// As it is written.
    pub(crate) text: String,
    /// What it is.
    pub(crate) kind: Kind,
    /// Its bytes in the file.
    pub(crate) at: Range<usize>,
    /// The bytes of what it is part of: the chain of attributes and calls, the comparison, the
    /// import. A finding about one of these is a finding about the token.
    pub(crate) around: Range<usize>,
    /// The lines of the code in which it begins and ends, from 0.
    pub(crate) rows: (usize, usize),
    /// Where its first CUDA-like word stands in the file.
    pub(crate) word: Option<usize>,
}

impl Token {
    /// Whether the token is one to draw.
    pub(crate) fn is_cuda(&self) -> bool {
        self.word.is_some() && matches!(self.kind, Kind::Name | Kind::Text)
    }
}

/// All tokens of a file but its comments.
pub(crate) fn tokens(path: &str, bytes: Vec<u8>) -> Result<Vec<Token>> {
    let mut all = with_comments(path, bytes)?;
    all.retain(|token| token.kind != Kind::Comment);
    Ok(all)
}

/// All tokens of a file.
pub(crate) fn with_comments(path: &str, bytes: Vec<u8>) -> Result<Vec<Token>> {
    let source = Source::new(path, bytes);
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_python::LANGUAGE.into())
        .context("the grammar of Python does not fit")?;
    let tree = parser
        .parse(&source.text, None)
        .context("no tree was made")?;
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        // A string without holes is one token; so is a piece of one that has them.
        let whole = node.kind() == "string" && !has_holes(node);
        if !whole && cursor.goto_first_child() {
            continue;
        }
        found.extend(token(&source, node));
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(found);
            }
        }
    }
}

fn has_holes(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .any(|child| child.kind() == "interpolation")
}

fn token(source: &Source, node: Node<'_>) -> Option<Token> {
    if node.byte_range().is_empty() {
        return None;
    }
    let text = String::from_utf8_lossy(source.text.get(node.byte_range())?).into_owned();
    let kind = match node.kind() {
        "identifier" => Kind::Name,
        "comment" => Kind::Comment,
        "string" if stands_alone(node) => Kind::Doc,
        "string" | "string_content" => Kind::Text,
        _ => Kind::Other,
    };
    let in_file = |range: Range<usize>| source.in_file(range.start)..source.in_file(range.end);
    let word = words::first(&text).map(|at| source.in_file(node.start_byte() + at));
    Some(Token {
        kind,
        at: in_file(node.byte_range()),
        rows: (node.start_position().row, node.end_position().row),
        around: in_file(around(node).byte_range()),
        word,
        text,
    })
}

fn stands_alone(node: Node<'_>) -> bool {
    let mut node = node;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            "concatenated_string" | "parenthesized_expression" => node = parent,
            other => return other == "expression_statement",
        }
    }
    false
}

/// The largest node around a token of which a reader would say that the token is its matter.
fn around(node: Node<'_>) -> Node<'_> {
    // A piece of a string between two holes: a finding about a hole is none about the piece.
    if node.kind() == "string_content" {
        return node;
    }
    let mut node = node;
    while let Some(parent) = node.parent() {
        let heads = |field: &str| parent.child_by_field_name(field) == Some(node);
        let climbs = match parent.kind() {
            "attribute"
            | "dotted_name"
            | "aliased_import"
            | "import_statement"
            | "import_from_statement"
            | "string"
            | "concatenated_string"
            | "comparison_operator"
            | "interpolation" => true,
            "call" => heads("function"),
            "subscript" => heads("value"),
            "keyword_argument" => heads("name"),
            _ => false,
        };
        if !climbs {
            break;
        }
        node = parent;
    }
    node
}

#[cfg(test)]
mod tests {
    use super::tokens;

    fn found(path: &str, text: &str) -> Vec<(String, usize)> {
        let all = tokens(path, text.as_bytes().to_vec()).unwrap();
        let cuda = all.into_iter().filter(super::Token::is_cuda);
        cuda.map(|token| (token.text, token.word.unwrap_or_default()))
            .collect()
    }

    #[test]
    fn names_and_strings_are_tokens_and_docstrings_and_comments_none() {
        let text = "\"\"\"cuda\"\"\"\nf(is_cuda, f\"cuda:{nccl}\")  # cuda\n";
        let names: Vec<String> = found("a.py", text)
            .into_iter()
            .map(|(text, _)| text)
            .collect();
        assert_eq!(names, ["is_cuda", "cuda:", "nccl"]);
    }

    #[test]
    fn a_notebooks_token_has_its_place_in_the_file() {
        let text = "{\n \"cells\": [\n  {\n   \"cell_type\": \"code\",\n   \"source\": [\n                        \"%matplotlib cuda\\n\",\n    \"a = \\\"cuda\\\"\"\n   ]\n  }\n ]\n}\n";
        let all = found("a.ipynb", text);
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].0, "\"cuda\"");
        assert_eq!(&text[all[0].1..all[0].1 + 4], "cuda");
        assert!(text[..all[0].1].ends_with("a = \\\""));
    }
}
