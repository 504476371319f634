//! Which strings are C++, or may be C++, by their form and by the code that uses them.

use super::forms::{TextForm, form_of, has_pythons_lines, is_prose, is_template};
use crate::python::ModuleView;
use crate::python::inference::{StringRole, string_role};
use crate::python::quoted::is_python;
use torchada_mapping::Embedded as Table;
use torchada_mapping::has;
use torchada_syntax::python::{Consumer, Literal, NodeId, Use, fill_format, fill_percent};
use torchada_text::Fragment;
use torchada_text::contains;

/// A string that is C++, or may be C++.
pub(super) struct SourceString {
    /// The literal.
    pub literal: Literal,
    /// The string's text, with a name that parses in each place where the program inserts a value.
    pub code: Fragment,
    /// Whether the string is certainly C++.
    pub is_certain: bool,
    /// Whether the text has words that only source for CUDA has.
    pub is_marked: bool,
    /// The meaning of braces in the string.
    pub braces: Braces,
    /// The headers that the call which takes the source includes for it.
    pub headers: Vec<String>,
}

/// The meanings of braces in a string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Braces {
    /// Braces of the source.
    Plain,
    /// Python inserts values at single braces; the braces of the source are doubled.
    Doubled,
    /// Braces of a template's language as well as those of the source.
    Template,
}

/// All strings of a module that are C++, or may be C++.
pub(super) fn all(unit: &ModuleView<'_>, table: &Table) -> Vec<SourceString> {
    let tree = &unit.module.tree;
    let strings = unit.module.strings().iter();
    strings
        .filter(|&&node| table.may_matter(tree.word(node)))
        .filter_map(|&node| Literal::read(tree, node))
        .filter_map(|literal| SourceString::of(unit, table, literal))
        .collect()
}

impl SourceString {
    fn of(unit: &ModuleView<'_>, table: &Table, literal: Literal) -> Option<Self> {
        let text = literal.value();
        let form = form_of(text).filter(|_| !is_python(unit, text) && !has_pythons_lines(text))?;
        let of = unit.module.use_of(literal.node);
        let is_none =
            || is_prose(table, text) || is_label(unit, &of, &literal) || is_file_pattern(unit, &of);
        if form == TextForm::Piece && is_none() {
            return None;
        }
        let (taken, headers) = taken_as_source(unit, table, &of);
        if !taken
            && string_role(unit, &of) == StringRole::Text
            && !is_printed_to_file(unit, table, &of)
        {
            return None;
        }
        let code = form == TextForm::Statements;
        let is_certain = code && (taken || !is_searched(unit, table, &of));
        let is_marked = table.is_marked(text);
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
            is_certain,
            is_marked,
            braces,
            headers,
        })
    }

    /// The headers that the source includes itself.
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

/// Whether a call takes the string as source, and the headers that the call includes for the source.
fn taken_as_source(unit: &ModuleView<'_>, table: &Table, of: &Use) -> (bool, Vec<String>) {
    let (call, position, keyword) = match of.consumer {
        Consumer::Keyword { call, name } => (call, None, unit.module.tree.word(name)),
        Consumer::Argument { call, position } => (call, position, &b""[..]),
        _ => return (false, Vec::new()),
    };
    let callee = unit.module.callee_name(call);
    let row = callee.and_then(|callee| {
        table.calls.iter().find(|row| {
            let is_source = position == Some(row.argument) || row.keyword.as_bytes() == keyword;
            is_source && row.callee == callee.name
        })
    });
    match row {
        Some(row) => (true, row.headers.clone()),
        None => (has(&table.keywords, keyword), Vec::new()),
    }
}

/// Whether the program prints the string to a file, so that nobody reads it on a screen: `print(…, file=out)`.
fn is_printed_to_file(unit: &ModuleView<'_>, table: &Table, of: &Use) -> bool {
    let tree = &unit.module.tree;
    let printer = &table.written.printer;
    let Consumer::Argument { call, .. } = of.consumer else {
        return false;
    };
    unit.module.callee_word(call) == printer.callee.as_bytes()
        && tree
            .keyword(call, printer.keyword.as_bytes())
            .is_some_and(|value| !tree.word(value).starts_with(printer.screens.as_bytes()))
}

/// Whether the code searches for the string, or compares it.
fn is_searched(unit: &ModuleView<'_>, table: &Table, of: &Use) -> bool {
    match of.consumer {
        Consumer::Comparison { .. } | Consumer::Pattern { .. } | Consumer::DictKey { .. } => true,
        Consumer::Argument { call, .. } => has(&table.searches, unit.module.callee_word(call)),
        _ => false,
    }
}

/// Whether a string is a label for another argument of the same call: `check(cudart.cudaSetDevice(0),
/// "cudaSetDevice(0)")`.
fn is_label(unit: &ModuleView<'_>, of: &Use, literal: &Literal) -> bool {
    let tree = &unit.module.tree;
    let Consumer::Argument { call, .. } = of.consumer else {
        return false;
    };
    let mut others = tree.arguments(call).filter(|&one| one != literal.node);
    others.any(|one| contains(tree.word(one), literal.value()))
}

/// Whether a string is a pattern for names of files: `folder.glob("nvrtc*.dll")`.
fn is_file_pattern(unit: &ModuleView<'_>, of: &Use) -> bool {
    let Consumer::Argument { call, .. } = of.consumer else {
        return false;
    };
    let known = &unit.python_values().file_patterns;
    has(known, unit.module.callee_word(call))
}

/// Whether a string is formatted with `%`: `"…" % values`.
pub(super) fn is_left_of_percent(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let is_left = |up: NodeId| tree.nth(up, 0) == Some(node) && tree.operator(up) == b"%";
    tree.parent(node).is_some_and(is_left)
}
