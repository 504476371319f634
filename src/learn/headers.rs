//! All names that the headers of some folders declare, with their places.

use crate::mapping::has;
use rustc_hash::{FxHashMap, FxHashSet};

use super::listing::{self, Listed, Root};
use crate::files;
use crate::mapping::learn::LearnTable;
use crate::parallel::largest_first;
use crate::syntax::{DeclarationKind, HeaderDeclarations, LexOptions, Macro, declared, lex};
use crate::text::LineIndex;

/// Where a name stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    file: u32,
    line: u32,
}

/// One declaration of a name.
#[derive(Clone, Debug)]
pub(super) struct HeaderDeclaration {
    /// What is declared.
    pub(super) what: DeclarationKind,
    /// The namespaces and classes around it.
    pub(super) path: Box<str>,
    /// The line of the declaration, in its header.
    pub(super) place: Place,
}

/// The names of headers.
#[derive(Default, Debug)]
pub(super) struct Headers {
    /// The files that were read, as messages show them.
    files: Vec<String>,
    /// All paths that code can include.
    paths: FxHashSet<String>,
    names: FxHashMap<Box<str>, Vec<HeaderDeclaration>>,
    /// Names that conditions ask for, or that macros are given.
    used: FxHashMap<Box<str>, Place>,
    /// Namespaces and classes.
    namespaces: FxHashSet<Box<str>>,
    /// How many bytes were read.
    pub(super) bytes: u64,
}

/// One file, read.
struct Read {
    declared: HeaderDeclarations,
    lines: Vec<u32>,
    used: Vec<(Box<str>, u32)>,
    bytes: u64,
}

impl Headers {
    /// Read the headers below folders. `versions` are macros whose values are known.
    pub(super) fn read(
        roots: &[Root],
        versions: &[(String, i64)],
        unread: &mut Vec<String>,
    ) -> Self {
        let table = LearnTable::builtin();
        let mut headers = Self::default();
        let mut wanted = Vec::new();
        for file in listing::files(roots, &table.limits, unread) {
            if is_header(&file, &table.headers.endings) {
                headers.bytes += file.size;
                if headers.bytes > table.limits.headers {
                    let limit = table.limits.headers;
                    unread.push(format!(
                        "{}: headers of more than {limit} bytes",
                        file.shown
                    ));
                    break;
                }
                wanted.push(file);
            } else {
                headers.paths.insert(file.below);
            }
        }
        headers.bytes = 0;
        let known = |name: &[u8]| {
            let value = versions.iter().find(|(known, _)| known.as_bytes() == name);
            value.map_or(Macro::Unknown, |(_, value)| Macro::Value(*value))
        };
        let size = |file: &Listed| usize::try_from(file.size).unwrap_or(usize::MAX);
        let limit = table.limits.header;
        let read = largest_first(wanted, size, |file| {
            let read = read_file(&file, limit, &known);
            (file, read)
        });
        for (file, read) in read {
            match read {
                Ok(read) => headers.add(file, read),
                Err(error) => unread.push(format!("{}: {error}", file.shown)),
            }
        }
        headers
    }

    fn add(&mut self, listed: Listed, read: Read) {
        let file = self.files.len() as u32;
        let renamed = renamed(&read.declared);
        self.files.push(listed.shown);
        self.paths.insert(listed.below);
        self.bytes += read.bytes;
        let own = read.declared.declarations.into_iter().zip(read.lines);
        for (mut one, line) in own {
            if let Some(alias) = renamed.get(&one.name)
                && matches!(one.what, DeclarationKind::Function(_))
            {
                one.name = alias.clone();
            }
            if !one.path.is_empty() && !self.namespaces.contains(&one.path) {
                self.namespaces.insert(one.path.clone());
            }
            let known = HeaderDeclaration {
                what: one.what,
                path: one.path,
                place: Place { file, line },
            };
            self.names.entry(one.name).or_default().push(known);
        }
        for (name, line) in read.used {
            self.used.entry(name).or_insert(Place { file, line });
        }
    }

