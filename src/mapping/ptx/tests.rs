//! Faults of the table name the line of the row to blame.

use super::{Ptx, TEXT};

/// The fault that the check of the table reports with one text in place of another, and the line of a row in it.
fn fault(from: &str, to: &str, row: &str) -> (String, usize) {
    assert!(TEXT.contains(from), "{from}");
    let text = TEXT.replacen(from, to, 1);
    let before = text.find(row).and_then(|at| text.get(..at));
    let line = before.map(|before| before.matches('\n').count() + 1);
    let document = toml::from_str(&text).expect("a table");
    let fault = Ptx::checked(document, &text).expect_err("a faulty table");
    (fault.to_string(), line.expect("the row is there"))
}

#[test]
fn a_fault_names_the_line_of_its_row() {
    let form = "forms = [\"brev.{b32|b64}\"]";
    for (to, what) in [
        (
            "forms = [\"brev.b32\", \"popc.b32\"]",
            "`popc.b32` stands in two rows",
        ),
        ("forms = [\"brev.{b32\"]", "`brev.{b32` has no `}`"),
        (
            "forms = [\"brev.b32\"]\nnone = \"x\"",
            "`brev.b32` needs exactly one of cpp, by, nothing, none",
        ),
    ] {
        // The heading of the row stands on the line before its forms.
        let (fault, line) = fault(form, to, to);
        assert_eq!(fault, format!("mappings/ptx.toml:{}: {what}", line - 1));
    }
}

#[test]
fn a_fault_names_the_line_of_its_function() {
    let row = "[intrinsic.__reduce_max_sync]";
    let (fault, line) = fault("helper = \"reduce_max\"", "helper = \"reduce_maxx\"", row);
    let what = "`__reduce_max_sync` becomes `reduce_maxx`, which is not there";
    assert_eq!(fault, format!("mappings/ptx.toml:{line}: {what}"));
}
