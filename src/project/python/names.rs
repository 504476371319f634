//! Where the modules and packages of a tree lie.

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::tree::paths;
use crate::tree::paths::folder;
use torchada_mapping::python::packages::Packages;
use torchada_mapping::python::{INIT, is_package_start};

/// Modules that stand above packages.
const ABOVE_PACKAGES: [&str; 2] = ["setup.py", "conftest.py"];

/// The ending of a module that only declares what another one has, for checkers of types.
const DECLARATIONS: &str = "pyi";

/// Endings of modules, the one that counts first.
pub(super) const ENDINGS: [&str; 2] = ["py", DECLARATIONS];

/// The folder of the package that a module starts; `None` where it starts none.
pub(super) fn folder_of_start(path: &str) -> Option<&str> {
    let folder = path.strip_suffix(INIT)?;
    if folder.is_empty() {
        return Some(folder);
    }
    folder.strip_suffix('/')
}

/// Whether a module only declares what another one has.
pub(super) fn is_declaration(path: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, ending)| ending == DECLARATIONS)
}

/// Folders between a project's root and its packages; the empty one is the root itself.
pub(super) fn layouts() -> impl Iterator<Item = &'static str> {
    let layouts = &Packages::builtin().descriptions.layouts;
    layouts.iter().map(String::as_str)
}

/// Files and folders by path.
#[derive(Debug)]
pub(crate) struct Paths<'p> {
    pub(super) files: FxHashMap<&'p str, usize>,
    pub(super) folders: FxHashSet<&'p str>,
    /// Folders with modules, those that only builds and tests have left out.
    with_modules: FxHashSet<&'p str>,
    /// The folders with modules that have more than the start of a package.
    with_own_modules: FxHashSet<&'p str>,
    /// Where a name is a module or a folder, by that name.
    pub(super) heads: FxHashMap<&'p str, Homes<'p>>,
    /// Packages that are in no other, by name: their folders.
    pub(super) tops: FxHashMap<&'p str, Vec<&'p str>>,
    /// The name under which Python imports the tree itself, if it is a package.
    pub(super) root: Option<&'p str>,
    /// Whether the tree holds a package of its own name: that is the package, whatever the tree's folder says of itself.
    is_around_package: bool,
    /// The folders in which the modules below a folder have Python search for others: that folder, and one of them.
    pub(super) searched: Vec<(&'p str, &'p str)>,
}

/// The folders in which a name is a module or a folder.
#[derive(Default, Debug)]
pub(super) struct Homes<'p> {
    pub(super) folders: FxHashSet<&'p str>,
    /// The layouts that one of them ends with, by their place among all.
    pub(super) layouts: FixedBitSet,
}

