//! Which modules of a tree MUSA reaches: by what they say of themselves, and by who imports them.

use std::collections::BTreeSet;

use super::facts::{Facts, Gate};
use super::packages::PlatformPackages;
use super::platform_folders::PlatformFolders;
use super::reached::{Reach, Reaches, Reason};
use crate::RuleSettings;
use crate::python::{Memo, ModuleView, Summaries};
use torchada_mapping::python::{INIT, is_package_start};
use torchada_parallel as parallel;
use torchada_project::python::{ModuleIndex, Modules, PinTrees, Trees};
use torchada_project::replay::Cause;
use torchada_project::{Context, finder};
use torchada_syntax::python::Module;
use torchada_text::{TextRange, contains, line_of, line_start, words};

/// Whether MUSA reaches a module.
fn is_reached(file: usize, reaches: &[Reach]) -> bool {
    reaches.get(file) == Some(&Reach::Everywhere)
}

fn set(reaches: &mut [Reach], file: usize, to: Reach) {
    if let Some(reach) = reaches.get_mut(file) {
        *reach = to;
    }
}

/// Let MUSA reach the modules that `counts` accepts, and then those that it accepts because of them.
fn take_back(reaches: &mut [Reach], counts: impl Fn(usize, &[Reach]) -> bool) {
    loop {
        let counted = (0..reaches.len()).filter(|&file| counts(file, reaches));
        let taken: Vec<usize> = counted.collect();
        if taken.is_empty() {
            return;
        }
        for file in taken {
            set(reaches, file, Reach::Everywhere);
        }
    }
}

/// Whether a place stands behind a quote in its line.
fn is_in_text(text: &[u8], at: usize) -> bool {
    let line = TextRange::new(line_start(text, at), at).of(text);
    line.contains(&b'"') || line.contains(&b'\'')
}

/// How many packages within each other lead to a module.
const PACKAGES: usize = 4;

/// Which modules of a tree MUSA reaches.
pub fn of_tree(
    index: &ModuleIndex<'_>,
    trees: &Trees<'_>,
    context: Context<'_>,
    settings: &RuleSettings,
) -> Reaches {
    let packages = PlatformPackages::of(context.knowledge);
    let facts: Vec<Option<Facts>> = parallel::map(0..index.len(), |file| {
        facts(index, trees, file, &packages, context, settings)
    });
    let modules = index.for_file(0);
    let paths = (0..index.len()).map(|file| modules.path(file));
    let folders = PlatformFolders::of(paths, context.knowledge);
    let tree = Tree {
        modules,
        facts: &facts,
        by_folder: parallel::map(0..index.len(), |file| folders.reason(modules.path(file))),
        importers_by_name: context
            .knowledge
            .python_values
            .importers
            .iter()
            .filter_map(|name| Some(name.split_once('.')?.1))
            .collect(),
    };
    tree.reaches()
}

/// What the module of a file says of itself.
fn facts(
    index: &ModuleIndex<'_>,
    trees: &Trees<'_>,
    file: usize,
    packages: &PlatformPackages<'_>,
    context: Context<'_>,
    settings: &RuleSettings,
) -> Option<Facts> {
    let modules = index.for_file(file);
    let outline = modules.outline(file)?;
    let empty = Module::new(b"")?;
    let trees = trees.pin();
    let view = ModuleView {
        path: modules.path(file),
        text: &modules.text_once(file),
        is_whole_file: true,
        module: &empty,
        index: file,
        modules: &modules,
        trees: &*trees,
        memo: &Memo::default(),
        summaries: &Summaries::default(),
        reaches: &Reaches::default(),
        context,
        settings,
    };
    Some(Facts::of(&view, outline, packages))
}

/// The modules of a tree with what they say of themselves.
struct Tree<'f, 'p> {
    modules: Modules<'p>,
    facts: &'f [Option<Facts>],
    /// Why MUSA takes none of the modules in some folders.
    by_folder: Vec<Option<Reason>>,
    /// Functions that load the module whose name they get, by their names in their own modules: `import_module`, and
    /// `modules.get` of `sys`, as a `get` by itself is everywhere.
    importers_by_name: Vec<&'f str>,
}

impl Tree<'_, '_> {
    fn reaches(&self) -> Reaches {
        let own = |(facts, folder): (&Option<Facts>, &Option<Reason>)| {
            let reason = facts.as_ref().and_then(|one| one.unreached.clone());
            reason
                .or_else(|| folder.clone())
                .map_or(Reach::Everywhere, Reach::only)
        };
        let modules = self.facts.iter().zip(&self.by_folder);
        let mut reaches: Vec<Reach> = modules.map(own).collect();
        self.serve_all(&mut reaches);
        self.loaded_all_the_same(&mut reaches);
        self.imported_by_others(&mut reaches);
        reaches.into_iter().collect()
    }

