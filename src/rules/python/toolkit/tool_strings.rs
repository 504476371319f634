//! Texts that name CUDA to a tool or a library: `"-lcudart"`, `"CUDAExecutionProvider"`, `event.name ==
//! "cudaGraphLaunch"`.

use crate::Outcome;
use crate::python::devices::compared::compared_by_front;
use crate::python::inference::{StringRole, any_use, string_role};
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::codes::python::CUDA_TOOL_STRING;
use torchada_mapping::{Section, ToolString, has, starts_with_one};
use torchada_syntax::python::{Consumer, Field, HOLE, Kind, Literal, NodeId, Use};
use torchada_text::{contains, last_part};

/// Texts for tools and libraries.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    for row in &unit.context.knowledge.python_strings.tool_strings {
        let places = [&row.callees, &row.loaders, &row.options, &row.modules];
        let may_be =
            |list: &Vec<String>| list.is_empty() || list.iter().any(|one| unit.contains(one));
        if !places.into_iter().all(may_be) {
            continue;
        }
        let words = row.exact.iter().chain(&row.starts).chain(&row.parts);
        let words = words.chain(&row.tags).chain(&row.before_value);
        let words = words.map(String::as_str).chain(libraries(unit, row));
        let words: Vec<&str> = words.filter(|word| unit.contains(word)).collect();
        if !words.is_empty() {
            look(unit, out, row, &words);
        }
        named(unit, out, row);
    }
}

fn look(unit: &PythonUnit<'_>, out: &mut Outcome, row: &ToolString, words: &[&str]) {
    for literal in unit.literals(words) {
        if unit.is_claimed(out, literal.node) {
            continue;
        }
        let text = literal.value();
        let known = has(&row.exact, text)
            || is_library(unit, row, text)
            || row
                .starts
                .iter()
                .any(|one| text.starts_with(one.as_bytes()));
        let is_whole = known && !text.contains(&b' ');
        let of = unit.module.use_of(literal.node);
        let inside = || {
            let word = word_inside(unit, row, text);
            let word = word.filter(|_| string_role(unit, &of) != StringRole::Text);
            let word = word.or_else(|| word_of_line(row, text));
            word.or_else(|| option_inside(row, text))
        };
        let part = if is_whole { None } else { inside() };
        let is_used = || {
            if is_whole && !row.options.is_empty() {
                follows_option(unit, row, &of)
            } else {
                is_used_as(unit, row, &of)
            }
        };
        if !(is_whole || part.is_some()) || !is_used() {
            continue;
        }
        unit.claim(out, literal.node);
        let shown = part.unwrap_or_else(|| unit.shown(unit.module.tree.range(literal.node)));
        report(unit, out, row, literal.node, &shown);
    }
}

/// The libraries that a row's texts may be the names of, where the module may have one of them.
fn libraries<'u>(unit: &'u PythonUnit<'_>, row: &ToolString) -> impl Iterator<Item = &'u str> {
    let front = row.library_behind.as_deref();
    let front = front.filter(|front| unit.contains(front));
    let rows = front.map(|_| unit.context.tables.rows(Section::Libraries));
    rows.into_iter().flatten().map(|row| &*row.cuda)
}

/// Whether a text is the name of a library, behind what a row wants before it.
fn is_library(unit: &PythonUnit<'_>, row: &ToolString, text: &[u8]) -> bool {
    let front = row.library_behind.as_deref();
    let name = front.and_then(|front| text.strip_prefix(front.as_bytes()));
    name.is_some_and(|name| unit.context.row(Section::Libraries, name).is_some())
}

