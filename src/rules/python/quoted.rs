//! Names of `PyTorch`'s in strings: `getattr(torch, "cuda")`, quoted annotations, `mock.patch`.

use super::names::{OUT_OF_REACH, STANDS_IN, Verdict, left, verdict};
use super::patched::follows;
use super::platform::TELLS_PLATFORM;
use super::reading::{Reading, reading};
use super::unit::{Change, contains};
use super::vendors::{Beside, beside};
use super::{PythonRule, PythonUnit, scripted};
use crate::diagnostic::{Applicability, Code, Severity};
use crate::mapping::{Evidence, PlatformReport};
use crate::rules::Outcome;
use crate::syntax::python::{Consumer, Dotted, Field, Kind, Literal, NodeId, Use};
use crate::text::TextRange;

/// A name of `PyTorch`'s in a string, or code that has one.
pub const IN_STRING: Code = Code {
    id: "PY064",
    severity: Severity::Note,
    title: "a name of PyTorch's for CUDA in a string that stays",
};

/// Names in strings.
pub struct Quoted;

const RULE: &str = "python-quoted";

impl PythonRule for Quoted {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        const CODES: [Code; 2] = [IN_STRING, scripted::SCRIPTED];
        &CODES
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let words: Vec<&str> = unit.positions().words.iter().map(String::as_str).collect();
        for literal in unit.literals(&words) {
            if unit.is_claimed(out, literal.node) {
                continue;
            }
            let of = unit.module.use_of(literal.node);
            if is_python(unit, literal.value()) {
                program(unit, out, &literal, &of);
                continue;
            }
            if !literal.is_plain() {
                continue;
            }
            settle(unit, out, &literal, &of);
        }
    }
}

fn settle(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, of: &Use) {
    let known = &unit.lore.knowledge.surroundings.quoted;
    let tree = &unit.module.tree;
    let named = |list: &[String], word: &[u8]| list.iter().any(|one| one.as_bytes() == word);
    match of.consumer {
        Consumer::Argument {
            call,
            position: Some(1),
        } if takes_member(unit, call) => member(unit, out, literal, call),
        Consumer::Argument {
            call,
            position: Some(0),
        } if takes_whole(unit, call) => whole(unit, out, literal, true),
        Consumer::Argument {
            call,
            position: Some(0),
        } if is_one_of(unit, tree.child(call, Field::Function), &known.imports) => {
            module(unit, out, literal);
        }
        Consumer::Annotation => annotation(unit, out, literal),
        Consumer::Item { of } if is_one_of(unit, Some(of), &known.tables) => {
            module(unit, out, literal);
        }
        Consumer::DictValue { pair }
            if tree
                .child(pair, Field::Key)
                .is_some_and(|key| named(&known.keys, &unit.module.last_name(key))) =>
        {
            whole(unit, out, literal, true);
        }
        Consumer::Target { target } if named(&known.keys, &unit.module.last_name(target)) => {
            whole(unit, out, literal, true);
        }
        Consumer::Argument {
            call,
            position: Some(0),
        } if named(&known.type_methods, unit.module.callee_word(call)) => {
            let refused = unit
                .module
                .callee(call)
                .is_some_and(|callee| known.refuse_types.contains(&callee.name));
            let value = String::from_utf8_lossy(literal.value()).into_owned();
            match verdict(unit, &value) {
                Verdict::Becomes(..) if refused => {
                    unit.claim(out, literal.node);
                    if unit.is_musa() {
                        let range = tree.range(literal.node);
                        out.findings
                            .push(left(unit, STANDS_IN, None, &value, range));
                    }
                }
                _ => whole(unit, out, literal, true),
            }
        }
        Consumer::Comparison { other, .. }
            if tree.kind(other) == Kind::Call
                && named(&known.type_methods, unit.module.callee_word(other)) =>
        {
            if unit.is_musa() {
                whole(unit, out, literal, true);
            } else {
                let value = String::from_utf8_lossy(literal.value()).into_owned();
                let near = unit.module.beside(of);
                if let Verdict::Becomes(to, _) = verdict(unit, &value)
                    && near.iter().all(|one| one.value() != to.as_bytes())
                {
                    super::devices::compare_with_both(unit, out, literal, of, &value, &to);
                }
            }
        }
        Consumer::Argument { call, .. } if named(&known.code, unit.module.callee_word(call)) => {
            code(unit, out, literal);
        }
        Consumer::Docstring | Consumer::Statement | Consumer::Message => {}
        _ => {
            if reading(unit, of) != Reading::Prose && beside(unit, of) == Beside::Nobody {
                whole(unit, out, literal, false);
            }
        }
    }
}

