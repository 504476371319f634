//! Parts of makefiles, which others include: a rule for `%.cu` in one is for the sources of those that include it.

use std::collections::{BTreeMap, BTreeSet};

use super::file_mentions::Mentioning;
use crate::Input;
use crate::facts::Reach;
use crate::make_builds::INCLUDE;
use crate::tree::paths;
use torchada_mapping::files::BuildLanguage;

/// The ending of a part that a configuration fills in.
const TEMPLATE: &str = ".in";

/// Give the patterns of each part of makefiles the folder that all those lie in which include it. A part that more than
/// `most` makefiles lead to is left as it is.
pub(crate) fn see_from_makefiles(inputs: &[Input], mentioning: &mut [Mentioning], most: usize) {
    let includers = includers(inputs);
    if includers.is_empty() {
        return;
    }
    // Which makefiles lead to a part is a question of its name alone.
    let mut folders: BTreeMap<String, Option<String>> = BTreeMap::new();
    for one in mentioning {
        let is_make = inputs
            .get(one.file)
            .is_some_and(|input| input.class.language == Some(BuildLanguage::Make));
        if !is_make {
            continue;
        }
        let name = included_name(&one.path);
        let folder = folders.entry(name.to_owned()).or_insert_with(|| {
            let folders = folders_of_makefiles(name, &includers, most);
            folders.and_then(|folders| common(&folders))
        });
        let Some(folder) = folder else {
            continue;
        };
        for mention in &mut one.mentions {
            let name = paths::file_name(&mention.text);
            let is_pattern = name.starts_with('.') || name.contains(['*', '?', '%', '$']);
            if is_pattern && mention.reach == Reach::Open {
                mention.reach = Reach::From(folder.clone());
            }
        }
    }
}

/// The makefiles that include others, by the names of these.
fn includers(inputs: &[Input]) -> BTreeMap<String, BTreeSet<&str>> {
    let mut found: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for input in inputs {
        if input.class.language != Some(BuildLanguage::Make) {
            continue;
        }
        let Some(text) = &input.text else { continue };
        for line in text.once().split(|&byte| byte == b'\n') {
            let line = line.trim_ascii_start();
            let behind = INCLUDE
                .iter()
                .find_map(|word| line.strip_prefix(word.as_bytes()));
            let Some(behind) =
                behind.filter(|rest| rest.starts_with(b" ") || rest.starts_with(b"\t"))
            else {
                continue;
            };
            for path in String::from_utf8_lossy(behind).split_whitespace() {
                let name = paths::file_name(path).to_owned();
                found.entry(name).or_default().insert(&input.path);
            }
        }
    }
    found
}

/// The name by which makefiles include the file at `path`.
fn included_name(path: &str) -> &str {
    let name = paths::file_name(path);
    name.strip_suffix(TEMPLATE).unwrap_or(name)
}

/// The folders of the makefiles that include a part of this name, through whatever others; `None` where more than `most` lead
/// there.
fn folders_of_makefiles<'a>(
    name: &'a str,
    includers: &BTreeMap<String, BTreeSet<&'a str>>,
    most: usize,
) -> Option<BTreeSet<&'a str>> {
    let (mut seen, mut folders) = (BTreeSet::new(), BTreeSet::new());
    let mut names = BTreeSet::from([name]);
    let mut open = vec![name];
    while let Some(part) = open.pop() {
        for &by in includers.get(part).into_iter().flatten() {
            if !seen.insert(by) {
                continue;
            }
            if seen.len() > most {
                return None;
            }
            let name = included_name(by);
            if !includers.contains_key(name) {
                folders.insert(paths::folder(by));
            } else if names.insert(name) {
                open.push(name);
            }
        }
    }
    Some(folders)
}

/// The folder that all folders lie in.
fn common(folders: &BTreeSet<&str>) -> Option<String> {
    let mut folders = folders.iter();
    let mut shared: Vec<&str> = folders.next()?.split('/').collect();
    for folder in folders {
        let same = shared.iter().zip(folder.split('/'));
        let len = same.take_while(|(one, other)| **one == *other).count();
        shared.truncate(len);
    }
    Some(shared.join("/"))
}