impl<'p> Paths<'p> {
    /// The modules with these paths, in a tree whose folder has a name; the name is empty where nobody knows it.
    pub(crate) fn new(files: impl Iterator<Item = (usize, &'p str)>, tree: &'p str) -> Self {
        let listed: Vec<(usize, &'p str)> = files.collect();
        let files: FxHashMap<&'p str, usize> =
            listed.iter().map(|&(at, path)| (path, at)).collect();
        let mut folders: FxHashSet<&'p str> = FxHashSet::default();
        for (_, path) in &listed {
            let mut above = folder(path);
            while folders.insert(above) && !above.is_empty() {
                above = folder(above);
            }
        }
        let name = |path: &'p str| paths::file_name(path);
        let modules = listed.iter().map(|&(_, path)| path);
        let modules = modules.filter(|path| !ABOVE_PACKAGES.contains(&name(path)));
        let with_modules = modules.clone().map(folder).collect();
        let more = modules.filter(|path| !is_package_start(path));
        let with_own_modules = more.map(folder).collect();
        let mut heads: FxHashMap<&'p str, Homes<'p>> = FxHashMap::default();
        let modules = listed.iter().filter_map(|(_, path)| module(path));
        for path in modules.chain(folders.iter().copied()) {
            let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
            let homes = heads.entry(name).or_default();
            homes.folders.insert(above);
            let ends = layouts()
                .enumerate()
                .filter(|(_, one)| above.ends_with(one));
            ends.for_each(|(at, _)| homes.layouts.grow_and_insert(at));
        }
        let mut paths = Self {
            files,
            folders,
            with_modules,
            with_own_modules,
            heads,
            tops: FxHashMap::default(),
            root: None,
            is_around_package: false,
            searched: Vec::new(),
        };
        paths.is_around_package = !tree.is_empty() && paths.is_package(tree);
        paths.root = (!tree.is_empty() && paths.is_package("")).then_some(tree);
        let mut tops: Vec<&'p str> = listed
            .iter()
            .map(|&(_, path)| path)
            .filter(|path| paths.is_top_package(path))
            .map(folder)
            .collect();
        tops.sort_unstable();
        for top in tops {
            let name = paths::file_name(top);
            paths.tops.entry(name).or_default().push(top);
        }
        paths
    }

    pub(super) fn file_at(&self, path: &str) -> Option<usize> {
        self.files.get(path).copied()
    }

    /// A folder of the tree, by its path.
    pub(super) fn folder_at(&self, path: &str) -> Option<&'p str> {
        self.folders.get(path).copied()
    }

    /// The name of a module that no other module and no folder of the tree has.
    pub(super) fn only_name(&self, path: &'p str) -> Option<&'p str> {
        let name = module(path)?.rsplit('/').next()?;
        (self.heads.get(name)?.folders.len() == 1).then_some(name)
    }

    pub(super) fn is_package(&self, folder: &str) -> bool {
        self.files.contains_key(join(folder, INIT).as_str())
            && !(folder.is_empty() && self.is_around_package)
    }

    pub(super) fn is_top_package(&self, path: &str) -> bool {
        is_package_start(path) && {
            let own = folder(path);
            let above = folder(own);
            // A folder of modules is a package, too, whether it says so or not.
            if own.is_empty() {
                self.root.is_some()
            } else {
                !self.is_layout(own)
                    && (!self.is_package(above) || self.is_layout(above))
                    && (layouts().any(|one| one == above) || !self.with_modules.contains(above))
            }
        }
    }

    /// Whether a folder that starts as a package does only lies between the root, which is installed, and its packages: it
    /// has no other module.
    fn is_layout(&self, folder: &str) -> bool {
        !folder.is_empty()
            && layouts().any(|one| one == folder)
            && self.is_package(folder)
            && !self.with_own_modules.contains(folder)
            && self.files.contains_key(ABOVE_PACKAGES[0])
    }

    /// The name under which Python imports the tree itself, if it is a package.
    pub(super) fn root(&self) -> Option<&'p str> {
        self.root
    }

    /// The dotted name under which programs import the module of a file.
    pub(super) fn module_name(&self, path: &str) -> String {
        let inner = module(path).unwrap_or(path);
        let init = INIT.strip_suffix(".py").unwrap_or(INIT);
        let inner = inner
            .strip_suffix(init)
            .unwrap_or(inner)
            .trim_end_matches('/');
        let mut inside = layouts().filter(|one| !one.is_empty());
        let inner = inside
            .find_map(|one| inner.strip_prefix(one)?.strip_prefix('/'))
            .unwrap_or(inner);
        // What is no name of a module stands above the packages.
        let is_name = |part: &&str| {
            part.bytes()
                .all(|one| one.is_ascii_alphanumeric() || one == b'_')
        };
        let parts: Vec<&str> = inner.split('/').collect();
        let first = parts
            .iter()
            .rposition(|part| !is_name(part))
            .map_or(0, |at| at + 1);
        let inner = if first < parts.len() {
            parts.get(first..).unwrap_or_default().join(".")
        } else {
            inner.replace('/', ".")
        };
        let name = inner;
        match self.root {
            Some(root) if name.is_empty() => root.to_owned(),
            Some(root) => format!("{root}.{name}"),
            None => name,
        }
    }
}

/// The path of a module without its ending.
fn module(path: &str) -> Option<&str> {
    let mut endings = ENDINGS.iter();
    endings.find_map(|ending| path.strip_suffix(ending)?.strip_suffix('.'))
}

pub(super) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        // Asked for each folder around each import, this is a tenth of the time of a format.
        [folder, "/", name].concat()
    }
}
