//! Reads an outline, one logical line after the other. The indentation of a line decides which block it belongs to.

use super::super::lines::{LogicalLine, LogicalLines};
use super::words::{
    after_as, arguments, dotted, first_word, parameters, split_dotted, without_comments,
};
use super::{Branch, ClassHead, FunctionHead, Guard, Imported, ModuleOutline};
use torchada_text::last_part;

/// The outline of a module.
pub(super) fn outline(text: &str) -> ModuleOutline<'_> {
    let mut reader = Reader::default();
    for line in LogicalLines::new(text) {
        reader.line(&line);
    }
    reader.close(0);
    reader.outline
}

/// The places in an outline's lists of imports and of stars.
type Counts = (usize, usize);

/// The kind of definition that a block belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    Class(usize),
    Function,
    /// `if TYPE_CHECKING:`
    Typing,
    /// A `try`, and what was imported before it.
    Try(Counts),
    /// An `except`, with the imports of the `try` before it.
    Handler {
        from: Counts,
        to: Counts,
        catches: bool,
    },
    /// A `with` that catches the failure of an import, and what was imported before it.
    Suppress(Counts),
    /// A block that runs under a condition, by its place in the outline if it is an arm of a chain of `if`.
    Branch(Option<usize>),
    Other,
}

/// Exceptions that a failed import is.
const FAILURES: [&str; 4] = [
    "ImportError",
    "ModuleNotFoundError",
    "Exception",
    "BaseException",
];

/// What ends a program, as it stands behind the first word of a line: `sys.exit(1)`.
const ENDS: [&str; 2] = [".exit(", "._exit("];

/// Modules of Python's that a module calls to prepare what it defines: `sys.path.append(…)`, `warnings.filterwarnings(…)`.
const PREPARES: [&str; 4] = ["logging", "os", "sys", "warnings"];

#[derive(Default)]
struct Reader<'t> {
    outline: ModuleOutline<'t>,
    /// The blocks that are open, each with the indentation of the line that opens it.
    open: Vec<(usize, Holder)>,
    /// The last names of the decorators right above.
    decorators: Vec<&'t str>,
}

impl<'t> Reader<'t> {
    fn line(&mut self, line: &LogicalLine<'t>) {
        let before = self.close(line.indent);
        if let Some(&(_, Holder::Branch(Some(at)))) = self.open.last()
            && let Some(branch) = self.outline.branches.get_mut(at)
        {
            branch.last = line.text;
        }
        if let Some(name) = line.text.strip_prefix('@') {
            let name = dotted(name.trim_start());
            self.decorators.push(last_part(name));
            return;
        }
        let decorators = std::mem::take(&mut self.decorators);
        let (word, rest) = first_word(line.text);
        let rest = rest.trim_start();
        match word {
            "import" => self.import(line, rest),
            "from" => self.import_from(line, rest),
            "def" => self.function(line, rest, decorators),
            "async" => {
                if let ("def", rest) = first_word(rest) {
                    self.function(line, rest.trim_start(), decorators);
                }
            }
            "class" => self.class(line, rest, decorators),
            "if" if rest.contains("TYPE_CHECKING") && !rest.contains("not ") => {
                self.open.push((line.indent, Holder::Typing));
            }
            "try" => self.open.push((line.indent, Holder::Try(self.counts()))),
            "except" => self.handler(line.indent, rest, before),
            "with" => {
                let holder = if rest.contains("suppress(") && names_failure(rest) {
                    Holder::Suppress(self.counts())
                } else {
                    self.outline.acts |= self.open.is_empty();
                    Holder::Other
                };
                self.open.push((line.indent, holder));
            }
            "if" if rest.starts_with("not TYPE_CHECKING") => {
                self.open.push((line.indent, Holder::Other));
            }
            "else" if matches!(before, Some(Holder::Typing)) => {
                self.open.push((line.indent, Holder::Other));
            }
            "if" => {
                self.outline.is_program |= rest.contains("__name__") && rest.contains("__main__");
                self.branch(line, Some(rest), None);
            }
            "elif" => self.branch(line, Some(rest), before),
            "else" => self.branch(line, None, before),
            "for" | "while" | "match" | "case" => {
                self.outline.acts |= self.open.is_empty() && matches!(word, "for" | "while");
                self.open.push((line.indent, Holder::Branch(None)));
            }
            "pytestmark" if self.open.is_empty() && rest.starts_with('=') => {
                let value = rest.trim_start_matches('=').trim_start();
                self.outline.marks.push((line.at, value));
            }
            "finally" => self.open.push((line.indent, Holder::Other)),
            "raise" => self.fails(),
            _ if ENDS.iter().any(|end| rest.starts_with(end)) => self.fails(),
            _ => {
                self.outline.acts |= self.open.is_empty() && calls(line.text);
                self.statement(word, rest);
            }
        }
    }

