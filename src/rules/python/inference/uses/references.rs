//! Where other files use what the top of a module binds to a name. A file that can't name it is not parsed for that.

use std::sync::Arc;

use super::places::{places, whole_name};
use super::shared_answers::objects_of;
use crate::python::ModuleView;
use torchada_project::python::Definition;
use torchada_syntax::python::NodeId;
use torchada_text::last_part;

/// A name at the top of a module, or of a method of its classes.
pub struct TopName<'v, 'a> {
    view: &'v ModuleView<'a>,
    name: &'v str,
    /// The last part of the module's name.
    module: String,
}

impl<'v, 'a> TopName<'v, 'a> {
    pub fn new(view: &'v ModuleView<'a>, name: &'v str) -> Self {
        let module = view.modules.module_name(view.index);
        Self {
            view,
            name,
            module: last_part(&module).to_owned(),
        }
    }

    /// The expressions of a file that stand for the name and end with it.
    pub fn references(&self, file: usize) -> Vec<NodeId> {
        if !self.may_stand_in(file) {
            return Vec::new();
        }
        let all = references_to_tree(self.view, file, self.name.as_bytes());
        let own = all.iter().filter(|(_, found)| self.is(found));
        own.map(|&(whole, _)| whole).collect()
    }

    /// Whether a file may use the name, by what it imports: the name, all names of a module, or a module of which the name is
    /// written as a member.
    fn may_stand_in(&self, file: usize) -> bool {
        let (modules, name) = (self.view.modules, self.name);
        let Some(outline) = modules.outline(file) else {
            return false;
        };
        // What an import is known as, and what stands behind that.
        let is_own = |alias: &str, rest: &str| {
            let mut imports = outline.imports.iter().filter(|one| one.alias == alias);
            imports.any(|one| {
                let found = modules.lookup(file, &format!("{}{rest}", one.dotted()));
                found.is_some_and(|found| self.is(&found))
            })
        };
        let is_member = || {
            let (text, member) = (modules.text_once(file), format!(".{name}"));
            objects_of(&text, name.as_bytes()).any(|object| {
                let object = String::from_utf8_lossy(object);
                object == self.module || is_own(&object, &member)
            })
        };
        !outline.stars.is_empty() || is_own(name, "") || is_member()
    }

    /// Whether a definition is that of the name.
    fn is(&self, found: &Definition) -> bool {
        let index = self.view.index;
        let outline = || self.view.modules.outline(index);
        match found {
            Definition::Variable(file, own) => *file == index && own == self.name,
            Definition::Function(file, at) if *file == index => outline()
                .and_then(|outline| outline.functions.get(*at))
                .is_some_and(|one| one.name == self.name),
            Definition::Class(file, at) if *file == index => outline()
                .and_then(|outline| outline.classes.get(*at))
                .is_some_and(|one| one.name == self.name),
            _ => false,
        }
    }
}

/// The expressions of a file that end with a word and stand for something of the tree's, with what they stand for.
fn references_to_tree(
    view: &ModuleView<'_>,
    file: usize,
    word: &[u8],
) -> Arc<[(NodeId, Definition)]> {
    let find_in = |other: &ModuleView<'_>| {
        let wholes = places(other, word).iter();
        let wholes = wholes.filter_map(|&node| whole_name(other, node));
        let found = wholes.filter_map(|whole| {
            let path = other.module.resolve(whole)?;
            let found = other.modules.lookup(file, &path.name)?;
            (!matches!(found, Definition::Outside(_))).then_some((whole, found))
        });
        found.collect()
    };
    let find = || view.question_of(file, find_in).unwrap_or_default();
    let known = &view.summaries.elsewhere.references;
    known.once((file, word.into()), find)
}
