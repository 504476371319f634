//! A statement: from its tokens to the C++ in its place.

use std::collections::HashMap;

use super::control::Flow;
use super::operands::{known_value, names_around, outer_operands};
use super::place::StatementPlace;
use super::source_file::SourceFile;
use super::template::{Text, texts, with_operands_of_text};
use super::{comment, constants, indirect_branches, layout};
use crate::limits::{of_items, of_statement, of_text};
use crate::lowerer::{Carry, Lowered, Lowerer};
use crate::{Fault, Needs, Platform, Reason, Translation};
use torchada_mapping::ptx::{Exactness, Ptx, helpers_in};
use torchada_mapping::{Evidence, Relation, Section, Tables};
use torchada_syntax::ptx::{AsmOperand, AsmStatement, Item, parse};

/// Translate a statement.
///
/// # Errors
/// Why it stays as it is.
pub fn translate<'a>(
    (table, platform): (&'a Ptx, Platform<'a>),
    file: &SourceFile<'_>,
    statement: &AsmStatement,
) -> Lowered<Translation<'a>> {
    let (source, tokens) = (file.source, file.tokens);
    if let Some(at) = statement.stops_at {
        return Err(Fault {
            place: tokens.get(at).map(|token| token.range().start),
            ..Fault::new(
                Reason::Unreadable,
                "its parts can't be told apart".to_owned(),
            )
        });
    }
    // A macro may leave it to its use to end the statement.
    let in_macro = tokens
        .get(statement.keyword)
        .is_some_and(|token| token.in_directive);
    if !in_macro && !tokens.is(statement.end, source, ";") {
        return Err(Fault::new(Reason::Unreadable, "no `;` ends it".to_owned()));
    }
    if statement.jumps {
        return Err(Fault::new(
            Reason::Branches,
            "it jumps to labels of C++".to_owned(),
        ));
    }
    of_statement(table.limits(), statement)?;
    let texts = texts(file, &statement.template)?;
    for text in &texts {
        of_text(table.limits(), &text.0)?;
    }
    // Where one way to compile the statement lets a cache be read that another does not, a plain load is right in both.
    for loads in [Loads::AsWritten, Loads::Plain] {
        let mut ways = Vec::new();
        for text in &texts {
            ways.push(with_text((table, platform), file, statement, text, loads)?);
        }
        if let Some(first) = ways.pop()
            && ways.iter().all(|other| other.text == first.text)
        {
            return Ok(first);
        }
    }
    Err(Fault::new(
        Reason::Unreadable,
        "the definitions of a macro in its template, or the branches of an `#if`, mean different things".to_owned(),
    ))
}

/// How loads through the cache for memory that no one writes (`ld.global.nc`) are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loads {
    AsWritten,
    /// They are read as loads of any memory.
    Plain,
}

/// Take `.nc` out of the loads.
fn make_plain(items: &mut [Item]) {
    for item in items {
        match item {
            Item::Instruction(one) if one.opcode.starts_with("ld.") => {
                one.opcode = one.opcode.replace(".nc", "");
            }
            Item::Scope(inside) => make_plain(inside),
            _ => {}
        }
    }
}

