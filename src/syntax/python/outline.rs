//! What a module says of itself by its outline: imports, definitions and their parameters, names that
//! are other names. Told line by line, without the tree, so that a whole project is taken in at the cost
//! of reading it.

use super::lines::{Line, Lines, is_word, skip};

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

/// What a block belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    Class(usize),
    Function,
    /// `if TYPE_CHECKING:`
    Typing,
    Other,
}

impl<'t> Outline<'t> {
    /// Read a module. Text that is not UTF-8 has an empty outline.
    pub fn new(text: &'t [u8]) -> Self {
        let mut outline = Self::default();
        let Ok(text) = std::str::from_utf8(text) else {
            return outline;
        };
        let mut open: Vec<(usize, Holder)> = Vec::new();
        let mut decorators: Vec<&'t str> = Vec::new();
        for line in Lines::new(text) {
            while open
                .last()
                .is_some_and(|&(indent, _)| indent >= line.indent)
            {
                open.pop();
            }
            let (word, rest) = first_word(line.text);
            match word {
                "" if line.text.starts_with('@') => {
                    let name = dotted(line.text.get(1..).unwrap_or_default().trim_start());
                    decorators.push(name.rsplit('.').next().unwrap_or(name));
                    continue;
                }
                "import" => outline.import(&line, rest, &open),
                "from" => outline.import_from(&line, rest, &open),
                "def" => {
                    outline.function(&line, rest, &open, std::mem::take(&mut decorators));
                    open.push((line.indent, Holder::Function));
                }
                "async" => {
                    let (next, rest) = first_word(rest.trim_start());
                    if next == "def" {
                        outline.function(&line, rest, &open, std::mem::take(&mut decorators));
                        open.push((line.indent, Holder::Function));
                    }
                }
                "class" => {
                    outline.class(&line, rest, &open, std::mem::take(&mut decorators));
                    open.push((line.indent, Holder::Class(outline.classes.len() - 1)));
                }
                "if" if rest.contains("TYPE_CHECKING") && !rest.contains("not ") => {
                    open.push((line.indent, Holder::Typing));
                }
                "if" | "elif" | "else" | "try" | "except" | "finally" | "with" | "for"
                | "while" | "match" | "case" => {
                    outline.is_program |=
                        word == "if" && rest.contains("__name__") && rest.contains("__main__");
                    open.push((line.indent, Holder::Other));
                }
                _ => outline.statement(word, rest, &open),
            }
            decorators.clear();
        }
        outline
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

    fn import(&mut self, line: &Line<'t>, rest: &'t str, open: &[(usize, Holder)]) {
        for part in rest.split(',') {
            let part = part.trim();
            let module = dotted(part);
            let alias = after_as(part.get(module.len()..).unwrap_or_default());
            let first = module.split('.').next().unwrap_or(module);
            if !module.is_empty() {
                self.imports.push(Imported {
                    at: line.at,
                    module: module.to_owned(),
                    member: None,
                    alias: alias.unwrap_or(first),
                    is_aliased: alias.is_some(),
                    runs: runs(open),
                });
            }
        }
    }

    fn import_from(&mut self, line: &Line<'t>, rest: &'t str, open: &[(usize, Holder)]) {
        let rest = rest.trim_start();
        let module = dotted(rest);
        let names = rest.get(module.len()..).unwrap_or_default().trim_start();
        let Some(names) = names.strip_prefix("import") else {
            return;
        };
        let module = module.to_owned();
        let names = names.trim().trim_start_matches('(').trim_end_matches(')');
        let one = |member, alias: &'t str, is_aliased| Imported {
            at: line.at,
            module: module.clone(),
            member,
            alias,
            is_aliased,
            runs: runs(open),
        };
        if names.trim().starts_with('*') {
            self.stars.push(one(None, "*", false));
            return;
        }
        for part in without_comments(names)
            .into_iter()
            .flat_map(|part| part.split(','))
        {
            let part = part.trim().trim_start_matches('\\').trim();
            let name = dotted(part);
            let alias = after_as(part.get(name.len()..).unwrap_or_default());
            if !name.is_empty() {
                self.imports
                    .push(one(Some(name), alias.unwrap_or(name), alias.is_some()));
            }
        }
    }

