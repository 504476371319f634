//! An index, by name, of the definitions at the top of a module and in its classes.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use torchada_syntax::python::ModuleOutline;

/// The places in a module's outline of what it defines.
#[derive(Default, Debug)]
pub(super) struct Top {
    /// The last function of a name.
    pub(super) functions: FxHashMap<Box<str>, usize>,
    /// The last class of a name.
    pub(super) classes: FxHashMap<Box<str>, usize>,
    /// The last import of a name.
    pub(super) imports: FxHashMap<Box<str>, usize>,
    /// The last name that is another one's.
    pub(super) aliases: FxHashMap<Box<str>, usize>,
    /// The methods of a name: the first of each class.
    methods: FxHashMap<Box<str>, BTreeMap<usize, usize>>,
}

impl Top {
    pub(super) fn of(outline: &ModuleOutline<'_>) -> Self {
        let mut top = Self::default();
        for (at, one) in outline.functions.iter().enumerate() {
            match one.class {
                Some(class) => {
                    let methods = top.methods.entry(one.name.into()).or_default();
                    methods.entry(class).or_insert(at);
                }
                None if !one.nested => {
                    top.functions.insert(one.name.into(), at);
                }
                None => {}
            }
        }
        let classes = outline.classes.iter().enumerate();
        let classes = classes.filter(|(_, one)| !one.nested);
        top.classes
            .extend(classes.map(|(at, one)| (one.name.into(), at)));
        let imports = outline.imports.iter().enumerate();
        top.imports
            .extend(imports.map(|(at, one)| (one.alias.into(), at)));
        let aliases = outline.aliases.iter().enumerate();
        let aliases = aliases.map(|(at, (alias, _))| ((*alias).into(), at));
        top.aliases.extend(aliases);
        top
    }

    /// The method of a class, by its place in the outline.
    pub(super) fn method(&self, class: usize, name: &str) -> Option<usize> {
        self.methods.get(name)?.get(&class).copied()
    }
}
