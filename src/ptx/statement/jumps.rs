//! Labels and branches as those of C++. A macro can't have them: its labels would stand twice in a function that uses it
//! twice.

use std::collections::HashMap;

use super::control::Flow;
use super::indirect_branches::Step;
use crate::lowerer::{Lowered, Lowerer};
use torchada_syntax::ptx::Instruction;

impl Flow<'_> {
    /// Each label as one of C++, and each branch as `goto`.
    pub(crate) fn jumps(&self, lowerer: &mut Lowerer<'_>, place: usize) -> Lowered<()> {
        let mut names: HashMap<usize, String> = HashMap::new();
        for (at, step) in self.steps.iter().enumerate() {
            if let Step::Label(label) = step {
                names.insert(at, lowerer.fresh(&format!("{label}_{place}")));
            }
        }
        for (at, step) in self.steps.iter().enumerate() {
            match step {
                Step::Enter => lowerer.scopes.push(HashMap::new()),
                Step::Leave => {
                    lowerer.scopes.pop();
                }
                Step::Declare(declaration) => lowerer.declare(declaration)?,
                Step::Label(_) => {
                    if let Some(name) = names.get(&at) {
                        lowerer.line(format!("{name}:;"));
                    }
                }
                Step::Run(instruction) => {
                    let Some((target, _)) = self.jump(at)? else {
                        Self::enclosed(lowerer, instruction)?;
                        continue;
                    };
                    let name = names.get(&target).cloned().unwrap_or_default();
                    let text = match &instruction.predicate {
                        Some(predicate) => {
                            let condition =
                                lowerer.condition(&predicate.operand, predicate.negated)?;
                            format!("if ({condition}) goto {name};")
                        }
                        None => format!("goto {name};"),
                    };
                    lowerer.line(text);
                }
            }
        }
        Ok(())
    }

    /// An instruction whose constants have a block of their own, because no jump may lead over them.
    fn enclosed(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
        let before = lowerer.lines.len();
        lowerer.instruction(instruction)?;
        let lines = lowerer.lines.split_off(before);
        let depth = lowerer.depth;
        let declares = lines
            .iter()
            .any(|(at, line)| *at == depth && line.starts_with("const "));
        if declares {
            lowerer.line("{");
            let inner = lines.into_iter().map(|(depth, line)| (depth + 1, line));
            lowerer.lines.extend(inner);
            lowerer.line("}");
        } else {
            lowerer.lines.extend(lines);
        }
        Ok(())
    }
}
