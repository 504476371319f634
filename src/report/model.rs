//! The content of a report, independent of its format.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::causes::Cause;
use super::counts::{FileCounts, KnownFindings, References};
use crate::diagnostic::{Finding, Kept, KeptReason, PackageUse};
use crate::mapping::ptx::{Exactness, StatementCounts};
use crate::text::{LineIndex, Position};

/// One CUDA reference that was left, and why, at its place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct KeptRef {
    /// The file, as findings name it.
    pub path: String,
    /// Where the reference starts.
    pub start: Position,
    /// Where it ends, exclusive.
    pub end: Position,
    /// The reference as it is written.
    pub name: String,
    /// Why it stays.
    pub reason: KeptReason,
}

impl KeptRef {
    /// `kept` at its place in the file `path`, whose whole content is `text`.
    pub fn at(path: &str, text: &[u8], lines: &LineIndex, kept: &Kept) -> Self {
        Self {
            path: path.to_owned(),
            start: lines.position(text, kept.range.start),
            end: lines.position(text, kept.range.end),
            name: String::from_utf8_lossy(kept.range.of(text)).into_owned(),
            reason: kept.reason,
        }
    }
}

/// A statement of inline PTX that was translated.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct TranslatedStatement {
    /// The file, as findings name it.
    pub path: String,
    /// Where the statement starts.
    pub start: Position,
    /// Where it ends, exclusive.
    pub end: Position,
    /// How exact the translation is.
    pub exactness: Exactness,
    /// The statement.
    pub before: String,
    /// What the port has in its place.
    pub after: String,
}

/// A file or folder that was left as a whole, and why.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct KeptPath {
    /// The file or folder, as findings name it.
    pub path: String,
    /// Why it stays, such as a [`KeptReason`] or the words of a skip.
    pub reason: String,
}

/// A finding in what no build for MUSA compiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotBuiltFinding {
    /// The finding.
    pub finding: Finding,
    /// What it is counted under: `for sm_90 and newer`.
    pub group: String,
    /// What in the tree says that no build compiles it.
    pub why: String,
}

/// What a tree can't do without a package.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PackageLoss {
    /// The places of the imports that lead from a start of the tree to the package; empty where it starts without.
    pub chain: Vec<String>,
    /// The modules that can't be loaded.
    pub lost: Vec<String>,
}

/// Files that a build leaves out, or has alone, where a variable of the environment has a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct OptionalCode {
    /// The variable with its value: `DISABLE_ENGINE=1`.
    pub setting: String,
    /// Whether the value leaves the files out; else a build has them with this value alone.
    pub leaves_out: bool,
    /// Where the build asks for the variable: `setup.py:134`.
    pub place: String,
    /// The files.
    pub paths: BTreeSet<String>,
}

/// The facts that a run rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FactsUsed {
    /// The name of the file, without its folders.
    pub file: String,
    /// The hash of its text.
    pub blake3: String,
    /// The release of the SDK, where it is known.
    pub sdk: Option<String>,
    /// The release of `torch_musa`, where it is known.
    pub torch_musa: Option<String>,
    /// Both releases in words.
    pub releases: String,
}

/// Where all findings of a run are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FindingsPlace {
    /// In the report that a port writes; nowhere where nothing is written.
    #[default]
    Report,
    /// Nowhere: the port is in place, and nobody named a place for its report.
    Nowhere,
    /// Above the summary.
    Above,
}

/// Everything that a run has to say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The input, as the user named it.
    pub input: String,
    /// The output, as the user may look for it; `None` where nothing is written.
    pub output: Option<String>,
    /// The findings, in any order.
    pub findings: Vec<Finding>,
    /// Findings in what no build for MUSA compiles, in any order; [`Report::findings`] is without them.
    pub not_built: Vec<NotBuiltFinding>,
    /// Findings that a marker in a comment hides, in any order.
    pub suppressed: Vec<Finding>,
    /// Findings that the configuration suppresses in their files, in any order.
    pub ignored: Vec<Finding>,
    /// Where each file of the input went, by its path in the input; a file that is not here has
    /// no output.
    pub outputs: BTreeMap<String, String>,
    /// References that were left for a reason that is no fault, in any order.
    pub kept: Vec<KeptRef>,
    /// Files and folders that were left as a whole.
    pub kept_paths: Vec<KeptPath>,
    /// The packages that start, and how many of their modules a start loads.
    pub starts: BTreeMap<String, usize>,
    /// What a build leaves out, or has alone, where a variable of the environment has a value.
    pub optional: Vec<OptionalCode>,
    /// Where packages that are made for CUDA are asked for, in any order.
    pub package_uses: Vec<PackageUse>,
    /// What the input needs these packages for, by their names in the table; empty where nobody asked.
    pub package_needs: BTreeMap<String, PackageLoss>,
    /// How many findings are about lines that did not change, where only changes are looked at;
    /// [`Report::findings`] is without them.
    pub unchanged: Option<usize>,
    /// Whether a file was looked at by itself.
    pub is_file: bool,
    /// Whether what was looked at is the output of a port.
    pub is_port: bool,
    /// Where all findings are, for somebody who reads the summary.
    pub all_findings: FindingsPlace,
    /// The folder of the project around a file that was looked at by itself.
    pub enclosing_project: Option<String>,
    /// Findings that a baseline knows, where there is one; [`Report::findings`] is without them.
    pub known: Option<KnownFindings>,
    /// Counts of files, by what the port did with them.
    pub files: FileCounts,
    /// Counts of references to CUDA.
    pub references: References,
    /// The facts that the run rests on; `None` for the built-in tables alone.
    pub facts: Option<FactsUsed>,
    /// The names that were translated because of them.
    pub fact_names: BTreeSet<String>,
    /// Counts of statements of inline PTX.
    pub assembly: StatementCounts,
    /// Statements of inline PTX that were translated, in any order.
    pub statements: Vec<TranslatedStatement>,
    /// Edits that were withdrawn because they broke the file.
    pub withdrawn: usize,
    /// How many files of the package for run time are written; 0 where there is none.
    pub stub: usize,
    /// The files whose findings are work, by path; see [`Report::grade`].
    pub effort: Vec<FileEffort>,
    /// What brings the findings about, most work first; see [`Report::grade`].
    pub causes: Vec<Cause>,
    /// Where the log of a build has the message of each finding; empty if the findings come from no log.
    pub log: Vec<LogRow>,
}

