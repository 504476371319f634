//! Tests of the questions that rules ask about Python code.

use super::*;

/// The first node of a kind whose text is `word`, the last where `from_end`.
fn find(module: &Module<'_>, word: &str, kind: Kind) -> NodeId {
    let tree = &module.tree;
    tree.nodes()
        .rev()
        .find(|&node| tree.kind(node) == kind && tree.word(node) == word.as_bytes())
        .unwrap_or_else(|| panic!("no {kind:?} `{word}`"))
}

/// What the last attribute `word` resolves to: the name, with `?` where it is not sure.
fn resolved(text: &str, word: &str) -> String {
    let importers = ["importlib.import_module".to_owned()];
    let module = Module::new(text.as_bytes()).expect("parsed");
    let module = module.with_importers(&importers);
    let kind = if word.ends_with(')') {
        Kind::Call
    } else if word.contains('.') {
        Kind::Attribute
    } else {
        Kind::Identifier
    };
    let node = find(&module, word, kind);
    match module.resolve(node) {
        None => "-".to_owned(),
        Some(one) if one.is_sure() => one.name,
        Some(one) => format!("{}?", one.name),
    }
}

#[test]
fn names_lead_to_what_they_were_imported_from() {
    for (text, word, expected) in [
        (
            "import torch\ntorch.cuda.Event()",
            "torch.cuda.Event",
            "torch.cuda.Event",
        ),
        (
            "from torch import cuda as c\nc.Event()",
            "c.Event",
            "torch.cuda.Event",
        ),
        (
            "import torch.cuda as tc\ntc.Event()",
            "tc.Event",
            "torch.cuda.Event",
        ),
        (
            "import torch.cuda\ntorch.cuda.Event()",
            "torch.cuda.Event",
            "torch.cuda.Event",
        ),
        (
            "import torch\nt = torch\nt.cuda.Event",
            "t.cuda.Event",
            "torch.cuda.Event",
        ),
        (
            "import torch\nx = getattr(torch, 'cuda').Event",
            "getattr(torch, 'cuda').Event",
            "torch.cuda.Event",
        ),
        (
            "import importlib\nm = importlib.import_module('torch.cuda')\nm.Event",
            "m.Event",
            "torch.cuda.Event",
        ),
        (
            "from torch.cuda.amp import autocast\nautocast()",
            "autocast",
            "torch.cuda.amp.autocast",
        ),
        (
            "from torch import *\ncuda.Event",
            "cuda.Event",
            "torch.cuda.Event?",
        ),
        (
            "from . import torch\ntorch.cuda",
            "torch.cuda",
            ".torch.cuda",
        ),
        (
            "def f():\n  global t\n  import torch as t\nt.cuda",
            "t.cuda",
            "torch.cuda",
        ),
        (
            "import torch\nc, d = torch.cuda, 1\nc.Event",
            "c.Event",
            "torch.cuda.Event",
        ),
        (
            "import torch\nif (c := torch.cuda):\n  c.Event",
            "c.Event",
            "torch.cuda.Event",
        ),
    ] {
        assert_eq!(resolved(text, word), expected, "{text}");
    }
}

#[test]
fn a_name_of_the_module_s_own_shadows() {
    for (text, word, expected) in [
        (
            "import torch\ndef f(torch):\n  torch.cuda",
            "torch.cuda",
            "-",
        ),
        (
            "import torch\ndef f(x=torch.cuda, torch=1): pass",
            "torch.cuda",
            "torch.cuda",
        ),
        (
            "import torch\nclass A:\n  torch = 1\n  def f(self):\n    torch.cuda",
            "torch.cuda",
            "torch.cuda",
        ),
        (
            "import torch\nclass A:\n  torch = 1\n  torch.cuda",
            "torch.cuda",
            "-",
        ),
        (
            "import torch\n[torch.cuda for torch in y]",
            "torch.cuda",
            "-",
        ),
        (
            "import torch\n[x for torch in torch.cuda]",
            "torch.cuda",
            "torch.cuda",
        ),
        ("import torch\nlambda torch: torch.cuda", "torch.cuda", "-"),
        (
            "import torch\ntry:\n  pass\nexcept E as torch:\n  torch.cuda",
            "torch.cuda",
            "torch.cuda?",
        ),
        ("with a as (b, torch):\n  torch.cuda", "torch.cuda", "-"),
        (
            "match x:\n  case [torch]:\n    torch.cuda",
            "torch.cuda",
            "-",
        ),
        (
            "import torch\ndef torch(): pass\ntorch.cuda",
            "torch.cuda",
            "torch.cuda?",
        ),
        (
            "try:\n  import torch\nexcept ImportError:\n  torch = None\ntorch.cuda",
            "torch.cuda",
            "torch.cuda",
        ),
        (
            "try:\n  import torch\nexcept ImportError:\n  import fake as torch\ntorch.cuda",
            "torch.cuda",
            "torch.cuda?",
        ),
        ("torch.cuda", "torch.cuda", "-"),
    ] {
        assert_eq!(resolved(text, word), expected, "{text}");
    }
}

