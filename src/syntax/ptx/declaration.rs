//! Declarations of a template, and the directives that say something about its source alone.

use super::parser::Parser;
use super::scanner::Word;
use super::{Declaration, Operand, Unreadable, Variable};

/// How many registers `a<…>` may declare.
const MOST_REGISTERS: i128 = 1024;

impl Parser<'_, '_> {
    /// `.reg .v2 .u32 a, b<4>, c;`, `.const .align 8 .b8 bytes[2][4] = {{1, 2}, {3}};`
    pub(super) fn declaration(&mut self) -> Result<Declaration, Unreadable> {
        let mut parts: Vec<&str> = Vec::new();
        let mut align = None;
        while let Some(&Word::Name(name)) = self.peek()
            && name.starts_with('.')
        {
            self.at += 1;
            parts.extend(name.split('.').filter(|part| !part.is_empty()));
            if parts.last() == Some(&"align") {
                parts.pop();
                let Some(value) = self.integer()? else {
                    return Err(self.fault("an alignment without its number"));
                };
                align = u32::try_from(value).ok();
            }
        }
        let mut parts = parts.into_iter().peekable();
        let is_extern = parts.next_if_eq(&"extern").is_some();
        let space = parts.next().unwrap_or_default();
        if !["reg", "shared", "local", "const", "global"].contains(&space) {
            return Err(self.fault(&format!(
                "`.{space}` is no declaration that a statement may hold"
            )));
        }
        let vector = match parts.next_if(|part| matches!(*part, "v2" | "v4")) {
            Some("v2") => 2,
            Some(_) => 4,
            None => 1,
        };
        let kind = parts.next().unwrap_or_default();
        let mut variables = Vec::new();
        loop {
            self.variables(&mut variables)?;
            if !self.takes(',') {
                break;
            }
        }
        self.needs(';')?;
        Ok(Declaration {
            space: space.to_owned(),
            kind: kind.to_owned(),
            vector,
            align,
            is_extern,
            variables,
        })
    }

    /// One name with what follows it: `a`, `a<4>`, `a[4] = {1, 2}`.
    fn variables(&mut self, variables: &mut Vec<Variable>) -> Result<(), Unreadable> {
        let name = match self.peek() {
            Some(Word::Name(name) | Word::Register(name)) => (*name).to_owned(),
            _ => return Err(self.fault("a declaration without a name")),
        };
        self.at += 1;
        if self.takes('<') {
            let Some(count) = self.product()? else {
                return Err(self.fault("a number of registers is missing"));
            };
            self.needs('>')?;
            if !(0..=MOST_REGISTERS).contains(&count) {
                return Err(self.fault("too many registers"));
            }
            variables.extend((0..count).map(|index| Variable::named(format!("{name}{index}"))));
            return Ok(());
        }
        let mut variable = Variable::named(name);
        let mut is_open = false;
        while self.takes('[') {
            let size = self.integer()?;
            is_open |= size.is_none();
            let size = u64::try_from(size.unwrap_or(0)).ok();
            self.needs(']')?;
            let before = variable.elements.filter(|before| *before > 0 || !is_open);
            let all = size.and_then(|size| before.unwrap_or(1).checked_mul(size));
            variable.elements = Some(all.ok_or_else(|| self.fault("an array is too large"))?);
        }
        if self.takes('=') {
            self.initial(&mut variable.values)?;
        }
        if is_open {
            // `a[] = {1, 2, 3}`
            variable.elements = u64::try_from(variable.values.len()).ok();
        }
        variables.push(variable);
        Ok(())
    }

    /// The values of a variable: those of inner braces follow each other, so all of them must be full.
    fn initial(&mut self, values: &mut Vec<Operand>) -> Result<(), Unreadable> {
        let value = self.operand(0)?;
        let is_flat = |one: &Operand| !matches!(one, Operand::Vector(_));
        match value {
            Operand::Vector(parts) if parts.iter().all(is_flat) => values.extend(parts),
            Operand::Vector(rows) => {
                let length = |row: &Operand| match row {
                    Operand::Vector(parts) if parts.iter().all(is_flat) => Some(parts.len()),
                    _ => None,
                };
                let first = rows.first().and_then(length);
                if first.is_none() || rows.iter().any(|row| length(row) != first) {
                    return Err(self.fault("the rows of an array are not equally long"));
                }
                for row in rows {
                    if let Operand::Vector(parts) = row {
                        values.extend(parts);
                    }
                }
            }
            one => values.push(one),
        }
        Ok(())
    }

    /// The labels behind `.branchtargets`.
    pub(super) fn labels(&mut self) -> Result<Vec<String>, Unreadable> {
        let mut labels = Vec::new();
        loop {
            let Some(Word::Name(name)) = self.peek() else {
                return Err(self.fault("a label is missing"));
            };
            labels.push((*name).to_owned());
            self.at += 1;
            if !self.takes(',') {
                break;
            }
        }
        self.needs(';')?;
        Ok(labels)
    }

    /// `.pragma "nounroll";`, `.loc 1 20 3`, `.file 1 "name"`: what says where code came from, or asks for nothing that
    /// its results depend on.
    pub(super) fn remark(&mut self) -> Result<(), Unreadable> {
        let is_pragma = self.peek() == Some(&Word::Name(".pragma"));
        self.at += 1;
        if is_pragma {
            while !self.takes(';') {
                if self.peek().is_none() {
                    return Err(self.fault("`.pragma` has no end"));
                }
                self.at += 1;
            }
            return Ok(());
        }
        while matches!(self.peek(), Some(Word::Number(_))) {
            self.at += 1;
        }
        if self.takes('"') {
            while !self.takes('"') {
                if self.peek().is_none() {
                    return Err(self.fault("a file's name has no end"));
                }
                self.at += 1;
            }
        }
        // `, function_name NAME, inlined_at 1 2 3` and `, time, size`
        while self.takes(',') {
            while matches!(self.peek(), Some(Word::Number(_)))
                || matches!(self.peek(), Some(Word::Name(_)))
                    && matches!(self.words.get(self.at - 1), Some((_, Word::Mark(','))))
                || matches!(
                    self.words.get(self.at - 1),
                    Some((_, Word::Name("function_name")))
                )
            {
                self.at += 1;
            }
        }
        Ok(())
    }
}
