//! An instruction by its row of the table.

use super::unknown;
use super::{
    arithmetic, atomics, barrier, compare, convert, copy, fragments, load_store, logic, matrix,
    moves, mtx, shuffle, small_floats, video,
};
use crate::lowerer::{Lowered, Lowerer, OperandForm, modifiers};
use crate::types::{Class, Kind};
use crate::value::Value;
use crate::{Fault, Reason};
use torchada_mapping::ptx::{Family, PtxRow};
use torchada_syntax::ptx::{Instruction, Operand};

impl Lowerer<'_> {
    /// An instruction without its predicate.
    pub(crate) fn unguarded(&mut self, instruction: &Instruction) -> Lowered<()> {
        let opcode = instruction.opcode.as_str();
        let table = self.table;
        let Some(row) = table.row(opcode) else {
            return Err(unknown());
        };
        if let Some(why) = &row.none {
            let advice = row.advice.clone().unwrap_or_default();
            return Err(Fault::new(
                Reason::None { advice },
                format!("`{opcode}`: {why}"),
            ));
        }
        if let Some(one) = table
            .alternative(opcode)
            .filter(|one| self.platform.has(one))
            && mtx::lower(self, instruction, one)?
        {
            return Ok(());
        }
        self.note(row);
        if row.emulated {
            self.emulated.get_or_insert_with(|| opcode.to_owned());
        }
        if let Some(cpp) = &row.cpp {
            return self.template(instruction, row, cpp);
        }
        match row.by {
            None => Ok(()),
            Some(Family::Arithmetic) => arithmetic::lower(self, instruction),
            Some(Family::Compare) => compare::lower(self, instruction),
            Some(Family::Convert) => convert::lower(self, instruction),
            Some(Family::Small) => small_floats::lower(self, instruction),
            Some(Family::Load) => load_store::load(self, instruction),
            Some(Family::Store) => load_store::store(self, instruction),
            Some(Family::Copy) => copy::lower(self, instruction),
            Some(Family::Atomic) => atomics::lower(self, instruction),
            Some(Family::Move) => moves::lower(self, instruction),
            Some(Family::Shuffle) => shuffle::lower(self, instruction),
            Some(Family::Match) => shuffle::match_all(self, instruction),
            Some(Family::Multiply) => matrix::multiply(self, instruction),
            Some(Family::Exchange) => fragments::exchange(self, instruction),
            Some(Family::Reduce) => shuffle::reduce(self, instruction),
            Some(Family::Elect) => shuffle::elect(self, instruction),
            Some(Family::Logic) => logic::lower(self, instruction),
            Some(Family::Permute) => moves::permute(self, instruction),
            Some(Family::Video) => video::lower(self, instruction),
            Some(Family::Barrier) => barrier::lower(self, instruction),
        }
    }

    fn template(&mut self, instruction: &Instruction, row: &PtxRow, cpp: &str) -> Lowered<()> {
        let opcode = instruction.opcode.as_str();
        if cpp.contains("{carry}") {
            self.carry(opcode)?;
        }
        let types = modifiers(opcode);
        let kind = types.iter().rev().find_map(|part| Kind::named(part));
        let first = types.iter().find_map(|part| Kind::named(part));
        let names: Vec<&str> = row.operands.split_whitespace().collect();
        let needed = names.iter().filter(|name| !name.ends_with('?')).count();
        if !(needed..=names.len()).contains(&instruction.operands.len()) {
            return Err(Fault::new(
                Reason::Operand,
                format!("`{opcode}` has {} operands", instruction.operands.len()),
            ));
        }
        let named = |name: &str| {
            let at = names
                .iter()
                .position(|one| one.trim_end_matches('?') == name);
            at.and_then(|at| instruction.operands.get(at))
        };
        let text = self.fill(cpp, kind, first, &named)?;
        let Some(destination) = named("d") else {
            self.line(text);
            return Ok(());
        };
        let result = match row.result.as_deref() {
            None => kind,
            Some("b") => kind.map(Kind::as_bits),
            Some("first") => first,
            Some("wide") => kind.map(Kind::twice_as_wide),
            Some(name) => Kind::named(name),
        };
        let result = result.ok_or_else(unknown)?;
        self.write(destination, &Value::new(text, result))
    }

    /// Have a place for the carry of an instruction. What an earlier statement left there is not at hand.
    fn carry(&mut self, opcode: &str) -> Lowered<()> {
        let mut parts = opcode.split('.');
        let reads = parts.next().is_some_and(|name| name.ends_with('c'));
        let local = ("unsigned int".to_owned(), "carry = 0".to_owned());
        if !self.locals.contains(&local) {
            if reads {
                return Err(Fault::takes_carry(opcode));
            }
            self.taken.insert("carry".to_owned());
            self.locals.push(local);
        }
        if reads {
            self.carry.is_read = true;
            self.carry.unread = None;
        }
        if parts.any(|part| part == "cc") {
            self.carry.unread = Some(opcode.to_owned());
        }
        Ok(())
    }

    /// The code of a row with the instruction's operands.
    fn fill<'i>(
        &mut self,
        cpp: &str,
        kind: Option<Kind>,
        first: Option<Kind>,
        named: &dyn Fn(&str) -> Option<&'i Operand>,
    ) -> Lowered<String> {
        let broken = || Fault::new(Reason::Operand, "a row has a fault".to_owned());
        let mut text = String::new();
        let mut rest = cpp;
        while let Some(open) = rest.find('{') {
            text.push_str(rest.get(..open).unwrap_or_default());
            let inside = rest.get(open + 1..).unwrap_or_default();
            let end = inside.find('}').ok_or_else(broken)?;
            let (place, behind) = inside.split_at(end);
            rest = behind.get(1..).unwrap_or_default();
            let (name, wanted) = place.split_once(':').unwrap_or((place, ""));
            match name {
                "T" => text.push_str(kind.ok_or_else(broken)?.cpp()),
                "T2" => text.push_str(kind.ok_or_else(broken)?.twice_as_wide().cpp()),
                "U" => text.push_str(kind.ok_or_else(broken)?.as_bits().cpp()),
                "bits" => text.push_str(&kind.ok_or_else(broken)?.bits.to_string()),
                "carry" => text.push_str("carry"),
                _ => {
                    let operand = named(name).ok_or_else(broken)?;
                    if wanted == "condition" {
                        let condition = self.condition(operand, false)?;
                        text.push_str(&Value::new(condition, Kind::PREDICATE).operand());
                        continue;
                    }
                    if wanted == "constant" {
                        let value = self.constant(operand)?;
                        text.push_str(&value.to_string());
                        continue;
                    }
                    let wanted = match wanted {
                        "" => kind,
                        "first" => first,
                        // Unsigned, and wide enough that C++ does not turn it into a signed one.
                        "b" => kind.map(|kind| Kind::new(Class::Unsigned, kind.bits.max(32))),
                        "wide" => kind.map(Kind::twice_as_wide),
                        "signed" => kind.map(|kind| Kind::new(Class::Signed, kind.bits)),
                        name => Kind::named(name),
                    };
                    let value = self.read(operand, wanted.ok_or_else(broken)?)?;
                    text.push_str(&value.operand());
                }
            }
        }
        text.push_str(rest);
        Ok(text)
    }

    /// An operand that must be a constant, as an argument of a template.
    pub(crate) fn argument(&mut self, operand: &Operand) -> Lowered<String> {
        if let Operand::Placeholder(index) = operand
            && let Some(outer) = self.outer.get(*index)
            && outer.form == OperandForm::Constant
            && outer.constant.is_none()
        {
            return Ok(format!("({})", crate::lowerer::marker(*index)));
        }
        let value = self
            .constant(operand)
            .map_err(|_| Fault::new(Reason::Operand, "an operand is no constant".to_owned()))?;
        Ok(value.to_string())
    }

    /// The value of an operand that must be a constant.
    pub(crate) fn constant(&mut self, operand: &Operand) -> Lowered<i128> {
        match operand {
            Operand::Integer(value) => Some(*value),
            Operand::Placeholder(index) => self.outer.get(*index).and_then(|outer| outer.known),
            _ => None,
        }
        .ok_or_else(|| {
            Fault::new(
                Reason::Operand,
                "an operand is no constant that can be seen".to_owned(),
            )
        })
    }
}
