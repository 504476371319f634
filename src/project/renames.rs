//! Which files get MUSA's endings, and what keeps the others from it.

use rustc_hash::FxHashSet;

use crate::diagnostic::{Code, Finding, Severity};

use super::facts::Mention;
use super::paths;

/// A file keeps its name because something that is not translated names it.
pub const NAMED_ELSEWHERE: Code = Code {
    id: "PRJ002",
    severity: Severity::Warning,
    title: "file keeps its CUDA name because another file names it",
};

/// The name that a file would get is taken.
pub const NAME_TAKEN: Code = Code {
    id: "PRJ003",
    severity: Severity::Warning,
    title: "file keeps its CUDA name because the MUSA name is taken",
};

/// When files get MUSA's endings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Where no file that is not translated names them.
    Auto,
    /// Wherever the new name is free.
    Always,
    /// Never.
    Never,
}

/// A file that may be renamed.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Index of the file.
    pub file: usize,
    /// Its path.
    pub path: String,
    /// The path that it would get.
    pub renamed: String,
    /// A file that includes it and is not translated.
    pub held_by: Option<String>,
    /// Whether the original stays where it is, so that what names it still finds it.
    pub original_stays: bool,
}

/// A file with its mentions of sources.
#[derive(Clone, Debug)]
pub struct Mentioning {
    /// Its path.
    pub path: String,
    /// The mentions.
    pub mentions: Vec<Mention>,
}

/// Decide the renames. Returns pairs of file index and new path, and what kept the others.
pub fn decide(
    candidates: &[Candidate],
    mentioning: &[Mentioning],
    taken: &FxHashSet<&str>,
    policy: Policy,
    endings: &[&str],
) -> (Vec<(usize, String)>, Vec<Finding>) {
    let mut renames = Vec::new();
    let mut findings = Vec::new();
    if policy == Policy::Never {
        return (renames, findings);
    }
    for candidate in candidates {
        let Candidate { path, renamed, .. } = candidate;
        if taken.contains(renamed.as_str()) {
            findings.push(
                Finding::whole(
                    NAME_TAKEN,
                    path,
                    format!("`{path}` keeps its name: `{renamed}` exists"),
                )
                .help("rename one of the two files by hand"),
            );
            continue;
        }
        let namer = mentioning.iter().find_map(|from| {
            from.mentions
                .iter()
                .find(|mention| mention.means(&from.path, path, endings))
                .map(|mention| {
                    format!(
                        "{}:{} names it (`{}`)",
                        from.path, mention.line, mention.text
                    )
                })
        });
        let holder = candidate
            .held_by
            .as_ref()
            .map(|by| format!("{by} includes it and is not translated"));
        let why = namer.or(holder).filter(|_| !candidate.original_stays);
        match (policy, why) {
            (Policy::Auto, Some(why)) => findings.push(
                Finding::whole(NAMED_ELSEWHERE, path, format!("`{path}` keeps its name: {why}"))
                    .help(format!(
                        "build it with `-x musa`, or change the name there to `{}` and port with `--rename always`",
                        paths::file_name(renamed)
                    )),
            ),
            (Policy::Always, Some(why)) => {
                findings.push(
                    Finding::whole(NAMED_ELSEWHERE, path, format!("`{path}` became `{renamed}`, but {why}"))
                        .help("change the name there, too"),
                );
                renames.push((candidate.file, renamed.clone()));
            }
            (_, None) => renames.push((candidate.file, renamed.clone())),
            (Policy::Never, Some(_)) => {}
        }
    }
    (renames, findings)
}

/// The text of an include that led to `old` and has to lead to `new`, where the includer moves
/// from `from` to `to`. `None` where the text can stay.
pub fn include_text(written: &str, from: &str, old: &str, to: &str, new: &str) -> Option<String> {
    let beside = paths::join(paths::folder(from), written);
    if beside.as_deref() == Some(old) {
        let led = paths::relative(paths::folder(to), new);
        let dotted = written.starts_with("./") && !led.starts_with("../");
        let led = if dotted { format!("./{led}") } else { led };
        // Several spellings lead to one file; a spelling that still does so stays.
        let still = paths::join(paths::folder(to), written);
        return (still.as_deref() != Some(new)).then_some(led);
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
