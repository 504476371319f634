//! Reports hazards: constructs that no renaming can mend.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::CppUnit;
use super::inline_ptx;
use super::qualified;
use super::shield::{Shield, shield};
use crate::Outcome;
use crate::declarations::Namesakes;
use torchada_diagnostic::codes::cpp::{
    ABSENT_HEADER, ABSENT_NAME, ALIAS_MISSING, CONTESTED_HEADER, CONTESTED_NAME, LATER_HEADER,
    LATER_NAME, OWN_ROW, RULE_HEADER, RULE_NAME, TOO_WEAK, UNKNOWN_HEADER, UNKNOWN_NAME,
};
use torchada_diagnostic::{Code, Finding, Severity};
use torchada_hazards::{Hit, Place};
use torchada_mapping::{Hazard, Section, Tables};
use torchada_ptx::{Fault, Reason};
use torchada_text::TextRange;

/// What to do about a carry that goes from one statement to another.
const HANDED_ON: &str =
    "Write the instructions that hand a carry on in one statement, or the sum with wider integers.";

/// What findings say of a name or a header by its row in a table alone.
const BY_TABLE: [Code; 12] = [
    ABSENT_HEADER,
    ABSENT_NAME,
    ALIAS_MISSING,
    CONTESTED_HEADER,
    CONTESTED_NAME,
    LATER_HEADER,
    LATER_NAME,
    RULE_HEADER,
    RULE_NAME,
    TOO_WEAK,
    UNKNOWN_HEADER,
    UNKNOWN_NAME,
];

/// Reports hazards.
pub fn check(unit: &CppUnit<'_>, out: &mut Outcome) {
    let concerning = unit.hits.iter().filter(|hit| is_relevant(unit, hit));
    // A call of the port's own header is no trouble any more.
    let is_code = |hit: &Hit| hit.place == Place::Code;
    let concerning =
        concerning.filter(|hit| !(is_code(hit) && inline_ptx::is_replaced(out, hit.range)));
    let hits = heaviest(unit, concerning);
    let mut reported = Reported::new(out);
    let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
    for hit in &hits {
        *counts.entry(hit.row).or_default() += 1;
    }
    for hit in &hits {
        let Some(row) = unit.context.hazards.rows().get(hit.row) else {
            continue;
        };
        if !row.once {
            report(unit, out, &mut reported, row, (hit, 0));
        } else if let Some(&count) = counts.get(&hit.row)
            && report(unit, out, &mut reported, row, (hit, count - 1))
        {
            counts.remove(&hit.row);
        }
    }
    reported.drop_answered(out);
}

/// Of the hits at one place the one that weighs most, by place. What is found by a name says more than what is found by
/// the shape of code.
fn heaviest<'h>(unit: &CppUnit<'_>, hits: impl Iterator<Item = &'h Hit>) -> Vec<&'h Hit> {
    let weight = |hit: &Hit| {
        let row = unit.context.hazards.rows().get(hit.row);
        row.map(|row| {
            let shape = row.find.iter().any(|find| find.starts_with("shape:"));
            (Severity::of_word(&row.severity), !shape)
        })
    };
    let mut found: Vec<&Hit> = Vec::new();
    for hit in hits {
        match found.last_mut() {
            Some(last) if last.range == hit.range => {
                if weight(hit) > weight(last) {
                    *last = hit;
                }
            }
            _ => found.push(hit),
        }
    }
    found
}

/// The findings of the rules for names and headers, by their places: a hazard at the same place is the same trouble.
struct Reported {
    /// The place of each finding in the list, by its start.
    by_start: FxHashMap<usize, usize>,
    /// The places of those that a finding about a hazard answers.
    answered: FxHashSet<usize>,
}

impl Reported {
    fn new(out: &Outcome) -> Self {
        let findings = out.findings.iter().enumerate();
        let is_of = |codes: &[Code], one: &Finding| codes.iter().any(|code| code.id == one.code.id);
        let by_names = findings.filter(|(_, one)| is_of(&BY_TABLE, one) && !one.is_whole());
        Self {
            by_start: by_names.map(|(at, one)| (one.range.start, at)).collect(),
            answered: FxHashSet::default(),
        }
    }

    /// The finding at a range: of its name, which may be a part of a longer one, or of a header behind its `<` or quote.
    fn at<'o>(&self, out: &'o Outcome, range: TextRange) -> Option<(usize, &'o Finding)> {
        let found = |start: usize| {
            let at = *self.by_start.get(&start)?;
            Some((at, out.findings.get(at)?))
        };
        let header = || found(range.start + 1).filter(|(_, one)| range.covers(one.range));
        found(range.start).or_else(header)
    }

    fn drop_answered(self, out: &mut Outcome) {
        let mut at = 0..;
        out.findings
            .retain(|_| at.next().is_none_or(|at| !self.answered.contains(&at)));
    }
}

/// Whether a hit is the port's business: not in another platform's branch or one that a guard
/// closes, not a name of the project's own.
fn is_relevant(unit: &CppUnit<'_>, hit: &Hit) -> bool {
    let own = || {
        let name = hit.range.of(unit.text);
        is_declared(unit, hit.range)
            || qualified::is_own(unit, hit.range)
            || unit.project.lookalikes.contains(name)
            || std::str::from_utf8(name).is_ok_and(|name| unit.settings.own_names.contains(name))
    };
    unit.foreign(hit.range).is_none() && !unit.guards.is_closed(hit.range.start) && !own()
}

