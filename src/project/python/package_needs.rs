//! The need that a tree has of packages from outside.

use std::collections::BTreeMap;

/// A statement: the file, and where in its text it starts.
pub type ImportPlace = (usize, usize);

/// What a tree needs one package for.
#[derive(Default, Debug)]
pub struct PackageNeed {
    /// The imports that lead from the start of a package or a program to the first import of this one, which is the last
    /// of them. Empty where the tree starts without the package.
    pub chain: Vec<ImportPlace>,
    /// The modules that can't be loaded without the package, in the order of their paths.
    pub lost: Vec<usize>,
}

/// What a tree needs each package for, by the package's name in the table.
#[derive(Default, Debug)]
pub(super) struct Loading(BTreeMap<&'static str, PackageNeed>);

impl Loading {
    pub(super) fn of(&self, package: &str) -> Option<&PackageNeed> {
        self.0.get(package)
    }

    pub(super) fn entry(&mut self, package: &'static str) -> &mut PackageNeed {
        self.0.entry(package).or_default()
    }
}
