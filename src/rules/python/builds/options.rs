//! What becomes of one option of nvcc's, or of one library.

use crate::mapping::stub::StubKnowledge;
use crate::mapping::{Evidence, Relation, Row, Section};
use crate::rules::python::ModuleView;
use crate::rules::python::inference::options::has;

use super::flag_lists::FlagListKind;

/// What becomes of an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum FlagAction {
    /// It stays.
    Stays,
    /// It becomes others, each a text by itself.
    Becomes(Vec<String>, Option<Evidence>),
    /// It becomes another, which stands for the next item, too.
    Joins(String, Option<Evidence>),
    /// It goes.
    Goes(Gone),
    /// It stays, with a finding that says so.
    Unknown(String, Option<String>),
}

/// What goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Gone {
    /// As it is shown.
    pub(super) shown: String,
    /// What to do.
    pub(super) advice: Option<String>,
    /// Why.
    pub(super) why: Why,
    /// Whether the next item goes with it.
    pub(super) with_next: bool,
}

/// Why an item goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Why {
    /// It names an architecture.
    Architecture,
    /// mcc, or `torch_musa`, does without.
    Needless,
    /// Nobody knows what mcc has in its place.
    Unknown,
    /// What follows it is for mcc itself.
    HandedOn,
}

/// The family of options for architectures.
const ARCHITECTURES: &str = "arch";

/// What becomes of an option, and whether the next item is its value.
pub(super) fn flag(
    unit: &ModuleView<'_>,
    value: &str,
    next: Option<&str>,
    holds: FlagListKind,
) -> FlagAction {
    if let Some(macro_) = value
        .strip_prefix("-D")
        .or_else(|| value.strip_prefix("-U"))
    {
        return defined(unit, value, macro_);
    }
    let row = |flag: &str| unit.context.tables.get(Section::Flags, flag.as_bytes());
    if let Some(library) = value.strip_prefix("-l").filter(|_| row(value).is_none()) {
        return match self::library(unit, library) {
            FlagAction::Becomes(to, evidence) => {
                let to = to.into_iter().map(|one| format!("-l{one}")).collect();
                FlagAction::Becomes(to, evidence)
            }
            FlagAction::Goes(gone) => FlagAction::Goes(Gone {
                shown: value.to_owned(),
                ..gone
            }),
            FlagAction::Unknown(_, advice) => FlagAction::Unknown(value.to_owned(), advice),
            FlagAction::Stays | FlagAction::Joins(..) => FlagAction::Stays,
        };
    }
    if holds == FlagListKind::Linked || !value.starts_with('-') {
        return FlagAction::Stays;
    }
    let known = StubKnowledge::builtin();
    let takes = |flag: &str| has(&known.flags.with_values, flag.as_bytes());
    // torch_musa gives mcc this one itself.
    if holds == FlagListKind::DeviceLink && value == "-dlink" {
        return FlagAction::Stays;
    }
    if let Some(row) = row(value).filter(|_| !takes(value)) {
        return of_row(row, value, false);
    }
    let end = value.find(['=', ' ']).unwrap_or(value.len());
    let (name, rest) = value.split_at(end);
    if !takes(name) {
        // `-Werror all-warnings`; `--static-global-template-stub=false`
        let both = next.map(|next| format!("{value} {next}"));
        let both = both.unwrap_or_default();
        if let Some(row) = row(&both) {
            return match &row.to {
                Some(to) => FlagAction::Joins(to.to_string(), row.evidence),
                None => of_row(row, &both, true),
            };
        }
        return match row(name).filter(|_| rest.starts_with('=')) {
            Some(row) => of_row(row, value, false),
            None => FlagAction::Stays,
        };
    }
    let inline = rest.get(1..).map(str::trim).filter(|rest| !rest.is_empty());
    let given = inline.or(next);
    // `-arch arm64` is another compiler's.
    let is_architecture = |row: &Row| row.family.as_deref() == Some(ARCHITECTURES);
    if row(name).is_some_and(is_architecture) && given.is_some_and(|given| is_of_host(unit, given))
    {
        return FlagAction::Stays;
    }
    let windows = unit.context.knowledge.builds.scripts.windows_flag.as_str();
    let for_the_host = has(&known.flags.for_the_host, name.as_bytes());
    match (given, row(name)) {
        (Some(given), _) if row(&format!("{name} {given}")).is_some() => {
            let both = format!("{name} {given}");
            let with_next = inline.is_none();
            row(&both).map_or(FlagAction::Stays, |row| of_row(row, &both, with_next))
        }
        // `-Xcompiler /Zc:__cplusplus` is for Windows' compiler.
        (Some(given), Some(_)) if for_the_host && given.starts_with(windows) => {
            FlagAction::Goes(Gone {
                shown: format!("{name} {given}"),
                advice: None,
                why: Why::Needless,
                with_next: inline.is_none(),
            })
        }
        (Some(given), Some(_)) if for_the_host && inline.is_some() => {
            let parts = given.trim_matches(['\'', '"']).split(',');
            FlagAction::Becomes(parts.map(str::to_owned).collect(), None)
        }
        (_, Some(row)) if for_the_host => {
            let mut fate = of_row(row, value, false);
            if let FlagAction::Goes(gone) = &mut fate {
                gone.why = Why::HandedOn;
                gone.advice = None;
            }
            fate
        }
        (None, Some(row)) => FlagAction::Unknown(value.to_owned(), advice(row)),
        (Some(given), Some(row)) => {
            let with_next = inline.is_none();
            let shown = if with_next {
                format!("{value} {given}")
            } else {
                value.to_owned()
            };
            of_row(row, &shown, with_next)
        }
        _ => FlagAction::Stays,
    }
}

