//! The parts of an outline.

/// What stands between the loading of a module and one of its imports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Guard {
    /// Nothing: the module can't be loaded without what it imports.
    #[default]
    Nothing,
    /// The import stands in a branch, and runs when the branch is taken.
    Branch,
    /// The failure of the import is caught.
    Caught,
    /// The import stands in a function, and runs when that is called.
    Function,
    /// The import is for type checkers alone.
    Typing,
}

/// A name that an import brings in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported<'t> {
    /// Where the statement starts.
    pub at: usize,
    /// The module, with its leading dots.
    pub module: &'t str,
    /// The imported member; `None` for the module itself.
    pub member: Option<&'t str>,
    /// Under which name it is known; the first part of the module's name for `import a.b`.
    pub alias: &'t str,
    /// Whether the name is known under another name than its own.
    pub is_aliased: bool,
    /// What stands between the loading of the module and the import.
    pub guard: Guard,
    /// The innermost branch around it, by its place in the outline.
    pub branch: Option<usize>,
    /// The function at the top of the module that runs it whenever it is called, by its place in the outline.
    pub function: Option<usize>,
}

/// An arm of a chain of `if`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch<'t> {
    /// Where its head starts.
    pub at: usize,
    /// The text of its condition; `None` for `else`.
    pub condition: Option<&'t str>,
    /// The arm of the chain before it, by its place in the outline.
    pub before: Option<usize>,
    /// The branch around it.
    pub enclosing: Option<usize>,
    /// Whether it stands in no other block.
    pub is_top: bool,
    /// How its last statement begins.
    pub last: &'t str,
}

impl Imported<'_> {
    /// The dotted name that the alias stands for, with its leading dots.
    pub fn dotted(&self) -> String {
        match self.member {
            Some(member) if self.module.ends_with('.') => format!("{}{member}", self.module),
            Some(member) => format!("{}.{member}", self.module),
            None if self.is_aliased => self.module.to_owned(),
            None => self.alias.to_owned(),
        }
    }

    /// Whether the import runs when the module is loaded: it is not in a function, and not for type checkers alone.
    pub fn runs(&self) -> bool {
        !matches!(self.guard, Guard::Function | Guard::Typing)
    }
}

/// A parameter of a function. There are many, so it has one text for all that it says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter<'t> {
    /// Its name with the stars before it; empty for the lone `/`.
    pub written: &'t str,
}

impl<'t> Parameter<'t> {
    /// Its name; empty for the lone `*` and `/`.
    pub fn name(self) -> &'t str {
        self.written.trim_start_matches('*').trim_start()
    }

    /// How many stars stand before it.
    pub fn stars(self) -> usize {
        let written = self.written.bytes();
        written.take_while(|&byte| byte == b'*').count()
    }
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
    pub decorators: Box<[&'t str]>,
    /// Its parameters.
    pub parameters: Box<[Parameter<'t>]>,
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
pub struct ModuleOutline<'t> {
    /// The imported names.
    pub imports: Vec<Imported<'t>>,
    /// Modules all of whose names come in.
    pub stars: Vec<Imported<'t>>,
    /// Its functions, methods and nested ones among them, by place.
    pub functions: Vec<FunctionHead<'t>>,
    /// Its classes, by place.
    pub classes: Vec<ClassHead<'t>>,
    /// The arms of its chains of `if` that an import stands in or behind, and the first arms at the top, by place.
    pub branches: Vec<Branch<'t>>,
    /// The values of `pytestmark` at the top, with the places of the statements.
    pub marks: Vec<(usize, &'t str)>,
    /// Names at the top that are other names: `register = torch.library.register`.
    pub aliases: Vec<(&'t str, &'t str)>,
    /// Whether the module has a part for when it is run as a program.
    pub is_program: bool,
    /// Whether loading it does something besides defining what it has: a loop or a `with` at the top, or a call whose
    /// result nobody keeps.
    pub acts: bool,
    /// Whether it has Python look for modules in more folders: `sys.path.insert(0, "lib")`.
    pub adds_folders: bool,
}
