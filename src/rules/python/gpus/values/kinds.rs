//! Which kinds of facts about a GPU `PyTorch` gives a module at all: where a module has no name of a kind, none of its
//! expressions needs to be asked for it.

use super::Values;
use torchada_mapping::python::gpus::GpuValueKind;
use torchada_project::python::Definition;
use torchada_text::last_part;

impl Values<'_> {
    /// Whether an expression of the module may give a value of a kind that comes from `PyTorch`. No name suggests values
    /// of the kind.
    pub fn may_give(&self, kind: GpuValueKind) -> bool {
        let kinds = self.from_pytorch.get_or_init(|| self.kinds());
        kinds.contains(&kind)
    }

    fn kinds(&self) -> Vec<GpuValueKind> {
        let unit = &self.unit;
        let rows = self.gpus.values();
        // Only the names of a whole file are sorted.
        if !unit.is_whole_file {
            return rows.map(|one| one.gives).collect();
        }
        let tree = &unit.module.tree;
        let mut found = Vec::new();
        for row in rows {
            let last = last_part(&row.name);
            let mut places = unit.module.places_of(last.as_bytes()).iter();
            let stands = if row.call {
                places.next().is_some()
            } else {
                places.any(|&place| {
                    let attribute = tree.attribute_of(place);
                    let fact = attribute.and_then(|one| self.dotted(one, last.as_bytes(), false));
                    fact.is_some_and(|fact| fact.gives == row.gives)
                })
            };
            if stands || !row.call && self.imports(&row.name, last) {
                found.push(row.gives);
            }
        }
        found
    }

    /// Whether the module imports something whose outer name is this.
    fn imports(&self, name: &str, last: &str) -> bool {
        let unit = &self.unit;
        unit.module.imported().any(|path| {
            last_part(path) == last
                && (path == name
                    || matches!(
                        unit.modules.lookup(unit.index, path),
                        Some(Definition::Outside(outer)) if outer == name
                    ))
        })
    }
}