/// The word with one of a row's parts in a text of one line, or the option that links a library in any text, quoted for a
/// finding.
fn word_inside(unit: &PythonUnit<'_>, row: &ToolString, text: &[u8]) -> Option<String> {
    let is_one_line = !text.contains(&b'\n');
    let has_one = |word: &[u8], list: &[String]| {
        let mut list = list.iter();
        list.any(|one| contains(word, one))
    };
    let takes_value = |word: &[u8]| {
        let mut fronts = row.before_value.iter();
        fronts.any(|one| contains(word, format!("{one}{HOLE}").as_bytes()))
    };
    let has_part = |word: &[u8]| {
        has_one(word, &row.parts)
            || has_one(word, &row.tags) && is_image(unit, word)
            || takes_value(word)
    };
    let is_option = |front: &String| !front.is_empty();
    let links = row.library_behind.as_ref().is_some_and(is_option);
    let mut words = text.split(u8::is_ascii_whitespace);
    let word =
        words.find(|word| is_one_line && has_part(word) || links && is_library(unit, row, word));
    word.map(quoted)
}

/// Whether a word is the name of an image that is made for CUDA: `org/pytorch:2.4-cuda12.4-devel`.
fn is_image(unit: &ModuleView<'_>, word: &[u8]) -> bool {
    let scripts = &unit.context.knowledge.builds.scripts;
    let word = String::from_utf8_lossy(word);
    scripts.images.are_cudas(&word, &scripts.releases)
}

/// The last word of what a row wants at the beginning of a line, as the text goes on with it, quoted for a finding.
fn word_of_line(row: &ToolString, text: &[u8]) -> Option<String> {
    let begins = |line: &&[u8]| starts_with_one(line, &row.lines);
    let line = text.split(|&byte| byte == b'\n').find(begins)?;
    line.split(u8::is_ascii_whitespace).nth(1).map(quoted)
}

/// One of a row's options with its value in the text of a command, quoted for a finding: `-hwaccel cuda`.
fn option_inside(row: &ToolString, text: &[u8]) -> Option<String> {
    let words: Vec<&[u8]> = text.split(u8::is_ascii_whitespace).collect();
    let mut pairs = words.windows(2);
    let pair = pairs.find(|pair| match pair {
        [option, value] => has(&row.options, option) && has(&row.exact, value),
        _ => false,
    })?;
    Some(quoted(&pair.join(&b' ')))
}

/// Whether a text stands behind one of a row's options in a list: `["-hwaccel", "cuda"]`.
fn follows_option(unit: &ModuleView<'_>, row: &ToolString, of: &Use) -> bool {
    let tree = &unit.module.tree;
    let before = of
        .items()
        .next()
        .and_then(|item| Literal::before(tree, item));
    before.is_some_and(|before| has(&row.options, before.value()))
}

fn quoted(word: &[u8]) -> String {
    format!("`{}`", String::from_utf8_lossy(word).replace(HOLE, "{…}"))
}

/// Members of packages that say CUDA to them: `ti.cuda`.
fn named(unit: &PythonUnit<'_>, out: &mut Outcome, row: &ToolString) {
    let tree = &unit.module.tree;
    // A module may have a package from another one of the tree's.
    let is_in_tree = |name: &&String| {
        let package = name.split('.').next().unwrap_or(name);
        !unit.modules.files_with(package.as_bytes()).is_empty()
    };
    let names = row.names.iter().filter(is_in_tree);
    let words: Vec<String> = names.map(|name| last_part(name).to_owned()).collect();
    if words.iter().all(|word| !unit.contains(word)) {
        return;
    }
    for node in tree.of(Kind::Attribute) {
        let may_be = has(&words, unit.module.last_name(node)) && !unit.is_claimed(out, node);
        if may_be
            && let Some(found) = unit.resolve(node)
            && row.names.contains(&found.name)
        {
            let shown = format!("`{}`", tree.shown(node));
            report(unit, out, row, node, &shown);
        }
    }
}

fn report(unit: &PythonUnit<'_>, out: &mut Outcome, row: &ToolString, node: NodeId, shown: &str) {
    let range = unit.module.tree.range(node);
    let message = format!("{shown} stays: it is {}", row.what);
    unit.report(out, CUDA_TOOL_STRING, range, message, row.advice.clone());
}

