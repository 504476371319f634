//! What a port makes of Python does not depend on the order in which a project says things: that of calls, of statements,
//! of functions and of files.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use proptest::prelude::*;
use tempfile::TempDir;

use crate::common::program::{text, torchada};

/// What a function does with its parameter `kind`.
#[derive(Clone, Debug)]
enum Deed {
    /// It makes a device of the parameter.
    Device,
    /// It compares the parameter with that of a tensor.
    Compare,
    /// It shows the parameter to a person.
    Show,
    /// It makes a backend of the parameter.
    Backend,
    /// It looks the parameter up in a table of its own.
    LookUp,
    /// It hands the parameter on to the function of a number.
    HandOn(usize),
    /// It hands the parameter on by way of a variable.
    HandOnAs(usize),
    /// It compares the parameter with the names of platforms that are no devices.
    Platform,
}

/// Functions, each with what it does, and calls of them by their numbers, each with a literal of its own.
#[derive(Clone, Debug)]
struct Program {
    functions: Vec<Vec<Deed>>,
    calls: Vec<usize>,
}

/// In which order a program is written, as numbers by which its parts are sorted.
#[derive(Clone, Debug)]
struct Order {
    functions: Vec<u8>,
    deeds: Vec<u8>,
    calls: Vec<u8>,
    files: Vec<u8>,
}

/// The indices of some parts, sorted by the numbers of an order.
fn sorted(parts: usize, by: &[u8]) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..parts).collect();
    indices.sort_by_key(|&at| by.get(at % by.len().max(1)).copied());
    indices
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        2 => Just(Deed::Device),
        1 => Just(Deed::Compare),
        1 => Just(Deed::Show),
        1 => Just(Deed::Backend),
        1 => Just(Deed::LookUp),
        5 => (0..6_usize).prop_map(Deed::HandOn),
        2 => (0..6_usize).prop_map(Deed::HandOnAs),
        1 => Just(Deed::Platform),
    ]
}

fn program() -> impl Strategy<Value = Program> {
    let functions = prop::collection::vec(prop::collection::vec(deed(), 1..4), 2..6);
    let calls = prop::collection::vec(0..6_usize, 1..6);
    (functions, calls).prop_map(|(functions, calls)| Program { functions, calls })
}

fn order() -> impl Strategy<Value = Order> {
    let numbers = || prop::collection::vec(any::<u8>(), 6);
    (numbers(), numbers(), numbers(), numbers()).prop_map(|(functions, deeds, calls, files)| {
        Order {
            functions,
            deeds,
            calls,
            files,
        }
    })
}

impl Program {
    /// The text of a function. `name_of` gives the expression by which another function is called.
    fn function(&self, at: usize, order: &Order, name_of: &dyn Fn(usize) -> String) -> String {
        let mut text = format!("def f{at}(kind):\n");
        let deeds = &self.functions[at];
        for index in sorted(deeds.len(), &order.deeds) {
            let other = |number: usize| name_of(number % self.functions.len());
            let line = match deeds[index] {
                Deed::Device => "torch.device(kind)".to_owned(),
                Deed::Compare => "print(torch.zeros(3).device.type == kind)".to_owned(),
                Deed::Show => "raise ValueError(kind)".to_owned(),
                Deed::Backend => "torch.distributed.init_process_group(kind)".to_owned(),
                Deed::LookUp => format!("table{index} = {{\"cpu\": 1}}; table{index}[kind]"),
                Deed::HandOn(number) => format!("{}(kind)", other(number)),
                Deed::HandOnAs(number) => {
                    format!("other{index} = kind; {}(other{index})", other(number))
                }
                Deed::Platform => "print(kind in [\"cuda\", \"opencl\"])".to_owned(),
            };
            writeln!(text, "    if x{index}:\n        {line}").expect("written");
        }
        text
    }

    /// The calls, each with its number in a comment.
    fn calls(&self, order: &Order, name_of: &dyn Fn(usize) -> String) -> String {
        let mut text = String::new();
        for at in sorted(self.calls.len(), &order.calls) {
            let name = name_of(self.calls[at] % self.functions.len());
            writeln!(text, "{name}(\"cuda\")  # call {at}").expect("written");
        }
        text
    }

