//! A template with its scopes opened, and with comparisons and branches in place of `brx.idx`.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::lowerer::Lowered;
use crate::{Fault, Reason};
use torchada_syntax::ptx::{Declaration, Instruction, Item, Operand, Predicate, Variable};

/// An item of a template whose scopes are opened: the names in it have been resolved by then, or will be.
#[derive(Clone, Debug)]
pub(crate) enum Step<'i> {
    Enter,
    Leave,
    Declare(Cow<'i, Declaration>),
    Label(Cow<'i, str>),
    Run(Cow<'i, Instruction>),
}

/// The predicate of the branches that a `brx.idx` becomes. No name of PTX has a space in it.
const CHOSEN: &str = "is chosen";

/// The items in one list.
pub(crate) fn opened(items: &[Item]) -> Lowered<Vec<Step<'_>>> {
    let mut opener = Opener::default();
    lists_in(items, &mut opener.lists);
    opener.scope(items)?;
    Ok(opener.steps)
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

#[derive(Default)]
struct Opener<'i> {
    lists: Lists<'i>,
    steps: Vec<Step<'i>>,
    /// The names that labels have here, in each scope that is open. Two scopes may have a label of one name.
    labels: Vec<HashMap<&'i str, Cow<'i, str>>>,
    taken: HashSet<&'i str>,
}

impl<'i> Opener<'i> {
    fn scope(&mut self, items: &'i [Item]) -> Lowered<()> {
        let mut labels: HashMap<&str, Cow<'i, str>> = HashMap::new();
        for item in items {
            if let Item::Label(name) = item {
                let own = if self.taken.insert(name) {
                    Cow::Borrowed(name.as_str())
                } else {
                    // No name of PTX has a space in it.
                    Cow::Owned(format!("{name} {}", self.steps.len()))
                };
                if labels.insert(name, own).is_some() {
                    let text = format!("the label `{name}` stands twice");
                    return Err(Fault::new(Reason::Branches, text));
                }
            }
        }
        self.labels.push(labels);
        for item in items {
            match item {
                Item::Declaration(one) => self.steps.push(Step::Declare(Cow::Borrowed(one))),
                Item::Label(name) => {
                    let step = Step::Label(self.label(name));
                    self.steps.push(step);
                }
                Item::Targets(..) => {}
                Item::Instruction(one) if one.opcode.starts_with("brx.idx") => self.choose(one)?,
                Item::Instruction(one) => {
                    let step = Step::Run(self.with_local_label(one));
                    self.steps.push(step);
                }
                Item::Scope(inside) => {
                    self.steps.push(Step::Enter);
                    self.scope(inside)?;
                    self.steps.push(Step::Leave);
                }
            }
        }
        self.labels.pop();
        Ok(())
    }

    /// The name that the nearest label of a name has here.
    fn label(&self, name: &'i str) -> Cow<'i, str> {
        let mut scopes = self.labels.iter().rev();
        let found = scopes.find_map(|scope| scope.get(name));
        found.cloned().unwrap_or(Cow::Borrowed(name))
    }

    /// An instruction that leads to a label by the name which that has here.
    fn with_local_label(&self, instruction: &'i Instruction) -> Cow<'i, Instruction> {
        match instruction.operands.as_slice() {
            [Operand::Name(name)]
                if instruction.opcode.starts_with("bra") && self.label(name) != name.as_str() =>
            {
                let mut own = instruction.clone();
                own.operands = vec![Operand::Name(self.label(name).into_owned())];
                Cow::Owned(own)
            }
            _ => Cow::Borrowed(instruction),
        }
    }

    /// A branch to the label at an index of a list: to the first where the index is 0, and so on. PTX leaves an index past
    /// the last one open, so that the last label needs no comparison.
    fn choose(&mut self, instruction: &'i Instruction) -> Lowered<()> {
        let fault = |text: &str| Fault::new(Reason::Branches, text.to_owned()).of("brx.idx");
        let [index, Operand::Name(list)] = instruction.operands.as_slice() else {
            return Err(fault("the labels of a branch are no list"));
        };
        let labels = self.lists.get(list.as_str()).copied();
        let Some((last, others)) = labels.and_then(<[String]>::split_last) else {
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
        let behind = format!("behind {}", self.steps.len());
        if let Some(predicate) = &instruction.predicate {
            let negated = !predicate.negated;
            let operand = predicate.operand.clone();
            self.steps
                .push(branch(&behind, Some(Predicate { negated, operand })));
        }
        if !others.is_empty() {
            self.steps.push(Step::Declare(Cow::Owned(Declaration {
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
            self.steps.push(run(
                "setp.eq.u32",
                vec![chosen(), index.clone(), number],
                None,
            ));
            let operand = chosen();
            let predicate = Predicate {
                negated: false,
                operand,
            };
            self.steps.push(branch(&self.label(label), Some(predicate)));
        }
        self.steps.push(branch(&self.label(last), None));
        if instruction.predicate.is_some() {
            self.steps.push(Step::Label(Cow::Owned(behind)));
        }
        Ok(())
    }
}
