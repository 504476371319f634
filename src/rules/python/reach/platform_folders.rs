//! Folders that hold a folder for each platform, one of them for MUSA: `backend/_nvidia`, `backend/_ascend`,
//! `backend/_mthreads`. Of such folders MUSA takes its own.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::{cause, words};
use super::reached::Reason;
use torchada_mapping::knowledge::Knowledge;
use torchada_project::replay::Cause;

/// How many platforms have a folder where a folder counts as one of platforms.
const PLATFORMS: usize = 3;

/// The platform whose code a folder has, by the folder's name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Owner {
    Musa,
    Cuda,
    /// A vendor, by its place in the table.
    Vendor(usize),
}

/// The platforms that have folders beside each other, by the path of the folder around them.
pub(super) struct PlatformFolders<'k, 'p> {
    knowledge: &'k Knowledge,
    owners: BTreeMap<&'p str, BTreeSet<Owner>>,
}

impl<'k, 'p> PlatformFolders<'k, 'p> {
    pub(super) fn of(paths: impl Iterator<Item = &'p str>, knowledge: &'k Knowledge) -> Self {
        let mut owners: BTreeMap<&str, BTreeSet<Owner>> = BTreeMap::new();
        // Many files lie in one folder, and many folders have one name.
        let whole = |path: &'p str| path.get(..=path.rfind('/')?);
        let of_files: FxHashSet<&str> = paths.filter_map(whole).collect();
        let mut known: FxHashMap<&str, Option<Owner>> = FxHashMap::default();
        for (around, name) in of_files.into_iter().flat_map(folders) {
            let owner = known.entry(name).or_insert_with(|| owner(name, knowledge));
            if let Some(owner) = *owner {
                owners.entry(around).or_default().insert(owner);
            }
        }
        owners.retain(|_, owners| owners.len() >= PLATFORMS && owners.contains(&Owner::Musa));
        Self { knowledge, owners }
    }

    /// Why MUSA does not take a module, if it lies in the folder of another platform.
    pub(super) fn reason(&self, path: &str) -> Option<Reason> {
        folders(path).find_map(|(around, name)| {
            self.owners.get(around)?;
            let cause = match owner(name, self.knowledge)? {
                Owner::Musa => return None,
                Owner::Cuda => Cause::BesideMusa,
                Owner::Vendor(at) => cause(self.knowledge, at)?,
            };
            let words = cause.words();
            let why = format!("`{around}{name}` is {words}, and MUSA has a folder beside it");
            Some(Reason { cause, why })
        })
    }
}

/// The folders around a file: for each the path of the one around it, with the `/` behind it, and its own name.
fn folders(path: &str) -> impl Iterator<Item = (&str, &str)> {
    let ends = path.match_indices('/').map(|(end, _)| end);
    ends.scan(0, move |start, end| {
        let folder = (path.get(..*start)?, path.get(*start..end)?);
        *start = end + 1;
        Some(folder)
    })
}

/// The platform that a folder is called after alone.
fn owner(name: &str, knowledge: &Knowledge) -> Option<Owner> {
    let words = words(name.as_bytes());
    let [word] = words.as_slice() else {
        return None;
    };
    let vendors = &knowledge.python_values.vendors;
    if vendors.target.contains(word) || vendors.makers.contains(word) {
        Some(Owner::Musa)
    } else if vendors.own.contains(word) {
        Some(Owner::Cuda)
    } else {
        knowledge.platform_words.vendor(word).map(Owner::Vendor)
    }
}
