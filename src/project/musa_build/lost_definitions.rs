//! Functions and macros that a build for MUSA uses and whose only definition it leaves out, without a word in the code
//! about it: the branch asks for CUDA's compiler or GPUs, and its other branches do nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::defined_names::Defined;
use super::undefined_macros::{BuiltFile, MacrosOff};
use crate::FileText;
use crate::scan::parsed::Parsed;
use crate::tree::scanned_tree::ScannedTree;
use crate::tree::source::Disposition;
use torchada_classify::FileKind;
use torchada_diagnostic::codes::project::LEFT_OUT_BUT_USED;
use torchada_diagnostic::{Finding, KeptReason};
use torchada_mapping::Section;
use torchada_parallel as parallel;
use torchada_syntax::{ScopeKind, has_word};
use torchada_text::{LineIndex, Spans, TextRange, contains, line_of};

/// A place in one of the built files: the file, by its place in their list, and the bytes.
type Place = (usize, TextRange);

/// What the files say of a name.
#[derive(Default, Debug)]
struct Name {
    /// The definitions that a build for MUSA leaves out, with what each defines.
    left_out: Vec<(Defined, Place)>,
    /// The places that use it where such a build compiles.
    uses: Vec<Place>,
    /// Whether it is defined where such a build compiles, or something else is called so.
    is_there: bool,
}

/// The findings about names whose only definition is left out. Each has one, at its first use.
pub(super) fn used(
    files: &[BuiltFile],
    off: &MacrosOff,
    tree: ScannedTree<'_>,
    dispositions: &[Disposition],
) -> Vec<Finding> {
    let context = tree.context;
    let spans = parallel::map(files, |file| {
        off.left_out(&file.words, &file.parsed, context)
    });
    let mut names: BTreeMap<Vec<u8>, Name> = BTreeMap::new();
    for (at, (file, spans)) in files.iter().zip(&spans).enumerate() {
        for &(what, ref name, range) in &file.definitions {
            let is_left_out = file.is_left_out(spans, range.start);
            // What is for another platform as a whole is no definition that a branch hides.
            if file.is_away {
                continue;
            }
            let known = names.entry(name.clone()).or_default();
            if is_left_out {
                known.left_out.push((what, (at, range)));
            } else {
                known.is_there = true;
            }
        }
    }
    names.retain(|name, one| {
        let text = String::from_utf8_lossy(name);
        let is_macro = one.left_out.iter().any(|(what, _)| *what == Defined::Macro);
        let is_plain_macro = !is_macro || name.iter().all(|byte| !byte.is_ascii_lowercase());
        !one.is_there
            && !one.left_out.is_empty()
            && is_plain_macro
            && !text.starts_with("__")
            && context.row(Section::Names, name).is_none()
    });
    if names.is_empty() {
        return Vec::new();
    }
    for (at, (file, spans)) in files.iter().zip(&spans).enumerate() {
        let input = tree.inputs.get(file.file).filter(|_| !file.is_away);
        let Some((input, text)) = input.and_then(|one| Some((one, one.text.as_ref()?))) else {
            continue;
        };
        let text = &*text.once();
        let mut sought = names.keys();
        if sought.any(|name| contains(text, name)) {
            let parsed = Parsed::new(text, input.class.template, context.knowledge);
            let code = BuiltCode {
                file,
                text,
                parsed,
                spans,
            };
            look_for_uses(at, &code, &mut names);
        }
    }
    names.retain(|_, one| !one.is_there && !one.uses.is_empty());
    let elsewhere = elsewhere(&names, tree, dispositions);
    names.retain(|name, _| !elsewhere.contains(name));
    let findings = names
        .iter()
        .filter_map(|(name, one)| finding(name, one, files, tree));
    findings.collect()
}

/// A file with all its code.
struct BuiltCode<'f> {
    file: &'f BuiltFile,
    text: &'f [u8],
    parsed: Parsed,
    /// The branches that no build for MUSA takes.
    spans: &'f Spans,
}

