//! Commands in texts that install something: `os.system("pip install …")`, `run([sys.executable, "-m", "pip", "install", …])`.
//! The rules for scripts say what of it is made for NVIDIA's GPUs.

use crate::build::{self, BuildCode, BuildUnit, TreeScripts};
use crate::python::inference::{StringRole, string_role};
use crate::python::run_texts::{is_called_command, is_run};
use crate::python::{AboutNode, ModuleView, PythonUnit};
use crate::{Outcome, Unit};
use torchada_diagnostic::codes::build::TORCH_RELEASE;
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::has;
use torchada_mapping::python::packages::Packages;
use torchada_syntax::HOLE;
use torchada_syntax::python::{Consumer, Kind, Literal, NodeId, Use, Wrapper};
use torchada_text::{Fragment, TextRange};

/// Commands that install something.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let known = &unit.context.knowledge.builds.scripts;
    if unit.fragment.is_some() || !known.installers.iter().any(|one| unit.contains(one)) {
        return;
    }
    let words: Vec<&str> = known.fetching.iter().map(String::as_str).collect();
    for literal in unit.literals(&words) {
        if unit.is_claimed(out, literal.node) {
            continue;
        }
        let of = unit.module.use_of(literal.node);
        if let Some((command, parts)) = command(unit, &literal, &of) {
            look(unit, out, &command, &parts);
        }
    }
}

/// Let the rules for scripts look at a command, which stands in some strings.
fn look(unit: &PythonUnit<'_>, out: &mut Outcome, command: &Fragment, parts: &[NodeId]) {
    let scripts = TreeScripts::default();
    let code = BuildCode {
        language: BuildLanguage::Shell,
        comments: &[],
        cmake: None,
        scripts: &scripts,
    };
    let unit_of_command = Unit {
        file: unit.file,
        index: unit.index,
        file_text: unit.file_text,
        lines: unit.lines,
        text: command.text(),
        fragment: Some(command),
        project: unit.project,
        context: unit.context,
        settings: unit.settings,
        code,
    };
    let mut found = out.inside();
    build::check_installs(&unit_of_command, &mut found);
    open_versions(&unit_of_command, &mut found);
    if found.findings.is_empty() {
        return;
    }
    for &part in parts {
        unit.claim(out, part);
    }
    for finding in &mut found.findings {
        finding.message = finding.message.replace(HOLE, "{…}");
    }
    out.absorb(found);
}

/// Report a version of torch that the program puts into a command: `f"pip install torch=={version}"`.
fn open_versions(unit: &BuildUnit<'_>, out: &mut Outcome) {
    let torch = &Packages::builtin().torch;
    let mut start = 0;
    for word in unit.text.split(u8::is_ascii_whitespace) {
        let range = TextRange::new(start, start + word.len());
        start = range.end + 1;
        let word = String::from_utf8_lossy(word);
        let requirement = word.trim_matches(['"', '\'']);
        if torch.is_open(requirement, HOLE) {
            let message = format!(
                "`{requirement}` is installed in a version that the code puts in, and only those fit that `torch_musa` is built for"
            );
            unit.report(out, TORCH_RELEASE, range, message, torch.advice.clone());
        }
    }
}

/// The command that a string with a word of installers' is, or is a word of, with the strings that it stands in.
fn command(unit: &ModuleView<'_>, literal: &Literal, of: &Use) -> Option<(Fragment, Vec<NodeId>)> {
    let text = String::from_utf8_lossy(literal.value());
    let known = &unit.context.knowledge.builds.scripts;
    let whole = || (literal.fragment().clone(), vec![literal.node]);
    if has(&known.fetching, literal.value()) {
        let list = unit.module.tree.parent(literal.node)?;
        let lists = matches!(unit.module.tree.kind(list), Kind::List | Kind::Tuple);
        return (lists && is_command(unit, of)).then(|| words(unit, list));
    }
    // `run_pip("install torch==2.1.2")`
    if known.fetching.iter().any(|one| first_word(&text) == one)
        && let Some(installer) = installer_of_callee(unit, of)
    {
        let mut command = Fragment::default();
        command.push_decoded(installer.as_bytes());
        command.push_decoded(b" ");
        append(&mut command, literal);
        return Some((command, vec![literal.node]));
    }
    if is_command(unit, of) {
        return Some(whole());
    }
    let is_default = takes_default(unit, of);
    let begins = begins_with_installer(unit, &text);
    let is_value = matches!(of.consumer, Consumer::Target { .. }) || is_default;
    let is_meant = begins && is_value && string_role(unit, of) != StringRole::Text;
    is_meant.then(whole)
}

