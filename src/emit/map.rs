//! The map of a port's edits, kept in the output: places in the port lead back to the original by it.

use std::path::Path;

use super::EmitError;
use super::bases::Bases;
use super::compressed::{Compressor, decompressed};
use super::manifest::{Manifest, ManifestEntry, fault};
use crate::edit::PortMap;
use crate::files::Folder;
use crate::mapping::safety;

/// The map's path in an output.
pub(super) const MAP: &str = safety::MAP;

/// The first bytes of a map: its kind and the version of its form. The zero byte makes it binary for git and others.
const MAGIC: &[u8] = b"torchada map 2\n\0";

/// The bytes of a map.
pub fn map_bytes(map: &PortMap) -> Vec<u8> {
    // Bytes, numbers and lists always serialize.
    let written = postcard::to_io(map, Compressor::behind(MAGIC.to_vec()));
    written
        .map(|written| written.finish().1)
        .unwrap_or_default()
}

fn read_map(bytes: &[u8]) -> Option<PortMap> {
    let packed = bytes.strip_prefix(MAGIC)?;
    let limit = usize::try_from(safety::BYTES_DECOMPRESSED).ok()?;
    postcard::from_bytes(&decompressed(packed, limit)?).ok()
}

/// The output of a port, opened to be read.
#[derive(Debug)]
pub struct PortedTree {
    root: Folder,
    /// The list of what the port wrote.
    pub manifest: Manifest,
    /// The edits that made it.
    pub map: PortMap,
}

impl PortedTree {
    /// Open the output of a port.
    ///
    /// # Errors
    /// [`EmitError::Manifest`] where it is none, or its map is missing or damaged.
    pub fn open(output: &Path) -> Result<Self, EmitError> {
        let root = Folder::open(output);
        let root = root.map_err(|error| fault(output, super::MANIFEST, error.to_string()))?;
        let manifest = Manifest::read_in(&root)?;
        let bytes = root.read(Path::new(MAP), safety::BYTES_MAP);
        let bytes = bytes.map_err(|error| fault(output, MAP, error.to_string()))?;
        let map = read_map(&bytes).ok_or_else(|| {
            fault(
                output,
                MAP,
                "it is damaged, or another version's".to_owned(),
            )
        })?;
        Ok(Self {
            root,
            manifest,
            map,
        })
    }

    /// The text of a file as it is now; `None` where it is gone, or can't be read.
    pub fn text(&self, path: &Path) -> Option<Vec<u8>> {
        self.root.read(path, safety::BYTES_SOURCE).ok()
    }

    /// The text that the port wrote for a row of the manifest: `now` where that is it, else what is kept of it.
    pub fn written(&self, row: &ManifestEntry, now: &[u8]) -> Option<Vec<u8>> {
        if row.hash() == Some(blake3::hash(now)) {
            return Some(now.to_vec());
        }
        let (path, record) = row.record()?;
        Bases::of(&self.root).text(&path, &record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::PortMapBuilder;

    #[test]
    fn a_map_reads_what_it_wrote_and_nothing_damaged() {
        let mut builder = PortMapBuilder::default();
        builder.add(b"a/\xff", b"text", &[]);
        let map = builder.finish();
        let bytes = map_bytes(&map);
        assert_eq!(read_map(&bytes), Some(map));
        assert_eq!(read_map(&bytes[..bytes.len() - 3]), None);
        assert_eq!(read_map(b"{}"), None);
    }
}
