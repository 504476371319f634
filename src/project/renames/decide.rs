//! Decides which files get MUSA's endings, and finds what prevents that for the others.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::project::{NAME_TAKEN, NAMED_ELSEWHERE};
use torchada_mapping::Rename;
use torchada_parallel as parallel;
use torchada_text::TextRange;

use super::candidates::{Candidate, Link};
use super::named_candidates::NamedCandidates;
use super::spread::spread;
use crate::facts::{Mention, Reach};
use crate::mentions::file_mentions::Mentioning;
use crate::tree::paths;

/// The decisions about the names of files.
#[derive(Debug, Default)]
pub struct RenameDecisions {
    /// Files that get another path.
    pub renames: Vec<(usize, String)>,
    /// Findings about files that keep their names.
    pub findings: Vec<Finding>,
    /// For each file that mentions some, by its index, the mentions.
    pub links: FxHashMap<usize, Vec<Link>>,
    /// Links of the file system with what they lead to: they keep their names together.
    pub alike: Vec<[usize; 2]>,
}

/// Decide the renames: a file gets its new name where everything that names it can follow. What one mention names
/// together keeps its names together.
pub fn decide(
    candidates: &[Candidate],
    mentioning: &[Mentioning],
    taken: &FxHashSet<&str>,
    rename: Rename,
    endings: &[&str],
) -> RenameDecisions {
    let mut decided = RenameDecisions::default();
    let mut holds: Vec<_> = candidates.iter().map(|one| one.hold(taken)).collect();
    let named = NamedCandidates::new(candidates, taken);
    let mut together: Vec<Together> = Vec::new();
    for (at, link) in candidates.iter().enumerate() {
        let target = link.leads_to.as_deref();
        if let Some(&target) = target.and_then(|path| named.by_path.get(path)) {
            together.push((vec![at, target], format!("{} leads there", link.path)));
            let target = candidates.get(target).map_or(link.file, |one| one.file);
            decided.alike.push([link.file, target]);
        }
    }
    let meant: Vec<Vec<Vec<usize>>> = parallel::map(mentioning, |from| {
        let mentions = from.mentions.iter();
        mentions
            .map(|mention| named.of(mention, &from.path, endings))
            .collect()
    });
    let texts = texts(candidates, mentioning, &meant);
    let mut followed = FixedBitSet::with_capacity(candidates.len());
    for (from, meant) in mentioning.iter().zip(meant) {
        for (mention, members) in from.mentions.iter().zip(meant) {
            if members.is_empty() {
                let link = named.seen_from_the_top(mention, from, endings);
                decided.links.entry(from.file).or_default().extend(link);
                continue;
            }
            if mention.binds {
                bind(from, mention, &members, &mut holds, &mut together);
                if from.follows {
                    followed.extend(members.iter().copied());
                }
            }
            let files = members.iter().filter_map(|&at| candidates.get(at));
            decided.links.entry(from.file).or_default().push(Link {
                mention: mention.clone(),
                members: files.map(|one| one.file).collect(),
                follows: from.follows,
            });
        }
    }
    if rename == Rename::Never {
        return decided;
    }
    for (at, (candidate, hold)) in candidates.iter().zip(&mut holds).enumerate() {
        let by = candidate.scanned_by.as_ref();
        if let Some(by) = by.filter(|_| !followed.contains(at) && !candidate.original_stays) {
            let why = || HoldReason::Why(format!("{by} may find it by its ending"));
            hold.get_or_insert_with(why);
        }
    }
    if rename == Rename::Auto {
        keep_together(candidates, &together, &mut holds);
    }
    let is_considered = |at: &usize| rename != Rename::Auto || !texts.contains(at);
    for ((at, candidate), hold) in candidates.iter().enumerate().zip(holds) {
        if is_considered(&at) {
            decided.rename(candidate, hold, rename == Rename::Always);
        }
    }
    decided
}

impl Candidate {
    /// What holds it at its name, whatever else names it.
    fn hold(&self, taken: &FxHashSet<&str>) -> Option<HoldReason> {
        if taken.contains(self.renamed.as_str()) {
            return Some(HoldReason::Taken);
        }
        let holder = self.kept_by.as_ref().filter(|_| !self.original_stays);
        holder.map(|by| HoldReason::Why(format!("{by} includes it and is not translated")))
    }
}

/// Candidates that keep their names together, and why.
type Together = (Vec<usize>, String);

