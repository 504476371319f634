//! The namespaces, aliases and using-directives of all visible files, indexed by name.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cpp::CppUnit;
use torchada_mapping::Section;

/// The root of the names of C++'s library.
pub(super) const STANDARD: &str = "std";

/// The namespace declarations of all visible files.
pub(super) struct VisibleNamespaces<'u> {
    /// Namespaces that a `using namespace` opens and in which a table may know names, sorted.
    pub(super) prefixes: Vec<&'u str>,
    /// The targets of each alias, in the order of the files.
    aliases: FxHashMap<&'u str, Vec<&'u str>>,
    /// Namespaces that a `using namespace` opens.
    opened: FxHashSet<&'u str>,
}

impl<'u> VisibleNamespaces<'u> {
    pub(super) fn of(unit: &CppUnit<'u>) -> Self {
        let mut found = Self {
            prefixes: Vec::new(),
            aliases: FxHashMap::default(),
            opened: FxHashSet::default(),
        };
        let mut known = FxHashSet::default();
        let may_lead = |path: &str| {
            let mut parts = path.split("::");
            parts.any(|part| unit.context.tables.name_parts().is_root(part.as_bytes()))
        };
        let project = unit.project;
        let files = unit.visible.files.iter();
        for file in files.filter_map(|&file| project.files.get(file)) {
            let usings = file.facts.usings.iter().map(String::as_str);
            found.prefixes.extend(usings.filter(|path| may_lead(path)));
            let opened = file.facts.namespaces.iter().map(String::as_str);
            found.opened.extend(opened);
            for (alias, target) in &file.facts.namespace_aliases {
                let targets = found.aliases.entry(alias.as_str()).or_default();
                // The same again, or one more that no table knows, answers nothing that the first did not.
                if targets.is_empty() || may_lead(target) && known.insert((alias, target)) {
                    known.insert((alias, target));
                    targets.push(target);
                }
            }
        }
        found.prefixes.sort_unstable();
        found.prefixes.dedup();
        found
    }

    /// The targets of a name as an alias.
    pub(super) fn targets(&self, alias: &str) -> &[&'u str] {
        self.aliases.get(alias).map_or(&[], Vec::as_slice)
    }

    /// Whether an alias or a using-directive in sight may have a name that begins with `root` stand for another.
    pub(super) fn may_stand_for_more(&self, root: &[u8]) -> bool {
        let alias = || std::str::from_utf8(root).is_ok_and(|root| self.aliases.contains_key(root));
        root != STANDARD.as_bytes() && !self.prefixes.is_empty()
            || !self.aliases.is_empty() && alias()
    }

    /// Whether a file in sight opens a namespace.
    pub(super) fn opens(&self, path: &str) -> bool {
        self.opened.contains(path)
    }
}

/// Whether a path is a namespace that the tree opens and no table knows.
pub(super) fn is_own_namespace(unit: &CppUnit<'_>, path: &[String]) -> bool {
    let name = path.join("::");
    unit.project.namespaces.contains(&name)
        && unit
            .context
            .row(Section::Namespaces, name.as_bytes())
            .is_none()
}
