//! C++ for CUDA in strings: source for run-time compilers, templates and generators.

mod forms;

use self::forms::{Form, form, is_prose, is_template};
use super::quoted::is_python;
use super::reading::{Reading, reading};
use super::unit::contains;
use super::written::{self, WRITTEN_NAME};
use super::{PythonRule, PythonUnit};
use crate::diagnostic::{Applicability, Code, Severity};
use crate::edit::Edit;
use crate::mapping::Embedded as Table;
use crate::rules::Outcome;
use crate::rules::cpp::Guest;
use crate::syntax::python::{
    Consumer, Field, Kind, Literal, NodeId, Use, fill_format, fill_percent,
};
use crate::text::{Fragment, TextRange};

/// Names of CUDA's C++ in a string that may be source or may be a text.
pub const MAY_BE_SOURCE: Code = Code {
    id: "PY080",
    severity: Severity::Warning,
    title: "may be C++ in a string; where it stands does not tell",
};
/// A name in a string can't be changed in place.
pub const NEEDS_ESCAPE: Code = Code {
    id: "PY081",
    severity: Severity::Warning,
    title: "code in a string that can't be changed in place",
};
/// Source in a string goes to a call that builds it with CUDA's compiler.
pub const BUILT_FOR_CUDA: Code = Code {
    id: "PY082",
    severity: Severity::Warning,
    title: "source in a string is built by a call that stays PyTorch's",
};

/// Code in strings.
pub struct Embedded;

const RULE: &str = "python-code-in-string";

impl PythonRule for Embedded {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        const CODES: [Code; 4] = [MAY_BE_SOURCE, NEEDS_ESCAPE, BUILT_FOR_CUDA, WRITTEN_NAME];
        &CODES
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        // In the portable dialect it stays CUDA's, and is ported when it is built.
        let table = &unit.lore.knowledge.embedded;
        if !unit.is_musa() {
            return;
        }
        let sources: Vec<Source> = sources(unit, table);
        let mut headers: Vec<String> = Vec::new();
        for source in &sources {
            headers.extend(source.headers.iter().cloned());
            headers.extend(includes(source.code.text()));
        }
        headers.sort();
        headers.dedup();
        for source in &sources {
            source.settle(unit, &headers, out);
        }
        let generates = sources.iter().any(|source| source.sure && source.marked);
        written::check(unit, generates, out);
        builders(unit, table, out);
    }
}

/// A string that is C++, or may be.
struct Source {
    literal: Literal,
    code: Fragment,
    /// Whether it is C++ beyond doubt.
    sure: bool,
    /// Whether its content alone says so.
    marked: bool,
    braces: Braces,
    headers: Vec<String>,
}

/// What braces mean in a string.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Braces {
    /// Themselves.
    Plain,
    /// Something is put in, and those of the source stand doubled.
    Doubled,
    /// They are those of a template.
    Template,
}

fn sources(unit: &PythonUnit<'_>, table: &Table) -> Vec<Source> {
    let tree = &unit.module.tree;
    let mut found = Vec::new();
    for &node in unit.module.strings() {
        if !table.may_matter(tree.word(node)) {
            continue;
        }
        let Some(literal) = Literal::read(tree, node) else {
            continue;
        };
        found.extend(source(unit, table, literal));
    }
    found
}

