//! Which file a dotted name of a module means.

use rustc_hash::FxHashSet;

use super::names::{ENDINGS, Paths, join, layouts};
use crate::tree::paths::{folder, folders};
use torchada_mapping::python::INIT;

/// The way of a dotted name through files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Walked {
    /// The modules on the way, packages first; the rest of the name is a member of the last one.
    pub(crate) modules: Vec<usize>,
    /// The number of parts of the name that were followed.
    pub(crate) parts: usize,
}

impl Paths<'_> {
    /// Follow the parts of a name from a folder, as far as they are files.
    pub(super) fn walk(&self, from: &str, parts: &[&str]) -> Walked {
        let mut walked = Walked {
            modules: Vec::new(),
            parts: 0,
        };
        // Most names lead nowhere in most folders.
        let is_head = |first: &&str| {
            let homes = self.heads.get(first);
            homes.is_some_and(|homes| homes.folders.contains(from))
        };
        if !parts.first().is_some_and(is_head) {
            return walked;
        }
        let mut here = from.to_owned();
        let file = |here: &mut String, end: [&str; 2]| {
            let length = here.len();
            here.extend(end);
            let found = self.files.get(here.as_str()).copied();
            here.truncate(length);
            found
        };
        for part in parts {
            if !here.is_empty() {
                here.push('/');
            }
            here.push_str(part);
            if let Some(package) = file(&mut here, ["/", INIT]) {
                walked.modules.push(package);
            } else if let Some(module) = ENDINGS
                .iter()
                .find_map(|ending| file(&mut here, [".", ending]))
            {
                walked.modules.push(module);
                walked.parts += 1;
                return walked;
            } else if !self.folders.contains(here.as_str()) {
                return walked;
            }
            walked.parts += 1;
        }
        walked
    }

    /// The modules that a name with dots in front leads through from a folder, `..models`; `None` where there are none.
    fn resolve_relative(&self, own: &str, dots: usize, parts: &[&str]) -> Option<Walked> {
        let mut base = own;
        for _ in 1..dots {
            base = folder(base);
        }
        let mut walked = self.walk(base, parts);
        if let Some(&package) = self.files.get(join(base, INIT).as_str()) {
            walked.modules.insert(0, package);
        }
        (!walked.modules.is_empty()).then_some(walked)
    }

    /// The modules that a dotted name leads through from a file; `None` where it is none of the tree's.
    pub(crate) fn resolve(
        &self,
        from: &str,
        name: &str,
        foreign: &FxHashSet<&str>,
    ) -> Option<Walked> {
        let dots = name.bytes().take_while(|&byte| byte == b'.').count();
        let rest = name.get(dots..).unwrap_or_default();
        let parts: Vec<&str> = rest.split('.').filter(|part| !part.is_empty()).collect();
        let own = folder(from);
        if dots > 0 {
            return self.resolve_relative(own, dots, &parts);
        }
        let first = parts.first()?;
        if foreign.contains(first) {
            return None;
        }
        if self.root == Some(first) {
            let mut walked = self.walk("", parts.get(1..).unwrap_or_default());
            walked.parts += 1;
            walked.modules.splice(0..0, self.file_at(INIT));
            return Some(walked);
        }
        let homes = self.heads.get(first)?;
        let found = |base: &str| {
            if !homes.folders.contains(base) {
                return None;
            }
            let walked = self.walk(base, &parts);
            (!walked.modules.is_empty()).then_some(walked)
        };
        // What is in a package is not found by its bare name, unless the package's own folder is where
        // the program starts.
        let mut above = own;
        loop {
            // A name is in few folders: most layouts need not be tried above each folder around a file.
            let layouts = layouts().enumerate();
            let mut layouts = layouts.filter(|&(at, _)| homes.layouts.contains(at));
            let walked = layouts.find_map(|(_, layout)| match layout {
                "" => found(above),
                layout => found(&join(above, layout)),
            });
            if let Some(walked) = walked
                && !self.is_package(above)
            {
                return Some(walked);
            }
            if above.is_empty() {
                break;
            }
            above = folder(above);
        }
        let tops = self.tops.get(first).map_or(&[][..], Vec::as_slice);
        match tops {
            [one] => found(folder(one)),
            _ => found(own).or_else(|| {
                let is_below = |scope: &str| folders(from).any(|one| one == scope);
                let searched = self.searched.iter().filter(|(scope, _)| is_below(scope));
                let mut searched = searched.filter_map(|(_, one)| found(one));
                searched.next().filter(|_| searched.next().is_none())
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_no_package_where_it_holds_one_of_its_own_name() {
        let resolved = |paths: &[&str], tree: &str| {
            let paths = Paths::new(paths.iter().copied().enumerate(), tree);
            let walked = paths.resolve("run.py", "cell.model", &FxHashSet::default());
            (paths.root().is_some(), walked.map(|one| one.modules))
        };
        let around = ["__init__.py", "cell/__init__.py", "cell/model.py", "run.py"];
        assert_eq!(resolved(&around, "cell"), (false, Some(vec![1, 2])));
        assert_eq!(
            resolved(&["__init__.py", "model.py"], "cell"),
            (true, Some(vec![0, 1]))
        );
        let paths = Paths::new(around.iter().copied().enumerate(), "cell");
        assert!(paths.is_top_package("cell/__init__.py"));
    }
}
