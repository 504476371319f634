//! How a check is shown.

use std::fmt::Write;

use serde_json::json;

use super::outcome::{Cause, FileOutcome, Outcome, Verdict};

/// How many causes of a file are shown.
const MOST: usize = 12;

/// For people: the files that need a look, and the counts. `all` shows explained files, too.
pub fn text(outcome: &Outcome, all: bool) -> String {
    let mut out = String::new();
    for file in &outcome.files {
        match file.verdict {
            Verdict::OriginalFails => {
                let why = file.original.as_deref().unwrap_or_default();
                // A `String` takes what is written to it.
                let _ = writeln!(out, "original fails  {}: {why}", file.file);
            }
            Verdict::Fails => causes(&mut out, "PORT DIFFERS", file, all),
            Verdict::Explained if all => causes(&mut out, "explained", file, true),
            Verdict::Explained | Verdict::Passes => {}
        }
    }
    let seconds: f64 = outcome.files.iter().map(|file| file.seconds).sum();
    let _ = writeln!(
        out,
        "{} files: {} originals compile, {} ports agree, {} more with each difference explained, \
         {} differ; {seconds:.0} s of work",
        outcome.files.len(),
        outcome.files.len() - outcome.count(Verdict::OriginalFails),
        outcome.count(Verdict::Passes),
        outcome.count(Verdict::Explained),
        outcome.count(Verdict::Fails),
    );
    out
}

fn causes(out: &mut String, head: &str, file: &FileOutcome, all: bool) {
    let _ = writeln!(out, "{head:15} {}", file.file);
    let mut shown: Vec<&Cause> = file
        .causes
        .iter()
        .filter(|cause| all || !cause.is_explained())
        .collect();
    shown.sort_by_key(|cause| cause.is_explained());
    for cause in shown.iter().take(MOST) {
        let path = cause.path.as_deref().unwrap_or("-");
        let line = cause.line.unwrap_or(0);
        let codes = if cause.is_explained() {
            format!("  [{}]", cause.explained_by.join(", "))
        } else {
            String::new()
        };
        let _ = writeln!(
            out,
            "    {} {path}:{line}: {}{codes}",
            cause.view, cause.message
        );
    }
    if shown.len() > MOST {
        let _ = writeln!(out, "    and {} more", shown.len() - MOST);
    }
}

/// For programs: everything.
pub fn json(outcome: &Outcome) -> String {
    let document = json!({
        "schema_version": 1,
        "summary": {
            "files": outcome.files.len(),
            "originals": outcome.files.len() - outcome.count(Verdict::OriginalFails),
            "passes": outcome.count(Verdict::Passes),
            "explained": outcome.count(Verdict::Explained),
            "fails": outcome.count(Verdict::Fails),
        },
        "files": outcome.files,
    });
    format!("{document:#}\n")
}
