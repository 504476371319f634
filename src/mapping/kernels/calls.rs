//! Calls of `PyTorch`'s functions that end in operators which the `torch_musa` of a run lacks, or has on the CPU alone.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::{Kernels, NAMESPACE, OperatorIndex, Support, base};
use crate::operators::Operators;
use crate::word_list::WordList;

/// What a module that calls `PyTorch` names.
const ROOT: &str = "torch";

/// What is wrong with the operator that a call ends in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CallFault {
    /// The operator.
    pub operator: Box<str>,
    /// What there is of it: nothing, or a kernel that runs on the CPU or raises an error.
    pub support: Support,
    /// The keyword that has to be true.
    pub keyword: Option<Box<str>>,
}

impl CallFault {
    /// What the calls meet in the `torch_musa` that has these kernels.
    pub fn message(&self, kernels: &Kernels<'_>) -> String {
        let does = match self.support {
            Support::Host => "is computed on the CPU by",
            Support::Refused => "only raises an error in",
            _ => "has no kernel in",
        };
        let release = kernels.release();
        format!("`{NAMESPACE}{}` {does} torch_musa {release}", self.operator)
    }

    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        let operators = Operators::builtin();
        match self.support {
            Support::Host => &operators.table.advice.host,
            _ => operators.instead(&self.operator),
        }
    }
}

/// The faults of calls, by dotted name.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct OperatorCalls {
    faults: BTreeMap<String, CallFault>,
    /// The last names of these functions, without overloads.
    functions: WordList,
    /// The last names of the functions and of their overloads.
    words: FxHashSet<String>,
}

impl OperatorCalls {
    /// The faults in one `torch_musa`.
    pub(crate) fn new(kernels: Kernels<'_>) -> Self {
        let mut calls = Self::default();
        let (operators, index) = (Operators::builtin(), OperatorIndex::builtin());
        for (function, ends) in &operators.lists.ends {
            calls.add(kernels, function, ends, None);
            let method = function.strip_prefix("torch.");
            if let Some(method) = method.filter(|method| index.is_method(method)) {
                calls.add(kernels, &format!("torch.Tensor.{method}"), ends, None);
            }
        }
        for row in &operators.table.ends {
            calls.add(
                kernels,
                &row.function,
                &row.operators,
                row.keyword.as_deref(),
            );
        }
        for name in index.bases() {
            calls.add_named(kernels, name);
        }
        let last = |name: &String| name.rsplit('.').next().map(str::to_owned);
        let functions: BTreeSet<String> = calls.faults.keys().filter_map(last).collect();
        calls.words.extend(functions.iter().cloned());
        calls.functions = WordList::new(functions);
        for name in index.names() {
            calls.add_overload(kernels, name);
        }
        calls
    }

    /// A function that ends in operators, each of which every call reaches.
    fn add(
        &mut self,
        kernels: Kernels<'_>,
        function: &str,
        ends: &'static [String],
        keyword: Option<&'static str>,
    ) {
        let with = |wanted: fn(Support) -> bool| {
            let mut ends = ends.iter();
            ends.find_map(|end| {
                Some((
                    end.as_str(),
                    kernels.support(end).filter(|one| wanted(*one))?,
                ))
            })
        };
        let found = with(Support::lacks).or_else(|| with(|one| one == Support::Host));
        let Some((operator, support)) = found else {
            return;
        };
        // The operator that others are made of has their name, with the word for its arguments behind it.
        let operator = Some(base(operator))
            .filter(|short| kernels.support(short).is_some_and(Support::lacks))
            .unwrap_or(operator);
        self.faults.insert(
            function.to_owned(),
            CallFault {
                operator: operator.into(),
                support,
                keyword: keyword.map(Into::into),
            },
        );
    }

    /// The functions that are called like an operator whose overloads are all missing.
    fn add_named(&mut self, kernels: Kernels<'_>, name: &'static str) {
        let overloads = kernels.overloads(name);
        let mut support = overloads.iter().map(|one| kernels.support(one));
        let lacks = |one: Option<Support>| one.is_some_and(Support::lacks);
        let plain = kernels.support(name);
        let (operator, support) = match overloads.first() {
            Some(first) if support.all(lacks) => (*first, kernels.support(first)),
            _ if plain == Some(Support::Host) => (name, plain),
            _ => return,
        };
        let Some(support) = support else { return };
        let fault = CallFault {
            operator: operator.into(),
            support,
            keyword: None,
        };
        for module in &Operators::builtin().table.modules {
            let is_tensors = module.python.ends_with(".Tensor");
            if is_tensors && !OperatorIndex::builtin().is_method(name) {
                continue;
            }
            if let Some(function) = name.strip_prefix(module.front.as_str()) {
                let python = format!("{}.{function}", module.python);
                self.faults.entry(python).or_insert_with(|| fault.clone());
            }
        }
    }

    /// One overload, by its own name: `torch.ops.aten._int_mm.default`.
    fn add_overload(&mut self, kernels: Kernels<'_>, operator: &'static str) {
        let Some(support) = kernels.support(operator) else {
            return;
        };
        if !support.lacks() && support != Support::Host {
            return;
        }
        let fault = CallFault {
            operator: operator.into(),
            support,
            keyword: None,
        };
        let modules = &Operators::builtin().table.modules;
        for module in modules.iter().filter(|module| module.overloads) {
            let overload = if operator.contains('.') {
                ""
            } else {
                ".default"
            };
            let python = format!("{}.{operator}{overload}", module.python);
            self.words
                .extend(python.rsplit('.').next().map(str::to_owned));
            self.faults.entry(python).or_insert_with(|| fault.clone());
        }
    }

    /// Whether a text may call a function with a fault, or import one by another name: its last name stands before what
    /// a call, a member or `as` begins with.
    pub fn may_matter(&self, text: &[u8]) -> bool {
        let may_be_called = |rest: &[u8]| {
            let rest = rest.trim_ascii_start();
            matches!(rest.first(), Some(b'(' | b'.' | b'\\')) || rest.starts_with(b"as")
        };
        // Most modules that do not name PyTorch are out by this alone.
        Self::names_root(text) && self.functions.is_in_before(text, may_be_called)
    }

    /// The last names of the functions with a fault.
    pub fn functions(&self) -> &[String] {
        self.functions.words()
    }

    /// Whether a module may call a function of `PyTorch`'s at all.
    pub fn names_root(text: &[u8]) -> bool {
        memmem::find(text, ROOT.as_bytes()).is_some()
    }

    /// Whether a word is the last name of a function with a fault.
    pub fn has_word(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    /// The fault of a call, by the dotted name of the function: `torch.linalg.eigh`, `torch.ops.aten._int_mm.default`.
    pub fn of(&self, function: &str) -> Option<&CallFault> {
        self.faults.get(function)
    }
}
