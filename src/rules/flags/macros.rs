//! Macros that an option defines or takes back: they follow the code.

use super::{FlagAction, Obstacle, Translation, Translator};
use torchada_mapping::{Row, Section};

impl Translator<'_> {
    /// `-U__CUDA_NO_HALF_OPERATORS__`. Every compiler has the option, so it is nvcc's only where nvcc gets it.
    pub(super) fn for_macro(&self, mut found: Translation) -> Translation {
        found.is_shared = true;
        let (option, defined) = found.shown.split_at(2);
        let (name, value) = defined.split_at(defined.find('=').unwrap_or(defined.len()));
        let row = self.context.row(Section::Names, name.as_bytes());
        let is_own = self.settings.own_names.contains(name);
        let row = row.filter(|row| row.stem && !is_own && !self.is_of_vendored(row));
        if let Some((row, to)) = row.and_then(|row| Some((row, row.to.as_deref()?))) {
            found.evidence = row.evidence;
            found.action = match self.too_weak(row) {
                Some(weak) => FlagAction::Remains(Obstacle::TooWeak(weak)),
                None => FlagAction::Becomes(vec![format!("{option}{to}{value}")]),
            };
        }
        found
    }

    /// Whether a name is of a library that projects carry along, which is left whole.
    fn is_of_vendored(&self, row: &Row) -> bool {
        let mut libraries = self.context.knowledge.vendored.iter();
        libraries.any(|one| one.table.as_deref() == Some(&*row.library))
    }
}
