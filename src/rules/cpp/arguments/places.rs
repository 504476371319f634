//! Places in CUDA's toolkit that strings name: `"/usr/local/cuda/include"`, `"-I/usr/local/cuda/include"`.

use crate::build::toolkit::{ADVICE, OPEN, ToolkitPath, written};
use crate::cpp::CppUnit;
use crate::cpp::rule_names::ARGUMENT;
use crate::cpp::verdict::keep_if;
use crate::{Change, Outcome};
use torchada_diagnostic::codes::cpp::STORED_NAME;
use torchada_mapping::{Evidence, Row, Section, starts_with_one};
use torchada_text::TextRange;

/// Translate or report the place that a string is or ends with. Returns whether it is one.
pub(super) fn place(unit: &CppUnit<'_>, out: &mut Outcome, range: TextRange) -> bool {
    let text = range.of(unit.text);
    // A sentence is for people.
    let is_sentence = || text.iter().any(u8::is_ascii_whitespace);
    let places = written(unit.context, text, false);
    let toolkit = &unit.context.knowledge.builds.scripts.toolkit;
    let is_drivers = starts_with_one(text, &toolkit.driver_files);
    if places.is_empty() && !is_drivers || is_sentence() {
        return false;
    }
    if keep_if(unit, out, range, unit.foreign(range)) {
        return true;
    }
    if is_drivers {
        let message = format!(
            "`{}` is a file of NVIDIA's driver: it stays",
            unit.shown(range)
        );
        unit.report(out, STORED_NAME, range, message, &toolkit.driver_advice);
        return true;
    }
    // A library is found by MUSA's name alone: `/usr/local/cuda/lib64/libcudart.so`.
    let start = memchr::memrchr(b'/', text).map_or(0, |at| at + 1);
    let file = TextRange::new(start, text.len());
    let name = file.of(text);
    let becomes = library_row(unit, name).and_then(|row| row.to.as_deref());
    let is_unknown = becomes.is_none() && name.starts_with(b"lib") && name.contains(&b'.');
    let at = |part: TextRange| TextRange::new(range.start + part.start, range.start + part.end);
    for (whole, place) in places {
        let (stays, help) = match place {
            ToolkitPath::Known(_) if is_unknown => (TextRange::new(0, text.len()), ADVICE),
            ToolkitPath::Known(mut edits) => {
                edits.extend(becomes.map(|to| (file, to.to_owned())));
                let group = out.group();
                for (part, to) in edits {
                    let change = Change::new(at(part), &to).evidence(Some(Evidence::Confirmed));
                    unit.apply(out, change.group(group).rule(ARGUMENT));
                }
                continue;
            }
            ToolkitPath::Open => (whole, OPEN),
            ToolkitPath::Unknown(whole) => (whole, ADVICE),
        };
        let message = format!("`{}` is in CUDA's toolkit: it stays", unit.shown(at(stays)));
        unit.report(out, STORED_NAME, at(stays), message, help);
    }
    true
}

/// The row for a library's file, with or without the version behind `.so`, or before `.dll`: `cudart64_110.dll`.
pub(super) fn library_row<'a>(unit: &CppUnit<'a>, name: &[u8]) -> Option<&'a Row> {
    let row = |name: &[u8]| unit.context.row(Section::LibraryFiles, name);
    let windows = &unit
        .context
        .knowledge
        .builds
        .scripts
        .toolkit
        .windows_library;
    let unversioned = |text: &str| match text.strip_suffix(windows.as_str()) {
        Some(stem) => Some(format!("{}{windows}", stem.split_once('_')?.0)),
        None => Some(text.get(..text.find(".so.")? + ".so".len())?.to_owned()),
    };
    row(name).or_else(|| {
        let text = std::str::from_utf8(name).ok()?;
        row(unversioned(text)?.as_bytes())
    })
}