impl Report {
    /// Add what another input's report says. Outputs and grades are not taken over.
    pub fn add(&mut self, other: Self) {
        self.findings.extend(other.findings);
        self.not_built.extend(other.not_built);
        self.suppressed.extend(other.suppressed);
        self.ignored.extend(other.ignored);
        self.kept.extend(other.kept);
        self.kept_paths.extend(other.kept_paths);
        for (package, modules) in other.starts {
            *self.starts.entry(package).or_default() += modules;
        }
        self.optional.extend(other.optional);
        self.package_uses.extend(other.package_uses);
        for (package, loss) in other.package_needs {
            let own = self.package_needs.entry(package).or_default();
            if own.chain.is_empty() {
                own.chain = loss.chain;
            }
            own.lost.extend(loss.lost);
        }
        self.files.seen += other.files.seen;
        self.files.ported += other.files.ported;
        self.files.copied += other.files.copied;
        self.files.links += other.files.links;
        self.files.renamed += other.files.renamed;
        self.files.failed += other.files.failed;
        self.is_file |= other.is_file;
        self.files.python += other.files.python;
        self.files.cpp += other.files.cpp;
        for (reason, count) in other.files.skipped {
            *self.files.skipped.entry(reason).or_default() += count;
        }
        self.references = self.references.plus(other.references);
        self.assembly = self.assembly.plus(other.assembly);
        self.statements.extend(other.statements);
        self.withdrawn += other.withdrawn;
        self.fact_names.extend(other.fact_names);
        self.facts = self.facts.take().or(other.facts);
    }

    /// All findings that are about places of files, whatever list they are in.
    pub fn all_findings(&self) -> impl Iterator<Item = &Finding> {
        let not_built = self.not_built.iter().map(|one| &one.finding);
        let hidden = self.suppressed.iter().chain(&self.ignored);
        self.findings.iter().chain(not_built).chain(hidden)
    }

    /// All findings about places of files, to be changed.
    pub fn all_findings_mut(&mut self) -> impl Iterator<Item = &mut Finding> {
        let not_built = self.not_built.iter_mut().map(|one| &mut one.finding);
        let hidden = self.suppressed.iter_mut().chain(&mut self.ignored);
        self.findings.iter_mut().chain(not_built).chain(hidden)
    }

    /// Put findings and references into the order of the report: by path, place, code and
    /// message. Every renderer expects it, and it makes a run's report independent of the
    /// order in which files were done.
    pub fn sort(&mut self) {
        let order = |a: &Finding, b: &Finding| {
            let place = |one: &Finding| (one.cell_number(), one.start, one.end);
            (&a.path, place(a), a.code.id, &a.message).cmp(&(
                &b.path,
                place(b),
                b.code.id,
                &b.message,
            ))
        };
        for findings in [&mut self.findings, &mut self.suppressed, &mut self.ignored] {
            findings.sort_by(order);
        }
        self.not_built.sort_by(|a, b| order(&a.finding, &b.finding));
        self.kept.sort();
        self.kept_paths.sort();
        self.statements.sort();
    }
}

/// The effort that a file is graded with.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct FileEffort {
    /// The file, as findings name it.
    pub path: String,
    /// The points of its findings.
    pub points: usize,
    /// The grade that they give.
    pub grade: &'static str,
}

/// A message of a build, beside the place of the original that it leads to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct LogRow {
    /// The line of the log in which it stands first.
    pub log_line: usize,
    /// How often it was printed.
    pub count: usize,
    /// The message as it was printed.
    pub text: String,
    /// The file of the port; `None` where it names none.
    pub path: Option<String>,
    /// The line in that.
    pub line: usize,
    /// The column in that.
    pub column: usize,
    /// Whether the place in the original is only about right, because the port was changed there.
    pub approximate: bool,
}
