//! Names of a project's own that stand for a capability: constants with its number, and templates that take it as
//! an argument.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::matcher::folded;
use super::{CodeView, Hazards, Search};
use torchada_mapping::has;
use torchada_syntax::{DirectiveKind, TokenKind, template_arguments};

/// Values that are kept although no architecture of the tables has them: other makers' numbers
/// and limits of tests stand in `__CUDA_ARCH__`'s range.
const ARCHITECTURE_RANGE: Range<u64> = 100..2000;

/// Names of a file, or of a whole project, that stand for a capability.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct CapabilityNames {
    /// `None` where two definitions differ.
    numbers: FxHashMap<Vec<u8>, Option<u64>>,
    /// The places, 0-based, of the arguments that are capabilities.
    templates: BTreeMap<Vec<u8>, BTreeSet<usize>>,
}

impl CapabilityNames {
    /// Take in what another file says.
    pub fn add(&mut self, other: &Self) {
        // Their order tells nothing.
        let numbers = other.numbers.iter();
        numbers.for_each(|(name, number)| self.add_number(name, *number));
        for (name, places) in &other.templates {
            self.templates
                .entry(name.clone())
                .or_default()
                .extend(places);
        }
    }

    fn add_number(&mut self, name: &[u8], number: Option<u64>) {
        let known = self.numbers.entry(name.to_vec()).or_insert(number);
        if *known != number {
            *known = None;
        }
    }

    /// Whether a name may stand for a number.
    pub(super) fn has_numbers(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// The number that a constant or a macro stands for.
    pub fn number(&self, name: &[u8]) -> Option<u64> {
        self.numbers.get(name).copied().flatten()
    }

    /// The positions of the arguments of a template that are capabilities.
    pub(super) fn places(&self, name: &[u8]) -> Option<&BTreeSet<usize>> {
        self.templates.get(name)
    }

    /// Whether a template takes a capability.
    pub fn is_template(&self, name: &[u8]) -> bool {
        self.templates.contains_key(name)
    }
}

impl Hazards<'_> {
    /// The names that a file defines for capabilities.
    pub fn named(&self, view: &CodeView<'_>) -> CapabilityNames {
        let mut named = CapabilityNames::default();
        let search = Search {
            hazards: self,
            view,
        };
        let words = &self.shapes().capability;
        let mut keep = |name: &[u8], number: Option<u64>| {
            let fits = |value: &u64| words.lists(*value) || ARCHITECTURE_RANGE.contains(value);
            if let Some(number) = number.filter(fits) {
                named.add_number(name, Some(number));
            }
        };
        for directive in &view.tokens.directives {
            let body = directive.tokens.start + 1..directive.tokens.end;
            let at = match body.len() {
                1 => body.start,
                3 if view.word(body.start) == b"(" => body.start + 1,
                _ => continue,
            };
            if directive.kind == DirectiveKind::Define {
                keep(view.word(directive.tokens.start), view.number(at));
            }
        }
        for (index, token) in view.tokens.tokens.iter().enumerate() {
            if token.is_mark(view.source, b'=') && is_constant(view, index) {
                keep(view.before(index, 1), view.number(index + 1));
            }
        }
        for index in view.tokens.places(view.source, b"template") {
            if let Some((name, places)) = template(search, index) {
                let known = named.templates.entry(name.to_vec()).or_default();
                known.extend(places);
            }
        }
        named
    }

    /// Templates that a file gives an argument which may be a capability.
    pub fn numbered_templates(&self, view: &CodeView<'_>) -> Vec<Vec<u8>> {
        let words = &self.shapes().capability;
        let mut found: Vec<Vec<u8>> = Vec::new();
        let mut known: FxHashSet<&[u8]> = FxHashSet::default();
        for (index, token) in view.tokens.tokens.iter().enumerate() {
            if !token.is_mark(view.source, b'<')
                || !view.is(index.saturating_sub(1), TokenKind::Identifier)
            {
                continue;
            }
            let fits = |argument: &Range<usize>| {
                argument.len() == 1
                    && view
                        .number(argument.start)
                        .is_some_and(|value| words.lists_part(value))
            };
            let name = view.before(index, 1);
            if !known.contains(name)
                && angled(view, index).is_some_and(|(arguments, _)| arguments.iter().any(fits))
            {
                known.insert(name);
                found.push(name.to_vec());
            }
        }
        found
    }
}

