//! The calls that hand sources to compilers.

use std::collections::{BTreeMap, BTreeSet};

use super::files::SourceFiles;
use super::reader::{Place, Reader};
use super::result::{HandedList, HandedSource, Origin, PythonBuilds, SwitchValue};
use super::tree::{Parsed, PythonTree};
use torchada_mapping::builds::{SourceBuilder, SourceLists};
use torchada_mapping::has;
use torchada_mapping::knowledge::Knowledge;
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId};
use torchada_text::TextRange;

/// A call of a builder.
enum Call {
    /// It gets these sources.
    Hands(HandedList),
    /// Its sources stand in no argument that is seen.
    Unseen,
}

impl PythonBuilds {
    /// What the modules of a tree hand to compilers; nothing where that takes too many steps.
    pub fn of(tree: &PythonTree<'_>, knowledge: &Knowledge) -> Self {
        let table = &knowledge.builds.extensions.sources;
        let Some(parsed) = Parsed::new(tree) else {
            return Self::default();
        };
        let mut reader = Reader::new(tree, &parsed, knowledge);
        let mut files = SourceFiles::new(tree, table.limits);
        let mut found = Self::default();
        let mut origins: BTreeMap<Origin, bool> = BTreeMap::new();
        for file in modules_naming(tree, &table.builders) {
            let Some(module) = reader.module(file) else {
                continue;
            };
            for call in module.tree.of(Kind::Call) {
                let call = Place { file, node: call };
                match reader.handed_list(call, &mut files, &mut origins) {
                    Some(Call::Hands(list)) => found.lists.push(list),
                    Some(Call::Unseen) => {
                        found.open.insert(file);
                    }
                    None => {}
                }
            }
        }
        let words = table.switches.cmake.iter();
        let building: BTreeSet<usize> = words
            .flat_map(|word| tree.files_with(word.as_bytes()))
            .collect();
        for file in building {
            found.cmake.extend(reader.cmake_switches(file));
        }
        if reader.is_spent() || files.is_spent {
            return Self::default();
        }
        found.literals = reader.accounted(origins);
        found.read = reader.literals;
        found
    }
}

/// The modules that may call a builder: those with all words of its name, and those with its last word that import one of
/// these. `load` alone stands in half of all modules.
fn modules_naming(tree: &PythonTree<'_>, builders: &[SourceBuilder]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for builder in builders {
        let having = tree.files_with(builder.last().as_bytes());
        let mut first = having.clone();
        for part in builder.name.split('.') {
            let files = tree.files_with(part.as_bytes());
            first.retain(|file| files.binary_search(file).is_ok());
        }
        let names: BTreeSet<&str> = first.iter().map(|&file| tree.module_name(file)).collect();
        let mut imports: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for name in names {
            // The package that is the tree itself has no name in it: `from . import load`.
            let naming = if name.is_empty() {
                having.clone()
            } else {
                tree.files_with(name.as_bytes())
            };
            let naming = naming.into_iter();
            for file in naming.filter(|file| having.binary_search(file).is_ok()) {
                imports.entry(file).or_default().push(name);
            }
        }
        let takes_one = |(file, names): (usize, Vec<&str>)| {
            let of_name = |name: &&str| [format!("{name} import "), format!("import {name}")];
            let imports: Vec<String> = names.iter().flat_map(of_name).collect();
            tree.contains_one(file, &imports).then_some(file)
        };
        found.extend(imports.into_iter().filter_map(takes_one));
        found.extend(first);
    }
    found
}

impl Reader<'_, '_> {
    /// What a call hands to a compiler, if it does.
    fn handed_list(
        &mut self,
        call: Place,
        files: &mut SourceFiles<'_>,
        origins: &mut BTreeMap<Origin, bool>,
    ) -> Option<Call> {
        let tree = self.tree_of(call);
        let callee = tree.callee(call.node)?;
        let mut names = Vec::new();
        self.names_of(call.file, callee, self.table.limits.names, &mut names);
        let table: &SourceLists = self.table;
        let builders: Vec<&SourceBuilder> = table
            .builders
            .iter()
            .filter(|one| names.iter().any(|name| one.is(name)))
            .collect();
        let first = *builders.first()?;
        let Some(list) = self.list_of(call) else {
            return Some(Call::Unseen);
        };
        let value = self.value(list);
        let only = self.condition(call).or_else(|| self.limit(call));
        let mut sources = Vec::new();
        for item in &value.items {
            let (meant, is_sure) = files.files_meant(call.file, item);
            if let Some(origin) = item.origin {
                let known = origins.entry(origin).or_insert(true);
                *known &= is_sure;
            }
            sources.push(HandedSource {
                files: meant,
                is_sure,
                only: only.or(item.only),
            });
        }
        let callee = tree.child(callee, Field::Attribute).unwrap_or(callee);
        Some(Call::Hands(HandedList {
            file: call.file,
            callee: tree.range(callee),
            builder: first.last().to_owned(),
            is_cudas: builders.iter().any(|one| one.is_cudas),
            is_musas: builders.iter().any(|one| one.is_musas),
            sources,
            open: value.open.and_then(|place| self.called_at(place)),
            switches: self.switches(call),
        }))
    }

