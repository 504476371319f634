//! Options of nvcc, and what mcc takes in their place: the one translator of command lines.
//!
//! The translator sees words. How a language spells a list of words, and how it reports what became of them, the rules
//! for `setup.py`, for `CMake` and for scripts know. The package for run time takes the same steps in
//! `src/stub/torchada/utils/_flags.py`, over tables that are made of the same file, `mappings/flags.toml`.

mod forwarded;
mod libraries;
mod macros;

use super::RuleSettings;
use torchada_mapping::builds::FlagSyntax;
use torchada_mapping::{Evidence, Relation, Row, Section, has};
use torchada_project::Context;

/// The actions for an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FlagAction {
    /// The option stays: it is none of nvcc's, or mcc takes it, too.
    Stays,
    /// The option stays, and a person has to look at it.
    Remains(Obstacle),
    /// Other words stand in its place; none, where it is left out.
    Becomes(Vec<String>),
    /// The option names CUDA's GPUs. How MUSA's are named depends on the build.
    NamesGpus,
}

/// Why an option, or a library, stays that MUSA does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// Its value stands elsewhere.
    WithoutValue,
    /// The evidence for the counterpart is weaker than `min-evidence`.
    TooWeak(Evidence),
    /// No counterpart is known, and what takes its place has to be there: a library.
    WithoutCounterpart,
    /// It says what is made, and something else is made without it.
    ChoosesOutput,
}

/// Why an option is left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Loss {
    /// The option named CUDA's GPUs.
    Gpus,
    /// mcc does without.
    Needless,
    /// No counterpart is known, and mcc stops at options that it does not know.
    Unknown,
}

/// An option that is left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// The option as it is written.
    pub shown: String,
    /// Why it is left out.
    pub loss: Loss,
    /// What to do about it.
    pub advice: Option<String>,
}

/// The program that gets the value of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Receiver {
    /// The compiler itself.
    Compiler,
    /// The compiler for the host, which mcc is, too.
    Host,
    /// The linker.
    Linker,
}

/// The option at the front of a command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Translation {
    /// The number of words that the option takes, with a value that stands apart.
    pub words: usize,
    /// The option as it is written.
    pub shown: String,
    /// The action for the option.
    pub action: FlagAction,
    /// The options that are left out, each to be reported: it, or some in its value.
    pub left_out: Vec<LeftOut>,
    /// The evidence for the action.
    pub evidence: Option<Evidence>,
    /// What to do about an option that remains.
    pub advice: Option<String>,
    /// Whether other programs have an option of this name, and nothing tells that this one is nvcc's.
    pub is_shared: bool,
    /// Whether the option names GPUs.
    pub is_for_gpus: bool,
    /// The program that gets the option's value.
    pub receiver: Receiver,
}

impl Translation {
    /// The first words stay.
    pub fn stays(words: &[&str]) -> Self {
        Self {
            words: words.len(),
            shown: words.join(" "),
            action: FlagAction::Stays,
            left_out: Vec::new(),
            evidence: None,
            advice: None,
            is_shared: false,
            is_for_gpus: false,
            receiver: Receiver::Compiler,
        }
    }

    /// This translation, with the whole option left out.
    #[must_use]
    pub fn leave_out(mut self, loss: Loss) -> Self {
        self.action = FlagAction::Becomes(Vec::new());
        self.left_out = vec![LeftOut {
            shown: self.shown.clone(),
            loss,
            advice: self.advice.clone(),
        }];
        self
    }
}

/// Translates command lines of nvcc's.
#[derive(Clone, Copy)]
pub struct Translator<'a> {
    context: Context<'a>,
    settings: &'a RuleSettings,
}

impl<'a> Translator<'a> {
    /// A translator that does what the user decided.
    pub fn new(context: Context<'a>, settings: &'a RuleSettings) -> Self {
        Self { context, settings }
    }