/// Whether a text is a program in Python that uses `PyTorch`.
pub fn is_python(unit: &PythonUnit<'_>, text: &[u8]) -> bool {
    let known = &unit.lore.knowledge.surroundings.quoted;
    let mut modules = known.modules.iter();
    modules.any(|one| contains(text, one.as_bytes()))
}

/// A program in a string.
fn program(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, of: &Use) {
    let prose = matches!(
        of.consumer,
        Consumer::Docstring | Consumer::Statement | Consumer::Message
    );
    if prose || !unit.is_musa() {
        return;
    }
    unit.claim(out, literal.node);
    let range = unit.module.tree.range(literal.node);
    let message = "CUDA's names stay in a text that is a program in Python";
    let finding = unit.finding(IN_STRING, range, message);
    out.findings.push(finding.help(
        "where it is run, have it begin with `import torchada`, or write MUSA's names in it",
    ));
}

/// Whether a call takes an object and the name of one of its members.
pub fn takes_member(unit: &PythonUnit<'_>, call: NodeId) -> bool {
    let known = &unit.lore.knowledge.surroundings.quoted;
    let tree = &unit.module.tree;
    let Some(callee) = tree.child(call, Field::Function) else {
        return false;
    };
    let word = unit.module.callee_word(call);
    let mut members = known.members.iter();
    members.any(|name| unit.module.is_builtin(callee, name))
        || (tree.kind(callee) == Kind::Attribute
            && known
                .member_methods
                .iter()
                .any(|one| one.as_bytes() == word))
}

/// Whether the first argument of a call is a dotted name.
fn takes_whole(unit: &PythonUnit<'_>, call: NodeId) -> bool {
    let known = &unit.lore.knowledge.surroundings.quoted;
    let tree = &unit.module.tree;
    let Some(callee) = tree.child(call, Field::Function) else {
        return false;
    };
    let word = unit.module.callee_word(call);
    let named = |list: &[String]| list.iter().any(|one| one.as_bytes() == word);
    let method = tree.kind(callee) == Kind::Attribute;
    (method && named(&known.whole_methods))
        || named(&known.whole_functions)
        || unit
            .module
            .resolve(callee)
            .is_some_and(|name| known.wholes.contains(&name.name))
}

/// Whether an expression is one of a list of dotted names.
fn is_one_of(unit: &PythonUnit<'_>, node: Option<NodeId>, names: &[String]) -> bool {
    node.and_then(|node| unit.module.resolve(node))
        .is_some_and(|name| names.contains(&name.name))
}

/// A module that is imported by its name in a string.
fn module(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal) {
    let value = String::from_utf8_lossy(literal.value()).into_owned();
    match verdict(unit, &value) {
        Verdict::Becomes(to, evidence) if unit.is_musa() => {
            unit.claim(out, literal.node);
            let part = TextRange::new(0, value.len());
            let home = unit.positions().import_home(&to);
            change(unit, out, literal, part, &home, evidence, true);
        }
        _ => whole(unit, out, literal, true),
    }
}

/// Whether a name tells the platform, and never changes.
fn tells_platform(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, name: &str) -> bool {
    let mut platforms = unit.positions().platforms.iter();
    let Some(platform) =
        platforms.find(|one| one.name == name && one.report == PlatformReport::Always)
    else {
        return false;
    };
    unit.claim(out, literal.node);
    let range = unit.module.tree.range(literal.node);
    let message = format!("`{name}` stays: projects tell the platform by it");
    out.findings.push(
        unit.finding(TELLS_PLATFORM, range, message)
            .help(platform.advice.clone()),
    );
    true
}

