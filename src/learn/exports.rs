//! The names that the SDK's libraries export, and the libraries themselves.

use std::collections::{BTreeMap, BTreeSet};

use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSymbol as _, ReadCache};

use super::listing::{self, Listed, Root};
use crate::files;
use crate::mapping::learn::LearnTable;
use crate::parallel::largest_first;

/// What the folders with libraries have.
#[derive(Default, Debug)]
pub(super) struct Exports {
    /// Each exported name, with the library that has it.
    names: rustc_hash::FxHashMap<Box<str>, u32>,
    /// The libraries that were opened, as messages show them.
    opened: Vec<String>,
    /// File names of libraries: `libmusart.so`, and where each is.
    files: BTreeMap<String, String>,
}

impl Exports {
    /// Read the tables of names of the libraries below folders.
    pub(super) fn read(
        roots: &[Root],
        wanted: &dyn Fn(&str) -> bool,
        unread: &mut Vec<String>,
    ) -> Self {
        let table = LearnTable::builtin();
        let names = &table.libraries;
        let mut found = Self::default();
        let mut shared: Vec<Listed> = Vec::new();
        let mut seen = BTreeSet::new();
        for file in listing::files(roots, &table.limits, unread) {
            let name = file.below.rsplit('/').next().unwrap_or_default().to_owned();
            let is_static = name.ends_with(&names.r#static);
            let is_shared = name.split(&names.shared).nth(1).is_some_and(|end| {
                end.bytes()
                    .all(|byte| byte == b'.' || byte.is_ascii_digit())
            });
            if !name.starts_with(&names.prefix) || !(is_static || is_shared) {
                continue;
            }
            found
                .files
                .entry(name)
                .or_insert_with(|| file.shown.clone());
            // `libmusart.so`, `libmusart.so.5` and `libmusart.so.5.1` are links to one file.
            let real = file
                .path
                .canonicalize()
                .unwrap_or_else(|_| file.path.clone());
            if is_shared && seen.insert(real) {
                shared.push(file);
            }
        }
        if shared.len() > table.limits.libraries {
            let limit = table.limits.libraries;
            unread.push(format!(
                "more than {limit} libraries: the rest is not opened"
            ));
            shared.truncate(limit);
        }
        let size = |file: &Listed| usize::try_from(file.size).unwrap_or(usize::MAX);
        let limit = table.limits.exports;
        let read = largest_first(shared, size, |file| {
            let names = exported(&file, limit);
            (file, names)
        });
        for (file, names) in read {
            match names {
                Ok(names) => {
                    let library = found.opened.len() as u32;
                    found.opened.push(file.shown);
                    for name in names.into_iter().filter(|name| wanted(name)) {
                        found.names.entry(name).or_insert(library);
                    }
                }
                Err(why) => unread.push(format!("{}: {why}", file.shown)),
            }
        }
        found
    }

    /// The library that exports a name.
    pub(super) fn library_of(&self, name: &str) -> Option<&str> {
        let library = *self.names.get(name)?;
        self.opened.get(library as usize).map(String::as_str)
    }

    /// Where a file of a library is, by its file name.
    pub(super) fn file(&self, name: &str) -> Option<&str> {
        self.files.get(name).map(String::as_str)
    }

    /// Whether there is any library.
    pub(super) fn has_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// How many libraries were opened.
    pub(super) fn count(&self) -> usize {
        self.opened.len()
    }
}

/// The names that a library defines for others. Only its tables are read, wherever they lie in a file of gigabytes.
fn exported(file: &Listed, limit: usize) -> Result<Vec<Box<str>>, String> {
    let opened = files::open_named(&file.path).map_err(|error| error.to_string())?;
    let cache = ReadCache::new(opened.file);
    let elf: ElfFile64<'_, object::Endianness, _> =
        ElfFile64::parse(&cache).map_err(|_| "no ELF file of 64 bits".to_owned())?;
    let mut names = Vec::new();
    for symbol in elf.dynamic_symbols() {
        if symbol.is_undefined() || !symbol.is_global() {
            continue;
        }
        if names.len() >= limit {
            return Err(format!("it exports more than {limit} names"));
        }
        if let Ok(name) = symbol.name() {
            names.push(name.into());
        }
    }
    Ok(names)
}
