//! `lop3`: a logical function of three operands, by its table of truth.

use super::unknown;
use std::sync::OnceLock;

use crate::lowerer::{Lowered, Lowerer};
use crate::types::Kind;
use crate::value::Value;
use torchada_syntax::ptx::{Instruction, Operand};

pub(crate) fn lower(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    if let [Operand::Pair(d, p), a, b, c, table, q] = instruction.operands.as_slice() {
        // `p = (d != 0) OP q`
        let sign = if instruction.opcode == "lop3.or.b32" {
            "||"
        } else {
            "&&"
        };
        let other = lowerer.condition(q, false)?;
        let other = Value::new(other, Kind::PREDICATE).operand();
        let name = lowerer.local("unsigned int", "logic");
        let value = function(lowerer, a, b, c, table)?;
        lowerer.line(format!("{name} = {};", value.text));
        let holds = Value::new(format!("{name} != 0u {sign} {other}"), Kind::PREDICATE);
        lowerer.write(p, &holds)?;
        return lowerer.write(d, &Value::new(name, Kind::U32));
    }
    let [d, a, b, c, table] = instruction.operands.as_slice() else {
        return Err(unknown());
    };
    let value = function(lowerer, a, b, c, table)?;
    lowerer.write(d, &value)
}

/// The function of three operands whose table of truth is `table`.
fn function(
    lowerer: &mut Lowerer<'_>,
    a: &Operand,
    b: &Operand,
    c: &Operand,
    table: &Operand,
) -> Lowered<Value> {
    let Ok(table) = lowerer.constant(table) else {
        let table = lowerer.argument(table)?;
        let mut operands = Vec::new();
        for operand in [a, b, c] {
            operands.push(lowerer.read(operand, Kind::U32)?.text);
        }
        let text = format!("torchada::ptx::lop3<{table}>({})", operands.join(", "));
        return Ok(Value::new(text, Kind::U32));
    };
    let wanted = usize::try_from(table & 0xff).unwrap_or(0);
    let expression = expressions().get(wanted).cloned().unwrap_or_default();
    let mut text = String::new();
    for part in expression.chars() {
        let operand = match part {
            'a' => a,
            'b' => b,
            'c' => c,
            other => {
                text.push(other);
                continue;
            }
        };
        let bits = Kind::named("b32").unwrap_or(Kind::U32);
        text.push_str(&lowerer.read(operand, bits)?.operand());
    }
    Ok(Value::new(text, Kind::U32))
}

/// The shortest expression for each table of truth, by the number of its operators. Operators of C++ are put in
/// brackets, so that no reader needs to know which binds first.
fn expressions() -> &'static Vec<String> {
    static FOUND: OnceLock<Vec<String>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let mut found: Vec<Option<String>> = vec![None; 256];
        let mut by_cost: Vec<Vec<u8>> = vec![Vec::new()];
        // The constants that define the tables: "PTX ISA", `lop3`.
        for (table, text) in [
            (0xf0, "a"),
            (0xcc, "b"),
            (0xaa, "c"),
            (0x00, "0u"),
            (0xff, "0xffffffffu"),
        ] {
            found[usize::from(table)] = Some(text.to_owned());
            by_cost[0].push(table);
        }
        let operand = |found: &[Option<String>], table: u8| {
            let text = found.get(usize::from(table)).and_then(Option::as_deref);
            match text {
                Some(text) if text.contains(' ') => format!("({text})"),
                text => text.unwrap_or_default().to_owned(),
            }
        };
        for cost in 1..=8 {
            // What has an expression after this round; those that the round finds are not its operands yet. Texts are only
            // made for tables that have none: of the pairs of a round one in a hundred gives a new table.
            let mut level: Vec<(u8, String)> = Vec::new();
            let mut is_found: Vec<bool> = found.iter().map(Option::is_some).collect();
            let mut is_new = |table: u8| {
                let slot = is_found.get_mut(usize::from(table));
                slot.is_some_and(|slot| !std::mem::replace(slot, true))
            };
            for table in by_cost.get(cost - 1).into_iter().flatten() {
                if is_new(!table) {
                    level.push((!table, format!("~{}", operand(&found, *table))));
                }
            }
            for left in 0..cost {
                let right = cost - 1 - left;
                for a in by_cost.get(left).into_iter().flatten() {
                    for b in by_cost.get(right).into_iter().flatten() {
                        for (table, sign) in [(a & b, "&"), (a | b, "|"), (a ^ b, "^")] {
                            if a != b && is_new(table) {
                                let (a, b) = (operand(&found, *a), operand(&found, *b));
                                level.push((table, format!("{a} {sign} {b}")));
                            }
                        }
                    }
                }
            }
            by_cost.push(level.iter().map(|(table, _)| *table).collect());
            for (table, text) in level {
                if let Some(slot) = found.get_mut(usize::from(table)) {
                    *slot = Some(text);
                }
            }
        }
        found.into_iter().map(Option::unwrap_or_default).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::expressions;

    /// The table of an expression, worked out from its text.
    fn table(text: &str) -> u8 {
        fn operand(bytes: &mut std::iter::Peekable<std::str::Chars<'_>>) -> u8 {
            match bytes.next() {
                Some('~') => !operand(bytes),
                Some('(') => {
                    let value = sum(bytes);
                    bytes.next();
                    value
                }
                Some('a') => 0xf0,
                Some('b') => 0xcc,
                Some('c') => 0xaa,
                Some('0') => {
                    let mut value = 0;
                    while let Some(one) = bytes.next_if(char::is_ascii_alphanumeric) {
                        value |= if one == 'f' { 0xff } else { 0 };
                    }
                    value
                }
                other => panic!("{other:?}"),
            }
        }
        fn sum(bytes: &mut std::iter::Peekable<std::str::Chars<'_>>) -> u8 {
            let left = operand(bytes);
            if bytes.next_if_eq(&' ').is_none() {
                return left;
            }
            let sign = bytes.next();
            bytes.next();
            let right = operand(bytes);
            match sign {
                Some('&') => left & right,
                Some('|') => left | right,
                Some('^') => left ^ right,
                other => panic!("{other:?}"),
            }
        }
        sum(&mut text.chars().peekable())
    }

    #[test]
    fn every_table_has_an_expression_that_means_it() {
        for (wanted, text) in expressions().iter().enumerate() {
            assert_eq!(usize::from(table(text)), wanted, "{text}");
        }
    }
}