    fn syntax(&self) -> &'a FlagSyntax {
        &self.context.knowledge.builds.flags
    }

    /// What the values of options begin with that name GPUs.
    fn gpu_fronts(&self) -> &'a [String] {
        &self.context.knowledge.shapes.architecture.fronts
    }

    fn row(&self, option: &str) -> Option<&'a Row> {
        self.context.row(Section::Flags, option.as_bytes())
    }

    /// Translate the option that the words begin with. A text of an option and its value is one word.
    pub fn translate(&self, words: &[&str]) -> Translation {
        let syntax = self.syntax();
        let first = words.first().copied().unwrap_or_default();
        if first.starts_with("-D") || first.starts_with("-U") {
            return self.for_macro(Translation::stays(&[first]));
        }
        let (name, inline) = match first.split_once(['=', ' ']) {
            Some((name, value)) => (name, Some(value.trim()).filter(|value| !value.is_empty())),
            None => (first, None),
        };
        let has_value = name.len() < first.len();
        let next = words.get(1).copied().filter(|_| !has_value);
        // `-x cu`, `-Werror=all-warnings`: some options stand in the table with their values.
        let of_pair = inline.or(next).and_then(|value| {
            let pair = |between: &str| self.row(&format!("{name}{between}{value}"));
            pair(" ").or_else(|| pair("="))
        });
        let takes_value = syntax.takes_value(name);
        let is_apart = next.is_some() && (takes_value || of_pair.is_some());
        let mut found = Translation::stays(words.get(..1 + usize::from(is_apart)).unwrap_or(words));
        let value = if is_apart { next } else { inline };
        if has(&syntax.for_the_linker, name) {
            return self.for_the_linker(found, name, value);
        }
        if let Some(to) = syntax.for_each.get(name) {
            return self.for_each(found, to, value);
        }
        // `-std c++17`
        let apart = next.filter(|value| !value.starts_with('-'));
        if let Some(value) = apart.filter(|_| has(&syntax.joined, name)) {
            found = Translation::stays(words.get(..2).unwrap_or(words));
            found.action = FlagAction::Becomes(vec![format!("{name}={value}")]);
            // Other programs have options of this name, too.
            found.is_shared = true;
            return found;
        }
        // `-lineinfo -O3` in one word is no option with its value.
        let is_text = !takes_value
            && first
                .get(name.len()..)
                .is_some_and(|rest| rest.starts_with(' '));
        let by_name = || self.row(name).filter(|_| !is_text);
        let Some(row) = of_pair.or_else(by_name) else {
            return found;
        };
        let begins = |front: &String| value.is_some_and(|value| value.starts_with(front.as_str()));
        found.is_for_gpus = row.family.as_deref() == Some(syntax.gpu_family.as_str());
        found.is_shared = syntax.shared.iter().any(|one| *one == *row.cuda)
            && !self.gpu_fronts().iter().any(begins);
        if found.is_for_gpus && value.is_some_and(|value| self.is_processor(value)) {
            return found;
        }
        let is_code = |word: &&&str| word.starts_with(syntax.gpu_code.as_str());
        if found.is_for_gpus
            && let Some(code) = words.get(found.words).filter(is_code)
        {
            found.words += 1;
            found.shown = format!("{} {code}", found.shown);
        }
        found.evidence = row.evidence;
        found.advice = row.advice.as_deref().map(str::to_owned);
        // `-arch=sm_`, which something puts a number behind.
        let is_front = found.is_for_gpus
            && value.is_some_and(|value| self.gpu_fronts().iter().any(|one| one == value));
        if is_front || takes_value && of_pair.is_none() && value.is_none() {
            found.action = FlagAction::Remains(Obstacle::WithoutValue);
            return found;
        }
        match value.filter(|_| of_pair.is_none()) {
            Some(value) if has(&syntax.for_the_host, name) => self.for_the_host(found, row, value),
            _ => self.by_row(found, row),
        }
    }

    /// Translate an option as its row says.
    fn by_row(&self, mut found: Translation, row: &Row) -> Translation {
        if let Some(weak) = self.too_weak(row) {
            found.action = FlagAction::Remains(Obstacle::TooWeak(weak));
            return found;
        }
        let syntax = self.syntax();
        let is_one = |list: &[String]| list.iter().any(|one| *one == *row.cuda);
        match (row.relation, row.to.as_deref()) {
            (Relation::Same, _) => {}
            (Relation::Absent | Relation::Unknown, _) if is_one(&syntax.output) => {
                found.action = FlagAction::Remains(Obstacle::ChoosesOutput);
            }
            (Relation::Renamed, Some(to)) => {
                found.action = FlagAction::Becomes(to.split(' ').map(str::to_owned).collect());
            }
            _ if found.is_for_gpus => {
                found = found.leave_out(Loss::Gpus);
                found.action = FlagAction::NamesGpus;
            }
            (Relation::Absent, _) => return found.leave_out(Loss::Needless),
            _ if is_one(&syntax.compiling) => {
                found = found.leave_out(Loss::Unknown);
                found.action = FlagAction::Becomes(vec![syntax.compile_only.clone()]);
            }
            _ => return found.leave_out(Loss::Unknown),
        }
        found
    }

    /// The evidence of a row where it is weaker than what is acted upon. That an option is nvcc's alone, its manual says.
    fn too_weak(&self, row: &Row) -> Option<Evidence> {
        let evidence = row.evidence.unwrap_or(Evidence::Table);
        (row.relation != Relation::Same && evidence > self.settings.min_evidence)
            .then_some(evidence)
    }

    /// Whether the value of an option for GPUs names a processor: `-arch arm64` is another compiler's.
    fn is_processor(&self, value: &str) -> bool {
        let words = &self.context.knowledge.builds.cmake.architectures.words;
        let mut gpus = self.gpu_fronts().iter().chain(words);
        let part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        value.bytes().all(part)
            && value.starts_with(|first: char| first.is_ascii_lowercase())
            && !gpus.any(|one| value.starts_with(one.as_str()))
    }
}