/// Whether a text is used in the way that the row describes.
fn is_used_as(unit: &ModuleView<'_>, row: &ToolString, of: &Use) -> bool {
    let module = unit.module;
    if !row.callees.is_empty() {
        return is_keyword_argument(unit, row, of);
    }
    if !row.compared_with.is_empty() {
        return is_compared(unit, row, of);
    }
    if !row.loaders.is_empty() {
        return match of.consumer {
            Consumer::Argument { call, .. } => {
                let word = module.callee_word(call);
                let mut loaders = row.loaders.iter();
                loaders.any(|one| contains(word, one))
            }
            _ => false,
        };
    }
    !matches!(
        of.consumer,
        Consumer::Docstring | Consumer::Statement | Consumer::Message
    )
}

/// Whether a function of a row's gets a text by a keyword of the row's: in the call, or in an entry or a list of that
/// name, which the call gets from elsewhere: `options = {"libraries": ["cudart"]}`, `link_libs.extend(["cudart"])`.
fn is_keyword_argument(unit: &ModuleView<'_>, row: &ToolString, of: &Use) -> bool {
    let module = unit.module;
    let tree = &module.tree;
    let is_list = |node: NodeId| {
        let name = module.last_name(node);
        let last = name.rsplit(|&byte| byte == b'_').next();
        has(&row.keywords, &name) || last.is_some_and(|last| has(&row.lists, last))
    };
    match of.consumer {
        Consumer::Keyword { call, name } => {
            has(&row.callees, module.callee_word(call)) && has(&row.keywords, tree.word(name))
        }
        Consumer::DictValue { pair } => {
            let key = tree.child(pair, Field::Key);
            key.and_then(|key| Literal::read(tree, key))
                .is_some_and(|key| has(&row.keywords, key.value()))
        }
        Consumer::Target { target } => is_list(target),
        Consumer::Argument { call, .. } => {
            let adding = &unit.context.knowledge.builds.extensions.methods.names;
            let object = tree.receiver(call);
            has(adding, module.callee_word(call)) && object.is_some_and(is_list)
        }
        _ => false,
    }
}

/// Whether a text is compared with what has one of a row's names: `event["name"] == text`, `event.name.startswith(text)`,
/// `event.name in TEXTS`.
fn is_compared(unit: &ModuleView<'_>, row: &ToolString, of: &Use) -> bool {
    let tree = &unit.module.tree;
    match of.consumer {
        Consumer::Comparison { other, .. } => has_listed_name(unit, row, other),
        Consumer::Argument { call, .. } => {
            compared_by_front(unit, call).is_some_and(|object| has_listed_name(unit, row, object))
        }
        Consumer::Target { target }
            if of.items().next().is_some() && tree.kind(target) == Kind::Identifier =>
        {
            any_use(unit, target, &mut |other, node| {
                matches!(other.module.use_of(node).consumer,
                    Consumer::Comparison { other: name, on_left: false, .. }
                        if has_listed_name(other, row, name))
            })
        }
        _ => false,
    }
}

/// Whether an expression is a variable, a member or an entry of one of a row's names: `event.get("name", "")`.
fn has_listed_name(unit: &ModuleView<'_>, row: &ToolString, node: NodeId) -> bool {
    let module = unit.module;
    let tree = &module.tree;
    let words = &unit.python_values().words_of_calls;
    match tree.kind(node) {
        Kind::Identifier | Kind::Attribute | Kind::Subscript => {
            has(&row.compared_with, module.last_name(node))
        }
        Kind::Call if has(&words.keyed, module.callee_word(node)) => {
            let key = tree.argument(node, 0);
            key.and_then(|key| Literal::read(tree, key))
                .is_some_and(|key| has(&row.compared_with, key.value()))
        }
        _ => false,
    }
}
