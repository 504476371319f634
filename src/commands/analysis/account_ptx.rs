//! The parts of a report about statements of inline PTX.

use rustc_hash::FxHashMap;

use super::Translated;
use crate::edit::Edit;
use crate::report::{Report, TranslatedStatement};
use crate::text::LineIndex;

/// Count the statements of inline PTX, and list those that were translated. One whose edit was taken back stays.
pub(super) fn statements(path: &str, text: &[u8], translated: &Translated, report: &mut Report) {
    let ptx = &translated.ptx;
    report.assembly.kept += ptx.kept;
    if ptx.translated.is_empty() {
        return;
    }
    let lines = LineIndex::new(text);
    let edits: FxHashMap<usize, &Edit> = translated
        .edits
        .iter()
        .map(|edit| (edit.range.start, edit))
        .collect();
    for &(range, exactness) in &ptx.translated {
        let edit = edits.get(&range.start).filter(|edit| edit.range == range);
        report.assembly.count(edit.map(|_| exactness));
        report
            .statements
            .extend(edit.map(|edit| TranslatedStatement {
                path: path.to_owned(),
                start: lines.position(text, range.start),
                end: lines.position(text, range.end),
                exactness,
                before: String::from_utf8_lossy(range.of(text)).into_owned(),
                after: String::from_utf8_lossy(&edit.replacement).into_owned(),
            }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{EditSet, GroupId};
    use crate::mapping::ptx::{Exactness, StatementCounts};
    use crate::text::TextRange;

    #[test]
    fn a_statement_whose_edit_was_taken_back_stays() {
        let text = b"asm(1); asm(2);";
        let [first, second] = [TextRange::new(0, 7), TextRange::new(8, 15)];
        let mut translated = Translated::default();
        translated.ptx.kept = 3;
        translated.ptx.translated = vec![(first, Exactness::Exact), (second, Exactness::Slower)];
        let edit = Edit::rewrite(second, "two();", "inline-ptx", None, GroupId(1));
        translated.edits = EditSet::of(&[edit]).expect("one edit").into();
        let mut report = Report::default();
        statements("a.cu", text, &translated, &mut report);
        let expected = StatementCounts {
            slower: 1,
            kept: 4,
            ..StatementCounts::default()
        };
        assert_eq!(report.assembly, expected);
        let [only] = report.statements.as_slice() else {
            panic!("{:?}", report.statements);
        };
        assert_eq!((&*only.before, &*only.after), ("asm(2);", "two();"));
        assert_eq!((only.start.line, only.start.column), (1, 9));
    }
}
