//! Where the loader of programs finds libraries.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::checked::{Checked, Findings, State};
use crate::files;
use crate::machine::Environment;
use crate::machine::sdk::Sdk;
use crate::mapping::doctor::{DoctorTable, LoaderPlaces};

/// The libraries of the loader's cache: their names, each with the path that comes first.
type Cache = BTreeMap<String, PathBuf>;

/// What the header of the cache of glibc 2.2 and later begins with, and how its parts lie.
const MAGIC: &[u8] = b"glibc-ld.so.cache1.1";
const HEADER: usize = 48;
const ENTRY: usize = 24;

/// The loader of programs on a machine.
pub(super) struct Loader<'a> {
    places: &'static LoaderPlaces,
    cache: Cache,
    environment: &'a Environment,
}

impl<'a> Loader<'a> {
    /// Read its cache; one that can't be read counts as empty.
    pub(super) fn read(environment: &'a Environment) -> Self {
        let places = &DoctorTable::builtin().loader;
        let path = environment.place(&places.cache);
        let bytes = files::read_named(&path, places.bytes).unwrap_or_default();
        Self {
            places,
            cache: parse(&bytes).unwrap_or_default(),
            environment,
        }
    }

    /// The file that it takes for a library, whatever the version: by the variable, the cache, or a usual folder.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        let mut named = self.environment.folders(&self.places.variable).into_iter();
        let cached = || {
            let mut cached = self.cache.iter();
            let entry = cached.find(|(library, _)| is_version_of(library, name))?;
            Some(self.environment.place(&entry.1.to_string_lossy()))
        };
        let usual = || {
            let mut usual = self.places.folders.iter();
            usual.find_map(|folder| file_in(&self.environment.place(folder), name))
        };
        named
            .find_map(|folder| file_in(&folder, name))
            .or_else(cached)
            .or_else(usual)
    }

    /// Whether a folder of the SDK stands in the configuration that the cache is made of.
    fn is_configured(&self, sdk: &Sdk) -> bool {
        let mut named = Vec::new();
        for place in &self.places.configurations {
            let path = self.environment.place(place);
            if path.is_dir() {
                let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
                named.extend(entries.map(|entry| entry.path()));
            } else {
                named.push(path);
            }
        }
        let is_own = |line: &str| {
            let folder = Path::new(line.trim());
            sdk.libraries.iter().any(|own| own == folder)
        };
        named.iter().any(|path| {
            let text = files::read_named(path, self.places.bytes).unwrap_or_default();
            String::from_utf8_lossy(&text).lines().any(is_own)
        })
    }
}

/// Whether the loader finds MUSA's libraries.
pub(super) fn check_libraries(sdk: Option<&Sdk>, environment: &Environment) -> Checked {
    let table = DoctorTable::builtin();
    let loader = Loader::read(environment);
    let mut findings = Findings::of("libraries");
    let mut found_all = Vec::new();
    for library in &table.library {
        let found = loader.find(&library.name);
        let own = sdk.and_then(|sdk| in_sdk(&library.name, sdk));
        match (found, own) {
            (Some(found), Some(own)) if library.sdk && !is_same(&found, &own) => {
                let (found, own) = (found.display(), own.display());
                let what = format!("{found} comes before {own}: another SDK's");
                findings.say(State::Warning, what);
            }
            (Some(found), _) => found_all.push(found.display().to_string()),
            // A part that is not installed is for another check.
            (None, None) if library.sdk => {}
            (None, own) => {
                let state = if library.needed {
                    State::Failed
                } else {
                    State::Warning
                };
                let place = own.map(|own| format!(", though {} is there", own.display()));
                let place = place.unwrap_or_default();
                let what = format!("{} is not found: {}{place}", library.name, library.what);
                findings.say(state, what);
                if let Some(sdk) = sdk.filter(|sdk| loader.is_configured(sdk)) {
                    let root = sdk.root.display();
                    findings.fix(format!(
                        "A folder of {root} stands in /etc/ld.so.conf: run `ldconfig`."
                    ));
                }
            }
        }
    }
    if let Some(first) = found_all.first().filter(|_| findings.is_empty()) {
        let more = found_all.len() - 1;
        let more = if more > 0 {
            format!(", and {more} more")
        } else {
            String::new()
        };
        findings.say(State::Ok, format!("{first}{more}"));
    }
    findings.end()
}

