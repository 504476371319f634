//! Labels and branches as conditions and loops of C++.
//!
//! Two shapes are known: a branch forward over instructions, with or without others that run in their place, and a
//! branch back to a label. Anything else becomes `goto`.

use std::collections::HashMap;

use super::indirect_branches::Step;
use crate::lowerer::{Lowered, Lowerer};
use crate::{Fault, Reason};
use torchada_syntax::ptx::{Instruction, Operand};

/// The label that an instruction jumps to.
fn target(instruction: &Instruction) -> Option<&str> {
    match instruction.operands.as_slice() {
        [Operand::Name(name)] => Some(name),
        _ => None,
    }
}

/// Whether an instruction is a branch.
fn is_branch(instruction: &Instruction) -> bool {
    matches!(instruction.opcode.as_str(), "bra" | "bra.uni")
}

/// The steps of a template with the places of their labels.
pub(crate) struct Flow<'i> {
    pub(crate) steps: &'i [Step<'i>],
    labels: HashMap<&'i str, usize>,
}

/// Where the innermost loop starts and ends, as indices of steps.
#[derive(Clone, Copy)]
struct Loop {
    start: usize,
    end: usize,
}

impl<'i> Flow<'i> {
    pub(crate) fn new(steps: &'i [Step<'i>]) -> Lowered<Self> {
        let mut labels = HashMap::new();
        for (at, step) in steps.iter().enumerate() {
            if let Step::Label(name) = step
                && labels.insert(name.as_ref(), at).is_some()
            {
                return Err(Fault::new(
                    Reason::Branches,
                    format!("the label `{name}` stands twice"),
                ));
            }
        }
        Ok(Self { steps, labels })
    }

    /// Lower the statement. `place` is a number of its own in the function; `None` where it may stand in one twice.
    pub(crate) fn lower(&self, lowerer: &mut Lowerer<'_>, place: Option<usize>) -> Lowered<()> {
        let before = lowerer.clone();
        match (self.range(lowerer, 0, self.steps.len(), None), place) {
            (
                Err(Fault {
                    reason: Reason::Branches,
                    ..
                }),
                Some(place),
            ) => {
                *lowerer = before;
                self.jumps(lowerer, place)
            }
            (result, _) => result,
        }
    }

    pub(crate) fn jump(&self, at: usize) -> Lowered<Option<(usize, &'i Instruction)>> {
        let Some(Step::Run(instruction)) = self.steps.get(at) else {
            return Ok(None);
        };
        if !is_branch(instruction) {
            return Ok(None);
        }
        let place = target(instruction).and_then(|name| self.labels.get(name));
        let place = place.ok_or_else(|| branches("a branch leads to no label of the statement"))?;
        Ok(Some((*place, instruction)))
    }

    /// Where the next instruction at or behind `at` stands, labels and ends of scopes left out.
    fn behind(&self, mut at: usize) -> usize {
        while matches!(self.steps.get(at), Some(Step::Label(_) | Step::Leave)) {
            at += 1;
        }
        at
    }

    /// Lower the steps from `from` to before `to`.
    fn range(
        &self,
        lowerer: &mut Lowerer<'_>,
        from: usize,
        to: usize,
        around: Option<Loop>,
    ) -> Lowered<()> {
        let mut at = from;
        while at < to {
            match self.steps.get(at) {
                Some(Step::Enter) => lowerer.scopes.push(HashMap::new()),
                Some(Step::Leave) => {
                    lowerer.scopes.pop();
                }
                Some(Step::Declare(declaration)) => lowerer.declare(declaration)?,
                Some(Step::Label(_)) => {
                    if let Some(end) = self.last_jump_back(at, to)? {
                        at = self.repeat(lowerer, at, end)?;
                        continue;
                    }
                }
                Some(Step::Run(instruction)) => match self.jump(at)? {
                    None => lowerer.instruction(instruction)?,
                    Some((place, _)) => {
                        at = self.branch(lowerer, at, place, to, around)?;
                        continue;
                    }
                },
                None => break,
            }
            at += 1;
        }
        Ok(())
    }

    /// The last branch before `to` that leads back to the label at `label`.
    fn last_jump_back(&self, label: usize, to: usize) -> Lowered<Option<usize>> {
        let mut last = None;
        for at in label + 1..to {
            if self.jump(at)?.is_some_and(|(place, _)| place == label) {
                last = Some(at);
            }
        }
        // A branch from farther behind enters a loop that is not whole in this range.
        for at in to.max(label)..self.steps.len() {
            if self.jump(at)?.is_some_and(|(place, _)| place == label) {
                return Err(branches("a loop crosses a condition"));
            }
        }
        Ok(last)
    }

    /// A loop from the label at `start` to the branch at `end`. Returns the step behind it.
    fn repeat(&self, lowerer: &mut Lowerer<'_>, start: usize, end: usize) -> Lowered<usize> {
        let Some((_, last)) = self.jump(end)? else {
            return Err(branches("a loop has no end"));
        };
        self.enters_only_at(start, end + 1, start)?;
        let is_simple = (start + 1..end)
            .all(|at| !matches!(self.jump(at), Ok(Some((place, _))) if place == start));
        let around = Some(Loop {
            start,
            end: end + 1,
        });
        lowerer.line(if is_simple && last.predicate.is_some() {
            "do {"
        } else {
            "while (true) {"
        });
        lowerer.depth += 1;
        let scopes = lowerer.scopes.len();
        self.range(lowerer, start + 1, end, around)?;
        if lowerer.scopes.len() != scopes {
            return Err(branches("a loop crosses a scope"));
        }
        let condition = match &last.predicate {
            Some(predicate) if is_simple => {
                Some(lowerer.condition(&predicate.operand, predicate.negated)?)
            }
            Some(predicate) => {
                let leaves = lowerer.condition(&predicate.operand, !predicate.negated)?;
                lowerer.line(format!("if ({leaves}) break;"));
                None
            }
            None => None,
        };
        lowerer.depth -= 1;
        match condition {
            Some(condition) => lowerer.line(format!("}} while ({condition});")),
            None => lowerer.line("}"),
        }
        Ok(end + 1)
    }

    /// Whether labels strictly inside a range are reached from inside alone; `entry` may be reached from anywhere.
    fn enters_only_at(&self, from: usize, to: usize, entry: usize) -> Lowered<()> {
        for at in (0..self.steps.len()).filter(|at| !(from..to).contains(at)) {
            if let Some((place, _)) = self.jump(at)?
                && place != entry
                && (from..to).contains(&place)
            {
                return Err(branches(
                    "a branch leads into the middle of a condition or a loop",
                ));
            }
        }
        Ok(())
    }

    /// The branch at `at` to the label at `place`. Returns the step to go on with.
    fn branch(
        &self,
        lowerer: &mut Lowerer<'_>,
        at: usize,
        place: usize,
        to: usize,
        around: Option<Loop>,
    ) -> Lowered<usize> {
        let Some(Step::Run(instruction)) = self.steps.get(at) else {
            return Err(branches("a branch is missing"));
        };
        let predicate = instruction.predicate.as_ref();
        if let Some(word) = around.and_then(|inner| self.word_for_jump(inner, place)) {
            let Some(predicate) = predicate else {
                lowerer.line(word);
                return self.skip_unreached(at + 1, to);
            };
            let condition = lowerer.condition(&predicate.operand, predicate.negated)?;
            lowerer.line(format!("if ({condition}) {word}"));
            return Ok(at + 1);
        }
        if place < at || place > to {
            return Err(branches("a branch leaves a condition or a loop"));
        }
        let Some(predicate) = predicate else {
            // Nothing reaches what lies between.
            let next = self.skip_unreached(at + 1, place)?;
            return if next == place {
                Ok(place)
            } else {
                Err(branches("a branch that always jumps leads over a label"))
            };
        };
        let last = place.checked_sub(1).filter(|last| *last > at);
        let otherwise = match last.map(|last| self.jump(last)).transpose()?.flatten() {
            Some((end, jump)) if jump.predicate.is_none() && end >= place && end <= to => {
                let breaks = around.is_some_and(|inner| end >= inner.end);
                (!breaks).then_some(end)
            }
            _ => None,
        };
        let condition = lowerer.condition(&predicate.operand, !predicate.negated)?;
        let body_end = if otherwise.is_some() {
            place - 1
        } else {
            place
        };
        self.enters_only_at(at + 1, body_end, usize::MAX)?;
        lowerer.line(format!("if ({condition}) {{"));
        self.nested(lowerer, at + 1, body_end, around)?;
        let Some(end) = otherwise else {
            lowerer.line("}");
            return Ok(place);
        };
        if end > place + 1 {
            self.enters_only_at(place + 1, end, usize::MAX)?;
            lowerer.line("} else {");
            self.nested(lowerer, place + 1, end, around)?;
        }
        lowerer.line("}");
        Ok(end)
    }

    /// What a jump to a place is in C++, in a loop at whose start or behind whose end the place is.
    fn word_for_jump(&self, inner: Loop, place: usize) -> Option<&'static str> {
        if place == inner.start {
            return Some("continue;");
        }
        let is_end = place >= inner.end && self.behind(inner.end) == self.behind(place);
        is_end.then_some("break;")
    }

    fn nested(
        &self,
        lowerer: &mut Lowerer<'_>,
        from: usize,
        to: usize,
        around: Option<Loop>,
    ) -> Lowered<()> {
        let scopes = lowerer.scopes.len();
        lowerer.depth += 1;
        self.range(lowerer, from, to, around)?;
        lowerer.depth -= 1;
        if lowerer.scopes.len() == scopes {
            Ok(())
        } else {
            Err(branches("a condition crosses a scope"))
        }
    }

    /// The next label, or `to`: what nothing reaches before it has no effect.
    fn skip_unreached(&self, from: usize, to: usize) -> Lowered<usize> {
        for at in from..to {
            match self.steps.get(at) {
                Some(Step::Label(_)) => return Ok(at),
                Some(Step::Enter | Step::Leave | Step::Declare(_)) => {
                    return Err(branches("a branch that always jumps leaves a scope"));
                }
                _ => {}
            }
        }
        Ok(to)
    }
}

fn branches(reason: &str) -> Fault {
    Fault::new(Reason::Branches, reason.to_owned())
}
