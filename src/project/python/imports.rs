//! Reads the imports of all modules, and derives the graph of imports from them.

use memchr::memmem::Finder;

use super::graph::Graph;
use super::index::{ModuleFile, ModuleIndex};
use super::musa_support::is_of_runtime_package;
use super::walked::Walked;
use crate::Context;
use crate::settings::name_device;
use crate::tree::paths;
use torchada_mapping::python::is_package_start;
use torchada_parallel as parallel;
use torchada_syntax::python::{Guard, Imported, ModuleOutline};
use torchada_text::{first_part, is_within};

/// An import of a module of the tree's.
struct Edge {
    /// The place of the statement.
    at: usize,
    /// The modules that it loads, the one that is meant last.
    to: Vec<usize>,
    guard: Guard,
}

/// The imports of one file.
#[derive(Default)]
struct ModuleImports {
    edges: Vec<Edge>,
    /// Whether loading it loads a package from outside that may bring torch in.
    foreign: bool,
    touches: bool,
    torch: bool,
}

/// Read what the modules of a tree import.
pub(super) fn graph(modules: &ModuleIndex<'_>, context: Context<'_>) -> Graph {
    let files = modules.files.iter().zip(&modules.project.files);
    let facts = parallel::map(files, |(file, source)| match file {
        Some(file) => {
            let (edges, foreign) = edges(modules, file, context);
            // What imports the package for run time does so because something else names a device.
            let is_own = !is_of_runtime_package(source, context);
            ModuleImports {
                edges,
                foreign,
                touches: is_own && file.touches,
                torch: is_own && imports_torch(file, context),
            }
        }
        None => ModuleImports::default(),
    });
    let mut graph = Graph::default();
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); facts.len()];
    let mut back_at_load: Vec<Vec<usize>> = vec![Vec::new(); facts.len()];
    for (from, one) in facts.iter().enumerate() {
        let mut all: Vec<usize> = Vec::new();
        let mut needed: Vec<(usize, usize)> = Vec::new();
        for edge in &one.edges {
            all.extend(edge.to.iter().copied());
            for &to in &edge.to {
                if edge.guard == Guard::Nothing {
                    needed.push((to, edge.at));
                }
                if edge.guard < Guard::Function
                    && let Some(back) = back_at_load.get_mut(to)
                {
                    back.push(from);
                }
            }
            if let Some(&to) = edge.to.last() {
                graph.importers.entry(to).or_default().push((from, edge.at));
            }
        }
        all.sort_unstable();
        all.dedup();
        for &to in &all {
            if let Some(back) = back.get_mut(to) {
                back.push(from);
            }
        }
        graph
            .edges
            .push(all.into_iter().map(|to| to as u32).collect());
        needed.sort_unstable_by_key(|&(_, at)| at);
        graph.needed.push(needed.into());
    }
    let torch = leading_to(&back, facts.iter().map(|one| one.torch));
    let device = leading_to(&back, facts.iter().map(|one| one.touches));
    let mut named_in_settings = None;
    let mut is_named =
        || *named_in_settings.get_or_insert_with(|| name_device(modules.project, context));
    graph.reaches_device = torch
        .iter()
        .zip(&device)
        .map(|(torch, device)| *torch && (*device || is_named()))
        .collect();
    graph.loads_torch = leading_to(&back_at_load, facts.iter().map(|one| one.foreign));
    graph
}

/// The files that lead to one of the marked files, these among them.
fn leading_to(back: &[Vec<usize>], marked: impl Iterator<Item = bool>) -> Vec<bool> {
    let mut reached: Vec<bool> = marked.collect();
    let mut queue: Vec<usize> = (0..reached.len())
        .filter(|&at| reached.get(at) == Some(&true))
        .collect();
    while let Some(at) = queue.pop() {
        for &from in back.get(at).map_or(&[][..], Vec::as_slice) {
            if let Some(one) = reached.get_mut(from).filter(|one| !**one) {
                *one = true;
                queue.push(from);
            }
        }
    }
    reached
}