    /// Take back what only a name says to be another vendor's, where the module asks for CUDA's device, too, or where a folder
    /// says so, and a module that MUSA reaches loads it without a question for that vendor.
    fn serve_all(&self, reaches: &mut [Reach]) {
        take_back(reaches, |file, reaches| {
            reaches.get(file).is_some_and(Reach::is_other_vendors)
                && self.is_by_name(file)
                && self.is_used(file, reaches, PACKAGES)
        });
    }

    /// Whether a module may serve all platforms, as only its name or that of its folder says that it is another's.
    fn is_by_name(&self, file: usize) -> bool {
        self.fact(file)
            .is_some_and(|one| one.compares_with_cuda || one.unreached.is_none())
    }

    /// Whether a module that MUSA reaches loads a module whatever the platform is. The start of a package that is called after
    /// a vendor does where it is loaded so itself.
    fn is_used(&self, file: usize, reaches: &[Reach], packages: usize) -> bool {
        self.importers(file).any(|(from, at)| {
            is_reached(from, reaches)
                && matches!(self.gate(from, at), Gate::Open | Gate::Called)
                && (!self.rides_along(from)
                    || packages > 0 && self.is_used(from, reaches, packages - 1))
        })
    }

    /// Take back what needs a package, where a module that MUSA reaches loads it whatever happens: that is a fault of the
    /// start, and nobody's module.
    fn loaded_all_the_same(&self, reaches: &mut [Reach]) {
        take_back(reaches, |file, reaches| {
            matches!(reaches.get(file), Some(Reach::Nvidia(_))) && self.is_loaded(file, reaches)
        });
    }

    /// Whether a module that MUSA reaches loads a module when it is loaded itself.
    fn is_loaded(&self, file: usize, reaches: &[Reach]) -> bool {
        self.importers(file).any(|(from, at)| {
            is_reached(from, reaches)
                && self.gate(from, at) == Gate::Open
                && !self.rides_along(from)
                && !self.is_a_dead_end(from)
        })
    }

    /// Whether a module is the start of a package whose name says what its modules are for.
    fn rides_along(&self, file: usize) -> bool {
        let named = self.fact(file).is_some_and(|one| one.named.is_some());
        named && is_package_start(self.modules.path(file))
    }

    /// Whether nobody imports a module, so that whether it can be loaded concerns it alone.
    fn is_a_dead_end(&self, file: usize) -> bool {
        self.importers(file).next().is_none() && !is_package_start(self.modules.path(file))
    }

    /// Add the modules that only code which MUSA does not reach imports, and that nothing else names.
    fn imported_by_others(&self, reaches: &mut [Reach]) {
        // All that may be such modules: the texts are searched once for the names of all of them.
        let mut most = reaches.to_vec();
        self.add_imported_by_unreached(&mut most, |_, _| false);
        let is_new = |&file: &usize| most.get(file) != reaches.get(file);
        let files: Vec<usize> = (0..reaches.len()).filter(is_new).collect();
        let naming = self.naming(&files, reaches);
        self.add_imported_by_unreached(reaches, |file, reaches| {
            let mut from = naming.range((file, 0)..=(file, usize::MAX));
            from.any(|&(_, from)| is_reached(from, reaches))
        });
    }

    /// Add the modules that only code which MUSA does not reach imports, but for those that are named elsewhere when they
    /// are found.
    fn add_imported_by_unreached(
        &self,
        reaches: &mut [Reach],
        is_named: impl Fn(usize, &[Reach]) -> bool,
    ) {
        let mut open: Vec<bool> = vec![true; reaches.len()];
        loop {
            let asked = (0..reaches.len())
                .filter(|&file| open.get(file) == Some(&true))
                .filter(|&file| is_reached(file, reaches));
            let found =
                parallel::flat_map(asked, |file| Some((file, self.only_others(file, reaches)?)));
            let (named, others): (Vec<_>, Vec<_>) = found
                .into_iter()
                .partition(|(file, _)| is_named(*file, reaches));
            for (file, _) in named {
                if let Some(open) = open.get_mut(file) {
                    *open = false;
                }
            }
            if others.is_empty() {
                return;
            }
            for (file, reason) in others {
                set(reaches, file, Reach::only(reason));
            }
        }
    }