/// Hold the files that a mention names at their names where it can't follow them, and keep them together where it can.
fn bind(
    from: &Mentioning,
    mention: &Mention,
    members: &[usize],
    holds: &mut [Option<HoldReason>],
    together: &mut Vec<Together>,
) {
    let (path, line, text) = (&from.path, mention.line, &mention.text);
    let place = format!("{path}:{line} names it (`{text}`)");
    if from.follows {
        if members.len() > 1 {
            together.push((members.to_vec(), place));
        }
        return;
    }
    for &member in members {
        if let Some(hold) = holds.get_mut(member) {
            hold.get_or_insert_with(|| HoldReason::Why(place.clone()));
        }
    }
}

impl RenameDecisions {
    /// Rename a candidate that nothing holds at its name, and report one that something holds. With `always` only another
    /// file of the new name prevents that it is renamed.
    fn rename(&mut self, candidate: &Candidate, hold: Option<HoldReason>, always: bool) {
        let is_renamed = match hold {
            Some(HoldReason::Taken) => false,
            Some(HoldReason::Why(_)) => always,
            None => true,
        };
        let finding = hold.map(|why| kept_name(candidate, &why, is_renamed));
        self.findings.extend(finding);
        if is_renamed {
            let renamed = candidate.renamed.clone();
            self.renames.push((candidate.file, renamed));
        }
    }
}

/// The finding about a candidate that something holds at its name: it keeps the name, or is renamed all the same.
fn kept_name(candidate: &Candidate, why: &HoldReason, is_renamed: bool) -> Finding {
    let Candidate { path, renamed, .. } = candidate;
    let new_name = paths::file_name(renamed);
    match why {
        HoldReason::Taken => Finding::whole(
            NAME_TAKEN,
            path,
            format!("`{path}` keeps its name: `{renamed}` exists"),
        )
        .help("rename one of the two files by hand"),
        HoldReason::Why(why) if is_renamed => {
            let message = format!("`{path}` became `{renamed}`, but {why}");
            Finding::whole(NAMED_ELSEWHERE, path, message).help("change the name there, too")
        }
        HoldReason::Why(why) => {
            let message = format!("`{path}` keeps its name: {why}");
            Finding::whole(NAMED_ELSEWHERE, path, message).help(format!(
                "build it with `-x musa`, or change the name there to `{new_name}` and port with `--rename always`"
            ))
        }
    }
}

/// The candidates that are nothing but text to the build: whatever names one of them is a file of `CMake`'s, and names no
/// other source.
fn texts(
    candidates: &[Candidate],
    mentioning: &[Mentioning],
    meant: &[Vec<Vec<usize>>],
) -> FxHashSet<usize> {
    let is_text = |at: &usize| candidates.get(*at).is_some_and(|one| one.is_text);
    let mut texts: FxHashSet<usize> = (0..candidates.len()).filter(is_text).collect();
    let files = mentioning.iter().zip(meant);
    let mentions = files.flat_map(|(from, meant)| {
        let mentions = from.mentions.iter().zip(meant);
        let binding = mentions.filter(|(mention, _)| mention.binds);
        binding.map(|(_, members)| (members.as_slice(), from.is_cmake))
    });
    let (groups, are_cmakes): (Vec<&[usize]>, Vec<bool>) = mentions.unzip();
    spread(&groups, |group, members| {
        let is_cmakes = are_cmakes.get(group).is_some_and(|&is| is);
        let is_other = !is_cmakes || members.iter().any(|at| !texts.contains(at));
        is_other.then(|| {
            let removed = members.iter().copied().filter(|at| texts.remove(at));
            removed.collect()
        })
    });
    texts
}

/// Why a file keeps its name.
#[derive(Clone, Debug)]
enum HoldReason {
    /// The new one is another file's.
    Taken,
    /// Something else needs the old one.
    Why(String),
}

/// A file that keeps its name keeps those that a mention names together with it.
fn keep_together(
    candidates: &[Candidate],
    together: &[Together],
    holds: &mut [Option<HoldReason>],
) {
    let groups: Vec<&[usize]> = together.iter().map(|(members, _)| &**members).collect();
    spread(&groups, |group, members| {
        let keeps_name = |at: &&usize| holds.get(**at).is_some_and(Option::is_some);
        let keeper = *members.iter().find(keeps_name)?;
        let other = candidates.get(keeper).map_or("", |one| one.path.as_str());
        let place = together.get(group).map_or("", |(_, place)| place.as_str());
        let mut kept_now = Vec::new();
        for &member in members {
            let stays = candidates.get(member).is_some_and(|one| one.original_stays);
            let slot = holds.get_mut(member);
            if let Some(slot) = slot.filter(|slot| slot.is_none() && !stays) {
                let why = format!("{place}, together with `{other}`, which keeps its own");
                *slot = Some(HoldReason::Why(why));
                kept_now.push(member);
            }
        }
        Some(kept_now)
    });
}

