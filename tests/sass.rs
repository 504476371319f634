//! The proofs of `mappings/ptx.toml`: the machine code that NVIDIA's compiler makes of instructions and of their C++.

use crate::sass_check;

fn table() -> String {
    std::fs::read_to_string(sass_check::path()).expect("the table")
}

#[test]
#[ignore = "a download of 108 MB and minutes"]
fn each_proof_of_the_table_holds() {
    let checked = sass_check::run(&sass_check::default_cache())
        .unwrap_or_else(|error| panic!("the check can't be made: {error:#}"));
    let faults = sass_check::faults(&table(), &checked).expect("the table that was checked");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let proved = checked.iter().filter(|row| row.is_proved());
    assert!(proved.count() > 0, "nothing is proved");
}

#[test]
fn a_proof_that_is_not_made_is_named_with_its_line_and_taken_back() {
    // As if there were no statement for any row.
    let checked = sass_check::checked(&[], Vec::new());
    let text = table();
    let claims = text.matches("\nproof = \"sass\"\n").count();
    let faults = sass_check::faults(&text, &checked).expect("the table");
    assert_eq!(faults.len(), claims);
    for fault in faults {
        let line = fault.split(':').nth(1).and_then(|line| line.parse().ok());
        let line: usize = line.expect("a line");
        let of_row = text
            .lines()
            .skip(line - 1)
            .take_while(|line| !line.is_empty());
        let of_row: Vec<&str> = of_row.collect();
        assert_eq!(of_row.first(), Some(&"[[instruction]]"), "{fault}");
        assert_eq!(of_row.last(), Some(&"proof = \"sass\""), "{fault}");
    }
    let without = sass_check::with_proofs(&text, &checked).expect("the table");
    assert_eq!(without, text.replace("\nproof = \"sass\"\n", "\n"));
}