/// The imports of the tree's own modules, and whether loading the file loads a package from outside that
/// may bring torch in.
fn edges(
    modules: &ModuleIndex<'_>,
    file: &ModuleFile<'_>,
    context: Context<'_>,
) -> (Vec<Edge>, bool) {
    let entry = &context.knowledge.python_values.entry;
    let mut found = Vec::new();
    let mut foreign = false;
    // A statement that imports several names of a module asks for that module once.
    let mut last: Option<(&str, Option<Walked>)> = None;
    for one in file.outline.imports.iter().chain(&file.outline.stars) {
        let walked = match last.take() {
            Some((module, walked)) if module == one.module => walked,
            _ => modules
                .paths
                .resolve(file.path, one.module, &modules.foreign),
        };
        let to = walked
            .as_ref()
            .map(|walked| modules.imported_from(file.path, one, walked));
        last = Some((one.module, walked));
        match to {
            Some(to) => found.push(Edge {
                at: one.at,
                to,
                guard: one.guard,
            }),
            None if one.runs() => {
                let root = first_part(one.module);
                foreign |= !root.is_empty() && !entry.is_harmless(root);
            }
            None => {}
        }
    }
    (found, foreign)
}

impl ModuleIndex<'_> {
    /// The modules of the tree's that an import loads.
    pub(super) fn imported(&self, from: &str, one: &Imported<'_>) -> Option<Vec<usize>> {
        let walked = self.paths.resolve(from, one.module, &self.foreign)?;
        Some(self.imported_from(from, one, &walked))
    }

    /// The modules that an import loads, where it is known what the name of its module leads through.
    fn imported_from(&self, from: &str, one: &Imported<'_>, walked: &Walked) -> Vec<usize> {
        // `from . import sibling`: what is imported from a package may be a module of it.
        let last = walked.modules.last();
        let is_package = last.is_none_or(|&last| is_package_start(self.path(last)));
        let deeper = one.member.filter(|_| is_package).and_then(|member| {
            let dot = if one.module.ends_with('.') { "" } else { "." };
            let whole = format!("{}{dot}{member}", one.module);
            self.paths.resolve(from, &whole, &self.foreign)
        });
        match deeper {
            Some(deeper) if deeper.modules.len() > walked.modules.len() => deeper.modules,
            _ => walked.modules.clone(),
        }
    }
}

/// Whether a module names CUDA's device in its code: as a member, as a module, as a text. Where all of its devices are
/// another package's it does not.
pub(super) fn touches(
    path: &str,
    text: &[u8],
    outline: &ModuleOutline<'_>,
    context: Context<'_>,
) -> bool {
    let python_values = &context.knowledge.python_values;
    let devices = context
        .knowledge
        .devices
        .iter()
        .map(|one| one.cuda.as_str());
    let members = python_values.members.iter().map(|one| one.cuda.as_str());
    let words: Vec<Finder<'_>> = devices.chain(members).map(Finder::new).collect();
    let is_named = |code: &[u8]| words.iter().any(|word| names(code, word));
    is_named(text)
        && outline.code_has(text, &|code| {
            is_named(code) && python_values.may_matter(code)
        })
        && !has_other_devices(path, text, outline, context)
}

/// Whether a module imports a package with devices of its own, or is a part of it, and does not mention torch.
fn has_other_devices(
    path: &str,
    text: &[u8],
    outline: &ModuleOutline<'_>,
    context: Context<'_>,
) -> bool {
    let python_values = &context.knowledge.python_values;
    let alone = python_values.own_devices.iter().filter(|row| row.alone);
    let mut packages = alone.flat_map(|row| &row.packages);
    let is_imported = |package: &String| {
        let mut imports = outline.imports.iter().chain(&outline.stars);
        imports.any(|one| is_within(one.module, package))
    };
    let is_inside = |package: &String| paths::folder(path).split('/').any(|one| one == package);
    packages.any(|package| is_imported(package) || is_inside(package))
        && !python_values.mentions_torch(text)
}

/// Whether a word stands in code as a member, or at the start of a text.
fn names(code: &[u8], word: &Finder<'_>) -> bool {
    word.find_iter(code).any(|at| {
        let before = at.checked_sub(1).and_then(|at| code.get(at));
        let behind = code.get(at + word.needle().len());
        matches!(before, Some(b'.' | b'"' | b'\''))
            && !behind.is_some_and(|&next| next.is_ascii_alphanumeric() || next == b'_')
    })
}

/// Whether a file imports torch by itself, or a package whose objects are torch's.
fn imports_torch(file: &ModuleFile<'_>, context: Context<'_>) -> bool {
    let python_values = &context.knowledge.python_values;
    let mut imports = file.outline.imports.iter().chain(&file.outline.stars);
    imports.any(|one| {
        let root = first_part(one.module);
        root == python_values.torch_names.root || python_values.entry.gives_torchs(root)
    })
}
