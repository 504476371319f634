//! What comes out for each statement.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::compiler::{Compiler, IN_CPP};
use super::kernels::Kernels;
use super::port::{assembly, port};
use super::statements::Statement;

/// What the comparison of a statement with its translation says, best first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// The machine code is the same.
    Same,
    /// It is not.
    Differs,
    /// The architecture lacks the instruction, with the assembler's message.
    Lacking(String),
    /// The port keeps the statement.
    Kept,
    /// The translation does not compile, with the compiler's message.
    Fails(String),
}

impl Verdict {
    /// The verdict in a word.
    pub(super) fn as_str(&self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Differs => "differs",
            Self::Lacking(_) => "lacking",
            Self::Kept => "kept",
            Self::Fails(_) => "fails",
        }
    }
}

/// Statements that are compiled together.
pub(super) struct Batch<'a> {
    statements: &'a [Statement],
    /// A folder of its own.
    folder: PathBuf,
    original: Kernels,
    port: Kernels,
    /// Where headers of the port lie.
    root: PathBuf,
    /// The kernels whose statement the port keeps.
    kept: BTreeSet<String>,
}

impl<'a> Batch<'a> {
    /// Port statements, in a folder that is there.
    ///
    /// # Errors
    /// Where the port fails.
    pub(super) fn new(statements: &'a [Statement], folder: &Path) -> Result<Self> {
        let kernels = statements.iter().flat_map(|one| &one.kernels);
        let source: String = kernels.map(|one| one.source.as_str()).collect();
        let ported = port(&source, folder)?;
        let mut port = Kernels::read(&std::fs::read_to_string(&ported.source)?, IN_CPP);
        let has_assembly = |kernel: &str| !assembly::statements(kernel).is_empty();
        let kept = port.iter().filter(|(_, kernel)| has_assembly(kernel));
        let kept: BTreeSet<String> = kept.map(|(name, _)| name.to_owned()).collect();
        port.retain(|name| !kept.contains(name));
        Ok(Self {
            statements,
            folder: folder.to_owned(),
            original: Kernels::read(&source, IN_CPP),
            port,
            root: ported.root,
            kept,
        })
    }

    /// Compile both sides, and compare. The verdicts come in the order of the statements.
    ///
    /// # Errors
    /// Where a tool can't be run.
    pub(super) fn verdicts(self, compiler: &Compiler) -> Result<Vec<Verdict>> {
        let original = compiler.compile(self.original, None, &self.folder)?;
        let mut port = self.port;
        port.retain(|name| original.code.contains_key(name));
        let port = compiler.compile(port, Some(&self.root), &self.folder)?;
        let verdict = |name: &String| {
            if let Some(messages) = original.refused.get(name) {
                return Verdict::Lacking(messages.clone());
            }
            if self.kept.contains(name) {
                return Verdict::Kept;
            }
            if let Some(messages) = port.refused.get(name) {
                return Verdict::Fails(messages.clone());
            }
            let both = original.code.get(name).zip(port.code.get(name));
            match both {
                Some((first, second)) if first == second && !first.reads_elsewhere() => {
                    Verdict::Same
                }
                _ => Verdict::Differs,
            }
        };
        // Each kernel takes any operands, so one that is the same proves that the statement is.
        let best = |statement: &Statement| {
            let names = statement.kernels.iter().map(|kernel| &kernel.name);
            names.map(verdict).min().unwrap_or(Verdict::Differs)
        };
        Ok(self.statements.iter().map(best).collect())
    }
}