/// Whether a file is a library of this name, whatever its version.
fn is_version_of(file: &str, name: &str) -> bool {
    let rest = file.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The first of the files in a folder, by their names, that is the library.
fn file_in(folder: &Path, name: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let first = names.filter(|file| is_version_of(file, name)).min()?;
    Some(folder.join(first))
}

fn in_sdk(name: &str, sdk: &Sdk) -> Option<PathBuf> {
    let mut folders = sdk.libraries.iter();
    folders.find_map(|folder| file_in(folder, name))
}

/// Whether two files lie in one folder.
fn is_same(found: &Path, own: &Path) -> bool {
    let folder = |path: &Path| path.parent().and_then(|folder| folder.canonicalize().ok());
    folder(found) == folder(own) || found.canonicalize().ok() == own.canonicalize().ok()
}

/// Every offset of the file is looked at before it is used.
fn parse(bytes: &[u8]) -> Option<Cache> {
    let start = memchr::memmem::find(bytes, MAGIC)?;
    let cache = bytes.get(start..)?;
    let number = |at: usize| {
        let bytes = cache.get(at..at.checked_add(4)?)?;
        usize::try_from(u32::from_ne_bytes(bytes.try_into().ok()?)).ok()
    };
    let text = |at: usize| {
        let rest = cache.get(at..)?;
        let end = memchr::memchr(0, rest)?;
        std::str::from_utf8(rest.get(..end)?).ok()
    };
    let count = number(MAGIC.len())?;
    let mut found = Cache::new();
    for index in 0..count {
        let entry = HEADER.checked_add(index.checked_mul(ENTRY)?)?;
        // The entry: flags, the offset of the name, the offset of the path, two numbers about hardware.
        let (name, path) = (number(entry + 4)?, number(entry + 8)?);
        if let (Some(name), Some(path)) = (text(name), text(path)) {
            found
                .entry(name.to_owned())
                .or_insert_with(|| PathBuf::from(path));
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cache as glibc writes it.
    fn cache(entries: &[(&str, &str)]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let mut strings = Vec::new();
        let first = HEADER + ENTRY * entries.len();
        let mut table = Vec::new();
        for (name, path) in entries {
            let mut put = |text: &str| {
                let at = first + strings.len();
                strings.extend(text.as_bytes());
                strings.push(0);
                u32::try_from(at).expect("small").to_ne_bytes()
            };
            let (name, path) = (put(name), put(path));
            table.extend([3_u32.to_ne_bytes(), name, path].concat());
            table.extend([0; 12]);
        }
        bytes.extend(u32::try_from(entries.len()).expect("small").to_ne_bytes());
        bytes.resize(HEADER, 0);
        bytes.extend(table);
        bytes.extend(strings);
        bytes
    }

    #[test]
    fn a_cache_is_read_whole_or_not_at_all() {
        let entries = [
            ("libmusart.so.5", "/sdk/lib/libmusart.so.5"),
            ("libc.so.6", "/lib/libc.so.6"),
        ];
        let whole = cache(&entries);
        let found = parse(&whole).expect("a cache");
        assert_eq!(found.len(), 2);
        assert_eq!(
            found["libmusart.so.5"],
            Path::new("/sdk/lib/libmusart.so.5")
        );
        // An older cache may stand before it.
        let old = [b"ld.so-1.7.0\0".as_slice(), &[0; 20], &whole].concat();
        assert_eq!(parse(&old), Some(found));
        for end in 0..whole.len() {
            // Whatever is cut off, nothing is read beyond the end.
            let _ = parse(&whole[..end]);
        }
        assert_eq!(parse(b"no cache"), None);
    }
}
