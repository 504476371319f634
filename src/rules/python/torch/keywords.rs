//! Keywords of calls that have another name on MUSA: `torch.cuda.graph(cuda_graph=…)`.

use crate::python::inference::callee::{callees, definition_of};
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_mapping::{Evidence, has};
use torchada_project::python::{ArgumentPlace, Callee};
use torchada_syntax::python::{Dotted, Field, Kind, Literal, NodeId};
use torchada_text::TextRange;

/// How many functions of the tree hand a keyword on, one to the next.
const HANDS: usize = 4;

/// Keywords that have another name.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let mut known = unit.python_values().keywords.iter();
    if !known.any(|one| unit.contains(&one.cuda)) {
        return;
    }
    let tree = &unit.module.tree;
    for node in tree.of(Kind::KeywordArgument) {
        let Some(name) = tree.child(node, Field::Name) else {
            continue;
        };
        let word = tree.word(name);
        if !is_known(unit, word) {
            continue;
        }
        let call = tree.call_with(node);
        if let Some(to) = call.and_then(|call| counterpart(unit, call, word)) {
            rename(unit, out, tree.range(name), to);
        }
    }
    for node in tree.of(Kind::DictionarySplat) {
        unpacked(unit, out, node);
    }
}

fn rename(unit: &PythonUnit<'_>, out: &mut Outcome, range: TextRange, to: &str) {
    unit.change(out, Change::new(range, to).evidence(Evidence::Confirmed));
}

/// The keywords in a dictionary that a call unpacks: `options["cuda_graph"] = graph`, then `function(**options)`.
fn unpacked(unit: &PythonUnit<'_>, out: &mut Outcome, splat: NodeId) {
    let tree = &unit.module.tree;
    let Some(name) = tree
        .nth(splat, 0)
        .filter(|&one| tree.kind(one) == Kind::Identifier)
    else {
        return;
    };
    let uses: Vec<NodeId> = unit.places_of_binding(name).collect();
    // Each call that unpacks the dictionary has to take the new keyword.
    let calls: Vec<NodeId> = unpacked_in(unit, name).collect();
    if calls.iter().any(|&call| tree.kind(call) != Kind::Call) {
        return;
    }
    for key in uses.iter().flat_map(|&one| keys(unit, one)) {
        let (node, range, word) = key;
        let all: Option<Vec<&str>> = calls
            .iter()
            .map(|&call| counterpart(unit, call, &word))
            .collect();
        if let Some(&[to, ..]) = all.as_deref()
            && !out.edits.touches(range)
        {
            rename(unit, out, range, to);
            unit.claim(out, node);
        }
    }
}

/// What unpacks the dictionary of a name: calls, and whatever takes another dictionary that has its entries.
pub fn unpacked_in<'u>(
    unit: &'u ModuleView<'_>,
    name: NodeId,
) -> impl Iterator<Item = NodeId> + 'u {
    let tree = &unit.module.tree;
    unit.places_of_binding(name)
        .filter_map(|one| tree.parent(one))
        .filter(|&one| tree.kind(one) == Kind::DictionarySplat)
        .filter_map(|one| tree.parent(tree.parent(one)?))
}