/// `constexpr int kSm = 90;`, `enum { SM80 = 80 };`
fn is_constant(view: &CodeView<'_>, equals: usize) -> bool {
    if !matches!(view.word(equals + 2), b";" | b"," | b"}") {
        return false;
    }
    let declared = (2..8)
        .map(|back| view.before(equals, back))
        .take_while(|word| !matches!(*word, b";" | b"{" | b"}" | b"(" | b""))
        .any(|word| matches!(word, b"constexpr" | b"const"));
    declared || matches!(view.before(equals, 2), b"{" | b",")
}

/// The arguments or parameters of the `<` at `open`, and where its `>` stands.
pub(super) fn angled(view: &CodeView<'_>, open: usize) -> Option<(Vec<Range<usize>>, usize)> {
    template_arguments(view.source, view.tokens, open)
}

/// The name of a template's parameter that is a value: `int Arch = 80`.
fn value_parameter<'v>(view: &CodeView<'v>, parameter: &Range<usize>) -> Option<&'v [u8]> {
    if matches!(view.word(parameter.start), b"typename" | b"class") {
        return None;
    }
    let end = parameter
        .clone()
        .find(|&at| view.word(at) == b"=")
        .unwrap_or(parameter.end);
    (end > parameter.start + 1).then(|| view.before(end, 1))
}

/// The names of all values that templates of a file take.
pub(super) fn value_parameters<'v>(view: &CodeView<'v>) -> FxHashSet<&'v [u8]> {
    let heads = view.tokens.places(view.source, b"template");
    let heads = heads.filter(|&at| view.word(at + 1) == b"<");
    heads
        .filter_map(|at| angled(view, at + 1))
        .flat_map(|(parameters, _)| parameters)
        .filter_map(|one| value_parameter(view, &one))
        .collect()
}

/// The name that the template at `index` declares, and which of its parameters are capabilities.
fn template(search: Search<'_>, index: usize) -> Option<(&[u8], Vec<usize>)> {
    let Search { hazards, view } = search;
    let words = &hazards.shapes().capability;
    if view.word(index + 1) != b"<" {
        return None;
    }
    let (parameters, close) = angled(view, index + 1)?;
    let takes = |parameter: &Range<usize>| {
        let name = value_parameter(view, parameter).map(folded);
        name.is_some_and(|name| words.variables.contains(&name) || words.parts.contains(&name))
    };
    let places: Vec<usize> = (0..parameters.len())
        .filter(|&at| parameters.get(at).is_some_and(takes))
        .collect();
    if places.is_empty() {
        return None;
    }
    Some((declared(search, close + 1)?, places))
}

/// The name that a declaration is about, which starts at `start`, behind `template <…>`.
fn declared(Search { hazards, view }: Search<'_>, start: usize) -> Option<&[u8]> {
    let attributes = &hazards.shapes().attributes;
    let mut at = start;
    while at < start + 60 {
        let word = view.word(at);
        if matches!(word, b"struct" | b"class" | b"union" | b"using") {
            return view
                .is(at + 1, TokenKind::Identifier)
                .then(|| view.word(at + 1));
        }
        if view.is(at, TokenKind::Identifier) {
            let attribute = has(attributes, word);
            match view.word(at + 1) {
                b"(" if attribute => at = view.outline.partner(at + 1)?,
                b"(" | b"=" | b";" | b"{" => return Some(word),
                b"<" => at = angled(view, at + 1)?.1,
                _ => {}
            }
        } else if matches!(word, b"(" | b"{" | b";" | b"") {
            return None;
        }
        at += 1;
    }
    None
}
