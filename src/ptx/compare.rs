//! `setp` and `set`: comparisons.

use super::kind::{Class, Kind};
use super::lower::{Lowered, Lowerer, modifiers};
use super::value::Value;
use super::{Fault, Reason};
use crate::syntax::ptx::{Instruction, Operand};

pub(super) fn lower(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let unknown = || Fault::unknown(&instruction.opcode);
    let sets_predicate = instruction.opcode.starts_with("setp.");
    let parts = modifiers(&instruction.opcode);
    let mut types = Vec::new();
    let (mut comparison, mut combine, mut flushes) = (None, None, false);
    for part in parts {
        match part {
            "ftz" => flushes = true,
            "and" | "or" | "xor" => combine = Some(part),
            _ => match Kind::named(part) {
                Some(kind) => types.push(kind),
                None if comparison.is_none() => comparison = Some(part),
                None => return Err(unknown()),
            },
        }
    }
    let kind = *types.last().ok_or_else(unknown)?;
    let (destinations, rest) = instruction.operands.split_first().ok_or_else(unknown)?;
    let (a, b, c) = match rest {
        [a, b] if combine.is_none() => (a, b, None),
        [a, b, c] if combine.is_some() => (a, b, Some(c)),
        _ => return Err(unknown()),
    };
    if matches!(kind.class, Class::HalfPair | Class::BfloatPair) {
        return pairs(
            lowerer,
            instruction,
            kind,
            comparison.filter(|_| combine.is_none() && !flushes),
        );
    }
    let a = operand(lowerer, a, kind, flushes)?;
    let b = operand(lowerer, b, kind, flushes)?;
    let holds = comparison
        .and_then(|name| expression(name, kind, &a.operand(), &b.operand()))
        .ok_or_else(unknown)?;
    let combined = |holds: String, c: Option<&String>| match (combine, c) {
        (Some("and"), Some(c)) => format!("{} && {c}", bracket(&holds)),
        (Some("or"), Some(c)) => format!("{} || {c}", bracket(&holds)),
        (Some(_), Some(c)) => format!("{} != {c}", bracket(&holds)),
        _ => holds,
    };
    let c = match c {
        Some(c) => {
            let condition = lowerer.condition(c, false)?;
            Some(Value::new(condition, Kind::PREDICATE).operand())
        }
        None => None,
    };
    if !sets_predicate {
        let [to, _] = types.as_slice() else {
            return Err(unknown());
        };
        let holds = combined(holds, c.as_ref());
        let (text, kind) = match (to.class, to.bits) {
            (Class::Float, 32) => (format!("{} ? 1.0f : 0.0f", bracket(&holds)), *to),
            (_, 32) if to.is_integer() => {
                (format!("{} ? 0xffffffffu : 0u", bracket(&holds)), Kind::U32)
            }
            _ => return Err(unknown()),
        };
        return lowerer.write(destinations, &Value::new(text, kind));
    }
    match destinations {
        Operand::Pair(first, second) => {
            let name = lowerer.fresh("holds");
            lowerer.line(format!("const bool {name} = {holds};"));
            let both = [(first, name.clone()), (second, format!("!{name}"))];
            // `c` may be one of the destinations.
            let c = match c {
                Some(c) => {
                    let kept = lowerer.fresh("other");
                    lowerer.line(format!("const bool {kept} = {c};"));
                    Some(kept)
                }
                None => None,
            };
            for (destination, holds) in both {
                let value = Value::new(combined(holds, c.as_ref()), Kind::PREDICATE);
                lowerer.write(destination, &value)?;
            }
            Ok(())
        }
        destination => {
            let value = Value::new(combined(holds, c.as_ref()), Kind::PREDICATE);
            lowerer.write(destination, &value)
        }
    }
}

/// `setp` of both parts of a pair.
fn pairs(
    lowerer: &mut Lowerer<'_>,
    instruction: &Instruction,
    kind: Kind,
    comparison: Option<&str>,
) -> Lowered<()> {
    let unknown = || Fault::unknown(&instruction.opcode);
    let comparison = comparison.ok_or_else(unknown)?;
    let [Operand::Pair(first, second), a, b] = instruction.operands.as_slice() else {
        return Err(unknown());
    };
    let (number, low, high) = if kind.class == Class::HalfPair {
        ("__half2float", "__low2half", "__high2half")
    } else {
        ("__bfloat162float", "__low2bfloat16", "__high2bfloat16")
    };
    let a = lowerer.read(a, kind)?.text;
    let b = lowerer.read(b, kind)?.text;
    for (destination, part) in [(first, low), (second, high)] {
        let side = |text: &str| format!("{number}({part}({text}))");
        let holds = expression(comparison, Kind::F32, &side(&a), &side(&b)).ok_or_else(unknown)?;
        lowerer.write(destination, &Value::new(holds, Kind::PREDICATE))?;
    }
    Ok(())
}

fn bracket(text: &str) -> String {
    Value::new(text, Kind::PREDICATE).operand()
}

/// An operand as a number that C++ compares.
fn operand(
    lowerer: &mut Lowerer<'_>,
    operand: &Operand,
    kind: Kind,
    flushes: bool,
) -> Lowered<Value> {
    let value = lowerer.read(operand, kind)?;
    Ok(match kind.class {
        Class::Half => Value::new(format!("__half2float({})", value.text), Kind::F32),
        Class::Bfloat => Value::new(format!("__bfloat162float({})", value.text), Kind::F32),
        Class::HalfPair | Class::BfloatPair => {
            return Err(Fault::new(
                Reason::Operand,
                "a comparison of pairs".to_owned(),
            ));
        }
        Class::Float if flushes => Value::new(format!("torchada::ptx::ftz({})", value.text), kind),
        _ => value,
    })
}

/// The comparison that a modifier names. One that is unordered holds where an operand is no number.
fn expression(name: &str, kind: Kind, a: &str, b: &str) -> Option<String> {
    let is_float = matches!(kind.class, Class::Float | Class::Half | Class::Bfloat);
    let plain = |sign: &str| format!("{a} {sign} {b}");
    let unordered = |opposite: &str| format!("!({a} {opposite} {b})");
    Some(match (name, is_float) {
        ("eq", _) => plain("=="),
        // `!=` of C++ holds for what is no number; this does not.
        ("ne", true) => format!("({a} < {b} || {a} > {b})"),
        ("lt", _) | ("lo", false) => plain("<"),
        ("le", _) | ("ls", false) => plain("<="),
        ("gt", _) | ("hi", false) => plain(">"),
        ("ge", _) | ("hs", false) => plain(">="),
        ("equ", true) => format!("!({a} < {b} || {a} > {b})"),
        ("ne", false) | ("neu", true) => plain("!="),
        ("ltu", true) => unordered(">="),
        ("leu", true) => unordered(">"),
        ("gtu", true) => unordered("<="),
        ("geu", true) => unordered("<"),
        ("num", true) => format!("{a} == {a} && {b} == {b}"),
        ("nan", true) => format!("{a} != {a} || {b} != {b}"),
        _ => return None,
    })
}
