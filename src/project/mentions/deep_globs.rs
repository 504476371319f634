//! Globs of `CMake`'s that look into the folders below as well: `file(GLOB_RECURSE SOURCES lib/*.cu)`.

use crate::cmake::replay::GLOB_RECURSE;
use crate::facts::{Mention, Reach};
use torchada_syntax::cmake::Cmake;

/// Let the mentions in such globs mean what lies below the folders that they name.
pub(super) fn look_below(text: &[u8], file: &Cmake, mentions: &mut [Mention]) {
    let is_deep = |mention: &&mut Mention| {
        let at = file.place_of(mention.range);
        let command = at.and_then(|at| file.commands.get(at));
        command.is_some_and(|one| {
            let first = one.arguments.first().map(|first| first.inner.of(text));
            one.lower_name() == "file" && first == Some(GLOB_RECURSE.as_bytes())
        })
    };
    let open = mentions.iter_mut().filter(|one| one.reach == Reach::Open);
    for mention in open.filter(is_deep) {
        mention.reach = Reach::Deep;
    }
}
