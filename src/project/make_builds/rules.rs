//! Which sources the rules of a makefile hand to compilers of GPUs.

use std::collections::{BTreeMap, BTreeSet};

use super::expand::Expander;
use super::makefile::{Makefile, Rule};
use super::tree::{MakeBuilds, Tree};
use super::words::stem;
use crate::tree::paths;

/// How many makefiles one reads.
const INCLUDES: usize = 32;

/// How many of a command's first words may be its program.
const PROGRAM: usize = 3;

/// Find what the makefile at an index compiles.
pub(super) fn compiled(at: usize, tree: Tree<'_>, found: &mut MakeBuilds) {
    let folder = paths::folder(tree.places.path(at));
    let files = with_includes(at, tree, folder);
    let mut expander = Expander::new(files.clone(), tree.places, folder, tree.compilers);
    let rules: Vec<&Rule<'_>> = files.iter().flat_map(|(_, file)| &file.rules).collect();
    let own = tree.read.get(&at).map_or(0, |file| file.rules.len());
    let mut wanted: BTreeSet<String> = BTreeSet::new();
    for rule in &rules {
        wanted.extend(expander.words(rule.prerequisites));
    }
    let mut folders: Vec<String> = vec![String::new()];
    for text in std::iter::once("$(VPATH)").chain(
        files
            .iter()
            .flat_map(|(_, file)| file.folders.iter().copied()),
    ) {
        let words = expander.words(text);
        folders.extend(
            words
                .iter()
                .flat_map(|word| word.split(':'))
                .map(str::to_owned),
        );
    }
    let resolve = |word: &str| {
        folders.iter().find_map(|above| {
            let path = paths::join(folder, above).and_then(|above| paths::join(&above, word))?;
            tree.places.file_at(&path)
        })
    };
    let made = rules.iter().flat_map(|rule| expander.words(rule.targets));
    let made: BTreeSet<String> = made.filter(|word| tree.is_for_gpus(word)).collect();
    for rule in rules.into_iter().take(own) {
        if rule.recipe.is_empty() {
            continue;
        }
        for (targets, prerequisites) in instances(rule, &wanted, &mut expander) {
            let first = prerequisites.first().cloned().into_iter().collect();
            expander.automatic = BTreeMap::from([
                ("<", first),
                ("^", prerequisites.clone()),
                ("+", prerequisites.clone()),
                ("?", prerequisites),
                ("@", targets),
            ]);
            for command in &rule.recipe {
                let words = expander.words(command);
                let is_compiler = |word: &String| {
                    let word = word.trim_start_matches(['@', '-', '+']);
                    tree.compilers.contains(&paths::file_name(word))
                };
                if !words.iter().take(PROGRAM).any(is_compiler) {
                    continue;
                }
                let sources = words.iter().filter(|word| tree.is_for_gpus(word));
                for word in sources {
                    if let Some(source) = resolve(word) {
                        found.compiled.entry((at, source)).or_insert(rule.head);
                    } else if made.contains(word) {
                        let stem = word.rsplit_once('.').map_or(&**word, |(stem, _)| stem);
                        let of_rule = || (rule.head, word.clone());
                        found
                            .made
                            .entry((at, stem.to_owned()))
                            .or_insert_with(of_rule);
                    }
                }
            }
            expander.automatic.clear();
        }
    }
    let open = expander.open.into_iter().filter(|(file, _)| *file == at);
    found.open.extend(open);
    found.open.sort_unstable();
    found.open.dedup();
}

/// A makefile and those that it reads, itself first.
fn with_includes<'a>(at: usize, tree: Tree<'a>, folder: &'a str) -> Vec<(usize, &'a Makefile<'a>)> {
    let mut files: Vec<(usize, &Makefile<'_>)> = Vec::new();
    let mut queue = vec![at];
    while let Some(at) = queue.pop() {
        let Some(file) = tree.read.get(&at) else {
            continue;
        };
        if files.len() >= INCLUDES || files.iter().any(|(known, _)| *known == at) {
            continue;
        }
        files.push((at, file));
        let mut expander = Expander::new(files.clone(), tree.places, folder, tree.compilers);
        for include in &file.includes {
            let words = expander.words(include);
            let paths = words.iter().filter_map(|word| paths::join(folder, word));
            queue.extend(paths.filter_map(|path| tree.places.file_at(&path)));
        }
    }
    files
}

/// What a rule makes of what, as often as it is asked for.
fn instances(
    rule: &Rule<'_>,
    wanted: &BTreeSet<String>,
    expander: &mut Expander<'_>,
) -> Vec<(Vec<String>, Vec<String>)> {
    let (fixed, pattern, needs) = match rule.prerequisites.split_once(": ") {
        // `objects: %.o: %.cu`
        Some((pattern, needs)) if pattern.contains('%') => (
            Some(expander.words(rule.targets)),
            pattern.trim().to_owned(),
            needs,
        ),
        _ => (None, String::new(), rule.prerequisites),
    };
    let needs = needs.split('|').next().unwrap_or_default();
    let targets = expander.words(rule.targets);
    let needs = expander.words(needs);
    if let [only] = targets.as_slice()
        && let Some((from, to)) = suffixes(only).filter(|_| needs.is_empty())
    {
        return of_pattern(&format!("%{to}"), &[format!("%{from}")], wanted.iter());
    }
    if let Some(fixed) = fixed {
        let pattern = expander.words(&pattern).concat();
        return of_pattern(&pattern, &needs, fixed.iter());
    }
    if targets.iter().any(|target| target.contains('%')) {
        return targets
            .iter()
            .flat_map(|target| of_pattern(target, &needs, wanted.iter()))
            .collect();
    }
    vec![(targets, needs)]
}

fn of_pattern<'w>(
    pattern: &str,
    needs: &[String],
    wanted: impl Iterator<Item = &'w String>,
) -> Vec<(Vec<String>, Vec<String>)> {
    wanted
        .filter_map(|target| {
            let stem = stem(pattern, target)?;
            let needs = needs.iter().map(|need| need.replacen('%', stem, 1));
            Some((vec![target.clone()], needs.collect()))
        })
        .collect()
}

/// The two endings of `.cu.o`.
fn suffixes(target: &str) -> Option<(String, String)> {
    let (from, to) = target.strip_prefix('.')?.split_once('.')?;
    let is_plain = |part: &str| !part.is_empty() && !part.contains(['/', '.', '%']);
    (is_plain(from) && is_plain(to)).then(|| (format!(".{from}"), format!(".{to}")))
}