/// Whether the project means something of its own by the name at `range`. Any declaration in sight
/// says so; a macro only where it reaches.
fn is_declared(unit: &CppUnit<'_>, range: TextRange) -> bool {
    let name = range.of(unit.text);
    let declared = unit.declared.get(name);
    let tokens = &unit.parsed.tokens.tokens;
    let token = tokens.binary_search_by_key(&range.start, |token| token.range().start);
    let row = unit.context.row(Section::Names, name);
    let (Ok(index), Some(row)) = (token, row) else {
        return declared.is_some();
    };
    declared.is_some_and(Namesakes::is_more_than_macro)
        || matches!(shield(unit, index, row, false), Some(Shield::Kept(_)))
}

/// Report a hit, unless a finding that weighs more says so already. Returns whether it is reported.
fn report(
    unit: &CppUnit<'_>,
    out: &mut Outcome,
    reported: &mut Reported,
    row: &Hazard,
    (hit, others): (&Hit, usize),
) -> bool {
    let (code, message, help) = described(unit, row, hit, others);
    let mut renamed = String::new();
    let mut range = hit.range;
    let in_file = unit.in_file(range);
    if let Some((at, finding)) = reported.at(out, in_file) {
        if finding.code.severity > code.severity {
            return false;
        }
        // The line that the alias header lacks goes first: without it the code does not build.
        if finding.code.id == ALIAS_MISSING.id && code.severity != Severity::Error {
            add(out, at, &format!("{message}. {help}"));
            return true;
        }
        if finding.range.start > in_file.start {
            range = TextRange::new(range.start + 1, range.end - 1);
        }
        // What became of the name, the reader should know as well.
        let become_other = [
            ALIAS_MISSING,
            RULE_NAME,
            RULE_HEADER,
            CONTESTED_NAME,
            CONTESTED_HEADER,
            TOO_WEAK,
        ];
        if become_other.iter().any(|code| code.id == finding.code.id) {
            renamed = format!(" {}.", finding.message);
        }
        reported.answered.insert(at);
    }
    // What can't be read is shown where reading stopped.
    let place = fault(hit).and_then(|fault| fault.place);
    let range = place.map_or(range, |at| TextRange::new(at, at + 1));
    unit.report(out, code, range, message, format!("{help}{renamed}"));
    true
}

/// Why the statement of a hit was not translated.
fn fault(hit: &Hit) -> Option<&Fault> {
    match &hit.place {
        Place::Kept(fault) => fault.as_deref(),
        Place::Code | Place::Translated => None,
    }
}

/// The code, the message and the help of a hit's finding, which speaks for so many `others`.
fn described(unit: &CppUnit<'_>, row: &Hazard, hit: &Hit, others: usize) -> (Code, String, String) {
    let more = match others {
        0 => Cow::Borrowed(""),
        1 => Cow::Borrowed(" and 1 more place in this file"),
        count => Cow::Owned(format!(" and {count} more places in this file")),
    };
    // A row that speaks of a call says little of the instruction: it does not assemble.
    let is_assembly = matches!(hit.place, Place::Kept(_));
    let assembles = row.severity == "error" || !is_assembly;
    let stops = if assembles {
        ""
    } else {
        "mcc can't assemble it. "
    };
    let code = match code(row) {
        known if assembles => known,
        known => Code {
            severity: Severity::Error,
            ..known
        },
    };
    let concerned = if row.targets.is_empty() {
        String::new()
    } else {
        format!(" It concerns {}.", row.targets.join(" and "))
    };
    // The row of a hazard knows more of its instructions than the table of translations does, but for the row of
    // all other assembly.
    let is_any = row.find.iter().any(|find| find == "shape:inline-asm");
    let fault = fault(hit);
    let advice = match fault.map(|fault| &fault.reason) {
        Some(Reason::None { advice }) if is_any => advice,
        Some(Reason::Carry { .. }) if is_any => HANDED_ON,
        _ => &*row.advice,
    };
    let is_in_string = is_assembly && unit.fragment.is_some() && unit.context.ptx.is_some();
    let not_translated = match fault {
        Some(fault) => format!(" Not translated: {}.", fault.text),
        None if is_in_string => {
            " Not translated: code in a string may be compiled where the header of the translations is not.".to_owned()
        }
        None => String::new(),
    };
    let message = format!(
        "{}: `{}`{more}. {stops}{}{not_translated}",
        row.title, hit.what, row.why
    );
    let message = message.trim_end_matches('.').to_owned();
    (code, message, format!("{advice}{concerned}"))
}

/// Add a sentence to the help of a finding.
fn add(out: &mut Outcome, at: usize, sentence: &str) {
    if let Some(finding) = out.findings.get_mut(at) {
        let help = finding.help.take().unwrap_or_default();
        finding.help = Some(format!("{help}. {sentence}"));
    }
}

/// The code of a row's findings.
pub fn code(row: &Hazard) -> Code {
    let severity = Severity::of_word(&row.severity);
    let builtin = Tables::builtin().hazards().iter();
    let known = builtin
        .filter(|known| known.id == row.id)
        .find_map(|known| known.code.as_deref().map(|code| (code, &*known.title)));
    match known {
        Some((id, title)) => Code {
            id,
            severity,
            title,
        },
        None => Code {
            severity,
            ..OWN_ROW
        },
    }
}
