//! Plants an SDK of MUSA's, to try `torchada learn` and `port --facts` where there is none.
//!
//! `cargo run --example plant-sdk -- CUDA_INCLUDE FOLDER [GAPS]`: of a hundred names, GAPS (10) are not there.

#[path = "../shared/planted_sdk.rs"]
mod planted_sdk;

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use planted_sdk::{PlantedSdk, plant};

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let usage = "usage: plant-sdk CUDA_INCLUDE FOLDER [GAPS]";
    let include = PathBuf::from(arguments.next().context(usage)?);
    let folder = PathBuf::from(arguments.next().context(usage)?);
    let gaps = arguments
        .next()
        .map(|gaps| gaps.to_string_lossy().into_owned());
    let sdk = PlantedSdk {
        version: "4.3.0",
        gaps: gaps.map_or(Ok(10), |gaps| gaps.parse())?,
        lacks: &[],
        headers: &[],
    };
    let lost = plant(&include, &folder, &sdk)?;
    std::fs::write(folder.join("gaps.txt"), lost.join("\n") + "\n")?;
    Ok(())
}
