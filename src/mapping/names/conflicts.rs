//! Where facts contradict the built-in tables.

use crate::{FactTable, Relation, Row, Section, Tables};

/// A name of which the facts say something else than the built-in tables do.
#[derive(Clone, Copy, Debug)]
pub struct Conflict {
    /// The section of the name.
    pub section: Section,
    /// What the two disagree about.
    pub kind: ConflictKind,
    /// What the built-in tables say.
    pub known: &'static Row,
    /// What was seen.
    pub fact: &'static Row,
}

/// What a fact and a row of the built-in tables disagree about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ConflictKind {
    /// The tables have a counterpart, and the SDK lacks it.
    Lacks,
    /// The tables say that MUSA lacks the name, and the SDK has a counterpart.
    Has,
    /// The tables have no answer, and the SDK has a counterpart.
    Answers,
    /// The SDK has another counterpart than the tables.
    Other,
}

impl ConflictKind {
    /// Every kind, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Lacks, Self::Has, Self::Answers, Self::Other];

    /// The word for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lacks => "lacks",
            Self::Has => "has",
            Self::Answers => "answers",
            Self::Other => "other",
        }
    }

    /// What it means, in words.
    pub fn title(self) -> &'static str {
        match self {
            Self::Lacks => "the tables have a counterpart, and the SDK lacks it",
            Self::Has => "the tables say that MUSA lacks it, and the SDK has it",
            Self::Answers => "no table knows whether MUSA has it, and the SDK has it",
            Self::Other => "the SDK has it under another name than the tables say",
        }
    }

    /// What a fact contradicts in what the built-in tables say of its name.
    pub fn of(known: &Row, fact: &Row) -> Option<Self> {
        let is_there = |row: &Row| matches!(row.relation, Relation::Renamed | Relation::Same);
        match (known.relation, is_there(fact)) {
            (Relation::Renamed | Relation::Same, false) => Some(Self::Lacks),
            (Relation::Absent, true) => Some(Self::Has),
            (Relation::Unknown, true) => Some(Self::Answers),
            (_, true) => {
                ((known.relation, &known.to) != (fact.relation, &fact.to)).then_some(Self::Other)
            }
            (_, false) => None,
        }
    }
}

/// All names of which the facts say something else than the built-in tables: by section, and then by name.
pub fn conflicts(facts: FactTable) -> impl Iterator<Item = Conflict> {
    let tables = Tables::builtin();
    let sections = Section::ALL.into_iter();
    sections.flat_map(move |section| {
        facts.rows(section).filter_map(move |fact| {
            let known = tables.builtin_row(section, fact.cuda.as_bytes())?;
            let kind = ConflictKind::of(known, fact)?;
            Some(Conflict {
                section,
                kind,
                known,
                fact,
            })
        })
    })
}
