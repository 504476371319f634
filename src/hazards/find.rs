//! Finds everything in a piece of code that a row concerns.

use super::matcher::Hazards;
use super::{CodeView, Hit, assembly, capability, grid, numbers, shapes};
use crate::syntax::{Token, TokenKind};
use crate::text::TextRange;

impl Hazards<'_> {
    /// Everything in a piece of code that a row concerns, by place.
    pub fn find(&self, view: &CodeView<'_>) -> Vec<Hit> {
        let mut hits = Vec::new();
        let is_one = |word: &[u8]| crate::syntax::ptx::is_asm_keyword(word) || self.is_name(word);
        let mut behind = 0;
        for index in view.tokens.identifiers_where(view.source, is_one) {
            if index < behind {
                continue;
            }
            if crate::syntax::ptx::is_asm_keyword(view.word(index))
                && let Some(statement) = assembly::at(view, index)
            {
                self.assembly(view, &statement, &mut hits);
                behind = statement.end.max(index + 1);
                continue;
            }
            self.identifier(view, index, &mut hits);
        }
        let headers = view.tokens.tokens.iter();
        for token in headers.filter(|token| token.kind == TokenKind::HeaderName) {
            let text = String::from_utf8_lossy(token.text(view.source)).into_owned();
            let path = text.trim_matches(['<', '>', '"']);
            if let Some(row) = self.header(path) {
                hits.push(Hit {
                    row,
                    range: token.range(),
                    what: path.to_owned(),
                    fault: None,
                });
            }
        }
        shapes::find(self, view, &mut hits);
        grid::find(self, view, &mut hits);
        capability::find(self, view, &mut hits);
        numbers::find(self, view, &mut hits);
        hits.sort_by_key(|hit| (hit.range.start, hit.row));
        hits.dedup_by_key(|hit| (hit.range.start, hit.row));
        hits
    }

    fn identifier(&self, view: &CodeView<'_>, index: usize, hits: &mut Vec<Hit>) {
        let text = view.word(index);
        let Some(token) = view.token(index) else {
            return;
        };
        let before = view.before(index, 1);
        if matches!(before, b"." | b"->") {
            return;
        }
        let mut range = token.range();
        let row = self
            .names
            .get(text)
            .copied()
            .or_else(|| {
                let row = self.templates.get(text).copied();
                row.filter(|_| view.word(index + 1) == b"<")
            })
            .or_else(|| self.pattern(text))
            .or_else(|| {
                // `cuda::atomic`, but not `mine::cuda::atomic`.
                let inner =
                    before == b"::" && view.is(index.saturating_sub(2), TokenKind::Identifier);
                let (length, row) = self.namespace(view, index).filter(|_| !inner)?;
                let last = view.token(index + 2 * length)?;
                range = TextRange::new(range.start, last.range().end);
                Some(row)
            });
        if let Some(row) = row {
            hits.push(Hit {
                row,
                range,
                what: String::from_utf8_lossy(range.of(view.source)).into_owned(),
                fault: None,
            });
        }
    }

    fn namespace(&self, view: &CodeView<'_>, index: usize) -> Option<(usize, usize)> {
        let ways = self.namespaces.get(view.word(index))?;
        ways.iter().find_map(|(parts, row)| {
            let follows = parts.iter().enumerate().all(|(at, part)| {
                view.word(index + 2 * at + 1) == b"::" && view.word(index + 2 * at + 2) == *part
            });
            // A root alone counts only as a qualifier.
            let qualifies = !parts.is_empty() || view.word(index + 1) == b"::";
            (follows && qualifies).then_some((parts.len(), *row))
        })
    }

    /// Whether a file has code for GPUs: what macros put into `asm` elsewhere is a host's.
    fn has_device_code(&self, view: &CodeView<'_>) -> bool {
        let mut marks = self.shapes.device_marks.iter();
        marks.any(|mark| view.tokens.has_word(view.source, mark.as_bytes()))
    }

    /// One hit for each row that an instruction of the statement belongs to; none where it can be translated.
    fn assembly(&self, view: &CodeView<'_>, statement: &assembly::Assembly, hits: &mut Vec<Hit>) {
        let Some(range) = view.token(statement.keyword).map(Token::range) else {
            return;
        };
        let mut rows: Vec<(usize, Vec<&str>)> = Vec::new();
        for instruction in &statement.instructions {
            // Newer instructions than the list has count where the file is a GPU's.
            let unlisted = || instruction.contains('.') && self.has_device_code(view);
            if !assembly::is_ptx(instruction, self.shapes) && !unlisted() {
                continue;
            }
            let special = self.instructions.iter().find(|(front, _)| {
                instruction
                    .strip_prefix(front)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':']))
            });
            let row = special
                .map(|(_, row)| *row)
                .or_else(|| self.construct("inline-asm"));
            let Some(row) = row else { continue };
            match rows.iter_mut().find(|(known, _)| *known == row) {
                Some((_, list)) => list.push(instruction),
                None => rows.push((row, vec![instruction])),
            }
        }
        if rows.is_empty() && statement.may_be_ptx && self.has_device_code(view) {
            // An instruction whose name can't be read is one nonetheless.
            let what = if statement.incomplete {
                "built by macros"
            } else {
                "asm"
            };
            rows.extend(self.construct("inline-asm").map(|row| (row, vec![what])));
        }
        if rows.is_empty() {
            return;
        }
        let fault = match view
            .ptx
            .map(|ptx| ptx.translate(view.source, view.tokens, statement.keyword, &|_| None))
        {
            Some(Ok(_)) => return,
            Some(Err(fault)) => Some(fault),
            None => None,
        };
        // Where one instruction is to blame, what can be translated beside it is not.
        let blamed = fault.as_ref().and_then(|fault| fault.opcode.as_deref());
        if let Some(blamed) = blamed
            && rows.iter().any(|(_, list)| list.contains(&blamed))
        {
            rows.retain(|(_, list)| list.contains(&blamed));
            for (_, list) in &mut rows {
                list.retain(|one| *one == blamed);
            }
        }
        for (row, list) in rows {
            hits.push(Hit {
                row,
                range,
                what: list.join("`, `"),
                fault: fault.clone().map(Box::new),
            });
        }
    }
}
