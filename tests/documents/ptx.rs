//! `docs/ptx.md`, generated from `mappings/ptx.toml`.

use std::fmt::{self, Write};

use torchada::mapping::Evidence;
use torchada::mapping::ptx::{NAMESPACE, Proof, Ptx, PtxRow};
use torchada::ptx::{FILE, Platform, Translator};
use torchada::syntax::ptx::{AsmStatement, is_asm_keyword};
use torchada::syntax::{LexOptions, Outline, lex};

const INTRO: &str = include_str!("ptx_intro.md");

/// The file of the table, whose headings are those of the document.
const TABLE: &str = include_str!("../../mappings/ptx.toml");

/// Statements of each family whose translation is worked out by code.
const EXAMPLES: &str = include_str!("ptx_examples.cu");

/// The whole document.
pub(crate) fn markdown(table: &Ptx) -> Result<String, fmt::Error> {
    let mut out = INTRO.to_owned();
    writeln!(out, "\n## Instructions")?;
    for (heading, rows) in sections(table.rows()) {
        writeln!(
            out,
            "\n### {heading}\n\n| forms | become | exactness | proof | evidence | source |\n| --- | --- | --- | --- | --- | --- |"
        )?;
        for row in rows {
            let exactness = match (row.exactness, row.emulated) {
                (None, _) => "",
                (Some(exactness), false) => exactness.as_str(),
                (Some(_), true) => "slower, with `--ptx=emulate`",
            };
            writeln!(
                out,
                "| {} | {} | {exactness} | {} | {} | {} |",
                forms(row),
                becomes(row),
                row.proof.map_or("", Proof::as_str),
                row.evidence.as_str(),
                cell(&row.source)
            )?;
        }
    }
    alternatives(table, &mut out)?;
    special(table, &mut out)?;
    intrinsics(table, &mut out)?;
    examples(&mut out)?;
    functions(table, &mut out)?;
    Ok(out)
}

/// The rows under each heading of the table's file.
fn sections(rows: &[PtxRow]) -> Vec<(&'static str, Vec<&PtxRow>)> {
    let mut sections: Vec<(&str, Vec<&PtxRow>)> = Vec::new();
    let mut rows = rows.iter();
    for line in TABLE.lines() {
        let heading = line
            .strip_prefix("# ---- ")
            .and_then(|rest| rest.strip_suffix(" ----"));
        if let Some(heading) = heading {
            sections.push((heading, Vec::new()));
        } else if line == "[[instruction]]"
            && let Some((_, under)) = sections.last_mut()
        {
            under.extend(rows.next());
        }
    }
    sections.retain(|(_, rows)| !rows.is_empty());
    sections
}

/// A text as a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn code(text: &str) -> String {
    format!("`{}`", cell(text))
}

fn forms(row: &PtxRow) -> String {
    let forms: Vec<String> = row.forms.iter().map(|form| code(form)).collect();
    forms.join(" ")
}

fn becomes(row: &PtxRow) -> String {
    if let Some(cpp) = &row.cpp {
        let writes = row.operands.split_whitespace().any(|name| name == "d");
        let cpp = plain(cpp);
        return code(&if writes { format!("d = {cpp}") } else { cpp });
    }
    if let Some(family) = row.by {
        let heading = format!("{family:?}");
        return format!("by its parts: [{heading}](#{})", heading.to_lowercase());
    }
    let why = row
        .nothing
        .as_deref()
        .map(|why| format!("nothing. {}", cell(why)));
    why.unwrap_or_else(|| {
        let (none, advice) = (row.none.as_deref(), row.advice.as_deref());
        format!(
            "*stays*: {}. {}",
            cell(none.unwrap_or_default()),
            cell(advice.unwrap_or_default())
        )
    })
}

/// The code of a row with the names of operands in place of what is put in for them.
fn plain(cpp: &str) -> String {
    let mut text = String::new();
    let mut rest = cpp;
    while let Some((front, behind)) = rest.split_once('{') {
        let (place, after) = behind.split_once('}').unwrap_or((behind, ""));
        text.push_str(front);
        text.push_str(place.split_once(':').map_or(place, |(name, _)| name));
        rest = after;
    }
    text + rest
}