/// What takes the value of the last literal with the value `x`.
fn taken(text: &str) -> String {
    let module = Module::new(text.as_bytes()).expect("parsed");
    let tree = &module.tree;
    let node = tree.nodes().rev().find(|&node| {
        tree.kind(node) == Kind::Str
            && Literal::read(tree, node).is_some_and(|one| one.value().starts_with(b"x"))
    });
    let Some(node) = node else {
        return "broken".to_owned();
    };
    let of = module.use_of(node);
    let word = |node| String::from_utf8_lossy(tree.word(node)).into_owned();
    let name = |node| String::from_utf8_lossy(&module.last_name(node)).into_owned();
    let callee = |call| {
        module.callee_name(call).map_or_else(
            || String::from_utf8_lossy(module.callee_word(call)).into_owned(),
            |one| one.name,
        )
    };
    let consumer = match of.consumer {
        Consumer::Keyword { call, name } => format!("{}({}=)", callee(call), word(name)),
        Consumer::Argument { call, position } => format!("{}({position:?})", callee(call)),
        Consumer::Default { name, .. } => format!("default of {}", word(name)),
        Consumer::Target { target } => format!("{} =", name(target)),
        Consumer::Loop { target } => format!("for {}", name(target)),
        Consumer::Return { function } => {
            let name = function.and_then(|one| tree.child(one, Field::Name));
            format!("return of {}", name.map(word).unwrap_or_default())
        }
        Consumer::Comparison {
            operator, other, ..
        } => format!("{} {}", word(operator), word(other)),
        Consumer::Pattern { subject, .. } => format!("match {}", word(subject)),
        Consumer::Item { of } => format!("{}[]", word(of)),
        Consumer::DictKey { .. } => "key".to_owned(),
        Consumer::DictValue { pair } => {
            format!(
                "under {}",
                tree.child(pair, Field::Key).map(name).unwrap_or_default()
            )
        }
        Consumer::Receiver { attribute } => format!(".{}", name(attribute)),
        other => format!("{other:?}"),
    };
    let part = if of.is_part() { "part: " } else { "" };
    format!("{part}{consumer}")
}

#[test]
fn the_nearest_thing_that_gives_a_meaning_takes_a_value() {
    for (text, expected) in [
        ("f(1, 'x')", "f(Some(1))"),
        ("f(*a, 'x')", "f(None)"),
        ("import t\nt.f(device=('x' if a else b))", "t.f(device=)"),
        ("f(device=a or 'x')", "f(device=)"),
        ("def f(a, device: str = 'x'): pass", "default of device"),
        ("self.device = 'x'", "device ="),
        ("o['device'] = f'x:{i}'", "device ="),
        ("a = 'x:%d' % i", "part: a ="),
        ("a = 'x:{}'.format(i)", "part: a ="),
        ("a = 'x:' + str(i)", "part: a ="),
        ("f(f'{\"x\"}:0')", "part: f(Some(0))"),
        ("for d in ['x', 'y']: pass", "for d"),
        ("[g(d) for d in ('x', 'y')]", "for d"),
        ("for a, d in zip(b, ['x', 'y']): pass", "for d"),
        ("for n, d in enumerate(('x', 'y')): pass", "for d"),
        (
            "from itertools import product\n[g(d) for a, d in list(product(b, ['x']))]",
            "for d",
        ),
        (
            "import itertools\nfor d in itertools.chain(b, ['x']): pass",
            "for d",
        ),
        ("for d in reversed(['x', 'y']): pass", "for d"),
        ("pairs = zip(b, ['x'])", "zip(Some(1))"),
        (
            "def zip(a, b): pass\nfor a, d in zip(b, ['x']): pass",
            "zip(Some(1))",
        ),
        ("def f():\n  return 'x'", "return of f"),
        ("d, e = 'x', 1", "d ="),
        ("d, e = f('x', 1)", "f(Some(0))"),
        ("if a.type == 'x': pass", "== a.type"),
        ("if a not in ('x', 'y'): pass", "not in a"),
        ("'x' in str(d)", "in str(d)"),
        ("match a:\n  case 'y' | 'x': pass", "match a"),
        ("a['x']", "a[]"),
        ("d = {'x': 1}", "key"),
        ("d = {'k': ['x']}", "under k"),
        ("'x'.split()", ".split"),
        ("assert a, 'x'", "Message"),
        ("raise E('x')", "E(Some(0))"),
        ("def f():\n  'x'", "Docstring"),
        ("f.__doc__ = 'x'", "Docstring"),
        ("a: Literal['x'] = 1", "Annotation"),
        ("f(\n  'x'", "broken"),
    ] {
        assert_eq!(taken(text), expected, "{text}");
    }
}

