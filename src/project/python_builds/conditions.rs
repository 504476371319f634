//! Whether what stands under a condition is for newer GPUs of CUDA's only.

use super::reader::{Frame, Place, Reader};
use super::result::LowestArchitecture;
use torchada_mapping::{architecture_of, has};
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId};

impl Reader<'_, '_> {
    /// What keeps a node from builds for older GPUs, of the conditions around it.
    pub(super) fn condition(&mut self, at: Place) -> Option<LowestArchitecture> {
        let conditions = self.governing(at, None);
        conditions.iter().find_map(|&(node, holds)| {
            let condition = at.with(node);
            self.judged(condition, holds, self.table.limits.names)
        })
    }

    /// What keeps older GPUs out where a condition holds, or where it does not.
    fn judged(&mut self, at: Place, holds: bool, steps: usize) -> Option<LowestArchitecture> {
        let steps = steps.checked_sub(1)?;
        let module = self.module_of(at);
        let tree = &module.tree;
        let part = |node: NodeId| at.with(node);
        match tree.kind(at.node) {
            Kind::Parenthesized => self.judged(part(tree.nth(at.node, 0)?), holds, steps),
            Kind::Not => {
                let inner = tree.children(at.node).last()?;
                self.judged(part(inner), !holds, steps)
            }
            Kind::Boolean => {
                let left = self.judged(part(tree.nth(at.node, 0)?), holds, steps);
                let right = self.judged(part(tree.nth(at.node, 1)?), holds, steps);
                if (tree.operator(at.node) == b"and") == holds {
                    left.or(right)
                } else {
                    Some(left?.min(right?))
                }
            }
            Kind::Comparison => {
                let lowest = self.compared(at, holds)?;
                let start = tree.range(at.node).start;
                (lowest >= self.newest).then_some(LowestArchitecture {
                    lowest,
                    at: (at.file, start),
                })
            }
            Kind::Identifier => {
                let [only] = module.meanings(at.node) else {
                    return None;
                };
                let BoundValue::Value(value) = only.what else {
                    return None;
                };
                self.judged(part(value), holds, steps)
            }
            Kind::Call => {
                let callee = tree.callee(at.node)?;
                if module.is_builtin(callee, "any") && holds {
                    let each = tree.argument(at.node, 0)?;
                    let body = tree.child(each, Field::Body)?;
                    return self.judged(part(body), holds, steps);
                }
                let function = self.called(at)?;
                let returned = self.returned(function);
                let frame = Frame { function, call: at };
                self.inside(frame, |reader| {
                    let all: Option<Vec<LowestArchitecture>> = returned
                        .into_iter()
                        .map(|one| reader.judged(one, holds, steps))
                        .collect();
                    all?.into_iter().min()
                })
            }
            _ => None,
        }
    }

    /// The lowest architecture that a comparison lets by.
    fn compared(&mut self, at: Place, holds: bool) -> Option<u32> {
        let tree = self.tree_of(at);
        let operands: Vec<NodeId> = tree.operands(at.node).collect();
        let [left, right] = operands.as_slice() else {
            return None;
        };
        let operator: Vec<&[u8]> = tree
            .operator(at.node)
            .split(u8::is_ascii_whitespace)
            .filter(|part| !part.is_empty())
            .collect();
        let has = match operator.as_slice() {
            [b"in"] => Some(true),
            [b"not", b"in"] => Some(false),
            _ => None,
        };
        if let Some(has) = has {
            let about = self.about(at.file, *right)?;
            let names = self.value(at.with(*left));
            let [name] = names.items.as_slice() else {
                return None;
            };
            return (has == holds && about == ComparedWith::Architecture)
                .then(|| self.architectures.number(&name.text))
                .flatten();
        }
        let [operator] = operator.as_slice() else {
            return None;
        };
        let (number, other, is_turned) =
            match (self.number(at.file, *left), self.number(at.file, *right)) {
                (None, Some(number)) => (number, *left, false),
                (Some(number), None) => (number, *right, true),
                _ => return None,
            };
        let number = match self.about(at.file, other)? {
            ComparedWith::Major if number < 20 => number * 10,
            _ => architecture_of(number)?,
        };
        match (*operator, is_turned, holds) {
            (b"==", _, true)
            | (b"!=", _, false)
            | (b">=", false, true)
            | (b"<=", true, true)
            | (b"<", false, false)
            | (b">", true, false) => Some(number),
            (b">", false, true)
            | (b"<", true, true)
            | (b"<=", false, false)
            | (b">=", true, false) => Some(number + 1),
            _ => None,
        }
    }

    /// The number that an expression writes: `90`, `(9, 0)`.
    fn number(&self, file: usize, node: NodeId) -> Option<u32> {
        let tree = &self.module(file)?.tree;
        let plain = |node: NodeId| -> Option<u32> {
            let is_one = tree.kind(node) == Kind::Integer;
            std::str::from_utf8(tree.word(node))
                .ok()
                .filter(|_| is_one)?
                .parse()
                .ok()
        };
        if tree.kind(node) == Kind::Tuple {
            let (major, minor) = (plain(tree.nth(node, 0)?)?, plain(tree.nth(node, 1)?)?);
            return Some(major.saturating_mul(10).saturating_add(minor));
        }
        plain(node)
    }

    /// Whether an expression's names say that it is about architectures.
    fn about(&self, file: usize, node: NodeId) -> Option<ComparedWith> {
        let tree = &self.module(file)?.tree;
        let table = &self.reach.python;
        let is_first = tree.kind(node) == Kind::Subscript
            && tree
                .child(node, Field::Subscript)
                .is_some_and(|one| tree.word(one) == b"0");
        let names = tree
            .with_below(node)
            .filter(|&one| tree.kind(one) == Kind::Identifier);
        let mut found = None;
        for name in names {
            let name = String::from_utf8_lossy(tree.word(name)).to_ascii_lowercase();
            for part in name.split('_') {
                if has(&table.major_words, part) {
                    return Some(ComparedWith::Major);
                }
                if has(&table.architecture_words, part) {
                    found = Some(if is_first {
                        ComparedWith::Major
                    } else {
                        ComparedWith::Architecture
                    });
                }
            }
        }
        found
    }
}

/// What a number is compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ComparedWith {
    /// An architecture, or several.
    Architecture,
    /// The first number of a compute capability.
    Major,
}
