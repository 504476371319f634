//! Words of which a script has one, at least, if the rules for scripts have anything to do in it: most scripts of a large tree
//! have none, and are not read at all. All of them come from the tables that the rules read.

use torchada_mapping::{Relation, Section, WordList};
use torchada_project::Context;

/// The words, by how they stand in a text.
pub(super) struct TellingWords {
    /// Words that count inside of other words, too, in whatever case.
    texts: WordList,
    /// Words that count where they stand by themselves.
    programs: WordList,
}

impl TellingWords {
    /// The words of all tables.
    pub(super) fn of(context: Context<'_>) -> Self {
        let (tables, known) = (context.tables, context.knowledge);
        let (scripts, cmake) = (&known.builds.scripts, &known.builds.cmake);
        let toolkit = &scripts.toolkit;
        let sections = [
            Section::Environment,
            Section::Libraries,
            Section::LibraryFiles,
        ];
        let rows = sections
            .into_iter()
            .flat_map(|section| tables.rows(section));
        let rows = rows.filter(|row| row.relation != Relation::Same);
        let commands = known.commands.known.iter();
        let commands = commands.flat_map(|one| std::iter::once(&one.name).chain(&one.to));
        let lists = [
            known.builds.words.stems.words(),
            &scripts.compilers,
            &scripts.runtimes,
            &scripts.library_variables.fronts,
            &scripts.cmake_fronts,
            &cmake.language_fronts,
            &toolkit.other_roots,
            &toolkit.folders,
            &toolkit.versioned_fronts,
            &toolkit.vendor_folders,
            &toolkit.vendor_fronts,
            &known.builds.flags.for_the_host,
        ];
        let words = lists.into_iter().flatten().chain(commands);
        let words = words
            .chain(cmake.variables.keys())
            .chain(scripts.containers.options.keys())
            .chain([&toolkit.root]);
        let texts = words
            .cloned()
            .chain(rows.map(|row| row.cuda.to_string()))
            .chain(options(context))
            .chain(scripts.releases.beginnings());
        // What fetches packages may name any of them.
        let programs = scripts.installers.iter().chain(&scripts.python_installers);
        let programs = programs.cloned().chain([CLONE.to_owned()]);
        Self {
            texts: WordList::new(texts),
            programs: WordList::new(programs),
        }
    }

    /// Whether a text has one of the words.
    pub(super) fn are_in(&self, text: &[u8]) -> bool {
        self.texts.is_in_any_case(text) || self.programs.is_in_as_identifier(text)
    }
}

/// The command of git's that fetches a repository.
pub(super) const CLONE: &str = "clone";

/// The options that are nvcc's whatever command has them, without their values. Of those that other programs have, too, the
/// values tell.
fn options(context: Context<'_>) -> impl Iterator<Item = String> {
    let syntax = &context.knowledge.builds.flags;
    let rows = context.tables.rows(Section::Flags);
    let own = rows.filter(|row| {
        let is_shared = syntax.shared.iter().any(|one| *one == *row.cuda);
        row.relation != Relation::Same && !is_shared
    });
    let names = own.filter_map(|row| row.cuda.split([' ', '=']).next().map(str::to_owned));
    let fronts = &context.knowledge.shapes.architecture.fronts;
    names.chain(fronts.iter().cloned())
}
