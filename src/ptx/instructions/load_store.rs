//! `ld` and `st`: reads and writes of memory.

use super::unknown;
use crate::lowerer::{Lowered, Lowerer, modifiers};
use crate::types::{Class, Kind};
use crate::value::Value;
use crate::{Fault, Reason};
use torchada_mapping::ptx::Exactness;
use torchada_syntax::ptx::{Instruction, Operand};

/// What the modifiers of an instruction that touches memory say.
pub(crate) struct Access<'o> {
    /// `shared`, `global`, …; empty for a generic address.
    pub(crate) space: &'o str,
    /// `volatile`, `relaxed`, `acquire`, `release` or `acq_rel`; empty for a weak one.
    pub(crate) order: &'o str,
    /// `cta`, `gpu` or `sys`; empty where none is named.
    pub(crate) scope: &'o str,
    /// Whether the memory is read only while the kernel runs.
    pub(crate) is_constant: bool,
    /// The number of elements.
    pub(crate) vector: usize,
    /// The type of an element.
    pub(crate) kind: Kind,
    /// Whether a policy of the second cache stands behind the operands.
    pub(crate) has_policy: bool,
    /// What no row of this reader knows.
    pub(crate) others: Vec<&'o str>,
}

impl<'o> Access<'o> {
    pub(crate) fn of(opcode: &'o str) -> Lowered<Self> {
        let mut access = Access {
            space: "",
            order: "",
            scope: "",
            is_constant: false,
            vector: 1,
            kind: Kind::U32,
            has_policy: false,
            others: Vec::new(),
        };
        let mut kind = None;
        for part in modifiers(opcode) {
            match part {
                "global" | "local" | "const" => access.space = part,
                "shared" | "shared::cta" => access.space = "shared",
                "volatile" | "relaxed" | "acquire" | "release" | "acq_rel" => access.order = part,
                "weak" | "mmio" => {}
                "cta" | "gpu" | "sys" => access.scope = part,
                // All blocks of a cluster run on one device.
                "cluster" => access.scope = "gpu",
                "nc" => access.is_constant = true,
                "v2" => access.vector = 2,
                "v4" => access.vector = 4,
                "v8" => access.vector = 8,
                // Hints for caches: the value that is read or written is the same.
                "ca" | "cg" | "cs" | "lu" | "cv" | "wb" | "wt" => {
                    if matches!(part, "cv" | "wt") {
                        access.order = "volatile";
                    }
                }
                "L2::cache_hint" => access.has_policy = true,
                _ if part.starts_with("L1::") || part.starts_with("L2::") => {}
                "b128" => {
                    access.vector *= 2;
                    kind = Some(Kind::U64);
                }
                _ => match Kind::named(part) {
                    Some(one) if kind.is_none() => kind = Some(one),
                    _ => access.others.push(part),
                },
            }
        }
        access.kind = kind.ok_or_else(unknown)?;
        Ok(access)
    }

    /// A pointer of C++ to what an operand names, `step` elements of this access behind it.
    pub(crate) fn pointer(
        &self,
        lowerer: &mut Lowerer<'_>,
        operand: &Operand,
        kind: &str,
        size: u32,
        step: usize,
    ) -> Lowered<String> {
        let Operand::Address(address) = operand else {
            return Err(Fault::new(
                Reason::Operand,
                "an address is missing".to_owned(),
            ));
        };
        if !address.coordinates.is_empty() {
            return Err(Fault::new(
                Reason::Operand,
                "an address with coordinates".to_owned(),
            ));
        }
        let element = i64::from(self.kind.bits / 8);
        let offset = address.offset + element * i64::try_from(step).unwrap_or(0);
        let variable = match &*address.base {
            Operand::Name(name) | Operand::Special(name) => lowerer
                .declared(name)
                .filter(|one| one.register.is_none())
                .map(|one| one.cpp.clone()),
            _ => None,
        };
        if let Some(variable) = variable {
            return Ok(match offset {
                0 => format!("({kind} *){variable}"),
                _ => format!("({kind} *)((char *){variable} + {offset})"),
            });
        }
        let base = match &*address.base {
            Operand::Integer(value) => Value::new(format!("{value}ull"), Kind::U64),
            base => lowerer.stored(base)?,
        };
        if self.space == "shared" {
            let base = match base.kind.bits {
                32 => base.read_as(Kind::U32),
                _ => Some(base),
            };
            let base = base.map_or(String::new(), |base| base.text);
            let text = match offset {
                0 => base,
                _ if offset < 0 => format!("{base} - {}", -offset),
                _ => format!("{base} + {offset}"),
            };
            return Ok(format!("torchada::ptx::shared<{kind}>({text})"));
        }
        let base = base.operand();
        let size = i64::from(size);
        Ok(if offset == 0 {
            format!("({kind} *){base}")
        } else if offset % size == 0 {
            let steps = offset / size;
            let sign = if steps < 0 { '-' } else { '+' };
            format!("(({kind} *){base} {sign} {})", steps.abs())
        } else {
            let sign = if offset < 0 { '-' } else { '+' };
            format!("({kind} *)((char *){base} {sign} {})", offset.abs())
        })
    }

