//! Finds everything in a piece of code that a row concerns.

use std::cell::OnceCell;

use super::matcher::{Hazards, INLINE_ASM};
use super::translated::RowsOfHelpers;
use super::word_roles::{Role, Roles};
use super::{Assembly, CodeHazards, CodeView, Hit, Place, Search, assembly};
use torchada_ptx::{Fault, Reason, Translation, Translator};
use torchada_syntax::TokenKind;
use torchada_syntax::ptx::AsmStatement;
use torchada_text::TextRange;

/// A statement, and what became of it where it was to be translated.
type Attempt<'t> = (AsmStatement, Option<Result<Translation<'t>, Fault>>);

/// Where a statement takes a carry that it does not set, those that leave one stay, too: nothing but the processor's
/// flag takes it from one to the next.
fn keep_carries(statements: &mut [Attempt<'_>]) {
    let takes = |(_, result): &Attempt<'_>| {
        let fault = result.as_ref().and_then(|result| result.as_ref().err());
        fault.is_some_and(|fault| fault.reason == Reason::Carry { is_taken: true })
    };
    if !statements.iter().any(takes) {
        return;
    }
    for (_, result) in statements {
        if let Some(Ok(translation)) = result
            && let Some(opcode) = &translation.hands_on
        {
            *result = Some(Err(Fault::hands_on(opcode)));
        }
    }
}