    /// Let code include from all folders of this name, too.
    pub(super) fn include_from(&mut self, folder: &str) {
        let folder = format!("{folder}/");
        let starts = |path: &String| -> Vec<String> {
            let at = path.match_indices(&folder);
            let behind = at.filter(|(at, _)| *at == 0 || path[..*at].ends_with('/'));
            behind
                .map(|(at, found)| path[at + found.len()..].to_owned())
                .collect()
        };
        let more: Vec<String> = self.paths.iter().flat_map(starts).collect();
        self.paths.extend(more);
    }

    /// Whether code can include this path.
    pub(super) fn has_path(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    /// Whether a path below this folder, which ends in `/`, can be included.
    pub(super) fn has_folder(&self, folder: &str) -> bool {
        self.paths.iter().any(|path| path.starts_with(folder))
    }

    /// The paths below a folder, without those of headers that others include only, sorted.
    pub(super) fn paths_below(&self, folder: &str) -> Vec<&str> {
        let below = self
            .paths
            .iter()
            .filter_map(|path| path.strip_prefix(folder));
        let mut below: Vec<&str> = below
            .filter(|path| !path.split('/').any(is_private))
            .collect();
        below.sort_unstable();
        below
    }

    /// How many headers were read.
    pub(super) fn count(&self) -> usize {
        self.files.len()
    }

    /// All declarations of a name.
    pub(super) fn all(&self, name: &str) -> &[HeaderDeclaration] {
        self.names.get(name).map_or(&[], Vec::as_slice)
    }

    /// The declaration that says most of a name that stands by itself in code.
    pub(super) fn plain(&self, name: &str) -> Option<&HeaderDeclaration> {
        let known = self.all(name).iter();
        let known = known.filter(|known| known.what != DeclarationKind::Member);
        known.min_by_key(|known| (detail_rank(&known.what), !known.path.is_empty()))
    }

    /// The declaration of a member of a class.
    pub(super) fn member(&self, name: &str) -> Option<&HeaderDeclaration> {
        let mut known = self.all(name).iter();
        known.find(|known| known.what == DeclarationKind::Member)
    }

    /// The declaration of a qualified name. Namespaces between its parts, such as inline ones, don't matter.
    pub(super) fn qualified(&self, name: &str) -> Option<&HeaderDeclaration> {
        let (path, last) = name.rsplit_once("::")?;
        let known = self.all(last).iter();
        let fitting = known
            .filter(|known| leads_through(&known.path, path) || self.is_by_folder(known, path));
        fitting.min_by_key(|known| detail_rank(&known.what))
    }

    /// Whether there is such a namespace.
    pub(super) fn has_namespace(&self, name: &str) -> bool {
        let mut all = self.namespaces.iter();
        all.any(|path| leads_through(path, name)) || self.has_folder(&folder(name))
    }

    /// Whether a declaration is taken for one in a namespace because its file lies in the namespace's folder: headers of
    /// the C++ library open their namespaces by macros.
    fn is_by_folder(&self, known: &HeaderDeclaration, namespace: &str) -> bool {
        known.path.is_empty() && self.file(known.place).starts_with(&folder(namespace))
    }

    /// The names that are declared in a namespace, or in one below it, each with the namespaces on the way and its place.
    pub(super) fn below(&self, namespace: &str) -> Vec<(Vec<&str>, &str, Place)> {
        let mut below = Vec::new();
        for name in self.names() {
            let all = self.all(name).iter();
            let countable = all.filter(|known| {
                !matches!(
                    known.what,
                    DeclarationKind::Member | DeclarationKind::Macro(_)
                )
            });
            for known in countable.filter(|_| !is_private(name)) {
                let way = namespaces_between(&known.path, namespace);
                let way = way.or_else(|| self.is_by_folder(known, namespace).then(Vec::new));
                below.extend(way.map(|way| (way, name, known.place)));
            }
        }
        below
    }

    /// Where a condition asks for a name, or a macro is given it.
    pub(super) fn used(&self, name: &str) -> Option<Place> {
        self.used.get(name).copied()
    }

    /// Each name that stands by itself in code, sorted.
    pub(super) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .names
            .iter()
            .filter(|(_, all)| {
                all.iter()
                    .any(|known| known.what != DeclarationKind::Member)
            })
            .map(|(name, _)| &**name)
            .collect();
        names.sort_unstable();
        names
    }