    /// The program in one file.
    fn in_one_file(&self, order: &Order) -> BTreeMap<String, String> {
        let name_of = |at: usize| format!("f{at}");
        let mut text = "import torch\n\n".to_owned();
        for at in sorted(self.functions.len(), &order.functions) {
            text += &self.function(at, order, &name_of);
            text.push('\n');
        }
        text += &self.calls(order, &name_of);
        BTreeMap::from([("main.py".to_owned(), text)])
    }

    /// The program with a file for each function, whose names sort as the order says.
    fn in_many_files(&self, order: &Order) -> BTreeMap<String, String> {
        let places = sorted(self.functions.len(), &order.files);
        let module = |at: usize| {
            let place = places.iter().position(|&one| one == at);
            format!("part{}", place.expect("each function has a place"))
        };
        let name_of = |at: usize| format!("{}.f{at}", module(at));
        let imports = |but: Option<usize>| {
            let others = (0..self.functions.len()).filter(|&at| Some(at) != but);
            others.fold("import torch\n".to_owned(), |text, at| {
                text + &format!("import {}\n", module(at))
            })
        };
        let file = |at: usize| {
            let own_name = |other: usize| match other {
                own if own == at => format!("f{at}"),
                other => name_of(other),
            };
            let text = imports(Some(at)) + "\n\n" + &self.function(at, order, &own_name);
            (format!("{}.py", module(at)), text)
        };
        let mut files: BTreeMap<String, String> = (0..self.functions.len()).map(file).collect();
        let main = imports(None) + "\n" + &self.calls(order, &name_of);
        // It is the first of all files or the last one.
        let is_first = order.files.first().is_some_and(|one| one % 2 == 0);
        files.insert(if is_first { "a.py" } else { "z.py" }.to_owned(), main);
        files
    }
}

/// What each call is given once the files are ported, by the number of the call.
fn arguments_of_calls(files: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let folder = TempDir::new().expect("a folder");
    let (tree, out) = (folder.path().join("tree"), folder.path().join("out"));
    fs::create_dir(&tree).expect("created");
    for (path, text) in files {
        fs::write(tree.join(path), text).expect("written");
    }
    let line = ["port", "tree", "-o", "out", "--no-stub", "--no-cache"];
    let output = torchada(folder.path(), &[&line[..], &["--no-ignore"]].concat());
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "{}",
        text(&output.stderr)
    );
    let mut found = BTreeMap::new();
    for path in files.keys() {
        let ported = fs::read_to_string(out.join(path)).expect("ported");
        for line in ported.lines() {
            if let Some((call, number)) = line.split_once("  # call ") {
                let literal = call.split_once('(').expect("a call").1;
                found.insert(number.to_owned(), literal.to_owned());
            }
        }
    }
    found
}

/// Two functions that call each other: what the first question assumed of the second one was once taken for an answer.
#[test]
fn functions_that_call_each_other_are_followed_in_any_order_of_calls() {
    let program = Program {
        functions: vec![vec![Deed::Device, Deed::HandOn(1)], vec![Deed::HandOn(0)]],
        calls: vec![0, 1],
    };
    for calls in [vec![0, 1], vec![1, 0]] {
        let order = Order {
            functions: vec![0],
            deeds: vec![0],
            calls,
            files: vec![0],
        };
        let arguments = arguments_of_calls(&program.in_one_file(&order));
        assert!(arguments.len() == 2 && arguments.values().all(|one| one == "\"musa\")"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn calls_are_given_the_same_in_every_order(program in program(), one in order(), other in order()) {
        prop_assert_eq!(arguments_of_calls(&program.in_one_file(&one)), arguments_of_calls(&program.in_one_file(&other)));
        prop_assert_eq!(arguments_of_calls(&program.in_many_files(&one)), arguments_of_calls(&program.in_many_files(&other)));
    }
}
