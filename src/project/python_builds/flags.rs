//! The architectures that the flags of a call ask nvcc for.

use super::architecture_flags::{Flags, either};
use super::architectures::{RequestedArchitectures, requested_architectures};
use super::reader::{Place, Reader};
use super::result::LowestArchitecture;
use torchada_mapping::has;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};

impl Reader<'_, '_> {
    /// What keeps the sources of a call from builds for older GPUs, of its flags.
    pub(super) fn limit(&mut self, call: Place) -> Option<LowestArchitecture> {
        let tree = self.tree_of(call);
        let mut all = Flags::Silent;
        for argument in tree.arguments(call.node) {
            match tree.kind(argument) {
                Kind::KeywordArgument => {}
                // Flags may be among what nobody sees.
                Kind::DictionarySplat => return None,
                _ => continue,
            }
            let name = tree.word(tree.child(argument, Field::Name)?);
            let known = &self.reach.python.flags;
            if has(known, name) {
                let node = tree.child(argument, Field::Value)?;
                all = all.and(self.flags(call.with(node)));
            }
        }
        match all {
            Flags::Newer(only) if !self.names_older(call.file) => Some(only),
            _ => None,
        }
    }

    /// Whether a module has flags for older GPUs somewhere, which may come to the same compiler.
    fn names_older(&self, file: usize) -> bool {
        let Some(parsed) = self.module(file) else {
            return true;
        };
        let tree = &parsed.tree;
        let mut strings = parsed.strings().iter();
        strings.any(|&node| {
            let Some(literal) = Literal::read(tree, node) else {
                return false;
            };
            match requested_architectures(self.architectures, &literal.text()) {
                RequestedArchitectures::From(number) => number < self.newest,
                RequestedArchitectures::Unknown => true,
                RequestedArchitectures::Nothing => false,
            }
        })
    }

    /// What an expression for flags says.
    pub(super) fn flags(&mut self, at: Place) -> Flags {
        self.once(at, |reader| reader.flags_here(at))
            .unwrap_or(Flags::Open)
    }

    fn flags_here(&mut self, at: Place) -> Flags {
        let parsed = self.module_of(at);
        let tree = &parsed.tree;
        let part = |node: NodeId| at.with(node);
        let parts = |node: NodeId| {
            let parts = tree.children(node);
            parts.filter(|&one| !matches!(tree.kind(one), Kind::Operator | Kind::Comment))
        };
        match tree.kind(at.node) {
            Kind::Str | Kind::ConcatenatedString => self.option(at),
            Kind::Integer | Kind::None | Kind::True | Kind::False => Flags::Silent,
            Kind::List | Kind::Tuple | Kind::Binary | Kind::Parenthesized | Kind::ListSplat => {
                let parts: Vec<NodeId> = parts(at.node).collect();
                let mut all = Flags::Silent;
                for one in parts {
                    all = all.and(self.flags(part(one)));
                }
                all
            }
            Kind::Dictionary => {
                let mut all = Flags::Silent;
                for pair in parts(at.node).collect::<Vec<_>>() {
                    all = match tree.child(pair, Field::Value) {
                        Some(value) => all.and(self.flags(part(value))),
                        None => Flags::Open,
                    };
                }
                all
            }
            Kind::Conditional => {
                let sides: Vec<NodeId> = [0, 2]
                    .into_iter()
                    .filter_map(|side| tree.nth(at.node, side))
                    .collect();
                either(sides.into_iter().map(|side| self.flags(part(side))))
            }
            Kind::Identifier => self.flags_of_name(at),
            Kind::Subscript => {
                // One of the flags of a dictionary.
                let of = tree.child(at.node, Field::Value);
                let value = of.and_then(|of| self.only_value(part(of)));
                let Some(value) = value else {
                    return Flags::Open;
                };
                let tree = self.tree_of(value);
                if tree.kind(value.node) != Kind::Dictionary {
                    return Flags::Open;
                }
                let entries: Vec<NodeId> = tree
                    .children(value.node)
                    .filter_map(|pair| tree.child(pair, Field::Value))
                    .collect();
                either(entries.into_iter().map(|node| self.flags(value.with(node))))
            }
            Kind::Call => self.flags_of_call(at),
            _ => Flags::Open,
        }
    }

    /// What one literal says.
    fn option(&self, at: Place) -> Flags {
        let tree = self.tree_of(at);
        let Some(literal) = Literal::read(tree, at.node) else {
            return Flags::Open;
        };
        match requested_architectures(self.architectures, &literal.text()) {
            RequestedArchitectures::Nothing => Flags::Silent,
            RequestedArchitectures::From(lowest) if lowest >= self.newest => {
                Flags::Newer(LowestArchitecture {
                    lowest,
                    at: (at.file, tree.range(at.node).start),
                })
            }
            _ => Flags::Open,
        }
    }
}
