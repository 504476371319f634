//! Options that nvcc hands on, to the host's compiler or to the linker: mcc is both. Their values keep what variables
//! stand in them, so only the bytes between are changed.

use super::options::{List, PlacedOption, known};
use crate::build::grouped_findings::GroupedFindings;
use crate::flags::FlagAction;
use torchada_text::TextRange;

impl List<'_, '_> {
    /// `-Xlinker "-rpath,/opt/lib"` becomes `"-Wl,-rpath,/opt/lib"`.
    pub(super) fn for_the_linker(
        &self,
        found: &PlacedOption,
        findings: &mut GroupedFindings<'_, '_>,
    ) {
        let Some(value) = &found.value else { return };
        let mut to = self
            .view
            .unit
            .context
            .knowledge
            .builds
            .flags
            .linker_prefix
            .clone();
        let quote = value.range.of(self.view.unit.text).first().copied();
        let quote = quote.filter(|one| matches!(one, b'"' | b'\''));
        let skip = usize::from(quote.is_some());
        if let Some(quote) = quote {
            to.insert(0, char::from(quote));
        }
        let range = TextRange::new(found.name.start, value.range.start + skip);
        findings.replace(range, &to, None);
    }

    /// `-Xcompiler "-fPIC,-O3"` becomes `-fPIC -O3`.
    pub(super) fn for_the_host(
        &self,
        found: &PlacedOption,
        findings: &mut GroupedFindings<'_, '_>,
    ) {
        let Some(value) = &found.value else { return };
        let text = self.view.unit.text;
        let from = found.whole.start.min(found.name.start);
        let evidence = found.translation.evidence;
        findings.replace(TextRange::new(from, value.range.start), "", evidence);
        // Quotes hold what is one argument to nvcc and may be several options to mcc.
        let simple = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_=,+./".contains(byte);
        let has = |byte: u8| value.texts().any(|range| range.of(text).contains(&byte));
        let several = value
            .plain()
            .is_some_and(|range| range.of(text).iter().all(simple))
            || (has(b' ') || value.plain().is_none()) && !has(b'\\');
        if let Some((open, close)) = found.marks.filter(|_| several) {
            findings.replace(open, "", None);
            findings.replace(close, "", None);
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
                    findings.replace(TextRange::new(gap.start, place.end), "", evidence);
                    continue;
                }
                FlagAction::Becomes(to) => findings.replace(place, &to.join(" "), evidence),
                _ => {}
            }
            if gap.of(text) == b"," {
                findings.replace(gap, between, None);
            }
            between = " ";
        }
    }
}