fn known_asks<'u>(unit: &PythonUnit<'u>) -> &'u [String] {
    &unit.lore.knowledge.surroundings.quoted.asks
}

/// In the portable dialect: a test puts something in the place of the question for a GPU, which is asked for
/// MUSA, too.
pub fn patched(unit: &PythonUnit<'_>, out: &mut Outcome, range: TextRange, name: &str) {
    let mut platforms = unit.positions().platforms.iter();
    let asks = platforms.any(|one| one.name == name && one.report == PlatformReport::BesideOthers);
    if !asks || unit.is_musa() || !unit.settings.import_stub {
        return;
    }
    let stub = &unit.positions().entry;
    let message = format!(
        "`{name}` is replaced alone: what also asks `{}.{}()` still finds a GPU of MUSA's",
        stub.import, stub.asks
    );
    out.findings.push(
        unit.finding(IN_STRING, range, message)
            .help(format!("replace `{}.{}`, too", stub.import, stub.asks)),
    );
}

/// `getattr(torch, "cuda")`, `patch.object(torch.cuda, "synchronize")`.
fn member(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, call: NodeId) {
    let tree = &unit.module.tree;
    let object = tree
        .child(call, Field::Arguments)
        .and_then(|arguments| tree.nth(arguments, 0));
    let Some(object) = object
        .and_then(|object| unit.module.resolve(object))
        .filter(Dotted::is_sure)
    else {
        return;
    };
    let (_, object) = of_torch(&object.name);
    let word = String::from_utf8_lossy(literal.value()).into_owned();
    let name = format!("{object}.{word}");
    if tells_platform(unit, out, literal, &name) || !unit.is_musa() {
        if !asks_only(unit, call) {
            patched(unit, out, tree.range(literal.node), &name);
        }
        return;
    }
    let Verdict::Becomes(to, evidence) = verdict(unit, &name) else {
        return;
    };
    unit.claim(out, literal.node);
    let (front, last) = to.rsplit_once('.').unwrap_or(("", &to));
    let moved = match verdict(unit, object) {
        Verdict::Becomes(to, _) => to,
        _ => object.to_owned(),
    };
    if front == moved {
        let range = tree.range(literal.node);
        let applies = if replaces(unit, literal) && word != last {
            follows(unit, out, None, &name, &to, range)
        } else {
            Some(true)
        };
        let whole = TextRange::new(0, literal.value().len());
        if let Some(sure) = applies {
            change(unit, out, literal, whole, last, evidence, sure);
        }
    } else {
        let range = tree.range(literal.node);
        let finding = left(unit, OUT_OF_REACH, None, &name, range);
        out.findings
            .push(finding.help(format!("ask `{front}` for `{last}`")));
    }
}

/// The part of a dotted name that is `PyTorch`'s, and where it begins: another module's `torch` is
/// `PyTorch`'s, too.
fn of_torch(name: &str) -> (usize, &str) {
    let start = match name.find(".torch.") {
        Some(at) if !name.starts_with("torch.") => at + 1,
        _ => 0,
    };
    (start, name.get(start..).unwrap_or(name))
}

/// A string that is a dotted name. `sure`: nothing else may stand there.
fn whole(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal, sure: bool) {
    let value = String::from_utf8_lossy(literal.value()).into_owned();
    let plain = |one: char| one.is_alphanumeric() || one == '_' || one == '.';
    if !value.contains('.') && !sure || !value.chars().all(plain) {
        return;
    }
    let (start, name) = of_torch(&value);
    let range = unit.module.tree.range(literal.node);
    if tells_platform(unit, out, literal, name) || !unit.is_musa() {
        if sure {
            patched(unit, out, range, name);
        }
        return;
    }
    match verdict(unit, name) {
        Verdict::NotOurs | Verdict::Same => {}
        Verdict::Left(code, row) => {
            unit.claim(out, literal.node);
            out.findings.push(left(unit, code, row, name, range));
        }
        Verdict::Becomes(to, evidence) => {
            unit.claim(out, literal.node);
            let home = start.checked_sub(1).and_then(|end| value.get(..end));
            let applies = if replaces(unit, literal) {
                follows(unit, out, home, name, &to, range)
            } else {
                Some(sure)
            };
            let Some(applies) = applies else { return };
            if !sure {
                let message = format!("`{name}` stays: what becomes of the string is not seen");
                let finding = unit.finding(IN_STRING, range, message);
                out.findings.push(finding.help(format!(
                    "where the name is looked up, write `{to}`; as a label it stays"
                )));
            }
            let part = TextRange::new(start, value.len());
            change(unit, out, literal, part, &to, evidence, applies);
        }
    }
}