    fn function(
        &mut self,
        line: &Line<'t>,
        rest: &'t str,
        open: &[(usize, Holder)],
        decorators: Vec<&'t str>,
    ) {
        let rest = rest.trim_start();
        let name = dotted(rest);
        let class = match open
            .iter()
            .rev()
            .map(|&(_, holder)| holder)
            .find(|holder| matches!(holder, Holder::Class(_) | Holder::Function))
        {
            Some(Holder::Class(at)) => Some(at),
            _ => None,
        };
        self.functions.push(FunctionHead {
            name,
            at: line.place_of(name),
            class,
            nested: open.iter().any(|&(_, holder)| holder == Holder::Function),
            decorators,
            parameters: parameters(rest.get(name.len()..).unwrap_or_default()),
        });
    }

    fn class(
        &mut self,
        line: &Line<'t>,
        rest: &'t str,
        open: &[(usize, Holder)],
        decorators: Vec<&'t str>,
    ) {
        let rest = rest.trim_start();
        let name = dotted(rest);
        let list = rest.get(name.len()..).unwrap_or_default();
        self.classes.push(ClassHead {
            name,
            at: line.place_of(name),
            nested: open
                .iter()
                .any(|&(_, holder)| matches!(holder, Holder::Function | Holder::Class(_))),
            decorators,
            bases: items(list)
                .into_iter()
                .map(str::trim)
                .filter(|base| !base.is_empty() && dotted(base) == *base)
                .collect(),
            fields: Vec::new(),
        });
    }

    /// `name: type`, `name = other.name`.
    fn statement(&mut self, word: &'t str, rest: &'t str, open: &[(usize, Holder)]) {
        let rest = rest.trim_start();
        if let Some((_, Holder::Class(at))) = open.last() {
            let annotated = rest.starts_with(':') && !rest.starts_with(":=");
            if annotated
                && !rest.contains("ClassVar")
                && let Some(class) = self.classes.get_mut(*at)
            {
                class.fields.push(word);
            }
        } else if runs(open)
            && let Some(value) = rest
                .strip_prefix('=')
                .filter(|value| !value.starts_with('='))
        {
            let value = value.trim();
            if value.starts_with(|first: char| first.is_alphabetic() || first == '_')
                && dotted(value) == value
                && !matches!(value, "None" | "True" | "False")
            {
                self.aliases.push((word, value));
            }
        }
    }
}

fn runs(open: &[(usize, Holder)]) -> bool {
    !open
        .iter()
        .any(|(_, holder)| matches!(holder, Holder::Function | Holder::Typing))
}

/// The word at the start, and what follows.
fn first_word(text: &str) -> (&str, &str) {
    let end = text
        .bytes()
        .position(|byte| !is_word(byte))
        .unwrap_or(text.len());
    text.split_at(end)
}

/// The dotted name at the start.
fn dotted(text: &str) -> &str {
    let end = text
        .bytes()
        .position(|byte| !is_word(byte) && byte != b'.')
        .unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// The name behind `as`.
fn after_as(text: &str) -> Option<&str> {
    let (word, rest) = first_word(text.trim_start());
    (word == "as").then(|| first_word(rest.trim_start()).0)
}

fn without_comments(text: &str) -> Vec<&str> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .collect()
}

/// The parts of a list in brackets at the start of a text, split at its commas.
fn items(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    // A list of type parameters may stand before that of the arguments.
    let mut at = 0;
    if bytes.first() == Some(&b'[') {
        at = closing(bytes, 0);
    }
    if bytes.get(at) != Some(&b'(') {
        return found;
    }
    at += 1;
    let mut from = at;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b')' => break,
            b',' => {
                found.extend(text.get(from..at));
                at += 1;
                from = at;
            }
            b'(' | b'[' | b'{' => at = closing(bytes, at),
            _ => at = skip(bytes, at),
        }
    }
    found.extend(text.get(from..at.min(text.len())));
    found
}

/// The place behind the bracket that closes the one at a place.
fn closing(bytes: &[u8], open: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = open;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {
                at = skip(bytes, at);
                continue;
            }
        }
        at += 1;
    }
    at
}

fn parameters(text: &str) -> Vec<Parameter<'_>> {
    let mut found = Vec::new();
    for item in items(text) {
        let mut item = item.trim_start();
        while let Some(rest) = item.strip_prefix('#') {
            item = rest
                .split_once('\n')
                .map_or("", |(_, rest)| rest)
                .trim_start();
        }
        let name = item.trim_start_matches('*');
        let stars = u8::try_from(item.len() - name.len()).unwrap_or(u8::MAX);
        let name = dotted(name.trim_start());
        if !(name.is_empty() && stars == 0 && !item.starts_with('/')) {
            found.push(Parameter { name, stars });
        }
    }
    found
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