/// The keys that the code at a use of a dictionary gives it, each with its node and the place of its name.
fn keys(unit: &ModuleView<'_>, name: NodeId) -> Vec<(NodeId, TextRange, Vec<u8>)> {
    let tree = &unit.module.tree;
    let Some(up) = tree.parent(name) else {
        return Vec::new();
    };
    let text = |node: NodeId| {
        let literal = Literal::plain(tree, node)?;
        let whole = TextRange::new(0, literal.value().len());
        Some((node, literal.in_file(whole)?, literal.value().to_vec()))
    };
    match tree.kind(up) {
        Kind::Subscript if tree.field(name) == Field::Value => {
            let key = tree.child(up, Field::Subscript);
            key.and_then(text).into_iter().collect()
        }
        Kind::Assignment if tree.field(name) == Field::Left => {
            let Some(value) = tree.child(up, Field::Right) else {
                return Vec::new();
            };
            match tree.kind(value) {
                Kind::Dictionary => tree.keys(value).filter_map(text).collect(),
                Kind::Call if unit.module.callee_word(value) == b"dict" => {
                    let arguments = tree.arguments(value);
                    let names = arguments.filter_map(|one| tree.child(one, Field::Name));
                    names
                        .map(|name| (name, tree.range(name), tree.word(name).to_vec()))
                        .collect()
                }
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// Whether a word is a keyword that has another name on MUSA, of whatever function.
fn is_known(unit: &ModuleView<'_>, word: &[u8]) -> bool {
    let mut known = unit.python_values().keywords.iter();
    known.any(|one| one.cuda.as_bytes() == word)
}

/// The keyword of MUSA's in the place of a keyword of a call.
fn counterpart<'u>(unit: &ModuleView<'u>, call: NodeId, word: &[u8]) -> Option<&'u str> {
    counterpart_through(unit, call, word, HANDS)
}

fn counterpart_through<'u>(
    unit: &ModuleView<'u>,
    call: NodeId,
    word: &[u8],
    hands: usize,
) -> Option<&'u str> {
    if let Some(callee) = unit.callee_name(call).filter(Dotted::is_sure) {
        let mut rows = unit.python_values().keywords.iter();
        let row = rows.find(|one| one.cuda.as_bytes() == word && one.callee == callee.name);
        if let Some(row) = row {
            return Some(&row.musa);
        }
    }
    let hands = hands.checked_sub(1)?;
    let taking = callees(unit, call).into_iter();
    same(taking.map(|one| handed_on(unit, one, word, hands)))
}

/// The keyword of MUSA's in the place of one that a function of the tree hands on with all that it has no parameter for:
/// `def build(name, **options): return load(name, **options)`.
fn handed_on<'u>(
    unit: &ModuleView<'u>,
    callee: Callee,
    word: &[u8],
    hands: usize,
) -> Option<&'u str> {
    let name = String::from_utf8_lossy(word);
    let own = unit
        .modules
        .parameter(callee, ArgumentPlace::Keyword(&name));
    let head = unit.modules.function(callee).filter(|_| own.is_none())?;
    let rest = head.parameters.iter().find(|one| one.stars() == 2)?;
    let (other, function) = definition_of(unit, callee)?;
    let parameters = other.module.tree.child(function, Field::Parameters)?;
    let mut names = other.module.tree.below(parameters);
    let at = names.find(|&one| {
        let up = other.module.tree.parent(one);
        up.is_some_and(|up| other.module.tree.kind(up) == Kind::DictionarySplatPattern)
            && other.module.tree.word(one) == rest.name().as_bytes()
    })?;
    let calls = unpacked_in(&other, at);
    let calls = calls.filter(|&call| call != parameters);
    let to = calls.map(|call| counterpart_through(&other, call, word, hands));
    same(to)
}

/// What all of several are; `None` where there is none.
fn same<'u>(mut all: impl Iterator<Item = Option<&'u str>>) -> Option<&'u str> {
    let first = all.next()??;
    all.all(|one| one == Some(first)).then_some(first)
}

/// The keyword of a call that its counterpart does not take.
pub fn too_much(unit: &ModuleView<'_>, callee: NodeId, name: &str) -> Option<String> {
    let tree = &unit.module.tree;
    let mut known = unit.python_values().narrower.iter();
    let known = known.find(|one| one.callee == name)?;
    let call = tree.call_of(callee)?;
    let keywords = tree.keywords(call);
    let mut keywords = keywords.filter_map(|one| tree.child(one, Field::Name));
    let too_much = keywords.find(|&name| !has(&known.keywords, tree.word(name)));
    too_much.map(|name| tree.shown(name)).or_else(|| {
        let mut unpacked = unpacked_keywords(unit, call).into_iter();
        let word = unpacked.find(|word| !has(&known.keywords, word))?;
        Some(String::from_utf8_lossy(&word).into_owned())
    })
}

/// The keywords in the dictionaries that a call unpacks, by the names of the dictionaries.
fn unpacked_keywords(unit: &ModuleView<'_>, call: NodeId) -> Vec<Vec<u8>> {
    let tree = &unit.module.tree;
    let names = tree
        .unpacked_by(call)
        .filter(|&name| tree.kind(name) == Kind::Identifier);
    let uses = names.flat_map(|name| unit.places_of_binding(name));
    uses.flat_map(|one| keys(unit, one))
        .map(|(_, _, word)| word)
        .collect()
}
