//! Holds a port against its original with real CUDA headers.
//!
//! A shim gives MUSA's names and headers their CUDA meaning back; with it the port must be, token
//! for token, what its original is.

// The program and the tests take what each needs.
#![allow(dead_code)]

mod build;
mod canonical;
mod causes;
mod command;
mod compare;
mod compilers;
mod files;
mod left;
mod lines;
mod names;
mod outcome;
mod owned;
mod prelude;
mod preprocess;
mod print;
mod report;
mod same;
mod source;
mod trees;
mod views;

pub use crate::sysroot::{Part, default_cache};
pub use compilers::How;
pub use files::Files;
#[allow(unused_imports, reason = "the program prints it, the tests ask for it")]
pub use outcome::{Outcome, Verdict};
pub use print::{json, text};
pub use views::Pair;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use rayon::prelude::*;
use tempfile::TempDir;
use torchada::mapping::{Evidence, Tables, Versions};

use crate::sysroot::Sysroot;

use build::Build;
use canonical::Canon;
use files::Item;
use lines::AllLines;
use names::Names;
use owned::Spot;
use prelude::Preludes;
use report::Report;
use source::Sources;
use trees::Trees;
use views::Side;

/// What is needed to check ports, made once for many.
pub struct Tools {
    build: Build,
    canon: Canon,
    names: Names,
    /// CUDA's headers that share a counterpart with another one.
    shared: BTreeSet<String>,
    /// What files are preprocessed on top of.
    preludes: Preludes,
    /// The compiler for [`How::Clang`].
    pub clang: PathBuf,
    /// How long one compilation may take.
    pub timeout: Duration,
    /// Holds the shim as long as it is needed.
    _place: TempDir,
}

impl Tools {
    /// Install what is missing of the sysroot in `cache`, with the `wanted` parts besides CUDA's
    /// own headers, and write a shim in which rows with evidence `weakest` or better have aliases.
    /// Files of `mapping` are laid over the tables.
    ///
    /// # Errors
    /// A tool that is missing, a part of the sysroot that can't be had, a table with a fault.
    pub fn new(
        cache: &Path,
        wanted: &[Part],
        weakest: Evidence,
        mapping: &[PathBuf],
    ) -> Result<Self> {
        let sysroot = Sysroot::install(cache, wanted)?;
        let overlays = torchada::config::read_overlays(mapping)?;
        let tables = &*Tables::for_run(None, &overlays, &Versions::default())?;
        let place = tempfile::Builder::new()
            .prefix("shim-")
            .tempdir_in(cache)
            .context("can't make a folder for the shim")?;
        let shim = sysroot.write_shim(tables, weakest, place.path())?;
        let shared = shim
            .wrappers
            .iter()
            .filter(|wrapper| wrapper.cuda.len() > 1)
            .flat_map(|wrapper| wrapper.cuda.iter().cloned())
            .collect();
        Ok(Self {
            build: Build::new(sysroot, place.path().canonicalize()?)?,
            canon: Canon::new(tables, shim.aliases),
            names: Names::new(tables),
            shared,
            preludes: Preludes::default(),
            clang: PathBuf::from("clang++"),
            timeout: Duration::from_mins(5),
            _place: place,
        })
    }
}

/// What is to be checked, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The tree that was ported.
    pub original: PathBuf,
    /// Its port.
    pub port: PathBuf,
    /// Which files are compiled, and with which flags.
    pub files: Files,
    /// Flags for all of them.
    pub flags: Vec<String>,
    /// What looks at them.
    pub how: How,
    /// Architectures to look at, CUDA's beside MUSA's.
    pub pairs: Vec<Pair>,
}

impl Options {
    /// The check that needs headers only, of the sources that lie in a tree.
    pub fn new(original: &Path, port: &Path) -> Self {
        Self {
            original: original.to_owned(),
            port: port.to_owned(),
            files: Files::Found,
            flags: Vec::new(),
            how: How::Same,
            pairs: Pair::DEFAULT.to_vec(),
        }
    }
}

/// Everything that the check of one file needs to know.
struct World<'a> {
    tools: &'a Tools,
    options: &'a Options,
    trees: Trees,
    sources: Sources,
    lines: AllLines,
    report: Report,
}

impl World<'_> {
    /// A place of the port in the original.
    fn back(&self, spot: &Spot) -> Spot {
        let file = self.trees.source(&spot.file);
        Spot {
            line: self.lines.of(self, &file).original(Side::Port, spot.line),
            file,
        }
    }
}

/// Check a port.
///
/// # Errors
/// What made the check impossible: a tree or a tool that is missing, a list that can't be read.
pub fn run(tools: &Tools, options: &Options) -> Result<Outcome> {
    let trees = Trees::read(&options.original, &options.port)?;
    let items = files::items(options, &trees)?;
    let world = World {
        tools,
        options,
        report: Report::read(&trees.port)?,
        sources: Sources::default(),
        lines: AllLines::default(),
        trees,
    };
    let check = |items: &[Item]| {
        items
            .par_iter()
            .map(|item| match options.how {
                How::Same => same::check(&world, item),
                how => compilers::check(&world, item, how),
            })
            .collect::<Result<Vec<_>>>()
    };
    // A header stands for itself only where nothing that was compiled includes it.
    let (sources, headers): (Vec<Item>, Vec<Item>) = items
        .into_iter()
        .partition(|item| options.files.is_list() || files::is_source(Path::new(&item.file)));
    let mut files = check(&sources)?;
    let read: BTreeSet<&String> = files.iter().flat_map(|file| &file.read).collect();
    let alone: Vec<Item> = headers
        .into_iter()
        .filter(|item| !read.contains(&item.file))
        .collect();
    files.extend(check(&alone)?);
    Ok(Outcome { files })
}