fn look_for_uses(at: usize, code: &BuiltCode<'_>, names: &mut BTreeMap<Vec<u8>, Name>) {
    let (tokens, outline) = (&code.parsed.tokens, &code.parsed.outline);
    let known = |word: &[u8]| names.contains_key(word);
    let places: Vec<usize> = tokens.identifiers_where(code.text, known).collect();
    for index in places {
        let Some(token) = tokens.get(index) else {
            continue;
        };
        let range = token.range();
        if token.in_directive || code.file.is_left_out(code.spans, range.start) {
            continue;
        }
        let Some(one) = names.get_mut(token.text(code.text)) else {
            continue;
        };
        let is = |at: usize, text: &str| tokens.is(at, code.text, text);
        let before = |text: &str| index > 0 && is(index - 1, text);
        if one.left_out.iter().any(|(what, _)| *what == Defined::Macro) {
            one.uses.push((at, range));
            continue;
        }
        let is_call = ["(", "<", "<<<"].iter().any(|next| is(index + 1, next));
        let is_member = [".", "->", "::"].iter().any(|mark| before(mark));
        let function = outline.enclosing(index).filter(|&at| {
            let scope = outline.scopes.get(at);
            scope.is_some_and(|scope| scope.kind == ScopeKind::Function)
        });
        match function.last() {
            // A prototype outside of functions says that there is a definition somewhere.
            None if is_call && !is_member => {}
            // What a template calls may never be looked for.
            Some(function) if is_call && !is_member => {
                if !is_template(code, function) {
                    one.uses.push((at, range));
                }
            }
            // Something else has the name, too.
            _ => one.is_there = true,
        }
    }
}

/// Whether the function with this scope is a template, or in one.
fn is_template(code: &BuiltCode<'_>, function: usize) -> bool {
    let outline = &code.parsed.outline;
    let tokens = &code.parsed.tokens;
    let scopes = std::iter::successors(Some(function), |&at| outline.scopes.get(at)?.parent);
    let starts = scopes.filter_map(|at| Some(outline.scopes.get(at)?.tokens.start));
    let mut starts = starts.into_iter();
    starts.any(|start| {
        let head = (0..start).rev().take_while(|&at| {
            let ends = [";", "{", "}"];
            !ends.iter().any(|end| tokens.is(at, code.text, end))
        });
        head.into_iter()
            .any(|at| tokens.is(at, code.text, "template"))
    })
}

/// The names that other files than these have, where they may be defined as well.
fn elsewhere(
    names: &BTreeMap<Vec<u8>, Name>,
    tree: ScannedTree<'_>,
    dispositions: &[Disposition],
) -> BTreeSet<Vec<u8>> {
    let files = tree.inputs.iter().zip(dispositions);
    let found = parallel::flat_map(files, |(input, disposition)| {
        let is_source = input.class.kind.is_cpp()
            || matches!(input.class.kind, FileKind::Musa | FileKind::Python)
            || input.class.language.is_some();
        let is_other = !matches!(
            disposition,
            Disposition::Left(KeptReason::MusaBuild | KeptReason::VendorBranch)
        ) || !input.class.kind.is_cpp();
        let text = input.text.as_ref().filter(|_| is_source && is_other);
        let text = text.map(FileText::once).unwrap_or_default();
        names
            .keys()
            .filter(move |name| has_word(&text, name))
            .cloned()
    });
    found.into_iter().collect()
}

fn finding(name: &[u8], one: &Name, files: &[BuiltFile], tree: ScannedTree<'_>) -> Option<Finding> {
    let at = |(file, range): Place| {
        let input = tree.inputs.get(files.get(file)?.file)?;
        Some((&input.path, input.text.as_ref()?.once(), range))
    };
    let (path, text, range) = at(*one.uses.first()?)?;
    let &(what, place) = one.left_out.first()?;
    let (home, source, defined) = at(place)?;
    let line = line_of(&source, defined.start);
    let what = match what {
        Defined::Function => "function",
        Defined::Macro => "macro",
    };
    let message = format!(
        "`{}` is used here, and a build for MUSA leaves out the only definition of this {what} (`{home}`, line {line})",
        String::from_utf8_lossy(name)
    );
    let finding = Finding::at(
        LEFT_OUT_BUT_USED,
        path,
        &text,
        &LineIndex::new(&text),
        range,
        message,
    );
    Some(finding.help(
        "let MUSA's compiler into the branch (`defined(__MUSACC__)`), write one for MUSA, or leave the use out as well",
    ))
}
