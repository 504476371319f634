//! A template with its scopes opened, and with comparisons and branches in place of `brx.idx`.

use std::borrow::Cow;
use std::collections::HashMap;

use super::lower::Lowered;
use super::{Fault, Reason};
use crate::syntax::ptx::{Declaration, Instruction, Item, Operand, Predicate, Variable};

/// An item of a template whose scopes are opened: the names in it have been resolved by then, or will be.
#[derive(Clone, Debug)]
pub(super) enum Step<'i> {
    Enter,
    Leave,
    Declare(Cow<'i, Declaration>),
    Label(Cow<'i, str>),
    Run(Cow<'i, Instruction>),
}

/// The predicate of the branches that a `brx.idx` becomes. No name of PTX has a space in it.
const CHOSEN: &str = "is chosen";

/// The items in one list.
pub(super) fn opened(items: &[Item]) -> Lowered<Vec<Step<'_>>> {
    let mut lists = HashMap::new();
    lists_in(items, &mut lists);
    let mut steps = Vec::new();
    flat(items, &lists, &mut steps)?;
    Ok(steps)
}

type Lists<'i> = HashMap<&'i str, &'i [String]>;

fn lists_in<'i>(items: &'i [Item], lists: &mut Lists<'i>) {
    for item in items {
        match item {
            Item::Targets(name, labels) => {
                lists.insert(name, labels);
            }
            Item::Scope(inside) => lists_in(inside, lists),
            _ => {}
        }
    }
}

fn flat<'i>(items: &'i [Item], lists: &Lists<'i>, steps: &mut Vec<Step<'i>>) -> Lowered<()> {
    for item in items {
        match item {
            Item::Declaration(declaration) => steps.push(Step::Declare(Cow::Borrowed(declaration))),
            Item::Label(name) => steps.push(Step::Label(Cow::Borrowed(name))),
            Item::Targets(..) => {}
            Item::Instruction(instruction) if instruction.opcode.starts_with("brx.idx") => {
                choose(instruction, lists, steps)?;
            }
            Item::Instruction(instruction) => steps.push(Step::Run(Cow::Borrowed(instruction))),
            Item::Scope(inside) => {
                steps.push(Step::Enter);
                flat(inside, lists, steps)?;
                steps.push(Step::Leave);
            }
        }
    }
    Ok(())
}

/// A branch to the label at an index of a list: to the first where the index is 0, and so on. PTX leaves an index past
/// the last one open, so that the last label needs no comparison.
fn choose<'i>(
    instruction: &'i Instruction,
    lists: &Lists<'i>,
    steps: &mut Vec<Step<'i>>,
) -> Lowered<()> {
    let fault = |text: &str| Fault::new(Reason::Branches, text.to_owned()).of("brx.idx");
    let [index, Operand::Name(list)] = instruction.operands.as_slice() else {
        return Err(fault("the labels of a branch are no list"));
    };
    let labels = lists.get(list.as_str());
    let Some((last, others)) = labels.and_then(|labels| labels.split_last()) else {
        return Err(fault("a list of labels is not there"));
    };
    let chosen = || Operand::Name(CHOSEN.to_owned());
    let run = |opcode: &str, operands: Vec<Operand>, predicate: Option<Predicate>| {
        Step::Run(Cow::Owned(Instruction {
            predicate,
            opcode: opcode.to_owned(),
            operands,
        }))
    };
    let branch = |label: &str, predicate: Option<Predicate>| {
        run("bra", vec![Operand::Name(label.to_owned())], predicate)
    };
    let behind = format!("behind {}", steps.len());
    if let Some(predicate) = &instruction.predicate {
        let negated = !predicate.negated;
        let operand = predicate.operand.clone();
        steps.push(branch(&behind, Some(Predicate { negated, operand })));
    }
    if !others.is_empty() {
        steps.push(Step::Declare(Cow::Owned(Declaration {
            space: "reg".to_owned(),
            kind: "pred".to_owned(),
            vector: 1,
            align: None,
            is_extern: false,
            variables: vec![Variable {
                name: CHOSEN.to_owned(),
                elements: None,
                values: Vec::new(),
            }],
        })));
    }
    for (at, label) in others.iter().enumerate() {
        let number = Operand::Integer(i128::try_from(at).unwrap_or(0));
        steps.push(run(
            "setp.eq.u32",
            vec![chosen(), index.clone(), number],
            None,
        ));
        let operand = chosen();
        let predicate = Predicate {
            negated: false,
            operand,
        };
        steps.push(branch(label, Some(predicate)));
    }
    steps.push(branch(last, None));
    if instruction.predicate.is_some() {
        steps.push(Step::Label(Cow::Owned(behind)));
    }
    Ok(())
}
