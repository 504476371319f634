//! Folders that are ported into others beside them.

use std::path::{Path, PathBuf};

use super::confine::ConfinedFile;
use super::{ConfigError, LayoutPair, Origin, absolute, normalized};
use crate::cli::PortArgs;

/// The part of a configuration file that says which folders are ported into which.
pub(super) struct Configured<'a> {
    /// The file.
    pub(super) source: ConfinedFile<'a>,
    /// The folders, each with the one to which its port goes.
    pub(super) pairs: &'a [(String, String)],
    /// The place of these settings.
    pub(super) origin: &'a Origin,
}

/// The folder pairs that hold: the arguments', else the configuration's unless the arguments send
/// the output elsewhere.
pub(super) fn pairs(
    args: &PortArgs,
    configured: Option<&Configured<'_>>,
    root: &Path,
) -> Result<Vec<LayoutPair>, ConfigError> {
    let configured = configured.filter(|_| args.layout.is_empty() && args.output.is_none());
    let written: Vec<(PathBuf, PathBuf)> = if !args.layout.is_empty() {
        args.layout
            .iter()
            .map(|pair| (root.join(&pair.from), root.join(&pair.to)))
            .collect()
    } else if let Some(configured) = configured {
        let path = |path: &str| configured.source.path("layout", path, configured.origin);
        let pairs = configured.pairs.iter();
        pairs
            .map(|(from, to)| Ok((path(from)?, path(to)?)))
            .collect::<Result<_, ConfigError>>()?
    } else {
        Vec::new()
    };
    let mut pairs = Vec::new();
    for (from, to) in &written {
        if !from.is_dir() {
            let what = format!("the layout's {} is not a folder", from.display());
            return Err(match configured {
                Some(configured) => ConfigError::usage(
                    format!("{}: {what}", configured.origin),
                    "write it as \"FROM\" = \"TO\", with FROM a folder seen from that file",
                ),
                None => {
                    ConfigError::usage(what, "write it as FROM=TO, with FROM a folder of the tree")
                }
            });
        }
        let pair = LayoutPair {
            from: inside(root, from)?,
            to: inside(root, to)?,
        };
        if pair.to.starts_with(&pair.from) || pair.from.starts_with(&pair.to) {
            return Err(ConfigError::usage(
                format!(
                    "the layout's {} and {} overlap",
                    from.display(),
                    to.display()
                ),
                "name a folder beside the CUDA files",
            ));
        }
        if let Some(configured) = configured {
            configured
                .source
                .may_write(root, &pair.to, configured.origin)?;
        }
        pairs.push(pair);
    }
    pairs.sort();
    Ok(pairs)
}

/// A folder of a layout, relative to the tree, in which it has to lie.
fn inside(root: &Path, path: &Path) -> Result<PathBuf, ConfigError> {
    let real = absolute(path).ok().or_else(|| normalized(path));
    let part = real
        .as_deref()
        .and_then(|real| real.strip_prefix(root).ok());
    match part {
        Some(part) if !part.as_os_str().is_empty() => Ok(part.to_owned()),
        _ => Err(ConfigError::usage(
            format!(
                "the layout's {} does not lie in {}",
                path.display(),
                root.display()
            ),
            "both folders of a layout are parts of the tree",
        )),
    }
}
