//! Reads an outline, one logical line after the other. The indentation of a line decides which block it belongs to.

use super::super::lines::{LogicalLine, LogicalLines};
use super::blocks::{Holder, Reader};
use super::imports::names_failure;
use super::words::{arguments, dotted, first_word, parameters, split_dotted};
use super::{Branch, ClassHead, FunctionHead, ModuleOutline};
use torchada_text::last_part;

/// What has Python look for modules in another folder, too, as it stands behind `sys`, the first word of a line.
const SEARCHES: [&str; 3] = [".path.append(", ".path.extend(", ".path.insert("];

/// The outline of a module.
pub(super) fn outline(text: &str) -> ModuleOutline<'_> {
    let mut reader = Reader::default();
    for line in LogicalLines::new(text) {
        reader.line(&line);
    }
    reader.close(0);
    reader.outline.drop_other_branches();
    reader.outline
}

/// How many bytes of the last statement of a branch are kept: its first words tell whether it leaves.
const LAST: usize = 32;

/// What ends a program, as it stands behind the first word of a line: `sys.exit(1)`.
const ENDS: [&str; 2] = [".exit(", "._exit("];

/// Modules of Python's that a module calls to prepare what it defines: `sys.path.append(…)`, `warnings.filterwarnings(…)`.
const PREPARES: [&str; 4] = ["logging", "os", "sys", "warnings"];

impl<'t> Reader<'t> {
    fn line(&mut self, line: &LogicalLine<'t>) {
        let before = self.close(line.indent);
        if let Some(&(_, Holder::Branch(Some(at)))) = self.open.last()
            && let Some(branch) = self.outline.branches.get_mut(at)
        {
            branch.last = line.text.get(..LAST).unwrap_or(line.text);
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
                    self.outline.acts |= self.is_at_top();
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
                self.outline.acts |= self.is_at_top() && matches!(word, "for" | "while");
                self.open.push((line.indent, Holder::Branch(None)));
            }
            "pytestmark" if self.open.is_empty() && rest.starts_with('=') => {
                let value = rest.trim_start_matches('=').trim_start();
                self.outline.marks.push((line.at, value));
            }
            "finally" => self.open.push((line.indent, Holder::Other)),
            "raise" => self.fails(),
            // Most lines begin with a name: the few words that count are looked for behind a dot alone.
            _ if rest.starts_with('.') && ENDS.iter().any(|end| rest.starts_with(end)) => {
                self.fails();
            }
            _ => {
                self.outline.acts |= self.is_at_top() && calls(line.text);
                self.outline.adds_folders |=
                    word == "sys" && SEARCHES.iter().any(|one| rest.starts_with(one));
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
            enclosing: self.innermost(),
            is_top: self.open.is_empty(),
            last: "",
        });
        self.open.push((line.indent, Holder::Branch(Some(at))));
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
            decorators: decorators.into(),
            parameters: parameters(behind).into(),
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

    /// `name: type`, `name = other.name`, `name: TypeAlias = other.name`.
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
            && let Some((annotation, value)) = rest.split_once('=')
            && (annotation.is_empty() || annotation.starts_with(':') && annotation.len() > 1)
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
}

/// Whether a statement is a call whose result nobody keeps, and more than a preparation.
fn calls(statement: &str) -> bool {
    let (name, behind) = split_dotted(statement);
    let root = name.split('.').next().unwrap_or_default();
    behind.starts_with('(') && !PREPARES.contains(&root)
}
