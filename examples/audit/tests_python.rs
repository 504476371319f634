//! A planted fault for each measure of Python.

use serde_json::json;

use crate::measure::Measure;
use crate::tests::Case;

fn of(before: &str, after: &str, measure: Measure) -> usize {
    let case = Case::new(&[("a.py", before)], &[("a.py", after)]);
    case.tally().of(measure)
}

#[test]
fn a_good_port_of_python_has_no_faults() {
    let before =
        "\"\"\"About cuda.\"\"\"\nimport torch\nx = torch.ones(1, device='cuda')  # cuda\n";
    let after = "\"\"\"About cuda.\"\"\"\nimport torchada\nimport torch\nx = torch.ones(1, device='musa')  # cuda\n";
    let case = Case::new(&[("a.py", before)], &[("a.py", after)]);
    assert_eq!(case.faults(), []);
    assert_eq!(case.tally().of(Measure::PythonLeft), 0);
}

#[test]
fn what_python_says_to_people_may_not_change() {
    let comments = of(
        "x = 1  # cuda\n",
        "x = 1  # musa\n",
        Measure::PythonComments,
    );
    assert_eq!(comments, 1);
    for (before, after) in [
        ("def f():\n    'cuda'\n", "def f():\n    'musa'\n"),
        (
            "raise E('this needs a cuda device')\n",
            "raise E('this needs a musa device')\n",
        ),
        (
            "raise E(f'no cuda runtime was found on {x}')\n",
            "raise E(f'no musa runtime was found on {x}')\n",
        ),
    ] {
        assert_eq!(of(before, after, Measure::PythonProse), 1, "in {before}");
    }
    let name = of("f('cuda:0')\n", "f('musa:0')\n", Measure::PythonProse);
    assert_eq!(name, 0);
}

#[test]
fn white_space_may_not_change() {
    let measure = Measure::PythonOutside;
    assert_eq!(of("f(a,  b)\n", "f(a, b)\n", measure), 1);
    assert_eq!(of("x = 1\r\ny = 2\r\n", "x = 1\ny = 2\n", measure), 1);
    assert_eq!(of("f(a,  'cuda')\n", "f(a,  'musa')\n", measure), 0);
}

#[test]
fn a_file_that_no_longer_compiles_is_counted() {
    let case = |before: &str, after: &str| {
        let case = Case::new(&[("a.py", before)], &[("a.py", after)]);
        let tally = case.tally();
        let made = !tally.not_made.contains(&Measure::PythonBroken);
        (tally.of(Measure::PythonBroken), made)
    };
    // Where there is no Python, the measure says that it was not made.
    for (before, after, count) in [("f(1)\n", "f(1\n", 1), ("f(1\n", "f(2\n", 0)] {
        let (found, made) = case(before, after);
        assert!(!made || found == count, "in {after}");
    }
}

#[test]
fn a_reference_left_in_silence_is_counted() {
    let text = "x.cuda()\nos.environ['CUDA_HOME']\nmy_cuda = 'a cuda kernel'\n";
    let case = Case::new(&[("a.py", text)], &[("a.py", text)]);
    assert_eq!(case.tally().of(Measure::PythonLeft), 2);
    let place = |line: usize, column: usize, end: usize| {
        json!({ "code": "PY016", "path": "a.py", "line": line, "column": column,
                "end_line": line, "end_column": end })
    };
    let report = json!({ "findings": [place(1, 3, 7), place(2, 12, 23)] });
    let case = case.state("report.json", &report);
    assert_eq!(case.tally().of(Measure::PythonLeft), 0);
    assert_eq!(case.tally().of(Measure::PythonReported), 2);
}