#[test]
fn siblings_are_what_a_choice_is_made_from() {
    for (text, expected) in [
        ("a = ['x', 'y', f(z)]", "x y"),
        ("d = {'x': 1, 'y': 2}", "x y"),
        (
            "match a:\n  case 'x': pass\n  case 'y' | 'z': pass",
            "x y z",
        ),
        (
            "if d.t == 'x':\n  pass\nelif d.t in ('y', 'z'):\n  pass\nelif e == 'n':\n  pass",
            "x y z",
        ),
        ("if d == 'x':\n  return 1\nif d == 'y':\n  return 2", "x y"),
        ("d == 'x' or d == 'y'", "x y"),
    ] {
        let module = Module::new(text.as_bytes()).expect("parsed");
        let tree = &module.tree;
        let node = tree
            .nodes()
            .find(|&node| tree.kind(node) == Kind::Str && tree.word(node) == b"'x'")
            .expect("there");
        let mut found: Vec<String> = module
            .sibling_literals(&module.use_of(node))
            .iter()
            .map(|one| String::from_utf8_lossy(one.value()).into_owned())
            .collect();
        found.sort();
        found.dedup();
        assert_eq!(found.join(" "), expected, "{text}");
    }
}

#[test]
fn a_value_is_mapped_back_to_the_file() {
    let text = br#"a = rb'c\n' ; b = f"cu\x64a:{i}" 'da' ; c = f'{{cuda:{i}'"#;
    let module = Module::new(text).expect("parsed");
    let tree = &module.tree;
    let literals: Vec<Literal> = tree
        .nodes()
        .filter(|&node| match tree.kind(node) {
            Kind::ConcatenatedString => true,
            Kind::Str => tree
                .parent(node)
                .is_none_or(|up| tree.kind(up) != Kind::ConcatenatedString),
            _ => false,
        })
        .filter_map(|node| Literal::read(tree, node))
        .collect();
    let values: Vec<_> = literals
        .iter()
        .map(|one| String::from_utf8_lossy(one.value()).into_owned())
        .collect();
    assert_eq!(values, ["c\\n", "cu?a:\u{fffc}da", "{cuda:\u{fffc}"]);
    assert!(literals[0].is_bytes());
    assert_eq!(literals[1].in_file((0..4).into()), None);
    let cuda = literals[2].in_file((1..5).into()).expect("verbatim");
    assert_eq!(cuda.of(text), b"cuda");
}

#[test]
fn the_fast_reader_makes_the_trees_of_the_grammar() {
    let all = include_str!("ruff/cases.py");
    for text in all.split("# ---\n") {
        assert!(ruff::read(text.as_bytes()).is_some(), "not taken:\n{text}");
        let at = first_difference_of_readers(text.as_bytes()).map(|at| &text[at..]);
        assert_eq!(at, None, "in:\n{text}");
    }
}

#[test]
fn what_the_fast_reader_is_not_sure_of_is_left_to_the_grammar() {
    for text in [
        "print 1\n",
        "match x:\n    case 1: pass\n",
        "def f[T](x: T): pass\n",
        "with a if b else c as d: pass\n",
        "x = \u{fffc}\n",
        "def f(:\n",
    ] {
        assert!(ruff::read(text.as_bytes()).is_none(), "taken:\n{text}");
        assert!(Tree::new(text.as_bytes()).is_some());
    }
}
