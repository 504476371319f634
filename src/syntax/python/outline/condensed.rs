//! An outline whose words stand in a text of their own, so that the text of the module need not be kept for them.

use rustc_hash::FxHashMap;

use super::heads::{Branch, ClassHead, FunctionHead, Imported, ModuleOutline, Parameter};

/// An outline with a text of all its words.
#[derive(Debug)]
pub struct Condensed<'o, 't> {
    outline: &'o ModuleOutline<'t>,
    text: String,
    /// Where each word starts in the text.
    places: FxHashMap<&'t str, usize>,
}

impl<'t> ModuleOutline<'t> {
    /// The outline with a text of all its words, each once.
    pub fn condensed(&self) -> Condensed<'_, 't> {
        let mut text = String::new();
        let mut places: FxHashMap<&'t str, usize> = FxHashMap::default();
        for word in self.words() {
            places.entry(word).or_insert_with(|| {
                text.push_str(word);
                text.len() - word.len()
            });
        }
        Condensed {
            outline: self,
            text,
            places,
        }
    }

    fn words(&self) -> impl Iterator<Item = &'t str> {
        let imports = self.imports.iter().chain(&self.stars);
        let imports = imports.flat_map(|one| one.member.into_iter().chain([one.module, one.alias]));
        let functions = self.functions.iter().flat_map(|one| {
            let parameters = one.parameters.iter().map(|one| one.written);
            let decorators = one.decorators.iter().copied();
            decorators.chain(parameters).chain([one.name])
        });
        let classes = self.classes.iter().flat_map(|one| {
            let lists = one.decorators.iter().chain(&one.bases).chain(&one.fields);
            lists.copied().chain([one.name])
        });
        let branches = self.branches.iter();
        let branches = branches.flat_map(|one| one.condition.into_iter().chain([one.last]));
        let marks = self.marks.iter().map(|&(_, mark)| mark);
        let aliases = self.aliases.iter().flat_map(|&(one, other)| [one, other]);
        let heads = imports.chain(functions).chain(classes);
        heads.chain(branches).chain(marks).chain(aliases)
    }
}

impl Condensed<'_, '_> {
    /// The text of all words.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The outline, whose words stand in `text`: the one of all words.
    pub fn outline<'w>(&self, text: &'w str) -> ModuleOutline<'w> {
        let word = |word: &str| {
            let start = self.places.get(word).copied().unwrap_or_default();
            text.get(start..start + word.len()).unwrap_or_default()
        };
        let list = |words: &[&str]| words.iter().map(|one| word(one)).collect::<Vec<_>>();
        let import = |one: &Imported<'_>| Imported {
            at: one.at,
            module: word(one.module),
            member: one.member.map(word),
            alias: word(one.alias),
            is_aliased: one.is_aliased,
            guard: one.guard,
            branch: one.branch,
            function: one.function,
        };
        let function = |one: &FunctionHead<'_>| FunctionHead {
            name: word(one.name),
            at: one.at,
            class: one.class,
            nested: one.nested,
            decorators: list(&one.decorators).into(),
            parameters: one
                .parameters
                .iter()
                .map(|one| Parameter {
                    written: word(one.written),
                })
                .collect(),
        };
        let class = |one: &ClassHead<'_>| ClassHead {
            name: word(one.name),
            at: one.at,
            nested: one.nested,
            decorators: list(&one.decorators),
            bases: list(&one.bases),
            fields: list(&one.fields),
        };
        let branch = |one: &Branch<'_>| Branch {
            at: one.at,
            condition: one.condition.map(word),
            before: one.before,
            enclosing: one.enclosing,
            is_top: one.is_top,
            last: word(one.last),
        };
        let outline = self.outline;
        let marks = outline.marks.iter().map(|&(at, mark)| (at, word(mark)));
        let aliases = outline.aliases.iter();
        ModuleOutline {
            imports: outline.imports.iter().map(import).collect(),
            stars: outline.stars.iter().map(import).collect(),
            functions: outline.functions.iter().map(function).collect(),
            classes: outline.classes.iter().map(class).collect(),
            branches: outline.branches.iter().map(branch).collect(),
            marks: marks.collect(),
            aliases: aliases
                .map(|&(one, other)| (word(one), word(other)))
                .collect(),
            is_program: outline.is_program,
            acts: outline.acts,
            adds_folders: outline.adds_folders,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_is_the_same_in_a_text_of_its_words() {
        let module = b"from a import b as c\nfrom d import *\npytestmark = [slow]\nif x:\n    import e\nelse:\n    y = 1\n@one.two\nclass A(B, c.D):\n    f: int\n    @static\n    def g(self, *h, c=1): pass\nk = c.l\nif __name__ == '__main__': g()\n";
        let outline = ModuleOutline::new(module);
        let condensed = outline.condensed();
        assert_eq!(condensed.outline(condensed.text()), outline);
        assert_eq!(condensed.text().matches('h').count(), 1);
    }
}
