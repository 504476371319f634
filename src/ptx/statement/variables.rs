//! What a template declares: registers, vectors of registers, and variables in memory.

use super::declared::Declared;
use crate::Fault;
use crate::literal;
use crate::lowerer::{Lowered, Lowerer};
use crate::types::{Class, Kind};
use torchada_mapping::Evidence;
use torchada_syntax::ptx::{Address, Declaration, Instruction, Operand, Predicate, Variable};

/// The parts of a vector. They are called as colours, too.
const PARTS: [(&str, &str); 4] = [("x", "r"), ("y", "g"), ("z", "b"), ("w", "a")];

/// The type of C++ of which a variable is an array that has an alignment and no values of its own, and its size.
fn aligned_element(align: u32) -> (&'static str, u64) {
    match align {
        0 | 1 => ("unsigned char", 1),
        2 => ("unsigned short", 2),
        4 => ("unsigned int", 4),
        8 => ("unsigned long long", 8),
        _ => ("uint4", 16),
    }
}

impl Lowerer<'_> {
    pub(crate) fn declare(&mut self, declaration: &Declaration) -> Lowered<()> {
        // A register of 128 bits is two of 64.
        let (kind, vector) = match (declaration.kind.as_str(), declaration.vector) {
            ("b128", 1) => (Some(Kind::U64), 2),
            (kind, vector) => (Kind::named(kind), vector),
        };
        let Some(kind) = kind else {
            return Err(Fault::unknown(&format!(".{}", declaration.kind)));
        };
        for variable in &declaration.variables {
            if declaration.space != "reg" {
                let declared = self.variable(declaration, kind, vector, variable)?;
                self.enter(&variable.name, declared);
                continue;
            }
            if variable.elements.is_some() || !variable.values.is_empty() {
                return Err(Fault::unknown(".reg"));
            }
            let storage = kind.storage();
            let register = |cpp: String, vector: u32| Declared {
                cpp,
                register: Some(storage),
                is_shared: false,
                vector,
            };
            if vector == 1 {
                let cpp = self.local(storage.cpp(), &variable.name);
                self.enter(&variable.name, register(cpp, 1));
                continue;
            }
            for (part, _) in PARTS.iter().take(vector as usize) {
                let name = format!("{}.{part}", variable.name);
                let cpp = self.local(storage.cpp(), &name);
                self.enter(&name, register(cpp, 1));
            }
            self.enter(&variable.name, register(String::new(), vector));
        }
        Ok(())
    }

    fn enter(&mut self, name: &str, declared: Declared) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), declared);
        }
    }

    /// A variable in memory, declared before everything else.
    fn variable(
        &mut self,
        declaration: &Declaration,
        kind: Kind,
        vector: u32,
        variable: &Variable,
    ) -> Lowered<Declared> {
        let unknown = || Fault::unknown(&format!(".{}", declaration.space));
        let is_shared = declaration.space == "shared";
        if declaration.is_extern && !is_shared || kind.class == Class::Predicate {
            return Err(unknown());
        }
        let has_values = !variable.values.is_empty();
        // Shared and local memory have no values to begin with.
        if has_values && matches!(declaration.space.as_str(), "shared" | "local") {
            return Err(unknown());
        }
        let align = declaration.align.unwrap_or(kind.bits / 8 * vector);
        let count = variable.elements.unwrap_or(1) * u64::from(vector);
        let cpp = self.fresh(&variable.name);
        let space = match declaration.space.as_str() {
            "shared" if declaration.is_extern => "extern __shared__ ",
            "shared" => "__shared__ ",
            "const" => "const ",
            // It is there once for all threads. Nothing public shows that mcc takes one inside a function.
            "global" => {
                self.evidence = self.evidence.max(Evidence::Table);
                "static __device__ "
            }
            _ => "",
        };
        let storage = match kind.class {
            Class::Float | Class::Signed => kind,
            _ => kind.as_bits(),
        };
        let (element, size) = if has_values {
            (storage.cpp(), u64::from(kind.bits / 8))
        } else {
            aligned_element(align)
        };
        let aligned = if u64::from(align) > size {
            format!("alignas({align}) ")
        } else {
            String::new()
        };
        let mut values = Vec::new();
        for value in &variable.values {
            values.push(literal::text(value, storage).ok_or_else(unknown)?);
        }
        let values = match (has_values, declaration.space.as_str()) {
            (true, _) => format!(" = {{{}}}", values.join(", ")),
            // Without values a constant is zero.
            (false, "const") => " = {}".to_owned(),
            _ => String::new(),
        };
        let bytes = count * u64::from(kind.bits / 8);
        let length = if declaration.is_extern {
            String::new()
        } else {
            bytes.div_ceil(size).to_string()
        };
        let text = format!("{aligned}{space}{element} {cpp}[{length}]{values};");
        self.lines.insert(0, (0, text));
        Ok(Declared {
            cpp,
            register: None,
            is_shared,
            vector: 1,
        })
    }

    pub(crate) fn declared(&self, name: &str) -> Option<&Declared> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// An instruction whose operands name no vector as one: vectors are lists of registers.
    pub(crate) fn resolved(&self, instruction: &Instruction) -> Instruction {
        let predicate = instruction.predicate.as_ref().map(|predicate| Predicate {
            negated: predicate.negated,
            operand: self.without_vectors(&predicate.operand),
        });
        Instruction {
            predicate,
            opcode: instruction.opcode.clone(),
            operands: instruction
                .operands
                .iter()
                .map(|operand| self.without_vectors(operand))
                .collect(),
        }
    }

    fn without_vectors(&self, operand: &Operand) -> Operand {
        let inner = |one: &Operand| Box::new(self.without_vectors(one));
        match operand {
            Operand::Name(name) | Operand::Special(name) => match self.declared(name) {
                Some(declared) if declared.vector > 1 => {
                    let parts = PARTS.iter().take(declared.vector as usize);
                    let parts = parts.map(|(part, _)| Operand::Name(format!("{name}.{part}")));
                    Operand::Vector(parts.collect())
                }
                Some(_) => operand.clone(),
                None => self
                    .whole_special(name)
                    .unwrap_or_else(|| self.part(operand)),
            },
            Operand::Part(base, part) => match &**base {
                Operand::Name(name) => self.part(&Operand::Special(format!("{name}.{part}"))),
                _ => operand.clone(),
            },
            Operand::Vector(parts) => {
                Operand::Vector(parts.iter().map(|one| self.without_vectors(one)).collect())
            }
            Operand::Pair(first, second) => Operand::Pair(inner(first), inner(second)),
            Operand::Not(one) => Operand::Not(inner(one)),
            Operand::Negative(one) => Operand::Negative(inner(one)),
            Operand::Address(address) => Operand::Address(Address {
                base: inner(&address.base),
                ..address.clone()
            }),
            one => one.clone(),
        }
    }

    /// `%tid` as the vector that it is, with a fourth part that is always zero.
    fn whole_special(&self, name: &str) -> Option<Operand> {
        self.table.special(&format!("{name}.x"))?;
        let parts = ["x", "y", "z"].map(|part| Operand::Special(format!("{name}.{part}")));
        Some(Operand::Vector(
            parts.into_iter().chain([Operand::Integer(0)]).collect(),
        ))
    }

    /// A part of a register: of a declared vector, of a special register, or of a register's bits.
    fn part(&self, operand: &Operand) -> Operand {
        let Operand::Special(whole) = operand else {
            return operand.clone();
        };
        let Some((name, part)) = whole.rsplit_once('.') else {
            return operand.clone();
        };
        let known = PARTS.iter().find(|(_, colour)| *colour == part);
        let part = known.map_or(part, |(known, _)| known);
        let vector = format!("{name}.{part}");
        if self.declared(&vector).is_some() {
            return Operand::Name(vector);
        }
        match self.declared(name) {
            Some(_) => Operand::Part(Box::new(Operand::Name(name.to_owned())), part.to_owned()),
            // `%tid.w`
            None if part == "w" && self.table.special(&format!("{name}.x")).is_some() => {
                Operand::Integer(0)
            }
            None => Operand::Special(whole.clone()),
        }
    }
}
