//! The rows of the table, by the verdicts of their statements.

use torchada::mapping::ptx::{Proof, Ptx, PtxRow, is_of_form};

use super::statements::Statement;
use super::verdict::Verdict;

/// A row with its statements, each with the instruction that it is about.
pub struct Checked {
    pub(super) row: &'static PtxRow,
    pub(super) statements: Vec<(String, Verdict)>,
}

impl Checked {
    /// Whether the row is proved: each statement is the same that the architecture has, and each form has one.
    pub fn is_proved(&self) -> bool {
        let is_held = |verdict: &Verdict| matches!(verdict, Verdict::Same | Verdict::Lacking(_));
        self.statements.iter().all(|(_, verdict)| is_held(verdict))
            && self.row.forms.iter().all(|form| self.has_same(form))
    }

    /// Whether the table says that it is.
    pub fn is_claimed(&self) -> bool {
        self.row.proof == Some(Proof::Sass)
    }

    /// Whether a statement of a form is the same.
    fn has_same(&self, form: &str) -> bool {
        let mut statements = self.statements.iter();
        statements.any(|(opcode, verdict)| *verdict == Verdict::Same && is_of_form(opcode, form))
    }
}

/// All rows in the order of the table.
pub fn checked(statements: &[Statement], verdicts: Vec<Verdict>) -> Vec<Checked> {
    let table = Ptx::builtin();
    let rows = table.rows().iter();
    let mut rows: Vec<Checked> = rows
        .map(|row| Checked {
            row,
            statements: Vec::new(),
        })
        .collect();
    for (statement, verdict) in statements.iter().zip(verdicts) {
        let row = table.row(&statement.opcode);
        let mut of_statement = rows
            .iter_mut()
            .filter(|one| row.is_some_and(|row| std::ptr::eq(row, one.row)));
        if let Some(one) = of_statement.next() {
            one.statements.push((statement.opcode.clone(), verdict));
        }
    }
    rows
}
