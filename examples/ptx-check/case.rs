//! The cases: a file with a JSON object on each line.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::{entry, hex};

/// The threads that a block may have.
const THREADS: std::ops::RangeInclusive<u32> = 1..=128;

/// A kernel, what it reads, and what it has to write.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    /// A C++ file of CUDA's.
    pub(crate) source: String,
    /// The function of the source that is called.
    pub(crate) entry: String,
    pub(crate) input: Vec<u8>,
    pub(crate) output: Vec<u8>,
    pub(crate) threads: u32,
    /// By how much floats of the output may differ; `None` for not at all.
    pub(crate) tolerance: Option<f64>,
}

/// A line as it is written down. Further keys are for whoever writes the cases.
#[derive(Deserialize)]
struct Line {
    name: String,
    source: String,
    input: String,
    output: String,
    threads: u32,
    tolerance: Option<f64>,
}

/// The cases of a file.
///
/// # Errors
/// Where a line is no case: its place, and what is wrong there.
pub(crate) fn read(path: &Path) -> Result<Vec<Case>> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("can't read {shown}"))?;
    let filled = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let cases: Vec<Case> = filled
        .map(|(at, line)| case(line).with_context(|| format!("{shown}:{}", at + 1)))
        .collect::<Result<_>>()?;
    if cases.is_empty() {
        bail!("{shown}:1: there is no case: write a JSON object on each line");
    }
    Ok(cases)
}

fn case(line: &str) -> Result<Case> {
    let help = "write an object with name, source, input, output and threads";
    let line: Line = serde_json::from_str(line).with_context(|| help.to_owned())?;
    let bytes = |digits: &str, key: &str| {
        hex::decode(digits).map_err(|error| {
            anyhow::anyhow!("{key}: {error}: write each byte as two hexadecimal digits")
        })
    };
    if !THREADS.contains(&line.threads) {
        bail!("threads: {} is not between 1 and 128", line.threads);
    }
    if line
        .tolerance
        .is_some_and(|tolerance| !tolerance.is_finite() || tolerance < 0.0)
    {
        bail!("tolerance: write a positive number, or leave it out");
    }
    let Some(entry) = entry::name(&line.source, &line.name) else {
        bail!(
            "source: there is no function: write `__device__ void NAME(const void *in, void *out)`"
        );
    };
    Ok(Case {
        entry,
        input: bytes(&line.input, "input")?,
        output: bytes(&line.output, "output")?,
        name: line.name,
        source: line.source,
        threads: line.threads,
        tolerance: line.tolerance,
    })
}
