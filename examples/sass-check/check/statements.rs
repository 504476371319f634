//! The statements: one for each form of instruction, as `tests/ptx/statements.py` writes them.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::process::run;

/// What prints the statements.
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ptx/statements.py");

/// A statement of inline PTX.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The instruction that it is about, with all its modifiers.
    pub(super) opcode: String,
    /// Kernels that have it, each with operands from elsewhere.
    pub(super) kernels: Vec<Kernel>,
}

/// A kernel.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kernel {
    pub(super) name: String,
    /// Its C++.
    pub(super) source: String,
}

/// All statements.
///
/// # Errors
/// Where Python can't be run.
pub(super) fn all() -> Result<Vec<Statement>> {
    let mut python = Command::new("python3");
    python.arg("-B").arg(Path::new(SCRIPT));
    let ran = run(&mut python, Duration::from_mins(1))?;
    if !ran.is_good() {
        bail!("{SCRIPT} failed: {}", ran.err.trim());
    }
    let text = String::from_utf8(ran.out).context("statements are text")?;
    let lines = text.lines().map(serde_json::from_str);
    lines
        .collect::<Result<_, _>>()
        .with_context(|| format!("{SCRIPT} prints something else"))
}