impl Hazards<'_> {
    /// Everything in a piece of code that a row concerns, by place. What `translator` can translate is no hazard.
    pub fn find<'t>(
        &self,
        view: &CodeView<'_>,
        translator: Option<Translator<'t>>,
    ) -> CodeHazards<'t> {
        let CodeHazards {
            mut hits,
            mut assembly,
        } = CodeHazards::default();
        let search = Search {
            hazards: self,
            view,
        };
        let roles = Roles::of(search);
        let file = OnceCell::new();
        let mut helpers = RowsOfHelpers::default();
        let mut behind = 0;
        let mut statements = Vec::new();
        for index in roles.all(Role::Name) {
            // What stands in operands counts, but for assembly inside assembly.
            let is_inside = index < behind;
            if !is_inside
                && torchada_syntax::ptx::is_asm_keyword(view.word(index))
                && let Some(statement) = AsmStatement::at(view.source, view.tokens, index)
            {
                behind = statement.end.max(index + 1);
                let result = translator.map(|ptx| {
                    let file =
                        file.get_or_init(|| ptx.file(view.source, view.tokens, view.outline));
                    ptx.translate(file, &statement)
                });
                statements.push((statement, result));
                continue;
            }
            self.identifier(view, index, &mut hits);
        }
        keep_carries(&mut statements);
        for (statement, result) in statements {
            let (translation, fault) = match result {
                Some(Ok(translation)) => (Some(translation), None),
                Some(Err(fault)) => (None, Some(fault)),
                None => (None, None),
            };
            let one = Assembly {
                statement,
                translation,
            };
            match &one.translation {
                Some(translation) => {
                    self.of_translation(view, &one, translation, (&mut helpers, &mut hits));
                }
                None => hits.extend(self.assembly(view, &one.statement, fault)),
            }
            assembly.push(one);
        }
        hits.extend(self.headers(view));
        search.find_shapes(&roles, &mut hits);
        search.find_grid_waits(&roles, &mut hits);
        search.find_capabilities(&mut hits);
        search.find_numbers(&roles, &mut hits);
        search.find_texts(&assembly, &mut hits);
        hits.sort_by_key(|hit| (hit.range.start, hit.row));
        hits.dedup_by_key(|hit| (hit.range.start, hit.row));
        CodeHazards { hits, assembly }
    }

    /// The headers that a row concerns.
    fn headers(&self, view: &CodeView<'_>) -> impl Iterator<Item = Hit> {
        let headers = view.tokens.tokens.iter();
        let headers = headers.filter(|token| token.kind == TokenKind::HeaderName);
        headers.filter_map(|token| {
            let text = String::from_utf8_lossy(token.text(view.source));
            let path = text.trim_matches(['<', '>', '"']);
            Some(Hit {
                row: self.header(path)?,
                range: token.range(),
                what: path.to_owned(),
                place: Place::Code,
            })
        })
    }

    pub(super) fn identifier(&self, view: &CodeView<'_>, index: usize, hits: &mut Vec<Hit>) {
        let text = view.word(index);
        let Some(token) = view.token(index) else {
            return;
        };
        let before = view.before(index, 1);
        if matches!(before, b"." | b"->") {
            return;
        }
        let mut range = token.range();
        // `cuda::atomic`, but not `mine::cuda::atomic`.
        let inner = before == b"::" && view.is(index.saturating_sub(2), TokenKind::Identifier);
        let row = self
            .names
            .get(text)
            .copied()
            .or_else(|| {
                let row = self.templates.get(text).copied();
                row.filter(|_| view.word(index + 1) == b"<" && !inner)
            })
            .or_else(|| self.pattern(text))
            .or_else(|| {
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
                place: Place::Code,
            });
        }
    }

    fn namespace(&self, view: &CodeView<'_>, index: usize) -> Option<(usize, usize)> {
        let ways = self.namespaces.get(view.word(index))?;
        ways.iter().find_map(|(parts, row)| {
            let follows = parts.iter().enumerate().all(|(at, part)| {
                let next = view.word(index + 2 * at + 2);
                view.word(index + 2 * at + 1) == b"::" && (part.is_empty() || next == *part)
            });
            let written = parts.iter().filter(|part| !part.is_empty()).count();
            // A root alone counts only as a qualifier.
            let qualifies = !parts.is_empty() || view.word(index + 1) == b"::";
            (follows && qualifies).then_some((written, *row))
        })
    }

    /// Whether a file has code for GPUs: what macros put into `asm` elsewhere is a host's.
    fn has_device_code(&self, view: &CodeView<'_>) -> bool {
        let mut marks = self.shapes.device_marks.iter();
        marks.any(|mark| view.tokens.has_word(view.source, mark.as_bytes()))
    }

    /// The hit of a statement that is not translated, where it is one of PTX: the row of the instruction to blame.
    fn assembly(
        &self,
        view: &CodeView<'_>,
        statement: &AsmStatement,
        fault: Option<Fault>,
    ) -> Option<Hit> {
        let words = assembly::words(statement);
        if words.first == self.shapes.own_assembly || words.is_hosts(self.shapes) {
            return None;
        }
        // Newer instructions than the list has count where the file is a GPU's.
        let is_ptx = |one: &str| {
            assembly::is_ptx(one, self.shapes) || one.contains('.') && self.has_device_code(view)
        };
        let all = words.instructions.iter().map(String::as_str);
        let all: Vec<&str> = all.filter(|one| is_ptx(one)).collect();
        // An instruction whose name can't be read is one nonetheless.
        if all.is_empty() && !(words.may_be_ptx && self.has_device_code(view)) {
            return None;
        }
        let blamed = fault.as_ref().and_then(|fault| fault.opcode.as_deref());
        let instructions = blamed.map_or(all, |one| vec![one]);
        let rows = instructions.iter().filter_map(|one| self.instruction(one));
        // What can't run at all goes before what can be done without.
        let row = rows
            .min_by_key(|&row| self.rows.get(row).map(|one| one.severity != "error"))
            .or_else(|| self.construct(INLINE_ASM))?;
        let own = |one: &str| self.instruction(one).or_else(|| self.construct(INLINE_ASM));
        let of_row = |one: &&str| own(one) == Some(row);
        let shown: Vec<&str> = instructions.into_iter().filter(of_row).collect();
        let what = match shown.as_slice() {
            [] if words.has_macros => "built by macros".to_owned(),
            [] => "asm".to_owned(),
            shown => shown.join("`, `"),
        };
        Some(Hit {
            row,
            range: view.token(statement.keyword)?.range(),
            what,
            place: Place::Kept(fault.map(Box::new)),
        })
    }

    /// The row that is about an instruction.
    fn instruction(&self, name: &str) -> Option<usize> {
        let mut rows = self.instructions.iter();
        let found = rows.find(|(front, _)| {
            name.strip_prefix(front)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':']))
        });
        found.map(|(_, row)| *row)
    }
}
