//! `aux_source_directory`: all sources in a folder.

use super::arguments::PassedArgument;
use super::run::Runner;
use super::sources::CommandPlace;
use super::tree::as_source;
use super::value::{Item, Value};

impl Runner<'_> {
    /// `aux_source_directory(FOLDER VARIABLE)` puts the sources in a folder behind what the variable holds. `CMake` knows
    /// CUDA's by their endings, and MUSA's it does not.
    pub(super) fn folder_sources(&mut self, at: CommandPlace, arguments: &[PassedArgument]) {
        let [folder, variable, ..] = arguments else {
            return;
        };
        let files = &self.knowledge.files;
        let pattern = format!("{}/*", folder.text());
        let found = self.tree.glob(self.folder(), &pattern, false);
        let found = found.unwrap_or_default().into_iter();
        let paths = found.map(|file| as_source(self.tree.path(file)));
        let is_known = |path: &String| {
            self.is_host_source(path) || self.is_gpu_source(path) && !files.is_musa(path)
        };
        let sources = paths.filter(is_known).map(|path| Item::new(&path, None));
        let found = PassedArgument {
            value: Value::list(sources.collect()),
            place: folder.place,
        };
        self.note(at, std::slice::from_ref(&found), false);
        let name = variable.text();
        let mut all = self.value(&name).unwrap_or_default();
        all.extend(found.value.items().iter().cloned());
        self.scopes.set(&name, all);
    }
}