fn source(unit: &PythonUnit<'_>, table: &Table, literal: Literal) -> Option<Source> {
    let text = literal.value();
    let form = form(text).filter(|_| !is_python(unit, text))?;
    let of = unit.module.use_of(literal.node);
    if form == Form::Piece && (is_prose(table, text) || is_label(unit, &of, &literal)) {
        return None;
    }
    let (taken, headers) = is_taken(unit, table, &of);
    if !taken && reading(unit, &of) == Reading::Prose && !is_written(unit, &of) {
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
    Some(Source {
        literal,
        code: filled,
        sure,
        marked,
        braces,
        headers,
    })
}

/// Whether the string goes to something that takes source, and what that includes for it.
fn is_taken(unit: &PythonUnit<'_>, table: &Table, of: &Use) -> (bool, Vec<String>) {
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
    if let Some(row) = row {
        (true, row.headers.clone())
    } else {
        let named = table.keywords.iter().any(|one| one.as_bytes() == keyword);
        (named, Vec::new())
    }
}

/// `print(…, file=out)`: a file is written, nobody reads it on a screen.
fn is_written(unit: &PythonUnit<'_>, of: &Use) -> bool {
    let tree = &unit.module.tree;
    let Consumer::Argument { call, .. } = of.consumer else {
        return false;
    };
    let Some(arguments) = tree.child(call, Field::Arguments) else {
        return false;
    };
    unit.module.callee_word(call) == b"print"
        && tree.children(arguments).any(|one| {
            let name = tree.child(one, Field::Name);
            let value = tree.child(one, Field::Value);
            name.is_some_and(|name| tree.word(name) == b"file")
                && value.is_some_and(|value| !tree.word(value).starts_with(b"sys.std"))
        })
}

/// Whether the string is looked for, or compared.
fn is_searched(unit: &PythonUnit<'_>, table: &Table, of: &Use) -> bool {
    match of.consumer {
        Consumer::Comparison { .. } | Consumer::Pattern { .. } | Consumer::DictKey { .. } => true,
        Consumer::Argument { call, .. } => {
            let word = unit.module.callee_word(call);
            table.searches.iter().any(|one| one.as_bytes() == word)
        }
        _ => false,
    }
}

/// `check(cudart.cudaSetDevice(0), "cudaSetDevice(0)")`: the text says what stands beside it.
fn is_label(unit: &PythonUnit<'_>, of: &Use, literal: &Literal) -> bool {
    let tree = &unit.module.tree;
    let Consumer::Argument { call, .. } = of.consumer else {
        return false;
    };
    let arguments = tree.child(call, Field::Arguments);
    let mut beside = arguments.into_iter().flat_map(|list| tree.children(list));
    beside.any(|one| one != literal.node && contains(tree.word(one), literal.value()))
}

/// `"…" % values`
fn is_left_of_percent(unit: &PythonUnit<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let Some(up) = tree.parent(node) else {
        return false;
    };
    let operator = tree.child(up, Field::Operator);
    tree.nth(up, 0) == Some(node) && operator.is_some_and(|one| tree.word(one) == b"%")
}

/// The headers that a text includes.
fn includes(text: &[u8]) -> Vec<String> {
    let lines = text.split(|&byte| byte == b'\n');
    let named = |line: &[u8]| {
        let rest = line.trim_ascii().strip_prefix(b"#")?.trim_ascii_start();
        let rest = rest.strip_prefix(b"include")?.trim_ascii_start();
        let rest = rest.get(1..)?;
        let end = rest.iter().position(|byte| matches!(byte, b'>' | b'"'))?;
        Some(String::from_utf8_lossy(rest.get(..end)?).into_owned())
    };
    lines.filter_map(named).collect()
}

impl Source {
    fn settle(&self, unit: &PythonUnit<'_>, headers: &[String], out: &mut Outcome) {
        let mut inner = out.inside();
        let guest = Guest {
            project: unit.project,
            index: unit.index,
            file_text: unit.text,
            lines: unit.lines,
            lore: unit.lore,
            settings: unit.settings,
            headers,
            template: self.braces == Braces::Template,
        };
        guest.check(&self.code, &mut inner);
        if inner.is_empty() {
            return;
        }
        if self.sure {
            unit.claim(out, self.literal.node);
            self.take_back(unit, &mut inner);
            out.absorb(inner);
            return;
        }
        let mut names: Vec<String> = Vec::new();
        let mut note = |name: String| {
            if !names.contains(&name) {
                names.push(name);
            }
        };
        let mut edits: Vec<Edit> = Vec::new();
        for edit in inner.edits.iter() {
            note(unit.shown(edit.range));
            edits.push(edit.clone());
        }
        for finding in &inner.findings {
            note(unit.shown(finding.range));
        }
        let Some(first) = names.first() else {
            return;
        };
        unit.claim(out, self.literal.node);
        let range = unit.module.tree.range(self.literal.node);
        let more = match names.len() {
            1 => String::new(),
            several => format!(" and {} more", several - 1),
        };
        let message = format!(
            "`{first}`{more} in a string stays: whether the string is C++ is not told by where it stands"
        );
        let help = "where it becomes source, or is looked for in source that was ported, write MUSA's names \
                    (`--unsafe` does); where it is a text about CUDA, it can stay";
        let finding = unit.finding(MAY_BE_SOURCE, range, message);
        out.findings.push(finding.help(help));
        let mut unsure = out.inside();
        for mut edit in edits {
            edit.applicability = Applicability::Unsafe;
            if self.fits(unit, &edit) {
                // Disjoint already: they come from one set.
                let _ = unsure.edits.insert(edit);
            }
        }
        out.absorb(unsure);
    }

    /// Take back the groups of edits that a literal can't hold as they are.
    fn take_back(&self, unit: &PythonUnit<'_>, inner: &mut Outcome) {
        let misfits: Vec<Edit> = inner
            .edits
            .iter()
            .filter(|edit| !self.fits(unit, edit))
            .cloned()
            .collect();
        for edit in misfits {
            if inner.edits.withdraw(edit.group).is_empty() {
                continue;
            }
            let (shown, to) = (
                unit.shown(edit.range),
                String::from_utf8_lossy(&edit.replacement).into_owned(),
            );
            let message =
                format!("`{shown}` should become `{to}`, which the string can't hold as it is");
            let finding = unit.finding(NEEDS_ESCAPE, edit.range, message);
            let help = "write it by hand, with the escapes that the string needs";
            inner.findings.push(finding.help(help));
        }
    }

    /// Whether the literal around an edit can hold what it puts there.
    fn fits(&self, unit: &PythonUnit<'_>, edit: &Edit) -> bool {
        let tree = &unit.module.tree;
        let to = edit.replacement.as_slice();
        let plain = |byte: &u8| !matches!(byte, b'\\' | b'\n' | b'"' | b'\'' | b'{' | b'}' | b'%');
        if to.iter().all(plain) {
            return true;
        }
        let around = |node: &NodeId| tree.range(*node).covers(edit.range);
        let string = std::iter::once(self.literal.node)
            .chain(tree.children(self.literal.node))
            .filter(|&node| tree.kind(node) == Kind::Str)
            .find(around);
        let start = string.and_then(|string| {
            let mut parts = tree.children(string);
            parts.find(|&part| tree.kind(part) == Kind::StringStart)
        });
        let Some(start) = start.map(|start| tree.word(start)) else {
            return false;
        };
        let raw = start.iter().any(|byte| matches!(byte, b'r' | b'R'));
        let triple = start.ends_with(b"\"\"\"") || start.ends_with(b"'''");
        let quote = start.last().copied().unwrap_or(b'"');
        let last = string.is_some_and(|string| {
            let end = tree.range(string).end;
            edit.range.end + 3 >= end
        });
        to.iter().all(|&byte| match byte {
            b'\\' => raw,
            b'\n' => triple,
            b'"' | b'\'' => byte != quote || (triple && !last),
            b'{' | b'}' => self.braces != Braces::Doubled,
            b'%' => !is_left_of_percent(unit, self.literal.node),
            _ => true,
        })
    }
}

/// Calls that build source with CUDA's compiler.
fn builders(unit: &PythonUnit<'_>, table: &Table, out: &mut Outcome) {
    let tree = &unit.module.tree;
    let words: Vec<&[u8]> = table
        .builders
        .iter()
        .map(|one| one.keyword.as_bytes())
        .collect();
    if !words.iter().any(|word| contains(unit.text, word)) {
        return;
    }
    for node in tree.nodes() {
        if tree.kind(node) != Kind::Call {
            continue;
        }
        let Some(callee) = unit.module.callee(node) else {
            continue;
        };
        let Some(row) = table.builders.iter().find(|row| row.callee == callee.name) else {
            continue;
        };
        let arguments = tree.child(node, Field::Arguments);
        let keyword = arguments.into_iter().flat_map(|list| tree.children(list));
        let mut named = keyword.filter_map(|one| tree.child(one, Field::Name));
        if let Some(name) = named.find(|&name| tree.word(name) == row.keyword.as_bytes()) {
            let range: TextRange = tree.range(name);
            let message = format!(
                "`{}` of `{}` is built with CUDA's compiler, and the call stays",
                row.keyword, row.callee
            );
            let finding = unit.finding(BUILT_FOR_CUDA, range, message);
            out.findings.push(finding.help(row.advice.clone()));
        }
    }
}