/// Whether a value is put into a command that installs something: `["pip", "install", name]`, `f"pip install {name}"`.
pub(super) fn is_part_of_installing_command(unit: &ModuleView<'_>, value: NodeId) -> bool {
    let tree = &unit.module.tree;
    let known = &unit.context.knowledge.builds.scripts;
    let begins = |text: NodeId| {
        let ask = || {
            let text = Literal::read(tree, text);
            text.is_some_and(|text| begins_with_installer(unit, &text.text()))
        };
        let place = unit.place(text);
        unit.memo
            .about_node(AboutNode::BeginsWithInstaller, place, ask)
    };
    let installs = |list: NodeId| {
        let ask = || {
            let items = tree.children(list).take(WORDS);
            let mut words = items.filter_map(|item| Literal::read(tree, item));
            words.any(|word| has(&known.fetching, word.value()))
        };
        let place = unit.place(list);
        unit.memo
            .about_node(AboutNode::IsInstallingList, place, ask)
    };
    let of = unit.module.use_of(value);
    of.steps.iter().any(|step| match *step {
        Wrapper::Formatted(text) => begins(text),
        Wrapper::Among(item) => tree.parent(item).is_some_and(installs),
        _ => false,
    })
}

/// How many words of a list are looked at.
const WORDS: usize = 256;

/// The words of a list as one command. What is no text has no name: `sys.executable`.
fn words(unit: &ModuleView<'_>, list: NodeId) -> (Fragment, Vec<NodeId>) {
    let tree = &unit.module.tree;
    let mut command = Fragment::default();
    let mut parts = Vec::new();
    for item in tree.children(list) {
        match Literal::read(tree, item) {
            Some(literal) => {
                append(&mut command, &literal);
                parts.push(item);
            }
            None => command.push_decoded(HOLE.as_bytes()),
        }
        command.push_decoded(b" ");
    }
    (command, parts)
}

fn append(command: &mut Fragment, literal: &Literal) {
    let whole = TextRange::new(0, literal.value().len());
    command.push_part(literal.fragment(), whole);
}

/// Whether a text is handed to what runs it, or is what a name for commands holds.
fn is_command(unit: &ModuleView<'_>, of: &Use) -> bool {
    is_run(unit, of) || is_called_command(unit, of)
}

/// Whether a text stands in for a variable of the environment: `os.environ.get("TORCH_COMMAND", "pip install …")`.
fn takes_default(unit: &ModuleView<'_>, of: &Use) -> bool {
    let getters = &unit.python_values().words_of_calls.keyed;
    matches!(of.consumer, Consumer::Argument { call, position: Some(1) }
        if getters.iter().any(|one| one.as_bytes() == unit.module.callee_word(call)))
}

/// The installer that a function is called after which gets a text: `run_pip`.
fn installer_of_callee<'k>(unit: &ModuleView<'k>, of: &Use) -> Option<&'k str> {
    let word = unit.module.callee_word(of.consumer.call()?);
    let mut installers = unit
        .context
        .knowledge
        .builds
        .scripts
        .python_installers
        .iter();
    let is_part = |one: &&String| {
        word.split(|&byte| byte == b'_')
            .any(|part| part == one.as_bytes())
    };
    installers.find(is_part).map(String::as_str)
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// Whether the first words of a text run an installer: `pip install`, `python -m pip install`.
fn begins_with_installer(unit: &ModuleView<'_>, text: &str) -> bool {
    let known = &unit.context.knowledge.builds.scripts;
    let mut words = text.split_whitespace().skip_while(|word| {
        let name = word.rsplit('/').next().unwrap_or(word);
        *word == "-m" || word.contains(HOLE) || has(&known.pythons, name)
    });
    let is_installer = words
        .next()
        .is_some_and(|word| has(&known.installers, word));
    is_installer && words.next().is_some_and(|word| has(&known.fetching, word))
}
