//! Which strings are C++, or may be, by their form and by the code that takes them.

use super::forms::{Form, form, is_prose, is_template};
use crate::mapping::Embedded as Table;
use crate::rules::python::ModuleView;
use crate::rules::python::inference::options::has;
use crate::rules::python::inference::{StringRole, string_role};
use crate::rules::python::quoted::is_python;
use crate::syntax::python::{Consumer, Field, Literal, NodeId, Use, fill_format, fill_percent};
use crate::text::Fragment;
use crate::text::contains;

/// A string that is C++, or may be.
pub(super) struct Source {
    /// The literal.
    pub literal: Literal,
    /// Its text, with something that parses where values are put in.
    pub code: Fragment,
    /// Whether it is C++ beyond doubt.
    pub sure: bool,
    /// Whether its content alone says so.
    pub marked: bool,
    /// What its braces mean.
    pub braces: Braces,
    /// What is included for it by what takes it.
    pub headers: Vec<String>,
}

/// What braces mean in a string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Braces {
    /// Themselves.
    Plain,
    /// Something is put in, and those of the source stand doubled.
    Doubled,
    /// They are those of a template.
    Template,
}

/// All such strings of a module.
pub(super) fn all(unit: &ModuleView<'_>, table: &Table) -> Vec<Source> {
    let tree = &unit.module.tree;
    let strings = unit.module.strings().iter();
    strings
        .filter(|&&node| table.may_matter(tree.word(node)))
        .filter_map(|&node| Literal::read(tree, node))
        .filter_map(|literal| Source::of(unit, table, literal))
        .collect()
}

impl Source {
    fn of(unit: &ModuleView<'_>, table: &Table, literal: Literal) -> Option<Self> {
        let text = literal.value();
        let form = form(text).filter(|_| !is_python(unit, text))?;
        let of = unit.module.use_of(literal.node);
        if form == Form::Piece && (is_prose(table, text) || is_label(unit, &of, &literal)) {
            return None;
        }
        let (taken, headers) = is_taken(unit, table, &of);
        if !taken && string_role(unit, &of) == StringRole::Text && !is_printed(unit, table, &of) {
            return None;
        }
        let code = form == Form::Statements;
        let sure = code && (taken || !is_searched(unit, table, &of));
        let marked = table.is_marked(text);
        let mut filled = literal.fragment().clone();
        let mut doubled = literal.holes() > 0;
        if let Some(one) = fill_format(&filled) {
            filled = one;
            doubled = true;
        }
        if let Some(one) = fill_percent(&filled, is_left_of_percent(unit, literal.node)) {
            filled = one;
        }
        let braces = match doubled {
            true => Braces::Doubled,
            false if is_template(filled.text()) => Braces::Template,
            false => Braces::Plain,
        };
        Some(Self {
            literal,
            code: filled,
            sure,
            marked,
            braces,
            headers,
        })
    }

    /// The headers that it includes itself.
    pub(super) fn includes(&self) -> impl Iterator<Item = String> {
        let lines = self.code.text().split(|&byte| byte == b'\n');
        lines.filter_map(|line| {
            let rest = line.trim_ascii().strip_prefix(b"#")?.trim_ascii_start();
            let rest = rest.strip_prefix(b"include")?.trim_ascii_start();
            let rest = rest.get(1..)?;
            let end = rest.iter().position(|byte| matches!(byte, b'>' | b'"'))?;
            Some(String::from_utf8_lossy(rest.get(..end)?).into_owned())
        })
    }
}

/// Whether the string goes to something that takes source, and what that includes for it.
fn is_taken(unit: &ModuleView<'_>, table: &Table, of: &Use) -> (bool, Vec<String>) {
    let (call, position, keyword) = match of.consumer {
        Consumer::Keyword { call, name } => (call, None, unit.module.tree.word(name)),
        Consumer::Argument { call, position } => (call, position, &b""[..]),
        _ => return (false, Vec::new()),
    };
    let callee = unit.module.callee(call);
    let row = callee.and_then(|callee| {
        table.calls.iter().find(|row| {
            let here = position == Some(row.argument) || row.keyword.as_bytes() == keyword;
            here && row.callee == callee.name
        })
    });
    match row {
        Some(row) => (true, row.headers.clone()),
        None => (has(&table.keywords, keyword), Vec::new()),
    }
}

/// `print(…, file=out)`: a file is written, nobody reads it on a screen.
fn is_printed(unit: &ModuleView<'_>, table: &Table, of: &Use) -> bool {
    let tree = &unit.module.tree;
    let printer = &table.written.printer;
    let Consumer::Argument { call, .. } = of.consumer else {
        return false;
    };
    unit.module.callee_word(call) == printer.callee.as_bytes()
        && tree.arguments(call).any(|one| {
            let name = tree.child(one, Field::Name);
            let value = tree.child(one, Field::Value);
            name.is_some_and(|name| tree.word(name) == printer.keyword.as_bytes())
                && value
                    .is_some_and(|value| !tree.word(value).starts_with(printer.screens.as_bytes()))
        })
}

/// Whether the string is looked for, or compared.
fn is_searched(unit: &ModuleView<'_>, table: &Table, of: &Use) -> bool {
    match of.consumer {
        Consumer::Comparison { .. } | Consumer::Pattern { .. } | Consumer::DictKey { .. } => true,
        Consumer::Argument { call, .. } => has(&table.searches, unit.module.callee_word(call)),
        _ => false,
    }
}

/// `check(cudart.cudaSetDevice(0), "cudaSetDevice(0)")`: the text is a label for the code next to it.
fn is_label(unit: &ModuleView<'_>, of: &Use, literal: &Literal) -> bool {
    let tree = &unit.module.tree;
    let Consumer::Argument { call, .. } = of.consumer else {
        return false;
    };
    let mut beside = tree.arguments(call).filter(|&one| one != literal.node);
    beside.any(|one| contains(tree.word(one), literal.value()))
}

/// `"…" % values`
pub(super) fn is_left_of_percent(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let Some(up) = tree.parent(node) else {
        return false;
    };
    let operator = tree.child(up, Field::Operator);
    tree.nth(up, 0) == Some(node) && operator.is_some_and(|one| tree.word(one) == b"%")
}
