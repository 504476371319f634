//! The names that imports bind.

use super::Binder;
use crate::python::kind::{Field, Kind};
use crate::python::records::NodeId;
use crate::python::scope::{BoundValue, ScopeId};
use crate::python::tree::Tree;

impl Binder<'_, '_> {
    /// `import a.b, c as d`
    pub(super) fn import(&mut self, scope: ScopeId, node: NodeId) {
        let tree = self.tree;
        for name in tree.children(node) {
            match tree.kind(name) {
                Kind::DottedName => {
                    if let Some(first) = tree.nth(name, 0) {
                        self.add(scope, first, BoundValue::Import(tree.shown(first)));
                    }
                }
                Kind::AliasedImport => {
                    if let Some((path, alias)) = aliased(tree, name) {
                        self.add(scope, alias, BoundValue::Import(path));
                    }
                }
                _ => {}
            }
        }
    }

    /// `from a import b, c as d`
    pub(super) fn import_from(&mut self, scope: ScopeId, node: NodeId) {
        let tree = self.tree;
        let Some(module) = tree.child(node, Field::ModuleName) else {
            return;
        };
        let module = dotted(tree, module);
        let inside = |name: &str| {
            let dot = if module.ends_with('.') { "" } else { "." };
            BoundValue::Import(format!("{module}{dot}{name}"))
        };
        for name in tree.children(node) {
            match (tree.kind(name), tree.field(name)) {
                (Kind::WildcardImport, _) => {
                    if let Some(scope) = self.scopes.scopes.get_mut(scope.0 as usize) {
                        scope.stars.push(module.clone());
                    }
                }
                (Kind::DottedName, Field::Name) => {
                    if let Some(first) = tree.nth(name, 0) {
                        self.add(scope, first, inside(&dotted(tree, name)));
                    }
                }
                (Kind::AliasedImport, _) => {
                    if let Some((path, alias)) = aliased(tree, name) {
                        self.add(scope, alias, inside(&path));
                    }
                }
                _ => {}
            }
        }
    }
}

/// `path as alias`
fn aliased(tree: &Tree<'_>, node: NodeId) -> Option<(String, NodeId)> {
    let path = tree.child(node, Field::Name)?;
    Some((dotted(tree, path), tree.child(node, Field::Alias)?))
}

/// A dotted name without the white space that may stand in it.
fn dotted(tree: &Tree<'_>, node: NodeId) -> String {
    let mut name = tree.shown(node);
    name.retain(|one| one.is_ascii_alphanumeric() || matches!(one, '.' | '_') || !one.is_ascii());
    name
}
