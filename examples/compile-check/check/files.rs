//! Which files are compiled, and with which flags.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use walkdir::WalkDir;

use super::Options;
use super::trees::{Trees, shown};

/// Where the list of files comes from.
#[derive(Clone, Debug)]
pub enum Files {
    /// A JSON list of `{"file": "csrc/a.cu", "flags": ["-Icsrc"]}`, relative to the original.
    List(PathBuf),
    /// A `compile_commands.json` of the original.
    Database(PathBuf),
    /// What lies in the tree: CUDA sources, and C and C++ sources and headers that the port
    /// changed. The root and every folder named `include` are searched for headers.
    Found,
}

impl Files {
    /// Whether somebody named the files one by one.
    pub fn is_list(&self) -> bool {
        !matches!(self, Self::Found)
    }
}

/// One file to compile.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its path in the original.
    pub file: String,
    /// Its flags: of the preprocessor, and which C++ it is. Paths are absolute.
    pub flags: Vec<String>,
    /// Whether it is compiled as CUDA.
    pub is_cuda: bool,
}

#[derive(Deserialize)]
struct Listed {
    file: String,
    #[serde(default)]
    flags: Vec<String>,
}

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// The files of a run, each once for each set of flags.
///
/// # Errors
/// A list that can't be read, or names no file of the tree.
pub fn items(options: &Options, trees: &Trees) -> Result<Vec<Item>> {
    let root = &trees.original;
    let common = kept_flags(&options.flags, root);
    let mut items = match &options.files {
        Files::List(path) => {
            let listed: Vec<Listed> = read(path)?;
            listed
                .into_iter()
                .map(|one| Item {
                    is_cuda: is_cuda(Path::new(&one.file)),
                    flags: kept_flags(&one.flags, root),
                    file: one.file,
                })
                .collect()
        }
        Files::Database(path) => from_database(read(path)?, root),
        Files::Found => found(trees),
    };
    for item in &mut items {
        item.flags.extend(common.iter().cloned());
    }
    if let Some(missing) = items.iter().find(|item| !root.join(&item.file).is_file()) {
        bail!("{} is no file of {}", missing.file, root.display());
    }
    items.sort_by(|a, b| (&a.file, &a.flags).cmp(&(&b.file, &b.flags)));
    items.dedup_by(|a, b| a.file == b.file && a.flags == b.flags);
    Ok(items)
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    let read = || -> Result<T> { Ok(serde_json::from_slice(&std::fs::read(path)?)?) };
    read().with_context(|| format!("can't read {}", path.display()))
}

fn from_database(entries: Vec<Entry>, root: &Path) -> Vec<Item> {
    let mut items = Vec::new();
    for entry in entries {
        let folder = root.join(&entry.directory);
        let arguments = match (entry.arguments, entry.command) {
            (Some(arguments), _) => arguments,
            (None, Some(command)) => split(&command),
            (None, None) => Vec::new(),
        };
        let path = normal(&folder.join(&entry.file));
        // What a build generates lies elsewhere, and was not ported.
        if let Ok(file) = path.strip_prefix(root) {
            items.push(Item {
                file: shown(file),
                flags: kept_flags(&arguments, &folder),
                is_cuda: is_cuda(file),
            });
        }
    }
    items
}

/// CUDA sources, and what else the port changed.
fn found(trees: &Trees) -> Vec<Item> {
    let mut include = BTreeSet::from([trees.original.clone()]);
    let mut files = Vec::new();
    let walk = WalkDir::new(&trees.original).into_iter();
    let inside = |path: &Path| path != trees.port && !path.ends_with(".git");
    for entry in walk.filter_entry(|entry| inside(entry.path())).flatten() {
        if entry.file_type().is_dir() {
            if entry.file_name() == "include" {
                include.insert(entry.into_path());
            }
            continue;
        }
        // What a link leads to is looked at where it lies.
        let file = entry.path().strip_prefix(&trees.original);
        let Some(file) = file.ok().filter(|_| entry.file_type().is_file()) else {
            continue;
        };
        let name = shown(file);
        if is_cuda(file) && is_source(file)
            || is_code(file) && is_changed(trees, entry.path(), &name)
        {
            files.push(name);
        }
    }
    let flags: Vec<String> = include
        .iter()
        .flat_map(|folder| ["-I".to_owned(), folder.display().to_string()])
        .collect();
    files
        .into_iter()
        .map(|file| Item {
            is_cuda: is_cuda(Path::new(&file)),
            flags: flags.clone(),
            file,
        })
        .collect()
}

fn is_changed(trees: &Trees, path: &Path, name: &str) -> bool {
    let there = trees.port.join(trees.ported(name));
    match (std::fs::read(path), std::fs::read(there)) {
        (Ok(before), Ok(after)) => before != after,
        _ => true,
    }
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| endings.contains(&ending))
}

fn is_cuda(path: &Path) -> bool {
    has_ending(path, &["cu", "cuh"])
}

/// Whether a file is compiled by itself, and not only where another includes it.
pub fn is_source(path: &Path) -> bool {
    has_ending(path, &["cu", "c", "cc", "cpp", "cxx", "C"])
}

fn is_code(path: &Path) -> bool {
    is_source(path) || has_ending(path, &["cuh", "h", "hh", "hpp", "hxx"])
}

/// The flags that say what a file is to the preprocessor, their paths seen from `folder`.
fn kept_flags(flags: &[String], folder: &Path) -> Vec<String> {
    const PATHS: [&str; 5] = ["-I", "-isystem", "-iquote", "-idirafter", "-include"];
    const WORDS: [&str; 2] = ["-D", "-U"];
    let mut kept = Vec::new();
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        let path = |path: &str| normal(&folder.join(path)).display().to_string();
        if let Some(option) = PATHS.iter().find(|option| flag.starts_with(**option)) {
            match flag.strip_prefix(option) {
                Some("") | None => kept.extend(
                    rest.next()
                        .map(|value| [(*option).to_owned(), path(value)])
                        .into_iter()
                        .flatten(),
                ),
                Some(value) => {
                    kept.extend([(*option).to_owned(), path(value.trim_start_matches('='))]);
                }
            }
        } else if let Some(option) = WORDS.iter().find(|option| flag.starts_with(**option)) {
            match flag.strip_prefix(option) {
                Some("") | None => {
                    kept.extend(rest.next().map(|value| format!("{option}{value}")));
                }
                Some(_) => kept.push(flag.clone()),
            }
        } else if let Some(standard) = flag.trim_start_matches('-').strip_prefix("std=") {
            kept.push(format!("-std={standard}"));
        }
    }
    kept
}

/// A path without `.` and `..`.
pub fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// The words of a command line, as a shell takes them apart.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(letters.next()),
            (letter, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (letter, None) if letter.is_whitespace() => words.extend(word.take()),
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}
