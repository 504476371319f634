//! `setp` and `set`: comparisons.

use super::unknown;
use crate::lowerer::{Lowered, Lowerer, modifiers};
use crate::types::{Class, Kind};
use crate::value::Value;
use crate::{Fault, Reason};
use torchada_syntax::ptx::{Instruction, Operand};

pub(crate) fn lower(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
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
    let part = match kind.class {
        Class::HalfPair => Some(Class::Half),
        Class::BfloatPair => Some(Class::Bfloat),
        _ => None,
    };
    if let Some(class) = part {
        let pairs = Pairs {
            a: lowerer.read(a, kind)?.text,
            b: lowerer.read(b, kind)?.text,
            class,
            flushes,
        };
        let c = c.map(|c| condition(lowerer, c)).transpose()?;
        let holds = |at: usize| {
            let (a, b) = (pairs.number(&pairs.a, at), pairs.number(&pairs.b, at));
            let holds = expression(comparison?, Kind::F32, &a, &b)?;
            Some(combined(combine, holds, c.as_ref()))
        };
        let (low, high) = (holds(0).ok_or_else(unknown)?, holds(1).ok_or_else(unknown)?);
        return of_pair(lowerer, instruction, &types, &low, &high);
    }
    let a = operand(lowerer, a, kind, flushes)?;
    let b = operand(lowerer, b, kind, flushes)?;
    let holds = comparison
        .and_then(|name| expression(name, kind, &a.operand(), &b.operand()))
        .ok_or_else(unknown)?;
    let c = c.map(|c| condition(lowerer, c)).transpose()?;
    if sets_predicate {
        return predicates(lowerer, destinations, holds, combine, c);
    }
    let [to, _] = types.as_slice() else {
        return Err(unknown());
    };
    let value = number(*to, &combined(combine, holds, c.as_ref())).ok_or_else(unknown)?;
    lowerer.write(destinations, &value)
}

/// Write a comparison's result into a predicate, or into one and its opposite into another.
fn predicates(
    lowerer: &mut Lowerer<'_>,
    destinations: &Operand,
    holds: String,
    combine: Option<&str>,
    c: Option<String>,
) -> Lowered<()> {
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
                let value = Value::new(combined(combine, holds, c.as_ref()), Kind::PREDICATE);
                lowerer.write(destination, &value)?;
            }
            Ok(())
        }
        destination => {
            let value = Value::new(combined(combine, holds, c.as_ref()), Kind::PREDICATE);
            lowerer.write(destination, &value)
        }
    }
}

/// The number of this kind that `set` makes of a condition.
fn number(to: Kind, holds: &str) -> Option<Value> {
    let holds = bracket(holds);
    Some(match (to.class, to.bits) {
        (Class::Float, 32) => Value::new(format!("{holds} ? 1.0f : 0.0f"), to),
        (_, 32) if to.is_integer() => Value::new(format!("{holds} ? 0xffffffffu : 0u"), Kind::U32),
        (_, 16) => {
            let text = format!("{holds} ? {} : 0u", one(to));
            Value::new(text, Kind::new(Class::Unsigned, 16))
        }
        _ => return None,
    })
}

/// Two pairs that are compared part by part.
struct Pairs {
    a: String,
    b: String,
    class: Class,
    flushes: bool,
}

impl Pairs {
    /// The lower or the upper half of a pair as a number.
    fn number(&self, pair: &str, at: usize) -> String {
        let (call, low, high) = if self.class == Class::Half {
            ("__half2float", "__low2half", "__high2half")
        } else {
            ("__bfloat162float", "__low2bfloat16", "__high2bfloat16")
        };
        let half = format!("{}({pair})", [low, high][at.min(1)]);
        if self.flushes {
            format!("{call}(torchada::ptx::ftz_half({half}))")
        } else {
            format!("{call}({half})")
        }
    }
}

/// The results of both comparisons: two predicates, or two halves of a register.
fn of_pair(
    lowerer: &mut Lowerer<'_>,
    instruction: &Instruction,
    types: &[Kind],
    low: &str,
    high: &str,
) -> Lowered<()> {
    let destination = instruction.operands.first().ok_or_else(unknown)?;
    if let Operand::Pair(first, second) = destination {
        // The predicate that is combined with may be one of the destinations.
        let name = lowerer.fresh("upper");
        lowerer.line(format!("const bool {name} = {high};"));
        lowerer.write(first, &Value::new(low, Kind::PREDICATE))?;
        return lowerer.write(second, &Value::new(name, Kind::PREDICATE));
    }
    let [to, _] = types else {
        return Err(unknown());
    };
    let one = one(*to);
    let text = format!(
        "({} ? {one} << 16 : 0u) | ({} ? {one} : 0u)",
        bracket(high),
        bracket(low)
    );
    lowerer.write(destination, &Value::new(text, Kind::U32))
}

/// The 16 bits that stand for true in a type.
fn one(kind: Kind) -> &'static str {
    match kind.class {
        Class::Half | Class::HalfPair => "0x3c00u",
        Class::Bfloat | Class::BfloatPair => "0x3f80u",
        _ => "0xffffu",
    }
}

fn condition(lowerer: &mut Lowerer<'_>, operand: &Operand) -> Lowered<String> {
    let condition = lowerer.condition(operand, false)?;
    Ok(Value::new(condition, Kind::PREDICATE).operand())
}

/// A comparison's result with the predicate that it is combined with.
fn combined(how: Option<&str>, holds: String, c: Option<&String>) -> String {
    match (how, c) {
        (Some("and"), Some(c)) => format!("{} && {c}", bracket(&holds)),
        (Some("or"), Some(c)) => format!("{} || {c}", bracket(&holds)),
        (Some(_), Some(c)) => format!("{} != {c}", bracket(&holds)),
        _ => holds,
    }
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
        Class::Half if flushes => Value::new(
            format!("__half2float(torchada::ptx::ftz_half({}))", value.text),
            Kind::F32,
        ),
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