    /// The two operands of an instruction, which may not wait for or release others in the order `excluded` or in both.
    fn operands<'i>(
        &self,
        instruction: &'i Instruction,
        excluded: &str,
    ) -> Lowered<(&'i Operand, &'i Operand)> {
        let is_ordered = self.order == excluded || self.order == "acq_rel";
        match instruction.operands.as_slice() {
            _ if is_ordered || !self.others.is_empty() => Err(unknown()),
            [first, second] if !self.has_policy => Ok((first, second)),
            [first, second, _] if self.has_policy => Ok((first, second)),
            _ => Err(unknown()),
        }
    }

    /// The elements of an operand, as many as this access has.
    fn elements<'i>(&self, operand: &'i Operand) -> Lowered<Vec<&'i Operand>> {
        let elements = operand.elements();
        if elements.len() != self.vector {
            return Err(Fault::new(
                Reason::Operand,
                "the vector has another length".to_owned(),
            ));
        }
        Ok(elements)
    }

    fn bytes(&self) -> u32 {
        self.kind.bits / 8
    }

    /// The fence of this access's scope.
    pub(crate) fn fence(&self) -> &'static str {
        match self.scope {
            "cta" => "__threadfence_block();",
            "gpu" => "__threadfence();",
            _ => "__threadfence_system();",
        }
    }

    /// The vector type of CUDA's that has these elements, where there is one.
    fn vector_type(&self) -> Option<String> {
        let name = match (self.kind.class, self.kind.bits) {
            (Class::Float, 32) => "float",
            (Class::Float, _) => "double",
            (Class::Signed, 8) => "char",
            (Class::Signed, 16) => "short",
            (Class::Signed, 32) => "int",
            (Class::Signed, _) => "longlong",
            (_, 8) => "uchar",
            (_, 16) => "ushort",
            (_, 32) => "uint",
            _ => "ulonglong",
        };
        // Wider ones are no single access.
        let bytes = self.bytes() as usize * self.vector;
        let is_plain = self.order.is_empty() && matches!(self.vector, 2 | 4) && bytes <= 16;
        is_plain.then(|| format!("{name}{}", self.vector))
    }
}

/// The type of a value in memory: halves are read and written as bits.
fn in_memory(kind: Kind) -> Kind {
    match kind.class {
        Class::Float | Class::Signed => kind,
        _ => kind.as_bits(),
    }
}

pub(crate) fn load(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let access = Access::of(&instruction.opcode)?;
    let (destination, address) = access.operands(instruction, "release")?;
    let destinations = access.elements(destination)?;
    let kind = in_memory(access.kind);
    if let Some(vector) = access.vector_type() {
        let size = access.bytes() * u32::try_from(access.vector).unwrap_or(1);
        let pointer = access.pointer(lowerer, address, &format!("const {vector}"), size, 0)?;
        let value = if access.is_constant {
            format!("__ldg({pointer})")
        } else {
            format!("*{pointer}")
        };
        let name = lowerer.fresh("loaded");
        lowerer.line(format!("const {vector} {name} = {value};"));
        for (part, destination) in ["x", "y", "z", "w"].iter().zip(destinations) {
            lowerer.write(destination, &Value::new(format!("{name}.{part}"), kind))?;
        }
        return Ok(());
    }
    let is_weak = access.order.is_empty();
    let qualifier = if is_weak { "const" } else { "const volatile" };
    let several = access.vector > 1;
    let mut values = Vec::new();
    for step in 0..access.vector {
        let element = format!("{qualifier} {}", kind.cpp());
        let pointer = access.pointer(lowerer, address, &element, access.bytes(), step)?;
        let text = if is_weak && access.is_constant {
            format!("__ldg({pointer})")
        } else {
            format!("*{pointer}")
        };
        // A destination may be the address.
        let text = if several {
            let name = lowerer.fresh("loaded");
            lowerer.line(format!("const {} {name} = {text};", kind.cpp()));
            name
        } else {
            text
        };
        values.push(text);
    }
    for (text, destination) in values.into_iter().zip(destinations) {
        lowerer.write(destination, &Value::new(text, kind))?;
    }
    if access.order == "acquire" {
        lowerer.line(access.fence());
        lowerer.exactness = lowerer.exactness.max(Exactness::Stronger);
    }
    Ok(())
}

pub(crate) fn store(lowerer: &mut Lowerer<'_>, instruction: &Instruction) -> Lowered<()> {
    let access = Access::of(&instruction.opcode)?;
    let (address, source) = access.operands(instruction, "acquire")?;
    let sources = access.elements(source)?;
    let kind = in_memory(access.kind);
    let mut values = Vec::new();
    for source in sources {
        values.push(lowerer.read(source, kind)?.text);
    }
    if access.order == "release" {
        lowerer.line(access.fence());
        lowerer.exactness = lowerer.exactness.max(Exactness::Stronger);
    }
    if let Some(vector) = access.vector_type() {
        let size = access.bytes() * u32::try_from(access.vector).unwrap_or(1);
        let pointer = access.pointer(lowerer, address, &vector, size, 0)?;
        lowerer.line(format!(
            "*{pointer} = make_{vector}({});",
            values.join(", ")
        ));
        return Ok(());
    }
    let qualifier = if access.order.is_empty() {
        ""
    } else {
        "volatile "
    };
    for (step, value) in values.into_iter().enumerate() {
        let element = format!("{qualifier}{}", kind.cpp());
        let pointer = access.pointer(lowerer, address, &element, access.bytes(), step)?;
        lowerer.line(format!("*{pointer} = {value};"));
    }
    Ok(())
}
