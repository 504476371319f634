//! The verdict on a question.

use super::clues::{kernel_in, of_code, of_condition, words_around};
use super::constants::chooses_numbers;
use super::effects::{Effect, effect, of_expression};
use super::name_parts::first_word;
use super::reasons::Reason;
use super::right_anyway::{by_module, excluding_condition};
use super::surroundings::guards_test;
use super::ways::{Way, statements_of, way};
use crate::python::availability::host_taken::gives_host;
use crate::python::exceptions::is_caught;
use crate::python::gpus::answers::answer;
use crate::python::gpus::numbers::Sm;
use crate::python::gpus::questions::{Question, defines};
use crate::python::gpus::values::Values;
use crate::python::inference::each_use_while;
use torchada_syntax::python::{Field, Kind, NodeId};

/// Through how many variables an answer is followed, and to how many uses of one.
const NAMES: usize = 2;
const USES: usize = 12;

/// What is to be reported of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The answer that MUSA's GPUs give is right.
    Right(Reason),
    /// The answer stops the program at this node.
    Stops(NodeId),
    /// The answer stops at this node what is about this feature, which a program need not use.
    Denied(NodeId, &'static str),
    /// The answer stops the program at this node, where GPUs of NVIDIA's older than its last ones stop, too.
    Refused(NodeId),
    /// The answer takes the host for the device at this node; MUSA may have the feature that the code asks for (`true`).
    TakesHost(NodeId, bool),
    /// MUSA has the feature that the code asks for, but the answer says that it has not.
    Wanted,
    /// The same, and the answer stops the program at this node.
    WantedOrStops(NodeId),
    /// It can't be decided.
    Open,
}

/// The verdict on a question.
pub fn verdict(values: &Values<'_>, question: &Question) -> Verdict {
    if question.answer.is_none() {
        return Verdict::Open;
    }
    if let Some(why) = by_module(values) {
        return Verdict::Right(why);
    }
    let found = Judge { values, question }.of_effect(&effect(values, question), NAMES);
    match found {
        Verdict::Right(_) => found,
        _ => match excluding_condition(values, question.node) {
            Some(why) => Verdict::Right(why),
            None => found,
        },
    }
}

/// A question that is judged.
struct Judge<'j, 'a> {
    values: &'j Values<'a>,
    question: &'j Question,
}

impl Judge<'_, '_> {
    /// The verdict, by what the answer decides.
    fn of_effect(&self, effect: &Effect, names: usize) -> Verdict {
        match effect {
            Effect::Branch { taken, missed, at } => self.of_branch(taken, missed, *at),
            Effect::Assertion { holds, at } => match holds {
                Some(true) => Verdict::Right(Reason::Holds),
                Some(false) => self.of_stop(*at, *at),
                None => self.of_code(&[], &[*at], *at),
            },
            Effect::Target(target) => self.of_target(*target, names),
            Effect::Returned(function) => self.of_function(*function),
            Effect::Argument(call, keyword) => {
                if guards_test(self.values, *call) {
                    return Verdict::Right(Reason::Trial);
                }
                let tree = &self.values.unit.module.tree;
                let callee = tree.callee(*call);
                let clues: Vec<NodeId> = keyword.iter().copied().chain(callee).collect();
                self.of_code(&[], &clues, *call)
            }
            Effect::Other => self.of_code(&[], &[], self.question.node),
        }
    }

    /// The verdict on a question that decides which code runs.
    fn of_branch(&self, taken: &[NodeId], missed: &[NodeId], at: NodeId) -> Verdict {
        if let Way::Stops(stop) = way(self.values, taken) {
            return self.of_stop(stop, at);
        }
        let found = self.of_code(taken, missed, at);
        if matches!(found, Verdict::Open | Verdict::Wanted)
            && let Some(host) = self.host_in(taken, missed)
        {
            return Verdict::TakesHost(host, found == Verdict::Wanted);
        }
        let has_numbers = |code: &[NodeId]| chooses_numbers(self.values, code);
        let is_tuning = || has_numbers(missed) && (taken.is_empty() || has_numbers(taken));
        match found {
            Verdict::Open if is_tuning() => Verdict::Right(Reason::Tuning),
            Verdict::Open if self.asks_for_toolkit(missed) => Verdict::Right(Reason::Toolkit),
            _ => found,
        }
    }

    /// The statement of the code that MUSA runs which takes the host for the device; none if the code that it leaves out
    /// does so first of all.
    fn host_in(&self, taken: &[NodeId], missed: &[NodeId]) -> Option<NodeId> {
        let inside = |code: &[NodeId]| -> Vec<NodeId> {
            let parts = |&one: &NodeId| match self.values.unit.module.tree.kind(one) {
                Kind::Elif | Kind::Else => statements_of(self.values, one),
                _ => vec![one],
            };
            code.iter().flat_map(parts).collect()
        };
        let takes = |one: &NodeId| gives_host(&self.values.unit, &[*one]);
        let host = inside(taken).into_iter().find(takes)?;
        (!inside(missed).first().is_some_and(takes)).then_some(host)
    }

    /// Whether code does nothing but ask for a version of CUDA's toolkit.
    fn asks_for_toolkit(&self, code: &[NodeId]) -> bool {
        let tree = &self.values.unit.module.tree;
        let words = &self.values.gpus.deciding.toolkit;
        let asks = |one: &NodeId| {
            let condition = tree.child(*one, Field::Condition);
            condition.is_some_and(|one| first_word(&of_code(self.values, &[one]), words).is_some())
        };
        !code.is_empty() && code.iter().all(asks)
    }