/// Whether a word names a processor, and no GPU: `arm64`.
fn is_of_host(unit: &ModuleView<'_>, given: &str) -> bool {
    let builds = &unit.context.knowledge.builds;
    let words = &builds.cmake.architectures.words;
    let mut gpus = builds.scripts.arch_values.iter().chain(words);
    let is_word = given
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    is_word && !gpus.any(|one| given.starts_with(one.as_str()))
}

fn of_row(row: &Row, shown: &str, with_next: bool) -> FlagAction {
    if let Some(to) = row
        .to
        .as_deref()
        .filter(|_| row.relation == Relation::Renamed)
    {
        let parts = to.split(' ').map(str::to_owned).collect();
        return FlagAction::Becomes(parts, row.evidence);
    }
    let why = match (row.family.as_deref(), row.relation) {
        (Some(ARCHITECTURES), _) => Why::Architecture,
        (_, Relation::Absent) => Why::Needless,
        _ => Why::Unknown,
    };
    FlagAction::Goes(Gone {
        shown: shown.to_owned(),
        advice: advice(row),
        why,
        with_next,
    })
}

fn advice(row: &Row) -> Option<String> {
    row.advice.as_deref().map(str::to_owned)
}

/// `-U__CUDA_NO_HALF_OPERATORS__`: a macro follows the code.
fn defined(unit: &ModuleView<'_>, value: &str, defined: &str) -> FlagAction {
    let end = defined.find('=').unwrap_or(defined.len());
    let (name, rest) = defined.split_at(end);
    let row = unit.context.tables.get(Section::Names, name.as_bytes());
    let own = unit.settings.own_names.contains(name);
    let to = row
        .filter(|row| row.stem && !own && !is_of_vendored(unit, row))
        .and_then(|row| Some((row.to.as_deref()?, row.evidence)));
    match to {
        Some((to, evidence)) => {
            let option = value.get(..2).unwrap_or_default();
            FlagAction::Becomes(vec![format!("{option}{to}{rest}")], evidence)
        }
        None => FlagAction::Stays,
    }
}

/// Whether a name is of a library that projects carry along, which is left whole.
fn is_of_vendored(unit: &ModuleView<'_>, row: &Row) -> bool {
    let mut libraries = unit.context.knowledge.vendored.iter();
    libraries.any(|one| one.table.as_deref() == Some(&*row.library))
}

/// What becomes of a library that is linked.
pub(super) fn library(unit: &ModuleView<'_>, name: &str) -> FlagAction {
    let Some(row) = unit.context.tables.get(Section::Libraries, name.as_bytes()) else {
        return FlagAction::Stays;
    };
    match (row.relation, row.to.as_deref()) {
        (Relation::Renamed, Some(to)) => FlagAction::Becomes(vec![to.to_owned()], row.evidence),
        (Relation::Same, _) => FlagAction::Stays,
        (Relation::Absent, _) => FlagAction::Goes(Gone {
            shown: name.to_owned(),
            advice: advice(row),
            why: Why::Needless,
            with_next: false,
        }),
        _ => FlagAction::Unknown(name.to_owned(), advice(row)),
    }
}