    /// An arm of a chain of `if`, behind the block `before`.
    fn branch(
        &mut self,
        line: &LogicalLine<'t>,
        condition: Option<&'t str>,
        before: Option<Holder>,
    ) {
        let at = self.outline.branches.len();
        let condition = condition.map(|one| one.trim_end().trim_end_matches(':'));
        let before = match before {
            Some(Holder::Branch(at)) => at,
            _ => None,
        };
        self.outline.branches.push(Branch {
            at: line.at,
            condition,
            before,
            around: self.innermost(),
            is_top: self.open.is_empty(),
            last: "",
        });
        self.open.push((line.indent, Holder::Branch(Some(at))));
    }

    /// The innermost arm of a chain of `if` that is open.
    fn innermost(&self) -> Option<usize> {
        self.open
            .iter()
            .rev()
            .find_map(|&(_, holder)| match holder {
                Holder::Branch(at) => at,
                _ => None,
            })
    }

    /// End the blocks that are as far in as a line, or further. Returns the outermost of them.
    fn close(&mut self, indent: usize) -> Option<Holder> {
        let mut outermost = None;
        while let Some(&(_, holder)) = self.open.last().filter(|(one, _)| *one >= indent) {
            self.open.pop();
            match holder {
                Holder::Handler {
                    from,
                    to,
                    catches: true,
                } => self.catch(from, to),
                Holder::Suppress(from) => self.catch(from, self.counts()),
                _ => {}
            }
            outermost = Some(holder);
        }
        outermost
    }

    /// `except ImportError:`
    fn handler(&mut self, indent: usize, rest: &str, before: Option<Holder>) {
        let (from, to) = match before {
            Some(Holder::Try(from)) => (from, self.counts()),
            Some(Holder::Handler { from, to, .. }) => (from, to),
            _ => (self.counts(), self.counts()),
        };
        let catches = catches_failed_import(rest);
        self.open
            .push((indent, Holder::Handler { from, to, catches }));
    }

    /// A handler whose own statement raises or ends the program does not catch anything.
    fn fails(&mut self) {
        if let Some((_, Holder::Handler { catches, .. })) = self.open.last_mut() {
            *catches = false;
        }
    }

    /// How much was imported up to here.
    fn counts(&self) -> Counts {
        (self.outline.imports.len(), self.outline.stars.len())
    }

    /// Note of the imports between two places that their failure is caught.
    fn catch(&mut self, from: Counts, to: Counts) {
        let imports = self.outline.imports.get_mut(from.0..to.0);
        let stars = self.outline.stars.get_mut(from.1..to.1);
        let all = imports.into_iter().chain(stars).flatten();
        for one in all.filter(|one| one.guard < Guard::Caught) {
            one.guard = Guard::Caught;
        }
    }

    fn import(&mut self, line: &LogicalLine<'t>, rest: &'t str) {
        for part in rest.split(',') {
            let (module, behind) = split_dotted(part.trim());
            let alias = after_as(behind);
            let first = module.split('.').next().unwrap_or(module);
            if !module.is_empty() {
                self.outline.imports.push(Imported {
                    at: line.at,
                    module: module.to_owned(),
                    member: None,
                    alias: alias.unwrap_or(first),
                    is_aliased: alias.is_some(),
                    guard: self.guard(),
                    branch: self.innermost(),
                    function: self.running_function(),
                });
            }
        }
    }

