//! The summary that is printed when a header of aliases was written.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::alias::AliasHeader;
use crate::diagnostic::Finding;
use crate::mapping::Evidence;
use crate::report::format::concise::concise;
use crate::report::format::plain::one_line;
use crate::report::format::row::row;
use crate::report::format::style;
use crate::text::{Position, counted};

/// What somebody has to write at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ByHand {
    /// The file.
    path: String,
    start: Position,
    what: String,
}

impl ByHand {
    /// `shown` becomes `to`.
    pub fn edit(path: &str, start: Position, shown: &str, to: &str) -> Self {
        Self {
            path: path.to_owned(),
            start,
            what: format!("no macro does it: where MUSA is built, write `{to}` for `{shown}`"),
        }
    }

    /// An include of a header of CUDA's.
    pub fn include(path: &str, start: Position, header: &str) -> Self {
        Self {
            path: path.to_owned(),
            start,
            what: format!("put the include of `{header}` behind a condition"),
        }
    }
}

/// The result of a run that made headers of aliases.
#[derive(Debug)]
pub struct Aliased<'a> {
    /// The file that was written, if one was.
    pub output: Option<String>,
    /// The headers; with the path of the tree's own that each is for, where it has some.
    pub headers: Vec<(Option<&'a str>, &'a AliasHeader)>,
    /// Findings about names without a counterpart, by place.
    pub findings: Vec<&'a Finding>,
    /// Places that a person has to write, because no macro can.
    pub by_hand: Vec<&'a ByHand>,
    /// Includes of CUDA's headers.
    pub includes: Vec<&'a ByHand>,
    /// Files that use CUDA's names and include none of the tree's headers.
    pub apart: Vec<&'a str>,
}

/// Write what a header does not do, by place, and a summary.
///
/// # Errors
/// When `out` can't take it.
pub fn aliased(made: &Aliased<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut findings: Vec<Finding> = made.findings.iter().map(|&one| one.clone()).collect();
    findings.sort_by(|a, b| (&a.path, a.start).cmp(&(&b.path, b.start)));
    concise(&findings, out)?;
    let path_style = style::PATH;
    for one in made.by_hand.iter().chain(&made.includes) {
        writeln!(
            out,
            "{path_style}{}{path_style:#}:{}:{}: {}",
            one_line(&one.path),
            one.start.line,
            one.start.column,
            one_line(&one.what)
        )?;
    }
    for (path, header) in &made.headers {
        match (path, &made.output) {
            (Some(path), _) => {
                let lacks = header.definitions.len() + header.includes.len();
                writeln!(out, "{} lacks {}", one_line(path), counted(lacks, "line"))?;
            }
            (None, Some(output)) => writeln!(out, "wrote {}", one_line(output))?,
            (None, None) => writeln!(out, "made a header")?,
        }
        row(out, "holds", &holds(header))?;
        if !header.left.is_empty() {
            let what = counted(header.left.len(), "thing");
            row(
                out,
                "left",
                &format!("{what}, each with what to do at the end of the lines"),
            )?;
        }
    }
    if !made.includes.is_empty() {
        let mut files: BTreeMap<&str, usize> = BTreeMap::new();
        for one in &made.includes {
            *files.entry(&one.path).or_default() += 1;
        }
        let text = format!(
            "{} of CUDA's headers in {}, to be put behind a condition",
            counted(made.includes.len(), "include"),
            counted(files.len(), "file")
        );
        row(out, "includes", &text)?;
    }
    if !made.apart.is_empty() {
        let shown: Vec<&str> = made.apart.iter().take(3).copied().collect();
        let text = format!(
            "{} use CUDA's names and do not include it: {}{}",
            counted(made.apart.len(), "file"),
            shown.join(", "),
            if made.apart.len() > shown.len() {
                ", …"
            } else {
                ""
            }
        );
        row(out, "apart", &one_line(&text))?;
    }
    Ok(())
}

fn holds(header: &AliasHeader) -> String {
    let mut parts = Vec::new();
    if !header.includes.is_empty() {
        parts.push(counted(header.includes.len(), "include"));
    }
    parts.push(counted(header.definitions.len(), "name"));
    for (evidence, words) in [
        (Evidence::Contested, "contested"),
        (Evidence::Rule, "by rule alone"),
    ] {
        let count = header.of(evidence);
        if count > 0 {
            parts.push(format!("{count} {words}"));
        }
    }
    parts.join(", ")
}
