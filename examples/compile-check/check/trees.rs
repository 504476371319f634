//! The two trees, and which file of one is which of the other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use torchada::emit::{MANIFEST, Manifest};

use super::views::Side;

/// A tree and its port.
pub struct Trees {
    /// The root of the tree that was ported.
    pub original: PathBuf,
    /// The root of the port.
    pub port: PathBuf,
    to_port: BTreeMap<String, String>,
    to_original: BTreeMap<String, String>,
}

impl Trees {
    /// Take two trees. The port's manifest says what became of which file; without one, files
    /// have their own names, or MUSA's endings.
    ///
    /// # Errors
    /// A tree that is missing, or a manifest that can't be read.
    pub fn read(original: &Path, port: &Path) -> Result<Self> {
        let place = |path: &Path| {
            path.canonicalize()
                .with_context(|| format!("can't find {}", path.display()))
        };
        let mut trees = Self {
            original: place(original)?,
            port: place(port)?,
            to_port: BTreeMap::new(),
            to_original: BTreeMap::new(),
        };
        if trees.port.join(MANIFEST).is_file() {
            for file in Manifest::read(&trees.port)?.files {
                let there = file.path.to_path();
                let here = file.source.and_then(|source| source.to_path());
                if let (Some(there), Some(here)) = (there, here) {
                    let (there, here) = (shown(&there), shown(&here));
                    trees.to_port.insert(here.clone(), there.clone());
                    trees.to_original.insert(there, here);
                }
            }
        }
        Ok(trees)
    }

    /// The root of a side.
    pub fn root(&self, side: Side) -> &Path {
        match side {
            Side::Original => &self.original,
            Side::Port => &self.port,
        }
    }

    /// Where a file of the original is in the port.
    pub fn ported(&self, file: &str) -> String {
        if let Some(there) = self.to_port.get(file) {
            return there.clone();
        }
        let renamed = file
            .strip_suffix(".cu")
            .map(|stem| format!("{stem}.mu"))
            .or_else(|| file.strip_suffix(".cuh").map(|stem| format!("{stem}.muh")));
        match renamed {
            Some(renamed) if self.port.join(&renamed).is_file() => renamed,
            _ => file.to_owned(),
        }
    }

    /// Where a file of the port comes from.
    pub fn source(&self, file: &str) -> String {
        if let Some(here) = self.to_original.get(file) {
            return here.clone();
        }
        let renamed = file
            .strip_suffix(".mu")
            .map(|stem| format!("{stem}.cu"))
            .or_else(|| file.strip_suffix(".muh").map(|stem| format!("{stem}.cuh")));
        match renamed {
            Some(renamed) if self.original.join(&renamed).is_file() => renamed,
            _ => file.to_owned(),
        }
    }

    /// The name in the original of a file of either side.
    pub fn in_original(&self, side: Side, file: &str) -> String {
        match side {
            Side::Original => file.to_owned(),
            Side::Port => self.source(file),
        }
    }
}

/// A path as reports show it.
pub fn shown(path: &Path) -> String {
    torchada::config::display_path(path)
}
