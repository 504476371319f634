//! The sources that commands get, and what is set for single sources.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::value::Origin;

/// A command: the index of its file, and its place there.
pub type CommandPlace = (usize, usize);

/// Which source is meant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SourceKey {
    /// A file of the tree, by its index.
    File(usize),
    /// Something else, by its text: what the build makes, or what lies in a folder that is not known.
    Text(Arc<str>),
}

/// A source that a command names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedSource {
    /// Which it is.
    pub key: SourceKey,
    /// Its name, as the command gets it.
    pub text: Arc<str>,
    /// Where the end of its name stands.
    pub origin: Option<Origin>,
}

/// What one argument of a command holds, in all runs of the command.
#[derive(Clone, Default, Debug)]
pub struct SiteArgument {
    /// Sources of CUDA's and MUSA's, by their texts.
    pub sources: BTreeMap<Arc<str>, NamedSource>,
    /// Whether there are other sources.
    pub others: bool,
    /// Whether there are headers.
    pub headers: bool,
    /// Whether sources of CUDA's stand in generator's expressions, whose ends MUSA's commands take for endings.
    pub wrapped: bool,
}

/// A command that names sources.
#[derive(Clone, Default, Debug)]
pub struct Site {
    /// Its arguments, as far as they hold sources.
    pub arguments: BTreeMap<usize, SiteArgument>,
    /// Whether it makes a target, or calls what makes one.
    pub makes_target: bool,
}

/// A list of sources that a target gets.
#[derive(Clone, Debug)]
pub struct TargetSources {
    /// The target.
    pub target: Arc<str>,
    /// The name of the command, in lower case.
    pub maker: Arc<str>,
    /// The command that gives them.
    pub at: CommandPlace,
    /// The command of a list that this comes from: a call of a function, or the same.
    pub from: CommandPlace,
    /// The folder that the target belongs to.
    pub folder: Arc<str>,
    /// Whether nothing is linked of them.
    pub is_object: bool,
    /// The sources, whatever their language.
    pub sources: Vec<NamedSource>,
    /// Variables whose values are not known.
    pub unknown: Vec<Arc<str>>,
}

impl TargetSources {
    /// Whether `musa_add_library` can't take this list: the target is made elsewhere, or is no library.
    pub fn is_by_option(&self) -> bool {
        self.is_object || self.from != self.at || &*self.maker == "target_sources"
    }
}

/// A property that is set for single sources.
#[derive(Clone, Debug)]
pub struct SourceProperty {
    /// The command that sets it.
    pub at: CommandPlace,
    /// The folders that it holds in.
    pub folders: Vec<Arc<str>>,
    /// The sources.
    pub sources: Vec<NamedSource>,
    /// The property's name.
    pub name: Arc<str>,
    /// Its value.
    pub value: Arc<str>,
    /// Whether the value is put behind what was there.
    pub appends: bool,
}
