//! Pipelines in YAML: scripts, variables, and texts under keys.

use super::scanner::Scanner;
use super::{PipelineKeys, StatementKind};
use crate::yaml::{Form, Node, nodes};
use torchada_text::TextRange;

impl Scanner<'_> {
    /// Read the stretch as YAML.
    pub(super) fn yaml(&mut self, keys: PipelineKeys<'_>) {
        let nodes = nodes(self.text, TextRange::new(self.at, self.end)).into_iter();
        for node in nodes.filter(|node| node.form != Form::Tag) {
            self.node(&node, keys);
        }
        self.at = self.end;
    }

    fn node(&mut self, node: &Node, keys: PipelineKeys<'_>) {
        let is = |key: Option<TextRange>, known: &[String]| {
            let key = key.map(|key| key.of(self.text));
            key.is_some_and(|key| known.iter().any(|one| one.as_bytes() == key))
        };
        if is(node.key, keys.scripts) {
            self.inside(node.value, false, Self::shell);
            return;
        }
        let is_variable = !node.is_item && is(node.parent, keys.variables);
        let value = node.value;
        let head = node.key.unwrap_or(TextRange::new(value.start, value.start));
        // Quotes keep the commas in them.
        let quotes = usize::from(node.form == Form::Quoted);
        let value = TextRange::new(value.start - quotes, value.end + quotes);
        let words = self.values(value, !is_variable);
        let kind = if is_variable {
            StatementKind::Assignment
        } else {
            StatementKind::Entry
        };
        self.push(kind, head, words);
    }
}
