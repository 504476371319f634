//! Where the names of a scope are used.

use super::reader::{Place, Reader, Variable};

use torchada_mapping::has;
use torchada_mapping::python::is_package_start;
use torchada_syntax::python::{Field, Kind, NodeId, ScopeId};

impl Reader<'_, '_> {
    /// The places in its module where a name of a scope stands.
    pub(super) fn uses(&self, file: usize, scope: ScopeId, name: &[u8]) -> Vec<NodeId> {
        let Some(parsed) = self.module(file) else {
            return Vec::new();
        };
        let tree = &parsed.tree;
        let places = parsed.places_of(name);
        let is_use = |node: &NodeId| {
            let up = tree.parent(*node);
            let is_other = up.is_some_and(|up| {
                matches!(
                    (tree.kind(up), tree.field(*node)),
                    (Kind::Attribute, Field::Attribute) | (Kind::KeywordArgument, Field::Name)
                )
            });
            !is_other && parsed.bindings(*node, name).0 == scope
        };
        places.iter().copied().filter(is_use).collect()
    }

    /// Whether something else than the lists that are read uses a name.
    pub(super) fn leaks(&self, variable: &Variable) -> bool {
        let Variable { file, scope, name } = variable;
        let Some(parsed) = self.module(*file) else {
            return true;
        };
        let tree = &parsed.tree;
        let module = parsed;
        let bound = module.bindings_in(*scope, name);
        let is_known = |node: NodeId| {
            let is_read = self.read.contains(&Place { file: *file, node });
            let is_bound = bound.iter().any(|one| one.at == node);
            is_read
                || is_bound
                || self.is_condition_or_message(*file, node)
                || self.mutation(*file, node).is_some()
        };
        let uses = self.uses(*file, *scope, name);
        if uses.iter().any(|&node| !is_known(node)) {
            return true;
        }
        if *scope != ScopeId::MODULE {
            return false;
        }
        // Another module may take it from here.
        let is_package = is_package_start(self.tree.places.path(*file));
        let own_name = (!is_package).then(|| self.tree.module_name(*file));
        let importing = own_name.map(|one| self.tree.files_with(one.as_bytes()));
        let speaks = |other: &usize| {
            let mut importing = importing.iter();
            other != file && importing.all(|files| files.binary_search(other).is_ok())
        };
        let others = self.tree.files_with(name).into_iter();
        let mut others = others.filter(speaks);
        others.any(|other| !self.is_read_whole(other, name)) || tree.has_errors()
    }

    /// Whether a node stands in a condition, or in what is shown to people.
    fn is_condition_or_message(&self, file: usize, node: NodeId) -> bool {
        let Some(parsed) = self.module(file) else {
            return false;
        };
        let tree = &parsed.tree;
        let mut inner = node;
        for up in tree.ancestors(node) {
            let is_one = match tree.kind(up) {
                Kind::If | Kind::Elif | Kind::While => tree.field(inner) == Field::Condition,
                Kind::Conditional => tree.ordinal(inner) == 1,
                Kind::IfClause | Kind::Assert | Kind::Raise => true,
                Kind::Call => tree
                    .callee(up)
                    .is_some_and(|callee| parsed.is_builtin(callee, "print")),
                Kind::Block | Kind::Module => return false,
                _ => false,
            };
            if is_one {
                return true;
            }
            inner = up;
        }
        false
    }

    /// Whether all places of a name in a module were read, but for those that import it.
    fn is_read_whole(&self, file: usize, name: &[u8]) -> bool {
        let Some(parsed) = self.module(file) else {
            return false;
        };
        let tree = &parsed.tree;
        let places = parsed.places_of(name);
        places.iter().all(|&node| {
            let up = tree.parent(node).map(|up| tree.kind(up));
            let is_import = matches!(up, Some(Kind::DottedName | Kind::AliasedImport));
            let is_member = up == Some(Kind::Attribute) && tree.field(node) == Field::Attribute;
            let node = if is_member {
                tree.parent(node).unwrap_or(node)
            } else {
                node
            };
            is_import || self.read.contains(&Place { file, node })
        })
    }

    /// The expression that a method adds to the list that stands at a node: `names.append(…)`.
    pub(super) fn mutation(&self, file: usize, node: NodeId) -> Option<NodeId> {
        let tree = &self.module(file)?.tree;
        let up = tree.parent(node)?;
        match (tree.kind(up), tree.field(node)) {
            (Kind::Attribute, Field::Object) => {
                let method = tree.word(tree.child(up, Field::Attribute)?);
                let call = tree.call_of(up)?;
                let known = &self.table.adding;
                let is_one = has(known, method);
                let arguments = tree.child(call, Field::Arguments)?;
                is_one.then_some(arguments)
            }
            // `names["gpu"] = …`
            (Kind::Subscript, Field::Value) => {
                let above = tree.parent(up)?;
                let is_target = matches!(tree.kind(above), Kind::Assignment | Kind::Augmented)
                    && tree.field(up) == Field::Left;
                tree.child(above, Field::Right).filter(|_| is_target)
            }
            _ => None,
        }
    }
}
