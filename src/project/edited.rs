//! A project in which one file gets another text: what an editor holds before it is saved.
//!
//! What the file says of itself is read anew. What other files say of it, and what it says to them, stays as the tree was
//! read; places in it move along with its text.

use std::sync::Arc;

use super::context::Context;
use super::gather::{drop_stand_ins, drop_under_macros, take_stubs};
use super::includes::resolve::Resolver;
use super::scan::scanned::Scanned;
use super::tree::source::{Input, PythonCode};
use super::{FileFacts, Project};
use torchada_classify::FileKind;
use torchada_mapping::files::BuildLanguage;
use torchada_syntax::EditedCmake;
use torchada_text::Moved;

impl Project {
    /// Give the file at `index` another text. `saved` is the project as the tree was read, of which this one is a copy;
    /// `roots` are the folders that includes are looked up in.
    pub fn edit(
        &mut self,
        saved: &Self,
        index: usize,
        text: Vec<u8>,
        roots: &[String],
        context: Context<'_>,
    ) {
        let Some(before) = saved.files.get(index) else {
            return;
        };
        let moved = Moved::between(before.text.as_deref().unwrap_or_default(), &text);
        let python = (before.class.kind == FileKind::Python)
            .then(|| PythonCode::of(&before.path, &text, context))
            .flatten();
        if before.class.language == Some(BuildLanguage::CMake) {
            let last = self.edited_cmake.remove(&index);
            self.edited_cmake
                .extend(EditedCmake::read(&text, last).map(|file| (index, file)));
        }
        let input = Input {
            text: Some(text.into()),
            ..Input::new(before.path.clone(), before.class)
        };
        let scanned = Scanned::new(input, context);
        let mut facts = scanned.facts;
        let resolver = Resolver {
            places: &self.places,
            roots,
            tables: context.tables,
            wraps: &|file| {
                let file = self.files.get(file);
                file.is_some_and(|file| file.facts.wraps_namesake(&file.path))
            },
        };
        let includes = facts.includes.iter();
        let resolved = includes.map(|include| resolver.resolve(&before.path, include));
        let resolved = resolved.collect();
        if before.class.kind.is_cpp() {
            self.complete(index, &mut facts);
        }
        if let Some(file) = self.files.get_mut(index) {
            file.text = scanned.input.text;
            file.facts = Arc::new(facts);
            file.resolved = resolved;
            file.python = python.map(Arc::new);
            file.words = Arc::default();
        }
        self.move_places(saved, index, moved);
    }

    /// What the facts of all files make of those of one.
    fn complete(&self, index: usize, facts: &mut FileFacts) {
        if self.headers_without_cuda().contains(&index) {
            take_stubs(facts);
        }
        drop_stand_ins(facts, &self.stand_ins);
        drop_under_macros(facts, index, &self.open_macros);
        let mut templates = facts.numbered_templates.iter();
        facts.has_hits |= templates.any(|name| self.unsupported.takes_capability(name));
    }

    /// Move the places in the file that the reading of the tree found.
    fn move_places(&mut self, saved: &Self, index: usize, moved: Moved) {
        if let Some(links) = saved.links.get(&index) {
            let links = links.iter().filter_map(|link| {
                let mut link = link.clone();
                link.mention.range = moved.kept(link.mention.range)?;
                Some(link)
            });
            Arc::make_mut(&mut self.links).insert(index, links.collect());
        }
        self.built.move_branches(&saved.built, index, moved);
        let Some(uses) = saved.uses_in.get(&index) else {
            return;
        };
        let invocations = Arc::make_mut(&mut self.invocations);
        for (name, at) in &uses.all {
            let before = saved.invocations.get(name).and_then(|all| all.get(*at));
            let here = invocations.get_mut(name);
            let here = here.and_then(|all| all.get_mut(*at));
            if let (Some(before), Some(here)) = (before, here) {
                let arguments = before.arguments.iter();
                let arguments: Option<Vec<_>> = arguments
                    .map(|(range, text)| Some((moved.kept(*range)?, text.clone())))
                    .collect();
                here.arguments = arguments.unwrap_or_default();
            }
        }
        let mut uses = uses.clone();
        uses.by_argument = std::mem::take(&mut uses.by_argument)
            .into_iter()
            .filter_map(|(range, known)| Some((moved.kept(range)?, known)))
            .collect();
        Arc::make_mut(&mut self.uses_in).insert(index, uses);
    }
}
