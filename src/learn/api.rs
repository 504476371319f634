//! The types, parameters and values of one side, CUDA's or MUSA's.

use rustc_hash::FxHashMap;

use super::headers::Headers;
use crate::mapping::learn::{CudaDeclarations, LearnTable};
use crate::syntax::{Base, DeclarationKind, Function, Type};

/// The declarations of one side that can be compared with the other side's.
#[derive(Default, Debug)]
pub(super) struct Api {
    functions: FxHashMap<Box<str>, Vec<Function>>,
    aliases: FxHashMap<Box<str>, Type>,
    types: rustc_hash::FxHashSet<Box<str>>,
    values: FxHashMap<Box<str>, i64>,
    /// Macros that stand for another name: `cuMemAlloc` for `cuMemAlloc_v2`.
    macros: FxHashMap<Box<str>, Box<str>>,
    /// Where it is from, in words.
    pub(super) source: String,
}

/// How many names of one another are followed: real ones have three.
const STEPS: usize = 12;

impl Api {
    /// What headers declare.
    pub(super) fn of(headers: &Headers, source: String) -> Self {
        let mut api = Self {
            source,
            ..Self::default()
        };
        for name in headers.names() {
            // Other overloads than C's stand in namespaces.
            let all = headers.all(name).iter();
            for known in all.filter(|known| known.path.is_empty()) {
                api.add(name, &known.what);
            }
        }
        api
    }

    fn add(&mut self, name: &str, what: &DeclarationKind) {
        match what {
            DeclarationKind::Function(function) if !function.is_template => {
                let all = self.functions.entry(name.into()).or_default();
                if !all.contains(function) {
                    all.push(function.clone());
                }
            }
            DeclarationKind::Alias(alias) => {
                self.aliases
                    .entry(name.into())
                    .or_insert_with(|| alias.clone());
            }
            DeclarationKind::Type { .. } => {
                self.types.insert(name.into());
            }
            DeclarationKind::Enumerator(Some(value)) => {
                self.values.entry(name.into()).or_insert(*value);
            }
            DeclarationKind::Macro(body) => {
                if let Some(value) = body.value {
                    self.values.entry(name.into()).or_insert(value);
                }
                if let Some(alias) = &body.alias {
                    self.macros
                        .entry(name.into())
                        .or_insert_with(|| alias.clone());
                }
            }
            _ => {}
        }
    }

    /// What the program knows of CUDA's side by itself.
    pub(super) fn built_in(built: CudaDeclarations) -> Self {
        let mut api = Self {
            source: built.source,
            ..Self::default()
        };
        for (name, parameters) in built.functions {
            api.functions
                .insert(name.into(), vec![function_of(&parameters)]);
        }
        for (name, text) in built.types {
            let name: Box<str> = name.into();
            if text.is_empty() {
                api.types.insert(name);
            } else {
                api.aliases.insert(name, type_of(&text));
            }
        }
        let values = built.values.into_iter();
        api.values = values.map(|(name, value)| (name.into(), value)).collect();
        api
    }

    /// The declarations of a function. A macro of this name goes first: code calls what it stands for.
    pub(super) fn functions(&self, name: &str) -> &[Function] {
        let mut name = name;
        for _ in 0..STEPS {
            match self.macros.get(name) {
                Some(next) if &**next != name && self.functions.contains_key(next) => name = next,
                _ => break,
            }
        }
        self.functions.get(name).map_or(&[], Vec::as_slice)
    }

    /// The value of an enumerator or a macro.
    pub(super) fn value(&self, name: &str) -> Option<i64> {
        let own = self.values.get(name);
        let other = || self.values.get(self.macros.get(name)?);
        own.or_else(other).copied()
    }

    /// Whether this side declares a type of this name.
    pub(super) fn has_type(&self, name: &str) -> bool {
        self.aliases.contains_key(name) || self.types.contains(name)
    }

    /// What a type is made of in the end, and the names on the way there with the pointers before each.
    pub(super) fn resolve<'t>(&'t self, start: &'t Type) -> Resolved<'t> {
        let mut names = Vec::new();
        let (mut base, mut depth) = (&start.base, start.depth);
        for _ in 0..STEPS {
            let Base::Named(name) = base else { break };
            names.push((&**name, depth));
            let Some(next) = self.alias(name) else { break };
            if next.base == *base {
                break;
            }
            base = &next.base;
            depth = depth.saturating_add(next.depth);
        }
        Resolved { names, base, depth }
    }

    fn alias(&self, name: &str) -> Option<&Type> {
        let own = self.aliases.get(name);
        own.or_else(|| self.aliases.get(self.macros.get(name)?))
    }

    /// The functions and types that `wanted` takes, and the values, as [`Api::built_in`] reads them.
    pub(super) fn declarations(&self, wanted: impl Fn(&str) -> bool) -> CudaDeclarations {
        let functions = self.functions.keys().chain(self.macros.keys());
        let functions = functions.filter_map(|name| match self.functions(name) {
            [only] => Some((name.to_string(), parameters(only))),
            _ => None,
        });
        // A type that is known to be another one is that one.
        let types = self.types.iter();
        let types = types.filter(|name| !self.aliases.contains_key(*name));
        let types = types.map(|name| (name.to_string(), String::new()));
        let aliases = self.aliases.iter();
        let aliases = aliases.filter(|(_, to)| to.base != Base::Unclear);
        let aliases = aliases.map(|(name, to)| (name.to_string(), to.to_string()));
        let choices = &LearnTable::builtin().rows;
        let values = self.values.iter();
        let values = values.filter(|(name, _)| choices.has_value(name));
        CudaDeclarations {
            source: self.source.clone(),
            functions: functions.filter(|(name, _)| wanted(name)).collect(),
            types: types
                .chain(aliases)
                .filter(|(name, _)| wanted(name))
                .collect(),
            values: values
                .map(|(name, value)| (name.to_string(), *value))
                .collect(),
        }
    }
}

/// A type, followed to its end.
#[derive(Debug)]
pub(super) struct Resolved<'t> {
    /// The names that it has on the way, each with the pointers to it.
    pub(super) names: Vec<(&'t str, u8)>,
    /// What it is made of.
    pub(super) base: &'t Base,
    /// How many pointers to that it is.
    pub(super) depth: u8,
}

/// `void **, size_t`
pub(super) fn parameters(function: &Function) -> String {
    let mut types: Vec<String> = function
        .parameters
        .iter()
        .map(ToString::to_string)
        .collect();
    if function.is_variadic {
        types.push("...".to_owned());
    }
    types.join(", ")
}

fn function_of(text: &str) -> Function {
    let parts = text.split(", ").filter(|part| !part.is_empty());
    let parts: Vec<&str> = parts.collect();
    Function {
        is_variadic: parts.last() == Some(&"..."),
        parameters: parts
            .into_iter()
            .filter(|part| *part != "...")
            .map(type_of)
            .collect(),
        is_template: false,
    }
}

/// Words of which the types of the language are made.
const BUILTIN: [&str; 9] = [
    "void", "bool", "char", "short", "int", "long", "float", "double", "unsigned",
];

fn type_of(text: &str) -> Type {
    let name = text.trim_end_matches('*').trim_end();
    let depth = text.bytes().filter(|byte| *byte == b'*').count() as u8;
    let first = name.split(' ').next().unwrap_or_default();
    let base = match name {
        "?" => Base::Unclear,
        "function" => Base::Function,
        _ if BUILTIN.contains(&first) => Base::Builtin(name.into()),
        _ => Base::Named(name.into()),
    };
    Type { base, depth }
}
