//! Options that nvcc hands on, to the host's compiler or to the linker: mcc is both; and those with another name and the same
//! value. Values keep what variables stand in them, so only the bytes between are changed.

use super::option_list::{List, PlacedOption, known};
use crate::flags::FlagAction;
use torchada_mapping::has;
use torchada_syntax::script::{Word, WordPart, outside_references};
use torchada_text::TextRange;

impl List<'_, '_> {
    /// `-Xlinker "-rpath,/opt/lib"` becomes `"-Wl,-rpath,/opt/lib"`.
    pub(super) fn for_the_linker(&mut self, found: &PlacedOption) {
        let Some(value) = &found.value else { return };
        let mut to = self.syntax().linker_prefix.clone();
        let quote = value.range.of(self.view.unit.text).first().copied();
        let quote = quote.filter(|one| matches!(one, b'"' | b'\''));
        let skip = usize::from(quote.is_some());
        if let Some(quote) = quote {
            to.insert(0, char::from(quote));
        }
        let range = TextRange::new(found.name.start, value.range.start + skip);
        self.findings.replace(range, &to, None);
    }

    /// `--include-path a,$(B)` becomes `-Ia -I$(B)`, and `-std $(STD)` becomes `-std=$(STD)`. Returns whether an option is one
    /// of these, and no quotes are around its name.
    pub(super) fn in_place(&mut self, found: &PlacedOption) -> bool {
        let text = self.view.unit.text;
        let syntax = self.syntax();
        let before = found.name.start.checked_sub(1).and_then(|at| text.get(at));
        let Some(value) = found
            .value
            .as_ref()
            .filter(|_| !matches!(before, Some(b'"' | b'\'')))
        else {
            return false;
        };
        let name = found.name.of(text);
        let mut each = syntax.for_each.iter();
        if let Some((_, option)) = each.find(|(one, _)| one.as_bytes() == name) {
            self.for_each(found, value, option);
            return true;
        }
        let is_joined = has(&syntax.joined, name);
        if is_joined {
            let between = TextRange::new(found.name.end, value.range.start);
            self.findings
                .replace(between, "=", found.translation.evidence);
        }
        is_joined
    }

    fn for_each(&mut self, found: &PlacedOption, value: &Word, option: &str) {
        let (first, written) = known(self.view.unit.text, value);
        // The quotes around the value are around each part.
        let quote = TextRange::new(value.range.start, first);
        let quote = self.view.unit.shown(quote);
        let front = TextRange::new(found.name.start, first);
        self.findings.replace(
            front,
            &format!("{quote}{option}"),
            found.translation.evidence,
        );
        let mut at = first;
        for part in written.split(',') {
            if at > first {
                let comma = TextRange::new(at - 1, at);
                self.findings
                    .replace(comma, &format!("{quote} {quote}{option}"), None);
            }
            let translated = self.translator.translate(&[&format!("{option}{part}")]);
            if let FlagAction::Becomes(to) = &translated.action
                && let [to] = to.as_slice()
                && let Some(to) = to.strip_prefix(option)
            {
                self.findings
                    .replace(TextRange::new(at, at + part.len()), to, translated.evidence);
            }
            at += part.len() + 1;
        }
    }

    /// `-Xcompiler "-fPIC,-O3"` becomes `-fPIC -O3`.
    pub(super) fn for_the_host(&mut self, found: &PlacedOption) {
        let Some(value) = &found.value else { return };
        let text = self.view.unit.text;
        let from = found.whole.start.min(found.name.start);
        let evidence = found.translation.evidence;
        self.findings
            .replace(TextRange::new(from, value.range.start), "", evidence);
        if let Some((front, back)) = self.joined(value) {
            self.findings.replace(front, "", None);
            self.findings.replace(back, "", None);
            return;
        }
        // Quotes hold what is one argument to nvcc and may be several options to mcc.
        let simple = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_=,+./".contains(byte);
        let has = |byte: u8| value.texts().any(|range| range.of(text).contains(&byte));
        let several = value
            .plain()
            .is_some_and(|range| range.of(text).iter().all(simple))
            || (has(b' ') || has(b'{') || value.plain().is_none()) && !has(b'\\');
        if let Some((open, close)) = found.marks.filter(|_| several) {
            self.findings.replace(open, "", None);
            self.findings.replace(close, "", None);
        }
        let (first, written) = known(text, value);
        let (mut end, mut between) = (first, "");
        for (at, option) in self.translator.forwarded_options(&written) {
            let start = first + at;
            let place = TextRange::new(start, start + option.len());
            let gap = TextRange::new(end, place.start);
            end = place.end;
            match self.translator.forwarded_option(option).action {
                FlagAction::Becomes(to) if to.is_empty() => {
                    self.findings
                        .replace(TextRange::new(gap.start, place.end), "", evidence);
                    continue;
                }
                FlagAction::Becomes(to) => self.findings.replace(place, &to.join(" "), evidence),
                _ => {}
            }
            if gap.of(text) == b"," {
                self.findings.replace(gap, between, None);
            }
            between = " ";
        }
    }

    /// What stands around the list in `$(subst $(space),$(comma),$(CXXFLAGS))`: nvcc parts such a value at its commas, and
    /// mcc takes the options as they were.
    fn joined(&self, value: &Word) -> Option<(TextRange, TextRange)> {
        let [WordPart::Result(whole)] = *value.parts.as_slice() else {
            return None;
        };
        let shown = whole.of(self.view.unit.text);
        let call = shown.strip_prefix(b"$(")?;
        let mut names = self.view.knowledge.replacers.iter();
        let name = names.find(|name| {
            let behind = call.strip_prefix(name.as_bytes());
            behind.is_some_and(|behind| behind.first().is_some_and(u8::is_ascii_whitespace))
        })?;
        let start = shown.len() - call.len() + name.len();
        let outside = outside_references(shown.get(start..)?);
        let commas = outside.filter(|(_, byte)| *byte == b',');
        let commas: Vec<usize> = commas.map(|(at, _)| start + at).take(2).collect();
        let [first, second] = *commas.as_slice() else {
            return None;
        };
        // Blanks and commas are written with variables: make reads its own ones otherwise.
        let is_variable = |from, to| {
            let word = shown.get(from..to).unwrap_or_default().trim_ascii();
            word.starts_with(b"$")
        };
        (is_variable(start, first) && is_variable(first + 1, second)).then(|| {
            let front = TextRange::new(whole.start, whole.start + second + 1);
            (front, TextRange::new(whole.end - 1, whole.end))
        })
    }
}
