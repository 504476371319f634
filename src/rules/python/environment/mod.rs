//! Environment variables: `os.environ["CUDA_VISIBLE_DEVICES"]`, only where names of variables stand.

mod beside;
mod both;
mod codes;
mod places;
mod variable;

use rustc_hash::FxHashSet;

use super::inference::{StringRole, string_role};
use super::vendor_files::has_word;
use super::{ModuleView, PythonUnit};
use crate::diagnostic::Code;
use crate::mapping::Section;
use crate::rules::{Outcome, Rule};
use crate::syntax::python::{Consumer, Field, Kind, Literal};
use crate::text::TextRange;
use codes::RULE;
use places::{Place, Places};
use variable::Variable;

pub use codes::{
    BY_RULE, CUDA_ALONE, IN_COMMAND, MAY_BE_VARIABLE, UNKNOWN_VARIABLE, VALUES_DIFFER,
};

/// Environment variables.
pub struct Environment;

impl Rule<PythonUnit<'_>> for Environment {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        const CODES: [Code; 6] = [
            UNKNOWN_VARIABLE,
            VALUES_DIFFER,
            BY_RULE,
            MAY_BE_VARIABLE,
            IN_COMMAND,
            CUDA_ALONE,
        ];
        &CODES
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let known = &unit.context.knowledge.python_strings.environment;
        let for_others = is_for_others(unit);
        let stems: Vec<&str> = known
            .stems
            .iter()
            .map(String::as_str)
            .filter(|stem| unit.says(stem))
            .collect();
        if stems.is_empty() {
            return;
        }
        let places = Places::new(unit);
        let mut found = Vec::new();
        for literal in unit.literals(&stems) {
            let text = String::from_utf8_lossy(literal.value()).into_owned();
            if !is_name(&text) {
                in_command(unit, out, &literal, &text);
                continue;
            }
            if !literal.is_plain() || unit.is_claimed(out, literal.node) {
                continue;
            }
            let of = unit.module.use_of(literal.node);
            let place = places.of(&literal, &of);
            let range = literal.in_file(TextRange::new(0, text.len()));
            found.push(Variable::new(unit, text, literal.node, range, place, &of));
        }
        found.extend(keywords(unit, &places));
        let set: FxHashSet<String> = found
            .iter()
            .filter(|one| {
                one.is_kept() && matches!(one.place, Place::Variable(doing) if doing.sets())
            })
            .map(|one| one.name.clone())
            .collect();
        for one in &found {
            let refused = known
                .values
                .iter()
                .find(|value| value.variable == one.name && unit.says(&value.text));
            if for_others {
                one.leave(unit, out);
            } else if let Some(value) = refused {
                one.refuse(unit, out, &value.advice);
            } else {
                one.translate(unit, out, &set);
            }
        }
        values(unit, out);
    }
}

/// Whether a file is one for another platform, by its name or that of its folder: what it does with CUDA's
/// variables it does there.
fn is_for_others(unit: &ModuleView<'_>) -> bool {
    let others = &unit.python_values().vendors.others;
    others.iter().any(|one| has_word(unit.path, one))
}

/// Values that only CUDA's variables take, wherever they are put together.
fn values(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let known = &unit.context.knowledge.python_strings.environment;
    for value in &known.values {
        for literal in unit.literals(&[&value.text]) {
            let of = unit.module.use_of(literal.node);
            let prose = matches!(
                of.consumer,
                Consumer::Docstring | Consumer::Statement | Consumer::Message
            );
            if prose || unit.is_claimed(out, literal.node) {
                continue;
            }
            let range = unit.module.tree.range(literal.node);
            let message = format!("{} is a value for CUDA alone", unit.shown(range));
            let finding = unit.finding(VALUES_DIFFER, range, message);
            out.findings.push(finding.help(value.advice.clone()));
        }
    }
}

/// `CUDA_HOME`: capitals, digits and underscores; `CUDA_` is only how some begin.
fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    !text.ends_with('_')
        && bytes.next().is_some_and(|first| first.is_ascii_uppercase())
        && bytes.all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// `dict(os.environ, CUDA_VISIBLE_DEVICES="0")`
fn keywords<'a>(unit: &ModuleView<'a>, places: &Places<'_, 'a>) -> Vec<Variable<'a>> {
    let tree = &unit.module.tree;
    let mut found = Vec::new();
    for node in tree.of(Kind::KeywordArgument) {
        let Some(name) = tree.child(node, Field::Name) else {
            continue;
        };
        let text = unit.module.tree.word(name);
        let Some(row) = unit.context.tables.get(Section::Environment, text) else {
            continue;
        };
        let call = tree.parent(node).and_then(|list| tree.parent(list));
        let call = call.filter(|&call| tree.kind(call) == Kind::Call);
        let takes =
            call.is_some_and(|call| places.is_environment(call) || places.takes_entries(call));
        if !takes {
            continue;
        }
        found.push(Variable::keyword(unit, node, name, row));
    }
    found
}

/// `CUDA_VISIBLE_DEVICES=0 python train.py`
fn in_command(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, text: &str) {
    if !unit.is_musa() || !text.contains('=') || unit.is_claimed(out, literal.node) {
        return;
    }
    let mut named = text.split('=').rev().skip(1).filter_map(|front| {
        let start = front
            .rfind(|one: char| !(one.is_ascii_alphanumeric() || one == '_'))
            .map_or(0, |at| {
                at + front[at..].chars().next().map_or(1, char::len_utf8)
            });
        let name = front.get(start..)?;
        let before = front.get(..start)?.chars().next_back();
        let begins = before.is_none_or(|one| one.is_whitespace() || "'\";&|(".contains(one));
        if !begins {
            return None;
        }
        unit.context
            .tables
            .get(Section::Environment, name.as_bytes())
    });
    let Some(row) = named.next() else { return };
    let of = unit.module.use_of(literal.node);
    if string_role(unit, &of) == StringRole::Text {
        return;
    }
    let range = unit.module.tree.range(literal.node);
    let message = format!("`{}` is set in a text, which stays", row.cuda);
    let help = match row.to.as_deref() {
        Some(to) => format!("where it is run as a command, write `{to}`"),
        None => row.advice.as_deref().unwrap_or_default().to_owned(),
    };
    out.findings
        .push(unit.finding(IN_COMMAND, range, message).help(help));
}