/// Translate a statement whose template has this text.
fn with_text<'a>(
    (table, platform): (&'a Ptx, Platform<'a>),
    file: &SourceFile<'_>,
    statement: &AsmStatement,
    (text, places): &Text,
    loads: Loads,
) -> Lowered<Translation<'a>> {
    let (source, tokens, limits) = (file.source, file.tokens, file.limits);
    let operands: Vec<&AsmOperand> = statement.operands().collect();
    let constant_of = |index: usize| {
        let value = known_value(file, statement, index);
        value.map(|value| value.to_string())
    };
    let (text, places) = &with_operands_of_text((text, places), &|index| {
        let is_text = operands.get(index)?.constraint == "C";
        is_text.then(|| constants::text(file, statement, index))?
    });
    let named = |name: &str| statement.named(name);
    let mut items = parse(text, limits.nesting, &named, &constant_of).map_err(|stop| Fault {
        place: places.get(stop.offset).or(places.last()).copied(),
        opcode: stop.opcode,
        ..Fault::new(Reason::Unreadable, stop.reason)
    })?;
    let outer = outer_operands(table, file, statement)?;
    if loads == Loads::Plain {
        make_plain(&mut items);
    }
    of_items(limits, &items)?;
    let has_barrier = text.contains("bar");
    let mut lowerer = Lowerer {
        table,
        platform,
        block: has_barrier
            .then(|| threads_of_block(file, statement))
            .flatten(),
        outer,
        scopes: vec![HashMap::new()],
        taken: names_around(source, tokens, &operands),
        locals: Vec::new(),
        lines: Vec::new(),
        depth: 0,
        exactness: Exactness::Exact,
        evidence: Evidence::Confirmed,
        emulated: None,
        carry: Carry::default(),
    };
    let place = text.contains("br").then(|| line(file, statement)).flatten();
    let steps = indirect_branches::opened(&items)?;
    Flow::new(&steps)?.lower(&mut lowerer, place)?;
    let (exactness, evidence) = (lowerer.exactness, lowerer.evidence.max(of_names(&lowerer)));
    let emulated = lowerer.emulated.take();
    let hands_on = lowerer.carry.unread.take();
    if let Some(opcode) = hands_on.as_ref().filter(|_| !lowerer.carry.is_read) {
        return Err(Fault::hands_on(opcode));
    }
    let text = layout::text(file, statement, &|_| None, lowerer.clone())?;
    let needs = needs(table, &text);
    Ok(Translation {
        text,
        instructions: count(&items),
        needs,
        exactness,
        evidence,
        emulated,
        hands_on,
        lowerer,
    })
}

/// How many threads a block can have: who waits in a barrier for so many waits for the whole block, unless others only
/// arrive there.
fn threads_of_block(file: &SourceFile<'_>, statement: &AsmStatement) -> Option<i128> {
    let around = StatementPlace {
        file,
        keyword: statement.keyword,
    };
    around.bound().filter(|_| !file.has_arrivals())
}

/// The line of a statement, by which the labels of its jumps differ from those of others; `None` in a macro, all of whose
/// statements are on one line.
fn line(file: &SourceFile<'_>, statement: &AsmStatement) -> Option<usize> {
    let keyword = file.tokens.get(statement.keyword);
    let keyword = keyword.filter(|token| !token.in_directive)?;
    let front = file.source.get(..keyword.range().start);
    Some(1 + memchr::memchr_iter(b'\n', front.unwrap_or_default()).count())
}

/// The functions and headers that the C++ of a statement needs. Its comment needs none.
fn needs(table: &Ptx, text: &str) -> Needs {
    let code = comment::without_comment(text);
    Needs {
        functions: helpers_in(code).map(str::to_owned).collect(),
        headers: table.headers_of(code).map(str::to_owned).collect(),
    }
}

/// The evidence of the weakest name in the C++ of a statement: a name that the tables call unknown has no more than the
/// rule that MUSA's compiler has what CUDA's has.
fn of_names(lowerer: &Lowerer<'_>) -> Evidence {
    let names = lowerer.platform.tables.unwrap_or(Tables::builtin());
    let lines = lowerer.lines.iter();
    let mut words =
        lines.flat_map(|(_, line)| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    let is_unknown = |word: &str| {
        let row = names.get(Section::Names, word.as_bytes());
        row.is_some_and(|row| row.relation == Relation::Unknown && row.needs.is_empty())
    };
    if words.any(is_unknown) {
        Evidence::Rule
    } else {
        Evidence::Confirmed
    }
}

fn count(items: &[Item]) -> usize {
    let of = |item: &Item| match item {
        Item::Instruction(_) => 1,
        Item::Scope(inside) => count(inside),
        Item::Declaration(_) | Item::Label(_) | Item::Targets(..) => 0,
    };
    items.iter().map(of).sum()
}
