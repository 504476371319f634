//! Options that nvcc hands on, to the host's compiler or to the linker: mcc is both.

use super::options::{Found, List};
use super::quotes::quoted;
use crate::mapping::{Relation, Section};
use crate::rules::build::codes::OPTION;
use crate::rules::build::grouped_findings::GroupedFindings;
use crate::text::TextRange;

impl<'a> List<'_, 'a> {
    /// `-Xlinker "-rpath,/opt/lib"`: nvcc parts the value at its commas, and so does a clang behind `-Wl,`.
    pub(super) fn for_the_linker(
        &self,
        at: usize,
        told: &mut GroupedFindings<'_, '_>,
    ) -> Option<usize> {
        let word = self.words.get(at)?;
        let front = word.front()?;
        let bytes = self.view.of(front);
        let knowledge = self.view.knowledge;
        let mut flags = knowledge.linker_flags.iter();
        let flag = flags.find(|flag| {
            let rest = bytes.strip_prefix(flag.as_bytes());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"="))
        })?;
        let to = &knowledge.linker_prefix;
        if bytes.len() > flag.len() {
            let name = TextRange::new(front.start, front.start + flag.len() + 1);
            told.replace(name, to, None);
            return Some(1);
        }
        let text = self.view.unit.text;
        let behind = self.words.get(at + 1..)?;
        let value = behind.first()?;
        let inside = quoted(text, behind, value);
        let count = 1 + inside.as_ref().map_or(1, |inside| inside.words);
        let value = inside.as_ref().map_or(value, |inside| &inside.value);
        let parted = value.texts().any(|range| range.of(text).contains(&b','));
        // A clang has the short one, too.
        if parted || flag.starts_with("--") {
            let quote = value.range.of(text).first().copied();
            let quote = quote.filter(|one| matches!(one, b'"' | b'\''));
            let skip = usize::from(quote.is_some());
            let range = TextRange::new(front.start, value.range.start + skip);
            let mut to = to.clone();
            if let Some(quote) = quote {
                to.insert(0, char::from(quote));
            }
            told.replace(range, &to, None);
        }
        Some(count)
    }

    /// `-Xcompiler -lineinfo`: an option that mcc does without is none for it behind another, either. Returns what to do.
    pub(super) fn dropped(&self, found: &Found<'a>) -> Option<&'a str> {
        let option = self.view.of(found.value.as_ref()?.plain()?);
        let row = self.view.unit.context.tables.get(Section::Flags, option)?;
        let knowledge = self.view.knowledge;
        let shared = knowledge.shared_flags.iter().any(|one| *one == *row.cuda);
        let goes = row.relation == Relation::Absent && row.family.as_deref() != Some("arch");
        (goes && !shared).then(|| row.advice.as_deref().unwrap_or_default())
    }

    /// `-Xcompiler "-fPIC,-O3"`: what is for the host's compiler is for mcc.
    pub(super) fn hand_on(&self, found: &Found<'_>, told: &mut GroupedFindings<'_, '_>) {
        let Some(value) = &found.value else {
            told.report(
                OPTION,
                found.name,
                found.row.advice.as_deref().unwrap_or_default(),
            );
            return;
        };
        let text = self.view.unit.text;
        let windows = self.view.knowledge.windows_flag.as_bytes();
        let front = value.front().map_or(&b""[..], |front| self.view.of(front));
        if front.starts_with(windows) {
            let range = TextRange::new(found.name.start, value.range.end);
            let shown = format!(
                "`{} {}`",
                self.view.unit.shown(found.name),
                self.view.unit.shown(value.range)
            );
            told.report_as(
                OPTION,
                range,
                shown,
                "an option for Windows' compiler: mcc is a clang",
            );
            return;
        }
        let from = found.whole.start.min(found.name.start);
        told.replace(
            TextRange::new(from, value.range.start),
            "",
            found.row.evidence,
        );
        // Quotes hold what is one argument to nvcc and may be several options to mcc.
        let simple = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_=,+./".contains(byte);
        let has = |byte: u8| value.texts().any(|range| range.of(text).contains(&byte));
        let several = value
            .plain()
            .is_some_and(|range| range.of(text).iter().all(simple))
            || (has(b' ') || value.plain().is_none()) && !has(b'\\');
        if let Some((open, close)) = found.marks.filter(|_| several) {
            told.replace(open, "", None);
            told.replace(close, "", None);
        }
        for range in value.texts() {
            let mut start = range.start;
            for option in range.of(text).split(u8::is_ascii_whitespace) {
                // What hands options on keeps them together.
                let hands = self.hands_on.iter();
                let hands = hands.filter_map(|one| memchr::memmem::find(option, one.as_bytes()));
                let end = hands.min().unwrap_or(option.len());
                for at in memchr::memmem::find_iter(option, b",-").filter(|at| *at < end) {
                    told.replace(TextRange::new(start + at, start + at + 1), " ", None);
                }
                start += option.len() + 1;
            }
        }
    }
}
