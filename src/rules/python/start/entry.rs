//! `import torchada` where a program starts, before anything that touches torch.

use super::packages;
use crate::python::builds::{BUILDER_NAMES, is_done};
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome, StubImport};
use torchada_diagnostic::codes::python::NEEDS_STUB;
use torchada_mapping::has;
use torchada_mapping::python::is_package_start;
use torchada_project::Context;
use torchada_project::paths;
use torchada_project::python::Modules;
use torchada_syntax::python::{Field, Imported, Kind, NodeId};
use torchada_text::{TextRange, first_part};

/// Whether a program, a package or a test run starts with a file, and the file leads to code for CUDA's devices.
pub fn may_start_program(modules: &Modules<'_>, index: usize, context: Context<'_>) -> bool {
    if !modules.reaches_device(index) && !holds_device(modules, index) {
        return false;
    }
    let path = modules.path(index);
    let name = paths::file_name(path);
    let python_values = &context.knowledge.python_values;
    // A build does not have the package unless it asks for it. So a build imports the package only for what the build
    // itself needs: the device, or the builder of extensions, which the package replaces by MUSA's.
    if python_values.entry.is_build(path) {
        let mut needs = python_values
            .builds
            .modules
            .iter()
            .chain([&python_values.module.cuda]);
        if !needs.any(|one| modules.has(index, one.as_bytes())) {
            return false;
        }
    }
    let files = &python_values.entry.files;
    // A package that a build imports for its builders is there before what it needs at run time is.
    let builds = || {
        let imports = modules
            .outline(index)
            .into_iter()
            .flat_map(|one| &one.imports);
        let mut files = imports.flat_map(|one| modules.files_of(index, one.module));
        files.any(|file| {
            let mut names = python_values.builds.modules.iter();
            names.any(|name| modules.has(file, name.as_bytes()))
        })
    };
    let is_for_build =
        || builds() && modules.is_imported_by(index, |from| python_values.entry.is_build(from));
    let is_start = || {
        is_first_package(modules, index) && !leads_from_package(modules, path) && !is_for_build()
    };
    let is_package = is_package_start(path);
    if has(files, name) && (!is_package || is_start()) {
        return true;
    }
    let is_program = modules.is_program(index)
        || !is_in_package(modules, path)
            && (modules.text_once(index).starts_with(b"#!")
                || !python_values.entry.is_loaded(path)
                    && !python_values.entry.is_build(path)
                    && !builds_distribution(modules, index, context)
                    && is_script(modules, index));
    // The question for packages comes back here with each package, and is asked of none.
    let starts = |package| may_start_program(modules, package, context);
    is_program && (is_package || !packages::start_runtime(modules, index, context, &starts))
}

/// Whether no package around one brings torch in, so that it is the first one to do so: `import rl.runners`, where
/// `rl/__init__.py` imports nothing.
fn is_first_package(modules: &Modules<'_>, index: usize) -> bool {
    modules.is_top_package(index) || {
        let mut around = modules.path(index).rmatch_indices('/').skip(1);
        let parent = |(end, _): (usize, &str)| {
            let folder = modules.path(index).get(..end)?;
            modules.package_start(folder)
        };
        let parents = around.by_ref().map_while(parent);
        modules.loads_torch(index) && !parents.into_iter().any(|one| modules.loads_torch(one))
    }
}

/// Whether a package that brings torch in has a module for CUDA's devices that it does not load itself. A program that
/// imports the module by its own name, `from package.module import Model`, loads the package before.
fn holds_device(modules: &Modules<'_>, index: usize) -> bool {
    modules.is_top_package(index) && modules.loads_torch(index) && {
        let (folder, _) = modules.path(index).rsplit_once('/').unwrap_or_default();
        let mut inside = modules.files_like(folder, "*.py").into_iter();
        inside.any(|(at, _)| modules.reaches_device(at) && !modules.is_program(at))
    }
}

/// Whether a module builds a distribution, whatever it is called: it is run as a build is. One that compiles extensions when
/// it is loaded is a program like others.
fn builds_distribution(modules: &Modules<'_>, index: usize, context: Context<'_>) -> bool {
    let mut words = context.knowledge.python_values.builds.script_words.iter();
    words.any(|word| modules.has(index, word.as_bytes()))
}

/// Whether a module acts when it is loaded, and nobody imports it: `python train.py` runs it, though it has no part for that.
fn is_script(modules: &Modules<'_>, index: usize) -> bool {
    modules.outline(index).is_some_and(|one| one.acts) && modules.importers(index).is_empty()
}

/// Whether a package lies below another, with a folder between that does not say that it is one.
fn leads_from_package(modules: &Modules<'_>, path: &str) -> bool {
    let ends = path.rmatch_indices('/').map(|(end, _)| end);
    // The first end is that of the package itself, the second one that of the folder right above it.
    let mut around = ends.skip(2).filter_map(|end| path.get(..end));
    around.any(|folder| modules.package_start(folder).is_some())
}

/// Whether a file is a module of a package, which programs import, whatever its first line says.
fn is_in_package(modules: &Modules<'_>, path: &str) -> bool {
    path.rsplit_once('/')
        .is_some_and(|(folder, _)| modules.package_start(folder).is_some())
}