    /// Why MUSA does not reach a module that others import, if it reaches none of them.
    fn only_others(&self, file: usize, reaches: &[Reach]) -> Option<Reason> {
        let facts = self.fact(file)?;
        if facts.is_started || facts.is_cudas {
            return None;
        }
        let mut first: Option<(Cause, usize, usize)> = None;
        for (from, at) in self.importers(file) {
            let gate = self.gate(from, at);
            let cause = match (reaches.get(from)?.reason(), gate) {
                (_, Gate::Typing) => continue,
                (Some(reason), _) => reason.cause.clone(),
                (None, Gate::Closed(cause)) => cause,
                _ => return None,
            };
            match &first {
                // What NVIDIA's GPUs reach, too, is not another vendor's.
                Some((known, ..)) if *known <= cause => {}
                _ => first = Some((cause, from, at)),
            }
        }
        let (cause, from, at) = first?;
        if is_package_start(self.modules.path(file))
            && facts.named.is_none()
            && !self.holds_others(file, reaches)
        {
            return None;
        }
        let line = line_of(&self.modules.text_once(from), at);
        let path = self.modules.path(from);
        let code = match &cause {
            Cause::Needs(what) => format!("code that needs {what}"),
            _ => format!("code {}", cause.words()),
        };
        let why = format!("only {code} imports it, such as `{path}:{line}`");
        Some(Reason { cause, why })
    }

    /// Whether MUSA reaches none of the modules beside the start of a package.
    fn holds_others(&self, file: usize, reaches: &[Reach]) -> bool {
        let path = self.modules.path(file);
        let folder = path.strip_suffix(INIT).unwrap_or(path);
        let beside = |at: &usize| {
            let path = self.modules.path(*at);
            let name = path.strip_prefix(folder);
            *at != file && name.is_some_and(|name| !name.is_empty() && !name.contains('/'))
        };
        let mut beside = (0..reaches.len()).filter(beside).peekable();
        beside.peek().is_some() && beside.all(|at| !is_reached(at, reaches))
    }

    /// Which of some modules other code names in texts, from which they may be loaded, `"ops.attention"`: each with a file
    /// that names it.
    fn naming(&self, files: &[usize], reaches: &[Reach]) -> BTreeSet<(usize, usize)> {
        if files.is_empty() {
            return BTreeSet::new();
        }
        let mut names: Vec<(usize, String)> = Vec::new();
        for &file in files {
            let path = self.modules.path(file);
            let path = path.strip_suffix(INIT).unwrap_or(path);
            let path = path.trim_end_matches('/');
            let path = path.strip_suffix(".py").unwrap_or(path);
            let mut parts = path.rsplit('/');
            let last = parts.next().unwrap_or_default();
            if let Some(above) = parts.next() {
                names.push((file, format!("{above}.{last}")));
            }
            if self.fact(file).is_some_and(|one| one.named.is_none()) {
                names.extend(['"', '\''].map(|quote| (file, format!("{quote}{last}{quote}"))));
            }
        }
        let texts: Vec<&str> = names.iter().map(|(_, name)| name.as_str()).collect();
        let Ok(searcher) = finder(&texts) else {
            let itself = |&file: &usize| (file, file);
            return files.iter().map(itself).collect();
        };
        let with_one = names.iter().flat_map(|(_, name)| self.with_words_of(name));
        let texts: BTreeSet<usize> = with_one.collect();
        let reached = texts.into_iter().filter(|&file| is_reached(file, reaches));
        let found = parallel::flat_map(reached, |from| {
            let text: &[u8] = &self.modules.text_once(from);
            let loads_by_name = || {
                let mut importers = self.importers_by_name.iter();
                importers.any(|name| contains(text, name))
            };
            let mut named: BTreeSet<usize> = BTreeSet::new();
            for place in searcher.find_iter(text) {
                if let Some((file, name)) = names.get(place.pattern().as_usize()) {
                    let counts = if name.starts_with(['"', '\'']) {
                        loads_by_name()
                    } else {
                        is_in_text(text, place.start())
                    };
                    if counts {
                        named.insert(*file);
                    }
                }
            }
            let named = named.into_iter().filter(move |&file| file != from);
            named.map(move |file| (file, from))
        });
        found.into_iter().collect()
    }

    /// The files that have each word of a text by itself.
    fn with_words_of(&self, text: &str) -> Vec<usize> {
        let mut all = words(text.as_bytes()).map(|word| self.modules.files_with(word));
        let mut files = all.next().unwrap_or_default();
        for with_word in all {
            files.retain(|file| with_word.binary_search(file).is_ok());
        }
        files
    }

    fn importers(&self, file: usize) -> impl Iterator<Item = (usize, usize)> {
        let all = self.modules.importers(file).iter().copied();
        all.filter(move |&(from, _)| from != file)
    }

    fn gate(&self, from: usize, at: usize) -> Gate {
        self.fact(from).map_or(Gate::Open, |one| one.gate(at))
    }

    fn fact(&self, file: usize) -> Option<&Facts> {
        self.facts.get(file)?.as_ref()
    }
}