    /// The verdict on a question whose answer ends the program at `stop`.
    fn of_stop(&self, stop: NodeId, at: NodeId) -> Verdict {
        let values = self.values;
        let mut clues = of_code(values, &[stop]);
        clues.extend(of_condition(values, self.question.node, at));
        clues.extend(words_around(values, self.question.node));
        match (kernel_in(values, &clues), self.question.number) {
            (Some(word), _) => Verdict::Right(Reason::Kernel(word.to_owned())),
            (None, Some(number)) if number >= self.newest() => Verdict::Right(Reason::Newer),
            (None, number) => {
                let is_common = number.is_none_or(|number| number < values.gpus.deciding.newer);
                let feature = || first_word(&clues, &values.gpus.deciding.features);
                if is_caught(&values.unit, stop, &|_| true) {
                    Verdict::Open
                } else if !is_common {
                    Verdict::Refused(stop)
                } else if let Some(feature) = feature() {
                    Verdict::Denied(stop, feature)
                } else if self.is_feature_of_musa(&clues, &[]) {
                    Verdict::WantedOrStops(stop)
                } else {
                    Verdict::Stops(stop)
                }
            }
        }
    }

    /// The verdict on a question whose answer this target keeps.
    fn of_target(&self, target: NodeId, names: usize) -> Verdict {
        let values = self.values;
        let tree = &values.unit.module.tree;
        let found = self.of_code(&[], &[target], target);
        let Some(names) = names.checked_sub(1) else {
            return found;
        };
        if found != Verdict::Open || tree.kind(target) != Kind::Identifier {
            return found;
        }
        let Some(holds) = self.value_of_target(target) else {
            return found;
        };
        let mut uses = Vec::new();
        let mut is_followed = true;
        each_use_while(&values.unit, target, &mut |view, node| {
            is_followed = view.index == values.unit.index;
            uses.push(node);
            is_followed
        });
        if !is_followed || uses.is_empty() || uses.len() > USES {
            return Verdict::Open;
        }
        let verdicts = uses.into_iter().map(|node| {
            let effect = of_expression(values, node, holds);
            self.of_effect(&effect, names)
        });
        worst(verdicts)
    }

    /// What the value of a target says.
    fn value_of_target(&self, target: NodeId) -> Option<bool> {
        let tree = &self.values.unit.module.tree;
        let value = tree.child(tree.parent(target)?, Field::Right)?;
        answer(self.values, value).or(self.question.answer)
    }

    /// The verdict on a question whose answer this function returns.
    fn of_function(&self, function: NodeId) -> Verdict {
        let values = self.values;
        let tree = &values.unit.module.tree;
        let name = tree.child(function, Field::Name);
        let defines = name.is_some_and(|name| defines(values, tree.word(name)));
        if defines {
            return Verdict::Right(Reason::Definition);
        }
        let clues: Vec<NodeId> = name.into_iter().collect();
        self.of_code(&[], &clues, function)
    }

    /// The verdict by what the code is about that MUSA runs and that it leaves out.
    fn of_code(&self, taken: &[NodeId], missed: &[NodeId], at: NodeId) -> Verdict {
        let values = self.values;
        let kernel = |word: &str| Verdict::Right(Reason::Kernel(word.to_owned()));
        let around = words_around(values, self.question.node);
        if let Some(word) = kernel_in(values, &around) {
            return kernel(word);
        }
        let mut left_out = of_code(values, missed);
        left_out.extend(of_condition(values, self.question.node, at));
        let left_out_kernel = kernel_in(values, &left_out);
        if left_out_kernel.is_none() && self.is_feature_of_musa(&left_out, &around) {
            return Verdict::Wanted;
        }
        if left_out_kernel.is_none() && kernel_in(values, &of_code(values, taken)).is_some() {
            return Verdict::Open;
        }
        match left_out_kernel {
            _ if self
                .question
                .number
                .is_some_and(|number| number >= self.newest()) =>
            {
                Verdict::Right(Reason::Newer)
            }
            _ if self.question.exact => Verdict::Right(Reason::Generation),
            Some(word) => kernel(word),
            None => Verdict::Open,
        }
    }

    /// Whether the question asks for a feature that MUSA's GPUs have, and that the code names.
    fn is_feature_of_musa(&self, left_out: &[u8], around: &[u8]) -> bool {
        let values = self.values;
        let Some(number) = self.question.number else {
            return false;
        };
        let rows = values.unit.context.tables.architectures().iter();
        let mut rows = rows.filter(|row| row.mp.is_some());
        rows.any(|row| {
            let of_row = values
                .gpus
                .features
                .iter()
                .filter(|one| one.row == row.feature);
            let is_threshold = (row.sm..row.sm + GENERATION).contains(&number);
            is_threshold && row.sm < values.gpus.deciding.newer && {
                let mut words = of_row.map(|one| &one.words);
                words.any(|words| {
                    first_word(left_out, words).is_some() || first_word(around, words).is_some()
                })
            }
        })
    }

    /// The capability from which on MUSA has no answer to anything.
    fn newest(&self) -> Sm {
        self.values.gpus.deciding.newest
    }
}

/// How far apart the first numbers of two capabilities are.
const GENERATION: Sm = 100;

/// The verdict on a question whose answer goes to several places.
fn worst(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    let weight = |one: &Verdict| match one {
        Verdict::Right(_) => 0,
        Verdict::Wanted => 1,
        Verdict::Open | Verdict::Refused(_) => 2,
        Verdict::Denied(..) => 3,
        Verdict::TakesHost(..) => 4,
        Verdict::WantedOrStops(_) | Verdict::Stops(_) => 5,
    };
    verdicts.max_by_key(weight).unwrap_or(Verdict::Open)
}
