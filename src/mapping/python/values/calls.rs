//! Calls whose arguments or results have a known meaning.

use serde::{Deserialize, Serialize};

use super::ValueKind;

/// A call that takes a value at a place.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionedCall {
    /// A dotted name, or a method behind a dot.
    pub callee: String,
    /// 0-based.
    pub argument: usize,
    /// What the parameter is called, where its name alone does not tell.
    #[serde(default)]
    pub keyword: Option<String>,
    /// What the value is.
    pub kind: ValueKind,
    /// Where this comes from.
    pub source: String,
}

/// A call whose result is of a kind.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultOf {
    /// A dotted name.
    pub callee: String,
    /// What the result is.
    pub kind: ValueKind,
    /// Where this comes from.
    pub source: String,
}

/// A keyword that has another name on MUSA.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenamedKeyword {
    /// A dotted name.
    pub callee: String,
    /// CUDA's.
    pub cuda: String,
    /// MUSA's.
    pub musa: String,
    /// Where this comes from.
    pub source: String,
}

/// A call that gives a library of C functions.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LibraryOf {
    /// A dotted name.
    pub callee: String,
    /// Where this comes from.
    pub source: String,
    /// The functions that `torch_musa`'s has, by MUSA's names.
    pub has: Vec<String>,
    /// What to do about the others.
    pub advice: String,
}

/// A function whose counterpart takes fewer keywords.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Narrower {
    /// Its dotted name.
    pub callee: String,
    /// What the counterpart takes.
    pub keywords: Vec<String>,
    /// How that is known.
    pub source: String,
}

/// Calls another part of which tells what they take, by their last names.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CallWords {
    /// A case of a test.
    pub cases: Vec<String>,
    /// What runs a test with several cases.
    pub runs: Vec<String>,
    /// What runs a test with several lists of all its arguments.
    pub runs_expanded: Vec<String>,
    /// What runs a test with what stands behind the names of its parameters.
    pub runs_named: Vec<String>,
    /// Parts of names, in lower case, of what has the number of a release.
    pub releases: Vec<String>,
    /// Calls behind which nothing is run.
    pub exits: Vec<String>,
    /// What gives one of the values of a list.
    pub chooses: Vec<String>,
    /// How a text begins that says on which device of which process a tensor lies.
    pub placements: Vec<String>,
    /// Precisions that stand behind a device in one text.
    pub precisions: Vec<String>,
    /// A default behind a key.
    pub keyed: Vec<String>,
    /// A default behind a key, of functions of projects' own.
    pub gets_keyed: Vec<String>,
    /// A value behind an object and the name of its attribute.
    pub attributes: Vec<String>,
    /// A value behind the dotted name of what it replaces.
    pub replaces: Vec<String>,
    /// Methods of collections that take an item first.
    pub collects: Vec<String>,
    /// Methods of collections that take an item second.
    pub inserts: Vec<String>,
    /// Methods of tables that take a key first.
    pub looks_up: Vec<String>,
    /// Methods of tables that give all keys.
    pub gives_keys: Vec<String>,
    /// Functions that give their second argument as it is, and name its type.
    pub casts: Vec<String>,
    /// Methods that give a part of a text.
    pub parts: Vec<String>,
    /// Methods that give all parts of a text.
    pub splits: Vec<String>,
    /// Two values that are to be alike.
    pub compares: Vec<String>,
    /// How a text begins.
    pub compares_front: Vec<String>,
    /// What keeps arguments for a function.
    pub partial: Vec<String>,
    /// What takes texts for people.
    pub messages: Vec<String>,
    /// Keywords for such texts.
    pub message_keywords: Vec<String>,
    /// Ends of the names of errors.
    pub errors: Vec<String>,
    /// Keywords for the value of a field.
    pub field_values: Vec<String>,
    /// Keywords and members for what a mock gives when it is called.
    pub given_by_mocks: Vec<String>,
    /// Decorators of methods that are read as attributes.
    pub properties: Vec<String>,
    /// Methods that give the name of a tensor's class.
    pub type_names: Vec<String>,
    /// Ends of the names of classes that hold settings.
    pub settings: Vec<String>,
    /// Methods of texts, loggers and tensors of which no project sets an attribute of the name.
    pub never_set: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// Words that a person writes for a program.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct UsersWords {
    /// Names of objects whose attributes and items are such words.
    pub objects: Vec<String>,
    /// What such names end with.
    pub object_endings: Vec<String>,
    /// Functions that read such a word.
    pub reads: Vec<String>,
    /// Functions that read a file with such words.
    pub loads: Vec<String>,
    /// Keywords for all words that an option takes.
    pub lists: Vec<String>,
    /// Methods that put another text in the place of a part of a text.
    pub removes: Vec<String>,
    /// Keywords for dictionaries whose keys are devices as files of weights name them.
    pub saved: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// Functions of regular expressions, which take a pattern first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patterns {
    /// The modules that have them.
    pub modules: Vec<String>,
    /// Functions that compare a text with a pattern, and methods of a pattern that do.
    pub matches: Vec<String>,
    /// Functions that make a pattern.
    pub compiles: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// Functions that `TorchScript` compiles.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TorchScript {
    /// Decorators that compile a function.
    pub decorators: Vec<String>,
    /// Functions that compile their argument.
    pub functions: Vec<String>,
    /// The method of a module that is compiled with it.
    pub method: String,
    /// Functions that say whether what asks them is compiled: only a function that is asks.
    pub asks: Vec<String>,
    /// Decorators of functions that stay Python's.
    pub leaves: Vec<String>,
    /// What to know about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}