    /// For each call of a module that builds what the files of `CMake`'s describe, the variables that decide whether a
    /// build has it.
    fn cmake_switches(&self, file: usize) -> Vec<Vec<SwitchValue>> {
        let Some(parsed) = self.module(file) else {
            return Vec::new();
        };
        let (module, tree) = (parsed, &parsed.tree);
        let words = &self.table.switches.cmake;
        let is_one = |call: &NodeId| {
            let word = module.callee_word(*call);
            has(words, word)
        };
        let calls = tree.of(Kind::Call).filter(is_one);
        calls
            .map(|node| self.switches(Place { file, node }))
            .collect()
    }

    /// The sources among the arguments of a builder.
    fn list_of(&self, call: Place) -> Option<Place> {
        let tree = self.tree_of(call);
        let keyword = self.table.keyword.as_bytes();
        let by_place = || {
            let one = tree.argument(call.node, self.table.position)?;
            let is_place = !matches!(
                tree.kind(one),
                Kind::KeywordArgument | Kind::ListSplat | Kind::DictionarySplat
            );
            is_place.then_some(one)
        };
        let node = tree.keyword(call.node, keyword).or_else(by_place);
        node.map(|node| call.with(node))
    }

    /// The function that is called at a place, if one is.
    fn called_at(&self, (file, range): Origin) -> Option<Origin> {
        let tree = &self.module(file)?.tree;
        let call = tree
            .of(Kind::Call)
            .find(|&call| tree.range(call) == range)?;
        let callee = tree.callee(call)?;
        Some((file, tree.range(callee)))
    }

    /// The dotted names that an expression may mean.
    fn names_of(&self, file: usize, node: NodeId, steps: usize, found: &mut Vec<String>) {
        let (Some(parsed), Some(steps)) = (self.module(file), steps.checked_sub(1)) else {
            return;
        };
        let (module, tree) = (parsed, &parsed.tree);
        match tree.kind(node) {
            Kind::Identifier => {
                let bindings = module.meanings(node);
                for binding in bindings {
                    match &binding.what {
                        BoundValue::Import(path) => found.push(path.clone()),
                        BoundValue::Value(value) => self.names_of(file, *value, steps, found),
                        BoundValue::Function(_) => {
                            found.push(tree.shown(node));
                        }
                        _ => {}
                    }
                }
                if bindings.is_empty() {
                    found.extend(module.resolve(node).map(|one| one.name));
                }
            }
            Kind::Conditional => {
                for side in [0, 2].into_iter().filter_map(|at| tree.nth(node, at)) {
                    self.names_of(file, side, steps, found);
                }
            }
            Kind::Parenthesized => {
                if let Some(inner) = tree.nth(node, 0) {
                    self.names_of(file, inner, steps, found);
                }
            }
            // `kinds["gpu"][0]`: one of the names in it.
            Kind::Subscript => {
                if let Some(of) = tree.child(node, Field::Value) {
                    self.names_of(file, of, steps, found);
                }
            }
            Kind::Dictionary | Kind::List | Kind::Tuple => {
                for one in tree.children(node) {
                    let one = tree.child(one, Field::Value).unwrap_or(one);
                    if matches!(
                        tree.kind(one),
                        Kind::List | Kind::Tuple | Kind::Identifier | Kind::Attribute
                    ) {
                        self.names_of(file, one, steps, found);
                    }
                }
            }
            _ => found.extend(module.resolve(node).map(|one| one.name)),
        }
    }

    /// The literals that name sources for builders, and for nothing else.
    fn accounted(&self, origins: BTreeMap<Origin, bool>) -> BTreeMap<usize, Vec<TextRange>> {
        let mut leaking = BTreeMap::new();
        let mut found: BTreeMap<usize, Vec<TextRange>> = BTreeMap::new();
        for ((file, range), is_sure) in origins {
            let trail = self.trails.get(&(file, range)).into_iter().flatten();
            let mut leaks = false;
            for variable in trail {
                leaks |= *leaking
                    .entry(variable)
                    .or_insert_with(|| self.leaks(variable));
            }
            if is_sure && !leaks {
                found.entry(file).or_default().push(range);
            }
        }
        found
    }
}
