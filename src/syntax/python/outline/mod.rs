//! What a module says of itself by its outline: imports, definitions and their parameters, names that
//! are other names. Told line by line, without the tree, so that a whole project is taken in at the cost
//! of reading it.

mod read;
mod words;

use super::lines::Lines;

/// A name that an import brings in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported<'t> {
    /// Where the statement starts.
    pub at: usize,
    /// The module, with its leading dots.
    pub module: String,
    /// What is taken from it; `None` for the module itself.
    pub member: Option<&'t str>,
    /// Under which name it is known; the first part of the module's name for `import a.b`.
    pub alias: &'t str,
    /// Whether the name is known under another name than its own.
    pub is_aliased: bool,
    /// Whether it runs when the module is loaded: not in a function, not for type checkers alone.
    pub runs: bool,
}

/// A parameter of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter<'t> {
    /// Its name; empty for the lone `*` and `/`.
    pub name: &'t str,
    /// How many stars stand before it.
    pub stars: u8,
}

/// The head of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionHead<'t> {
    /// Its name.
    pub name: &'t str,
    /// Where the name stands.
    pub at: usize,
    /// The class in whose body it stands, by its place in the outline.
    pub class: Option<usize>,
    /// Whether it stands in a function.
    pub nested: bool,
    /// The last names of its decorators.
    pub decorators: Vec<&'t str>,
    /// Its parameters.
    pub parameters: Vec<Parameter<'t>>,
}

/// The head of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassHead<'t> {
    /// Its name.
    pub name: &'t str,
    /// Where the name stands.
    pub at: usize,
    /// Whether it stands in a function or a class.
    pub nested: bool,
    /// The last names of its decorators.
    pub decorators: Vec<&'t str>,
    /// Its bases, as far as they are dotted names.
    pub bases: Vec<&'t str>,
    /// Its fields with annotations, in order.
    pub fields: Vec<&'t str>,
}

/// The outline of a module.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outline<'t> {
    /// What comes in by name.
    pub imports: Vec<Imported<'t>>,
    /// Modules all of whose names come in.
    pub stars: Vec<Imported<'t>>,
    /// Its functions, methods and nested ones among them, by place.
    pub functions: Vec<FunctionHead<'t>>,
    /// Its classes, by place.
    pub classes: Vec<ClassHead<'t>>,
    /// Names at the top that are other names: `register = torch.library.register`.
    pub aliases: Vec<(&'t str, &'t str)>,
    /// Whether it has a part for when it is run as a program.
    pub is_program: bool,
}

impl<'t> Outline<'t> {
    /// Read a module. Text that is not UTF-8 has an empty outline.
    pub fn new(text: &'t [u8]) -> Self {
        std::str::from_utf8(text).map_or_else(|_| Self::default(), read::outline)
    }

    /// Whether a line of code, comments and documentation left out, is what `asks` looks for.
    pub fn code_has(&self, text: &[u8], asks: &dyn Fn(&[u8]) -> bool) -> bool {
        let text = std::str::from_utf8(text).unwrap_or_default();
        Lines::new(text)
            .any(|line| !line.text.starts_with(['"', '\'']) && asks(line.text.as_bytes()))
    }

    /// The function whose name stands at a place.
    pub fn function_at(&self, at: usize) -> Option<&FunctionHead<'t>> {
        self.functions.get(self.function_place(at)?)
    }

    /// The function whose name stands at a place, by its place in the outline.
    pub fn function_place(&self, at: usize) -> Option<usize> {
        self.functions.binary_search_by_key(&at, |one| one.at).ok()
    }

    /// The class whose name stands at a place, by its place in the outline.
    pub fn class_at(&self, at: usize) -> Option<usize> {
        self.classes.binary_search_by_key(&at, |one| one.at).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names<'t>(head: &FunctionHead<'t>) -> Vec<&'t str> {
        head.parameters.iter().map(|one| one.name).collect()
    }

    #[test]
    fn definitions_and_their_parameters() {
        let text = b"class A(nn.Module, metaclass=M):\n    \"\"\"def f(no):\"\"\"\n    size: int = 3\n    where: str\n    @classmethod\n    def make(cls, x: Dict[str, int] = {\"a,b\": (1, 2)}, *rest, k='(', **more) -> None:\n        def inner(y): pass\n\nasync def g(\n    a,  # first, (\n    # def h(z):\n    b=1,\n): ...\n";
        let outline = Outline::new(text);
        let class = outline.classes.first().expect("a class");
        assert_eq!(
            (class.name, class.bases.as_slice()),
            ("A", &["nn.Module"][..])
        );
        assert_eq!(class.fields, ["size", "where"]);
        let [make, inner, g] = outline.functions.as_slice() else {
            panic!("{:?}", outline.functions);
        };
        assert_eq!((make.class, make.nested), (Some(0), false));
        assert_eq!(make.decorators, ["classmethod"]);
        assert_eq!(names(make), ["cls", "x", "rest", "k", "more"]);
        assert_eq!((inner.class, inner.nested), (None, true));
        assert_eq!(names(g), ["a", "b"]);
        assert_eq!(outline.function_at(g.at), Some(g));
        assert_eq!(text.get(g.at..g.at + 2), Some(&b"g("[..]));
    }

    #[test]
    fn imports_and_names_that_are_other_names() {
        let text = b"import a.b, c as d\nfrom ..x.y import (p,  # from q import r\n    s as t,\n)\nfrom . import u\nif TYPE_CHECKING:\n    from v import w\ndef f():\n    import late\nfrom m import *\nregister = torch.library.register\nsame = x == y\nif __name__ == '__main__':\n    f()\n";
        let outline = Outline::new(text);
        let brief: Vec<(&str, Option<&str>, &str, bool)> = outline
            .imports
            .iter()
            .map(|one| (one.module.as_str(), one.member, one.alias, one.runs))
            .collect();
        assert_eq!(
            brief,
            [
                ("a.b", None, "a", true),
                ("c", None, "d", true),
                ("..x.y", Some("p"), "p", true),
                ("..x.y", Some("s"), "t", true),
                (".", Some("u"), "u", true),
                ("v", Some("w"), "w", false),
                ("late", None, "late", false),
            ]
        );
        assert_eq!(
            outline.stars.first().map(|one| one.module.as_str()),
            Some("m")
        );
        assert_eq!(outline.aliases, [("register", "torch.library.register")]);
        assert!(outline.is_program);
    }
}