/// The place of the ending in a mention that names renamed files, and the ending that takes its place.
pub fn new_ending(
    mention: &Mention,
    endings: &BTreeMap<String, String>,
) -> Option<(TextRange, String)> {
    let text = &mention.text;
    // The longest ending of those that stand last.
    let (at, (old, new)) = endings
        .iter()
        .filter_map(|pair| Some((text.rfind(pair.0.as_str())?, pair)))
        .max_by_key(|(at, (old, _))| (*at, old.len()))?;
    if mention.reach == Reach::Expression {
        let (old, new) = (old.trim_start_matches('.'), new.trim_start_matches('.'));
        return Some((mention.range, either(old, new)));
    }
    // A variable holds the ending without its dot.
    if mention.range.len() < old.len() {
        return Some((mention.range, new.trim_start_matches('.').to_owned()));
    }
    let start = mention.range.start + at;
    Some((TextRange::new(start, start + old.len()), new.clone()))
}

/// A regular expression for either of two endings, without a group where it does without: `[cm]u`. What the build writes
/// itself may keep CUDA's ending, and a file may keep its name.
fn either(old: &str, new: &str) -> String {
    let (first, rest) = old.split_at(old.chars().next().map_or(0, char::len_utf8));
    match new.strip_suffix(rest) {
        Some(other) if other.chars().count() == 1 => format!("[{first}{other}]{rest}"),
        _ => format!("({old}|{new})"),
    }
}

/// The text of an include that led to `old` and has to lead to `new`, where the includer moves
/// from `from` to `to`. `None` where the text can stay.
pub fn include_text(written: &str, from: &str, old: &str, to: &str, new: &str) -> Option<String> {
    let beside = paths::join(paths::folder(from), written);
    if beside.as_deref() == Some(old) {
        // `../device/k.cuh` in `device/`: the folders are those that somebody wrote.
        let front = written.strip_suffix(paths::file_name(written));
        let spelled = format!("{}{}", front.unwrap_or_default(), paths::file_name(new));
        if paths::join(paths::folder(to), &spelled).as_deref() == Some(new) {
            return (spelled != written).then_some(spelled);
        }
        let led = paths::relative(paths::folder(to), new);
        let dotted = written.starts_with("./") && !led.starts_with("../");
        return Some(if dotted { format!("./{led}") } else { led });
    }
    let suffix = written.trim_start_matches("./").trim_start_matches("../");
    let root = old.strip_suffix(suffix)?;
    match new.strip_prefix(root) {
        Some(below) if below == suffix => None,
        Some(below) => {
            let front = written.strip_suffix(suffix).unwrap_or_default();
            Some(format!("{front}{below}"))
        }
        None => Some(paths::relative(paths::folder(to), new)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_include_follows_its_file() {
        let same = |written, from, old, new| include_text(written, from, old, from, new);
        assert_eq!(
            same("k.cuh", "a/m.cu", "a/k.cuh", "a/k.muh").as_deref(),
            Some("k.muh")
        );
        assert_eq!(
            same("../b/k.cuh", "a/m.cu", "b/k.cuh", "b/k.muh").as_deref(),
            Some("../b/k.muh")
        );
        assert_eq!(
            same("b/k.cuh", "a/m.cu", "inc/b/k.cuh", "inc/b/k.muh").as_deref(),
            Some("b/k.muh")
        );
        assert_eq!(
            same("../b/k.cuh", "b/m.cu", "b/k.cuh", "b/k.muh").as_deref(),
            Some("../b/k.muh")
        );
        assert_eq!(same("k.h", "a/m.cu", "a/k.h", "a/k.h"), None);
        assert_eq!(
            include_text(
                "cuda/k.cuh",
                "csrc/cuda/m.cu",
                "csrc/cuda/k.cuh",
                "csrc/musa/m.mu",
                "csrc/musa/k.muh"
            )
            .as_deref(),
            Some("musa/k.muh")
        );
        assert_eq!(
            include_text(
                "../h.h",
                "csrc/cuda/m.cu",
                "csrc/h.h",
                "csrc/musa/x/m.mu",
                "csrc/h.h"
            )
            .as_deref(),
            Some("../../h.h")
        );
    }
}
