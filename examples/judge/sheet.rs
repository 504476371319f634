//! The sheet that a reader judges: what is drawn, the source around it, and a table for the
//! verdicts.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::python::lines::Lines;
use crate::python::token::Token;
use crate::tree::read;

/// The head of the table of verdicts.
const HEAD: &str = "id\tproject\tplace\ttoken\tmusa\tportable\tnote";

/// A token that was drawn.
pub(crate) struct Drawn {
    /// Which of the projects on the command line.
    pub(crate) project: usize,
    /// The file, relative to the project.
    pub(crate) path: String,
    /// The token.
    pub(crate) token: Token,
}

/// A row of the table, with the verdicts of the person who read the place.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Its number.
    pub(crate) id: usize,
    /// The name of the project's folder.
    pub(crate) project: String,
    /// The file, relative to the project.
    pub(crate) path: String,
    /// Line and column of the CUDA-like word, or of the token.
    pub(crate) place: (usize, usize),
    /// The token, cut short.
    pub(crate) token: String,
    /// The verdict for the dialect *musa*.
    pub(crate) musa: String,
    /// The verdict for the dialect *portable*.
    pub(crate) portable: String,
}

/// The name by which a project goes in a sheet.
pub(crate) fn name(root: &Path) -> String {
    let name = root.file_name().unwrap_or(root.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Write `OUT.md` to be read and `OUT.tsv` to be filled in.
pub(crate) fn write(out: &Path, roots: &[&Path], drawn: &[Drawn], context: usize) -> Result<()> {
    let mut sheet = String::new();
    let mut table = format!("{HEAD}\n");
    for (at, one) in drawn.iter().enumerate() {
        let Some(root) = roots.get(one.project) else {
            continue;
        };
        let text = read(root, &one.path)?;
        let lines = Lines::new(&text);
        let (line, column) = lines.at(one.token.word.unwrap_or(one.token.at.start));
        let place = format!("{}:{line}:{column}", one.path);
        let token = short(&one.token.text);
        let (id, project) = (at + 1, name(root));
        let source = around(&text, line, context);
        write!(sheet, "\n{id}. {project}/{place}: `{token}`\n{source}")?;
        writeln!(table, "{id}\t{project}\t{place}\t{token}\t\t\t")?;
    }
    save(&out.with_extension("md"), &sheet)?;
    save(&out.with_extension("tsv"), &table)
}

/// The lines around a line, each with its number, the line itself marked.
fn around(text: &[u8], line: usize, context: usize) -> String {
    let text = String::from_utf8_lossy(text);
    let first = line.saturating_sub(context + 1);
    let shown = text.lines().enumerate().skip(first);
    let mut out = String::new();
    for (at, text) in shown.take(line - first + context) {
        let mark = if at + 1 == line { '>' } else { ' ' };
        // A line of data is no help to a reader.
        let short: String = text.chars().take(220).collect();
        // Writing to a string can't fail.
        let _ = writeln!(out, "{mark}{:5} | {short}", at + 1);
    }
    out
}

fn save(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("can't write {}", path.display()))
}

/// A token in one line of a table.
fn short(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut cut: String = text.chars().take(60).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}

/// Read a table that was filled in.
pub(crate) fn rows(path: &Path) -> Result<Vec<Row>> {
    let text = fs::read_to_string(path);
    let text = text.with_context(|| format!("can't read {}", path.display()))?;
    let rows = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    rows.map(|line| row(line).with_context(|| format!("not a row: {line}")))
        .collect()
}

fn row(line: &str) -> Result<Row> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, project, place, token, musa, portable, ..] = fields.as_slice() else {
        bail!("it has too few columns");
    };
    let mut parts = place.rsplitn(3, ':');
    let (column, line) = (parts.next(), parts.next());
    let number = |text: Option<&str>| -> Result<usize> {
        Ok(text.context("its place has no number")?.parse()?)
    };
    Ok(Row {
        id: id.parse()?,
        project: (*project).to_owned(),
        place: (number(line)?, number(column)?),
        path: parts.next().context("its place has no path")?.to_owned(),
        token: (*token).to_owned(),
        musa: musa.trim().to_owned(),
        portable: portable.trim().to_owned(),
    })
}
