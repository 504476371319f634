//! An index, by name, of the definitions at the top of a module and in its classes.

use torchada_syntax::python::{FunctionHead, ModuleOutline};

/// The places in a module's outline of what it defines, each list sorted by the names that stand there. The names are
/// asked of the outline: most modules are looked up in, so that names of their own would take much memory.
#[derive(Default, Debug)]
pub(super) struct Top {
    functions: Box<[u32]>,
    classes: Box<[u32]>,
    imports: Box<[u32]>,
    aliases: Box<[u32]>,
    /// The methods, sorted by their classes and then by name.
    methods: Box<[u32]>,
}

impl Top {
    pub(super) fn of(outline: &ModuleOutline<'_>) -> Self {
        let is_top = |one: &FunctionHead<'_>| one.class.is_none() && !one.nested;
        Self {
            functions: sorted(&outline.functions, is_top, |one| one.name),
            classes: sorted(&outline.classes, |one| !one.nested, |one| one.name),
            imports: sorted(&outline.imports, |_| true, |one| one.alias),
            aliases: sorted(&outline.aliases, |_| true, |one| one.0),
            methods: sorted(&outline.functions, |one| one.class.is_some(), of_class),
        }
    }

    /// The last function of a name.
    pub(super) fn function(&self, outline: &ModuleOutline<'_>, name: &str) -> Option<usize> {
        last(&self.functions, &outline.functions, |one| one.name, name)
    }

    /// The last class of a name.
    pub(super) fn class(&self, outline: &ModuleOutline<'_>, name: &str) -> Option<usize> {
        last(&self.classes, &outline.classes, |one| one.name, name)
    }

    /// The last import of a name.
    pub(super) fn import(&self, outline: &ModuleOutline<'_>, name: &str) -> Option<usize> {
        last(&self.imports, &outline.imports, |one| one.alias, name)
    }

    /// The last name of this spelling that is another one's.
    pub(super) fn alias(&self, outline: &ModuleOutline<'_>, name: &str) -> Option<usize> {
        last(&self.aliases, &outline.aliases, |one| one.0, name)
    }

    /// The first method of a name in a class.
    pub(super) fn method(
        &self,
        outline: &ModuleOutline<'_>,
        class: usize,
        name: &str,
    ) -> Option<usize> {
        let sought = (Some(class), name);
        let of = |&at: &u32| outline.functions.get(at as usize).map(of_class);
        let first = self.methods.partition_point(|at| of(at) < Some(sought));
        let found = self.methods.get(first);
        found
            .filter(|&at| of(at) == Some(sought))
            .map(|&at| at as usize)
    }
}

fn of_class<'t>(one: &FunctionHead<'t>) -> (Option<usize>, &'t str) {
    (one.class, one.name)
}

/// The places of those that `is_one`, sorted by name, and those of one name by place.
fn sorted<'o, T, N: Ord>(
    all: &'o [T],
    is_one: impl Fn(&T) -> bool,
    name: impl Fn(&'o T) -> N,
) -> Box<[u32]> {
    let named = (0..).zip(all).filter(|(_, one)| is_one(one));
    let mut named: Vec<(N, u32)> = named.map(|(at, one)| (name(one), at)).collect();
    named.sort_unstable();
    named.into_iter().map(|(_, at)| at).collect()
}

/// The last place of a name.
fn last<'o, T>(
    places: &[u32],
    all: &'o [T],
    name: impl Fn(&'o T) -> &'o str,
    sought: &str,
) -> Option<usize> {
    let of = |&at: &u32| all.get(at as usize).map(&name);
    let behind = places.partition_point(|at| of(at) <= Some(sought));
    let found = places.get(behind.checked_sub(1)?);
    found
        .filter(|&at| of(at) == Some(sought))
        .map(|&at| at as usize)
}
