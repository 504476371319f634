//! What the reader makes of templates.

use super::{AsmStatement, Item, Operand, Piece, parse};
use crate::{LexOptions, lex};

fn items(text: &str) -> Result<Vec<Item>, super::Unreadable> {
    parse(text, 32, &|name| (name == "value").then_some(3), &|index| {
        (index == 2).then(|| "64".to_owned())
    })
}

fn instructions(items: &[Item]) -> Vec<String> {
    items
        .iter()
        .flat_map(|item| match item {
            Item::Instruction(one) => {
                let guard = one
                    .predicate
                    .as_ref()
                    .map_or("", |predicate| if predicate.negated { "@! " } else { "@ " });
                vec![format!("{guard}{} {}", one.opcode, one.operands.len())]
            }
            Item::Scope(inside) => instructions(inside),
            Item::Label(name) | Item::Targets(name, _) => vec![format!("{name}:")],
            Item::Declaration(declaration) => {
                vec![format!(
                    ".{} {}",
                    declaration.kind,
                    declaration.variables.len()
                )]
            }
        })
        .collect()
}

#[test]
fn a_template_is_read_whole() {
    for (text, expected) in [
        ("mov.u32 %0, %%laneid;", vec!["mov.u32 2"]),
        (
            "{ .reg .pred p; setp.ne.b32 p, %1, 0; @!p bra DONE; trap; DONE: }",
            vec![".pred 1", "setp.ne.b32 3", "@! bra 1", "trap 0", "DONE:"],
        ),
        (
            "ld.global.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4 + 16];",
            vec!["ld.global.L1::no_allocate.L2::128B.v4.u32 2"],
        ),
        ("mma.m16n8k%2.row.col x, y;", vec!["mma.m16n8k64.row.col 2"]),
        ("add.f32 %[value], %0, 0f3F800000", vec!["add.f32 3"]),
        (
            ".reg .b32 t<3>; shfl.sync.up.b32 t0|p, %1, 1, 0, -1; // back",
            vec![".b32 3", "shfl.sync.up.b32 5"],
        ),
        ("/* nothing */ ;;", vec![]),
    ] {
        let found = items(text).map(|items| instructions(&items));
        let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
        assert_eq!(found, Ok(expected), "{text}");
    }
}

#[test]
fn what_cannot_be_read_is_named_at_its_place() {
    for (text, offset) in [
        ("mov.u32 %0, ;", 12),
        ("mma.k%1.row %0;", 5),
        ("add.u32 %0, %1 %2;", 15),
        ("mov.u32 %0, %[other];", 12),
        ("}", 0),
        ("{ trap;", 7),
        ("/* open", 0),
        ("mov.u32 %0, 08;", 12),
        (".section x;", 9),
    ] {
        let found = items(text).map_err(|fault| fault.offset);
        assert_eq!(found, Err(offset), "{text}");
    }
}

#[test]
fn constants_keep_their_bits() {
    let found = items("x 0f3F800000, -1, 0xFFFFFFFFU, 1.5, 0d4000000000000000;").unwrap();
    let Some(Item::Instruction(one)) = found.first() else {
        panic!("{found:?}")
    };
    assert_eq!(
        one.operands,
        [
            Operand::Single(0x3f80_0000),
            Operand::Integer(-1),
            Operand::Integer(0xffff_ffff),
            Operand::Double(1.5_f64.to_bits()),
            Operand::Double(2.0_f64.to_bits()),
        ]
    );
}

#[test]
fn a_statement_has_its_operands_and_their_places() {
    let source = br#"asm volatile("add.u32 %0, %[b], 1;\n\t" MORE "trap;" : "=r"(d[i]) : [b] "r"(f(x, 1)) : "memory");"#;
    let tokens = lex(source, LexOptions::default());
    let statement = AsmStatement::at(source, &tokens, 0).unwrap();
    let shown: Vec<_> = statement
        .operands()
        .map(|operand| {
            let text = std::str::from_utf8(operand.expression.of(source)).unwrap();
            (operand.constraint.as_str(), text)
        })
        .collect();
    assert_eq!(shown, [("=r", "d[i]"), ("r", "f(x, 1)")]);
    assert_eq!(statement.named("b"), Some(1));
    assert_eq!(statement.clobbers, ["memory"]);
    let Some(Piece::Literal(text, places)) = statement.template.first() else {
        panic!("{statement:?}")
    };
    assert_eq!(text, "add.u32 %0, %[b], 1;\n ");
    assert_eq!(source.get(places[4]), Some(&b'u'));
    assert!(matches!(statement.template.get(1), Some(Piece::Macro(_))));
}
