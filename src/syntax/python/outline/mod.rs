//! The outline of a module: imports, definitions and their parameters, and names that are aliases of other
//! names. It is read line by line, without the tree, so that a whole project is read at the cost
//! of reading it.

mod blocks;
mod branches;
mod condensed;
mod heads;
mod imports;
mod read;
mod words;

use super::lines::LogicalLines;
pub use heads::{Branch, ClassHead, FunctionHead, Guard, Imported, ModuleOutline, Parameter};
pub use imports::catches_failed_import;

impl<'t> ModuleOutline<'t> {
    /// Read a module. Text that is not UTF-8 has an empty outline.
    pub fn new(text: &'t [u8]) -> Self {
        std::str::from_utf8(text).map_or_else(|_| Self::default(), read::outline)
    }

    /// Whether a line of code, comments and documentation left out, is what `asks` looks for.
    pub fn code_has(&self, text: &[u8], asks: &dyn Fn(&[u8]) -> bool) -> bool {
        let text = std::str::from_utf8(text).unwrap_or_default();
        LogicalLines::new(text)
            .any(|line| !line.text.starts_with(['"', '\'']) && asks(line.text.as_bytes()))
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
        head.parameters.iter().map(|one| one.name()).collect()
    }

    #[test]
    fn definitions_and_their_parameters() {
        let text = b"class A(nn.Module, metaclass=M):\n    \"\"\"def f(no):\"\"\"\n    size: int = 3\n    where: str\n    @classmethod\n    def make(cls, x: Dict[str, int] = {\"a,b\": (1, 2)}, *rest, k='(', **more) -> None:\n        def inner(y): pass\n\nasync def g(\n    a,  # first, (\n    # def h(z):\n    b=1,\n): ...\n";
        let outline = ModuleOutline::new(text);
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
        assert_eq!(&*make.decorators, ["classmethod"]);
        assert_eq!(names(make), ["cls", "x", "rest", "k", "more"]);
        assert_eq!((inner.class, inner.nested), (None, true));
        assert_eq!(names(g), ["a", "b"]);
        assert_eq!(outline.function_place(g.at), Some(2));
        assert_eq!(text.get(g.at..g.at + 2), Some(&b"g("[..]));
    }

    #[test]
    fn imports_and_names_that_are_other_names() {
        let text = b"import a.b, c as d\nfrom ..x.y import (p,  # from q import r\n    s as t,\n)\nfrom . import u\nif TYPE_CHECKING:\n    from v import w\ndef f():\n    import late\nfrom m import *\nregister = torch.library.register\nsame = x == y\nif __name__ == '__main__':\n    f()\n";
        let outline = ModuleOutline::new(text);
        let brief: Vec<(&str, Option<&str>, &str, bool)> = outline
            .imports
            .iter()
            .map(|one| (one.module, one.member, one.alias, one.runs()))
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
        assert_eq!(outline.stars.first().map(|one| one.module), Some("m"));
        assert_eq!(outline.aliases, [("register", "torch.library.register")]);
        assert!(outline.is_program);
    }

    #[test]
    fn a_module_acts_by_what_runs_at_its_top() {
        let acts = |text: &str| ModuleOutline::new(text.as_bytes()).acts;
        for text in [
            "x = 1\nwhile True:\n    step()\n",
            "for a in b:\n    c(a)\n",
            "with torch.no_grad():\n    y = f()\n",
            "demo.queue().launch(share=True)\n",
            "x = 1\ntry:\n    for a in b:\n        c(a)\nfinally:\n    stop()\n",
            "try:\n    main()\nexcept KeyboardInterrupt:\n    pass\n",
        ] {
            assert!(acts(text), "{text}");
        }
        for text in [
            "import a\nx = f(1)\nlog.level = 3\n",
            "def f():\n    g()\n    for a in b: pass\n",
            "sys.path.append('.')\nwarnings.filterwarnings('ignore')\n",
            "if __name__ == '__main__':\n    main()\n",
            "try:\n    import a\nexcept ImportError:\n    fail()\n",
            "try:\n    import a\n    a.install()\nexcept ImportError:\n    pass\n",
            "try:\n    x = f()\nexcept KeyError:\n    fail()\n",
        ] {
            assert!(!acts(text), "{text}");
        }
    }

    #[test]
    fn what_stands_before_an_import() {
        let text = b"import a\nclass K:\n    import b\nif x:\n    import c\nelse:\n    import d\ntry:\n    import e\n    if y:\n        import f\nexcept ValueError:\n    pass\nexcept (KeyError, ImportError) as fault:\n    import g\nelse:\n    import h\ntry:\n    import i\nexcept ImportError as fault:\n    raise RuntimeError('i') from fault\nwith contextlib.suppress(ImportError):\n    import j\nwith other():\n    import k\ntry:\n    import l\nexcept ValueError:\n    pass\nif TYPE_CHECKING:\n    import m\ntry:\n    def f():\n        import n\n    from o import *\nexcept:\n    f = None\n";
        let outline = ModuleOutline::new(text);
        let guard = |one: &Imported<'_>| (one.module.to_owned(), one.guard);
        let found: Vec<(String, Guard)> = outline.imports.iter().map(guard).collect();
        let expected = [
            ("a", Guard::Nothing),
            ("b", Guard::Nothing),
            ("c", Guard::Branch),
            ("d", Guard::Branch),
            ("e", Guard::Caught),
            ("f", Guard::Caught),
            ("g", Guard::Branch),
            ("h", Guard::Branch),
            ("i", Guard::Nothing),
            ("j", Guard::Caught),
            ("k", Guard::Nothing),
            ("l", Guard::Nothing),
            ("m", Guard::Typing),
            ("n", Guard::Function),
        ];
        assert_eq!(
            found,
            expected.map(|(name, guard)| (name.to_owned(), guard))
        );
        let star = outline.stars.first().map(|one| one.guard);
        assert_eq!(star, Some(Guard::Caught));
    }
}