    fn import_from(&mut self, line: &LogicalLine<'t>, rest: &'t str) {
        let (module, names) = split_dotted(rest);
        let Some(names) = names.trim_start().strip_prefix("import") else {
            return;
        };
        let names = names.trim().trim_start_matches('(').trim_end_matches(')');
        let (guard, branch) = (self.guard(), self.innermost());
        let function = self.running_function();
        let one = |member, alias: &'t str, is_aliased| Imported {
            at: line.at,
            module: module.to_owned(),
            member,
            alias,
            is_aliased,
            guard,
            branch,
            function,
        };
        if names.trim().starts_with('*') {
            self.outline.stars.push(one(None, "*", false));
            return;
        }
        for part in without_comments(names).flat_map(|part| part.split(',')) {
            let part = part.trim().trim_start_matches('\\').trim();
            let (name, behind) = split_dotted(part);
            let alias = after_as(behind);
            if !name.is_empty() {
                self.outline
                    .imports
                    .push(one(Some(name), alias.unwrap_or(name), alias.is_some()));
            }
        }
    }

    fn function(&mut self, line: &LogicalLine<'t>, rest: &'t str, decorators: Vec<&'t str>) {
        let (name, behind) = split_dotted(rest);
        let class = match self.definitions().next() {
            Some(Holder::Class(at)) => Some(at),
            _ => None,
        };
        let nested = self.definitions().any(|holder| holder == Holder::Function);
        self.outline.functions.push(FunctionHead {
            name,
            at: line.place_of(name),
            class,
            nested,
            decorators,
            parameters: parameters(behind),
        });
        self.open.push((line.indent, Holder::Function));
    }

    fn class(&mut self, line: &LogicalLine<'t>, rest: &'t str, decorators: Vec<&'t str>) {
        let (name, behind) = split_dotted(rest);
        let nested = self.definitions().next().is_some();
        let holder = Holder::Class(self.outline.classes.len());
        self.outline.classes.push(ClassHead {
            name,
            at: line.place_of(name),
            nested,
            decorators,
            bases: arguments(behind)
                .into_iter()
                .map(str::trim)
                .filter(|base| !base.is_empty() && dotted(base) == *base)
                .collect(),
            fields: Vec::new(),
        });
        self.open.push((line.indent, holder));
    }

    /// `name: type`, `name = other.name`.
    fn statement(&mut self, word: &'t str, rest: &'t str) {
        if let Some((_, Holder::Class(at))) = self.open.last() {
            let annotated = rest.starts_with(':') && !rest.starts_with(":=");
            if annotated
                && !rest.contains("ClassVar")
                && let Some(class) = self.outline.classes.get_mut(*at)
            {
                class.fields.push(word);
            }
        } else if self.runs()
            && let Some(value) = rest
                .strip_prefix('=')
                .filter(|value| !value.starts_with('='))
        {
            let value = value.trim();
            if value.starts_with(|first: char| first.is_alphabetic() || first == '_')
                && dotted(value) == value
                && !matches!(value, "None" | "True" | "False")
            {
                self.outline.aliases.push((word, value));
            }
        }
    }

    /// The classes and functions that are open, the innermost first.
    fn definitions(&self) -> impl Iterator<Item = Holder> {
        let holders = self.open.iter().rev().map(|&(_, holder)| holder);
        holders.filter(|holder| matches!(holder, Holder::Class(_) | Holder::Function))
    }

    /// What stands between the loading of the module and a line.
    fn guard(&self) -> Guard {
        let guards = self.open.iter().map(|(_, holder)| match holder {
            Holder::Function => Guard::Function,
            Holder::Typing => Guard::Typing,
            Holder::Branch(_) | Holder::Handler { .. } => Guard::Branch,
            _ => Guard::Nothing,
        });
        guards.max().unwrap_or_default()
    }

    /// The function at the top of the module in whose body a line stands, in no other block of it.
    fn running_function(&self) -> Option<usize> {
        let [(_, Holder::Function)] = self.open.as_slice() else {
            return None;
        };
        let mut heads = self.outline.functions.iter();
        heads.rposition(|one| !one.nested && one.class.is_none())
    }

    /// Whether a line runs when the module is loaded.
    fn runs(&self) -> bool {
        self.guard() < Guard::Function
    }
}

/// Whether a statement is a call whose result nobody keeps, and more than a preparation.
fn calls(statement: &str) -> bool {
    let (name, behind) = split_dotted(statement);
    let root = name.split('.').next().unwrap_or_default();
    behind.starts_with('(') && !PREPARES.contains(&root)
}

/// Whether a handler catches the failure of an import, by its head: it names such an exception, or none.
pub fn catches_failed_import(head: &str) -> bool {
    let clause = head.trim();
    let clause = clause.strip_prefix("except").unwrap_or(clause);
    let clause = clause.trim_start_matches(['*', ' ']);
    clause.is_empty() || clause.starts_with(':') || names_failure(clause)
}

/// Whether one of the names in a clause is an exception that a failed import is.
fn names_failure(clause: &str) -> bool {
    let mut words = clause.split(|one: char| !(one.is_alphanumeric() || one == '_'));
    words.any(|word| FAILURES.contains(&word))
}