/// The alternatives as a part of the document.
fn alternatives(table: &Ptx, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "\n## MUSA's own assembly\n\nWhere `--target` names only targets that have it, and `--sdk` an SDK that has it, these \
         instructions become MTX. Everywhere else they become what stands above.\n\n\
         | forms | become | targets | SDK | exactness | evidence | source |\n| --- | --- | --- | --- | --- | --- | --- |"
    )?;
    for one in table.alternatives() {
        let forms: Vec<String> = one.forms.iter().map(|form| code(form)).collect();
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} |",
            forms.join(" "),
            code(&one.mtx.replace(['{', '}'], "")),
            one.targets.join(", "),
            one.sdk,
            one.exactness.as_str(),
            one.evidence.as_str(),
            cell(&one.source)
        )?;
    }
    Ok(())
}

fn special(table: &Ptx, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "\n## Special registers\n\n| register | becomes | evidence | source |\n| --- | --- | --- | --- |"
    )?;
    for (name, special) in table.specials() {
        let (register, cpp) = (code(&format!("%{name}")), code(&special.cpp));
        let (evidence, source) = (special.evidence.as_str(), cell(&special.source));
        writeln!(out, "| {register} | {cpp} | {evidence} | {source} |")?;
    }
    Ok(())
}

fn intrinsics(table: &Ptx, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "\n## Functions of CUDA's\n\nThese have no counterpart by name. Where a whole tree is ported, they become functions of \
         `{FILE}`. Those of a namespace do so where all that a file uses of them has a form that the header takes: copies \
         are made at once, and a file that waits for some in another way would wait for nothing.\n\n| function | becomes | exactness | evidence | source |\n| --- | --- | --- | --- | --- |"
    )?;
    for (name, one) in table.intrinsics() {
        writeln!(
            out,
            "| `{name}` | `{NAMESPACE}{}` | {} | {} | {} |",
            one.helper,
            one.exactness.as_str(),
            one.evidence.as_str(),
            cell(&one.source)
        )?;
    }
    Ok(())
}

fn examples(out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "\n## By their parts\n\nWhat these instructions become follows from their modifiers and operands."
    )?;
    for section in EXAMPLES.split("// ---- ").skip(1) {
        let (heading, source) = section.split_once(" ----\n").unwrap_or((section, ""));
        writeln!(
            out,
            "\n### {heading}\n\n```cpp\n{}\n```",
            translated(source.trim())
        )?;
    }
    Ok(())
}

/// C++ whose statements of inline PTX are translated.
fn translated(source: &str) -> String {
    let translator = Translator {
        weakest: Evidence::Contested,
        emulates: true,
        writes_header: true,
        platform: Platform::default(),
    };
    let bytes = source.as_bytes();
    let tokens = lex(bytes, LexOptions { template: false });
    let outline = Outline::new(bytes, &tokens);
    let file = translator.file(bytes, &tokens, &outline);
    let mut text = String::new();
    let mut done = 0;
    for index in tokens.identifiers_where(bytes, is_asm_keyword) {
        let Some(statement) = AsmStatement::at(bytes, &tokens, index) else {
            continue;
        };
        let Ok(translation) = translator.translate(&file, &statement) else {
            continue;
        };
        let start = tokens.get(index).map_or(done, |token| token.range().start);
        text.push_str(source.get(done..start).unwrap_or_default());
        text.push_str(&translation.text);
        // The `;` behind the statement belongs to it.
        done = tokens
            .get(statement.end)
            .map_or(source.len(), |token| token.range().end);
    }
    text + source.get(done..).unwrap_or_default()
}

fn functions(table: &Ptx, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "\n## Functions of `{FILE}`\n\n| function | stands for | source |\n| --- | --- | --- |"
    )?;
    for (name, helper) in table.helpers() {
        writeln!(
            out,
            "| `{name}` | {} | {} |",
            cell(helper.doc.trim()),
            cell(&helper.source)
        )?;
    }
    Ok(())
}