    /// `musa_runtime_api.h:120`
    pub(super) fn show(&self, place: Place) -> String {
        format!("{}:{}", self.file(place), place.line)
    }

    /// `musa_runtime_api.h`
    pub(super) fn file(&self, place: Place) -> &str {
        self.files
            .get(place.file as usize)
            .map_or("", String::as_str)
    }
}

/// Functions that the file declares under the name of a macro: behind `#define muMemFree muMemFree_v2` the prototype of
/// `muMemFree` is that of `muMemFree_v2`.
fn renamed(declared: &HeaderDeclarations) -> FxHashMap<Box<str>, Box<str>> {
    let macros = declared.declarations.iter().filter_map(|one| {
        let DeclarationKind::Macro(body) = &one.what else {
            return None;
        };
        let alias = body.alias.clone().filter(|alias| *alias != one.name)?;
        Some((one.name.clone(), alias))
    });
    macros.collect()
}

fn is_header(file: &Listed, endings: &[String]) -> bool {
    let ending = file.path.extension();
    let ending = ending.map_or(Some(""), |ending| ending.to_str());
    ending.is_some_and(|ending| has(endings, ending))
}

fn read_file(file: &Listed, limit: u64, known: &dyn Fn(&[u8]) -> Macro) -> std::io::Result<Read> {
    // The user named the folder, and its links with it.
    let text = files::read_named(&file.path, limit)?;
    if text.iter().take(4096).any(|byte| *byte == 0) {
        let error = std::io::Error::new(std::io::ErrorKind::InvalidData, "it is no text");
        return Err(error);
    }
    let tokens = lex(&text, LexOptions::default());
    let mut declared = declared(&text, &tokens, known);
    let index = LineIndex::new(&text);
    let line = |offset: u32| index.position(&text, offset as usize).line as u32;
    let places = declared.declarations.iter();
    let lines = places.map(|one| line(one.offset)).collect();
    let mut used = std::mem::take(&mut declared.tested);
    used.append(&mut declared.handed);
    let used = used.into_iter().map(|(name, at)| (name, line(at)));
    Ok(Read {
        lines,
        used: used.collect(),
        declared,
        bytes: text.len() as u64,
    })
}

/// How much a declaration says, the one that says most first.
fn detail_rank(what: &DeclarationKind) -> u8 {
    match what {
        DeclarationKind::Function(function) if !function.is_template => 0,
        DeclarationKind::Function(_) => 1,
        DeclarationKind::Type { defined: true } => 2,
        DeclarationKind::Alias(_) => 3,
        DeclarationKind::Enumerator(_) => 4,
        DeclarationKind::Macro(_) => 5,
        DeclarationKind::Other => 6,
        DeclarationKind::Type { defined: false } => 7,
        DeclarationKind::Member => 8,
    }
}

/// `musa/std/`
fn folder(namespace: &str) -> String {
    namespace.replace("::", "/") + "/"
}

/// Whether a name is no part of an interface: inline namespaces have such names, too.
fn is_private(name: &str) -> bool {
    name.starts_with('_')
}

/// The namespaces between `from` and what `path` leads to, without inline ones; `None` where it leads elsewhere.
fn namespaces_between<'p>(path: &'p str, from: &str) -> Option<Vec<&'p str>> {
    let mut parts = path.split("::").filter(|part| !is_private(part));
    let is_below = from.split("::").all(|part| parts.next() == Some(part));
    is_below.then(|| parts.collect())
}

/// Whether the parts of `wanted` stand in `path` in their order, the last one at its end or before inline namespaces.
fn leads_through(path: &str, wanted: &str) -> bool {
    let mut parts = path.split("::");
    wanted.split("::").all(|part| parts.any(|one| one == part))
}
