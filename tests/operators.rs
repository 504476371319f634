//! `PyTorch`'s operators on `torch_musa`: what the lists say of them, and what `torchada map` answers.

use torchada::mapping::kernels::Support;
use torchada::mapping::names::query;
use torchada::mapping::operators::Operators;
use torchada::mapping::{FactTable, Tables, Versions};
use torchada::report::map;

fn answered(tables: &Tables, name: &str) -> String {
    let mut out = Vec::new();
    map::answers(tables, &[query::ask(tables, name)], &mut out).expect("written");
    String::from_utf8(out).expect("text")
}

fn release(version: &str) -> Tables {
    let versions = Versions {
        torch_musa: Some(version.parse().expect("a version")),
        ..Versions::default()
    };
    let tables = Tables::for_run(None, &[], &versions).expect("sound tables");
    tables.into_owned()
}

#[test]
fn an_operator_is_answered_by_its_names() {
    let tables = Tables::builtin();
    insta::assert_snapshot!(answered(tables, "aten::_thnn_fused_lstm_cell"), @"
    aten::_thnn_fused_lstm_cell
      a kernel since torch_musa 2.1.0
      source:  MooreThreads/torch_musa:torch_musa/csrc/aten/ops/musa_functions.yaml (v2.7.1, 0bc05bff1171)
    ");
    insta::assert_snapshot!(answered(tables, "torch.ops.aten._int_mm.default"), @"
    torch.ops.aten._int_mm.default
      aten::_int_mm: no kernel in torch_musa 2.7.1
        instead: multiply in a floating type: float32 is exact as long as no sum exceeds 2^24 (`(a.float() @ b.float()).int()`).
      source:  MooreThreads/torch_musa:torch_musa/csrc/aten/ops/musa_functions.yaml (v2.7.1, 0bc05bff1171)
    ");
    insta::assert_snapshot!(answered(tables, "torch.linalg.svd"), @"
    torch.linalg.svd
      ends in aten::_linalg_svd: a kernel since torch_musa 2.7.1 that copies to the CPU and back: it works and is slow
        source:  MooreThreads/torch_musa:torch_musa/csrc/aten/linalg/BatchLinearAlgebra.cpp:144 (v2.7.1)
      aten::linalg_svd, aten::linalg_svd.U: made of other operators: it works if these do
      source:  MooreThreads/torch_musa:torch_musa/csrc/aten/ops/musa_functions.yaml (v2.7.1, 0bc05bff1171)
    ");
    insta::assert_snapshot!(answered(tables, "aten::bincont"), @"
    aten::bincont: no table has this name
      near: aten::bincount
    ");
}

#[test]
fn an_older_release_lacks_what_came_later() {
    let (old, new) = (release("2.5.0"), release("2.7.1"));
    let support = |tables: &Tables, name| tables.kernels().support(name);
    assert_eq!(support(&old, "geqrf"), Some(Support::Missing));
    assert_eq!(support(&new, "geqrf"), Some(Support::Kernel));
    assert_eq!(support(&old, "add.Tensor"), Some(Support::Kernel));
    assert_eq!(support(&old, "no_such_operator"), None);
    // What is made of others works without a kernel of its own.
    assert_eq!(support(&old, "split_with_sizes"), Some(Support::Composite));
}

#[test]
fn what_was_seen_of_an_operator_counts_first() {
    let facts = "[table]\nid = \"facts\"\n[facts]\nformat = 1\ntorch-musa = \"2.7.1\"\noperators = 1300\n\
                 operators-beside = \"CPU\"\noperators-missing = [\"aten::geqrf\", \"aten::stack\"]\n";
    let image = FactTable::image("facts.toml", facts).expect("a sound file");
    let facts = FactTable::open(image);
    let tables = Tables::for_run(facts, &[], &Versions::default()).expect("sound tables");
    let support = |name| tables.kernels().support(name);
    assert_eq!(support("geqrf"), Some(Support::Missing));
    assert_eq!(support("_int_mm"), Some(Support::Kernel));
    // It works if the operators do of which it is made.
    assert_eq!(support("stack"), Some(Support::Composite));
    // Operators of the CPU say nothing of those that only CUDA has.
    assert_eq!(support("_cslt_compress"), Some(Support::Missing));
}

#[test]
fn what_tables_add_by_hand_is_in_the_lists() {
    let operators = Operators::builtin();
    let kernels = Tables::builtin().kernels();
    let ends = operators.lists.ends.values().flatten();
    let notes = operators.table.host.iter().chain(&operators.table.refused);
    let noted = notes.flat_map(|note| &note.operators);
    let by_hand = operators.table.ends.iter().flat_map(|row| &row.operators);
    for name in ends.chain(noted).chain(by_hand) {
        let known = kernels.support(name);
        assert!(known.is_some(), "{name} is in no list of operators");
    }
    for name in operators
        .table
        .instead
        .iter()
        .flat_map(|row| &row.operators)
    {
        let front = name.trim_end_matches('*');
        let lists = &operators.lists.torch;
        let without = [
            &lists.none,
            &lists.cuda_only,
            &lists.cpu_only,
            &lists.foreign,
        ];
        let kernels = operators.lists.kernels.values();
        let mut all = without.into_iter().chain(kernels).flatten();
        assert!(
            all.any(|one| one.starts_with(front)),
            "{name} is in no list of operators"
        );
    }
}