/// Imports of the package for run time.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    // A build in MUSA's own names imports torch_musa's builder, and may run where the package is not. A second
    // port finds that import there.
    let builds = unit.is_musa()
        && unit.python_values().entry.is_build(unit.path)
        && (is_done(unit) || out.edits.iter().any(|edit| edit.rule == BUILDER_NAMES));
    let starts = unit.imports_stub()
        && !builds
        && (out.needs_stub || may_start_program(unit.modules, unit.index, unit.context));
    let tree = &unit.module.tree;
    let stub = &unit.python_values().entry.import;
    let Some(outline) = unit.modules.outline(unit.index).filter(|_| starts) else {
        return;
    };
    let root_of = |one: &Imported<'_>| first_part(one.module) == stub;
    // Where it is imported under a condition, the project knows when it wants it.
    let mut imports = tree
        .of_any(&[Kind::Import, Kind::ImportFrom])
        .flat_map(|node| imported_modules(unit, node));
    if outline.imports.iter().any(root_of) || imports.any(|module| first_part(&module) == stub) {
        return;
    }
    let Some(root) = tree.nodes().next() else {
        return;
    };
    let first = tree
        .children(root)
        .find(|&statement| brings_torch(unit, statement))
        // What a rule wrote needs the name, whoever brings torch in.
        .or_else(|| first_statement(unit, root).filter(|_| out.needs_stub));
    let Some(first) = first.filter(|&first| !tree.is_broken(first)) else {
        return;
    };
    let at = tree.range(first).start;
    let line_end = if unit.text.windows(2).any(|two| two == b"\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let to = format!("import {stub}{line_end}");
    let change = Change::new(TextRange::new(at, at), &to);
    if !unit.change(out, change) {
        return;
    }
    let (message, help) = match (unit.settings.import_stub, unit.modules.root_package()) {
        (StubImport::Elsewhere, _) => (
            format!("`import {stub}` needs the package, which this port does not write"),
            "A port of the whole tree writes it; it has to lie where Python finds it, or be installed.",
        ),
        (_, Some(root)) if is_part_of_root(unit) => (
            format!(
                "`import {stub}` needs the package beside `{root}`, and the port writes it inside"
            ),
            "Port the folder that holds the package, move the port's folder of that name beside it, or install it.",
        ),
        _ => return,
    };
    let range = TextRange::new(at, tree.range(first).end);
    unit.report(out, NEEDS_STUB, range, message, help);
}

/// Whether a module is loaded as a part of the package that the tree is, so that Python looks for others beside the tree:
/// each folder above it is a package, and no program is started by its file in the tree's own folder.
fn is_part_of_root(unit: &ModuleView<'_>) -> bool {
    let Some((folders, _)) = unit.path.rsplit_once('/') else {
        let files = &unit.python_values().entry.files;
        return files.iter().any(|name| name == unit.path);
    };
    let ends = folders.match_indices('/').map(|(at, _)| at);
    let mut all = ends
        .chain([folders.len()])
        .filter_map(|end| folders.get(..end));
    all.all(|folder| unit.modules.package_start(folder).is_some())
}

/// The first statement behind the docstring and `from __future__`.
fn first_statement(unit: &ModuleView<'_>, root: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    tree.children(root).find(|&statement| {
        let is_text = tree.kind(statement) == Kind::ExpressionStatement
            && tree
                .nth(statement, 0)
                .is_some_and(|one| matches!(tree.kind(one), Kind::Str | Kind::ConcatenatedString));
        let is_future = tree.word(statement).starts_with(b"from __future__");
        !is_text && !is_future && tree.kind(statement) != Kind::Comment
    })
}

/// The modules that an import names, and what it imports of one, which may be modules as well.
pub(in crate::python) fn imported_modules(unit: &ModuleView<'_>, node: NodeId) -> Vec<String> {
    let tree = &unit.module.tree;
    let shown = |path: NodeId| tree.shown(path).replace(' ', "");
    match tree.kind(node) {
        Kind::ImportFrom => {
            let Some(module) = tree.child(node, Field::ModuleName) else {
                return Vec::new();
            };
            let path = shown(module);
            let dot = if path.ends_with('.') { "" } else { "." };
            let members = tree.imported_names(node);
            let members = members.map(|name| format!("{path}{dot}{}", shown(name)));
            let members: Vec<String> = members.collect();
            std::iter::once(path).chain(members).collect()
        }
        Kind::Import => tree.imported_names(node).map(shown).collect(),
        _ => Vec::new(),
    }
}

/// Whether a statement at the top imports something that may bring torch in: a package that is not known
/// to do without it, or a module of the tree's that leads to one.
fn brings_torch(unit: &ModuleView<'_>, statement: NodeId) -> bool {
    let tree = &unit.module.tree;
    if matches!(
        tree.kind(statement),
        Kind::Function | Kind::Class | Kind::Decorated
    ) {
        return false;
    }
    let entry = &unit.python_values().entry;
    let brings = |name: &String| {
        let found = unit.modules.files_of(unit.index, name);
        if found.is_empty() {
            let root = first_part(name);
            !root.is_empty() && !entry.is_harmless(root)
        } else {
            found.iter().any(|&file| unit.modules.loads_torch(file))
        }
    };
    tree.with_below(statement)
        .filter(|&node| matches!(tree.kind(node), Kind::Import | Kind::ImportFrom))
        .any(|node| imported_modules(unit, node).iter().any(brings))
}