/// Whether a string is the name of what a test replaces.
fn replaces(unit: &PythonUnit<'_>, literal: &Literal) -> bool {
    match unit.module.use_of(literal.node).consumer {
        Consumer::Argument { call, .. } => {
            takes_whole(unit, call) || (takes_member(unit, call) && !asks_only(unit, call))
        }
        _ => false,
    }
}

/// Whether a call asks for a member, and puts nothing in its place.
pub fn asks_only(unit: &PythonUnit<'_>, call: NodeId) -> bool {
    let word = unit.module.callee_word(call);
    known_asks(unit).iter().any(|one| one.as_bytes() == word)
}

/// Code that is written, or run, as a text.
fn code(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal) {
    let value = String::from_utf8_lossy(literal.value()).into_owned();
    let cuda = format!("{}.", unit.positions().module.cuda);
    if !unit.is_musa() || !value.contains(&cuda) {
        return;
    }
    unit.claim(out, literal.node);
    let range = unit.module.tree.range(literal.node);
    let message = format!("`{cuda}` stays in a text that may be code");
    let finding = unit.finding(IN_STRING, range, message);
    out.findings.push(finding.help(format!(
        "where it is run, write `{}.`; the runtime package makes CUDA's name work, too",
        unit.positions().module.musa
    )));
}

/// Every dotted name in a quoted annotation.
fn annotation(unit: &PythonUnit<'_>, out: &mut Outcome, literal: &Literal) {
    if !unit.is_musa() {
        return;
    }
    let value = String::from_utf8_lossy(literal.value()).into_owned();
    let part = |one: char| one.is_alphanumeric() || one == '_' || one == '.';
    let mut start = 0;
    for piece in value.split(|one| !part(one)) {
        let range = TextRange::new(start, start + piece.len());
        let gap = value.get(range.end..).and_then(|rest| rest.chars().next());
        start = range.end + gap.map_or(0, char::len_utf8);
        if let Some(name) = unit.module.resolve_text(literal.node, piece)
            && name.is_sure()
        {
            replace(unit, out, literal, range, piece, &name.name);
        }
    }
}

/// Put the counterpart of `name` in the place of what is written for it.
fn replace(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    range: TextRange,
    written: &str,
    name: &str,
) {
    let (to, evidence) = match verdict(unit, name) {
        Verdict::Becomes(to, evidence) => (to, evidence),
        Verdict::Left(code, row) => {
            let range = unit.module.tree.range(literal.node);
            out.findings.push(left(unit, code, row, name, range));
            return;
        }
        _ => return,
    };
    // `th.cuda.Event`, where `th` is torch: only what is behind the first name changes.
    let (root, _) = written.split_once('.').unwrap_or((written, ""));
    let hidden = name
        .len()
        .checked_sub(written.len() - root.len())
        .and_then(|end| name.get(..end));
    if let Some(rest) = hidden.and_then(|hidden| to.strip_prefix(hidden)) {
        let to = format!("{root}{rest}");
        change(unit, out, literal, range, &to, evidence, true);
    }
}

fn change(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    range: TextRange,
    to: &str,
    evidence: Evidence,
    sure: bool,
) {
    if let Some(range) = literal.in_file(range) {
        let change = Change {
            range,
            to,
            rule: RULE,
            applicability: Applicability::of_reading(sure),
            evidence: Some(evidence),
        };
        unit.change(out, &change);
    }
}
