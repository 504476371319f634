use proptest::prelude::*;

use super::marks::Sides;
use super::{has_marks, merge, mode, places, resolve_conflicts};

const BASE: &[u8] = b"one\ntwo\nthree\nfour\nfive\n";

fn merged(yours: &[u8], port: &[u8]) -> (String, usize) {
    let merged = merge(BASE, yours, port, Sides::Both);
    let text = String::from_utf8(merged.text).expect("text");
    (text, merged.conflicts)
}

#[test]
fn what_one_side_changed_is_taken_from_it() {
    let yours = b"ONE\ntwo\nthree\nfour\nfive\n";
    let port = b"one\ntwo\nthree\nfour\nFIVE\nsix\n";
    let both = "ONE\ntwo\nthree\nfour\nFIVE\nsix\n".to_owned();
    assert_eq!(merged(yours, port), (both, 0));
}

#[test]
fn what_both_changed_is_marked_and_can_be_decided() {
    let yours = b"one\ntwo\nmine\nfour\nfive\n";
    let port = b"one\ntwo\ntheirs\nfour\nfive\n";
    let (text, conflicts) = merged(yours, port);
    assert_eq!(
        text,
        "one\ntwo\n<<<<<<< yours\nmine\n||||||| last port\nthree\n=======\ntheirs\n\
         >>>>>>> new port\nfour\nfive\n"
    );
    assert_eq!((conflicts, places(text.as_bytes())), (1, vec![8]));
    assert!(has_marks(text.as_bytes()));
    for (sides, expected) in [(Sides::Yours, &yours[..]), (Sides::Port, &port[..])] {
        assert_eq!(
            resolve_conflicts(text.as_bytes(), sides).as_deref(),
            Some(expected)
        );
        assert_eq!(merge(BASE, yours, port, sides).text, expected);
    }
    // Half of the marks are gone: only a person knows what is meant.
    let half = text.replace("||||||| last port\nthree\n", "");
    assert_eq!(resolve_conflicts(half.as_bytes(), Sides::Yours), None);
    assert!(has_marks(half.as_bytes()));
}

#[test]
fn other_line_ends_are_no_change_of_the_lines() {
    let crlf = |text: &[u8]| String::from_utf8_lossy(text).replace('\n', "\r\n");
    let port = b"one\ntwo\nthree\nfour\nFIVE\n";
    let yours = crlf(b"ONE\ntwo\nthree\nfour\nfive\n");
    let expected = (crlf(b"ONE\ntwo\nthree\nfour\nFIVE\n"), 0);
    assert_eq!(merged(yours.as_bytes(), port), expected);
    // A mark is a line of the file.
    let port = b"uno\ntwo\nthree\nfour\nfive\n";
    let (text, conflicts) = merged(yours.as_bytes(), port);
    assert_eq!(conflicts, 1);
    assert!(text.starts_with("<<<<<<< yours\r\nONE\r\n"), "{text:?}");
    assert!(has_marks(text.as_bytes()));
}

#[test]
fn the_end_of_the_last_line_is_a_change_of_its_own() {
    let open = |text: &str| text.strip_suffix('\n').expect("closed").to_owned();
    let yours = open("one\ntwo\nthree\nfour\nfive\n");
    let port = "ONE\ntwo\nthree\nfour\nfive\n";
    assert_eq!(merged(yours.as_bytes(), port.as_bytes()), (open(port), 0));
    let (text, conflicts) = merged(
        b"one\ntwo\nthree\nfour\nmine",
        b"one\ntwo\nthree\nfour\nport",
    );
    assert_eq!(conflicts, 1);
    assert!(
        text.ends_with("=======\nport\n>>>>>>> new port\n"),
        "{text}"
    );
}

#[test]
fn marks_of_others_are_text() {
    let git = b"one\n<<<<<<< HEAD\n=======\n>>>>>>> x\ntwo\nthree\nfour\nfive\n";
    let (text, conflicts) = merged(git, b"one\ntwo\nthree\nfour\nFIVE\n");
    assert_eq!(conflicts, 0);
    assert!(text.starts_with("one\n<<<<<<< HEAD\n") && !has_marks(text.as_bytes()));
}

#[test]
fn each_bit_of_a_mode_is_the_side_s_that_changed_it() {
    assert_eq!(mode(Some(0o644), Some(0o755), Some(0o644)), Some(0o755));
    assert_eq!(mode(Some(0o644), Some(0o644), Some(0o755)), Some(0o755));
    assert_eq!(mode(Some(0o755), Some(0o775), Some(0o644)), Some(0o664));
    assert_eq!(mode(None, Some(0o600), Some(0o644)), Some(0o644));
}

/// A text of few different lines, so that they meet.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let line = prop::sample::select(vec![
        "a\n",
        "b\n",
        "c\n",
        "d\r\n",
        "\n",
        "}\n",
        "=======\n",
        "e",
    ]);
    prop::collection::vec(line, 0..14).prop_map(|lines| lines.concat().into_bytes())
}

proptest! {
    #[test]
    fn a_side_that_changed_nothing_gives_way(base in text(), other in text()) {
        prop_assert_eq!(&merge(&base, &base, &other, Sides::Both).text, &other);
        prop_assert_eq!(&merge(&base, &other, &base, Sides::Both).text, &other);
        prop_assert_eq!(&merge(&base, &other, &other, Sides::Both).text, &other);
    }

    #[test]
    fn a_merge_ends_and_its_conflicts_can_be_decided(base in text(), yours in text(), port in text()) {
        let marked = merge(&base, &yours, &port, Sides::Both);
        prop_assert_eq!(marked.conflicts > 0, has_marks(&marked.text));
        prop_assert_eq!(marked.conflicts, places(&marked.text).len());
        for sides in [Sides::Yours, Sides::Port] {
            let decided = merge(&base, &yours, &port, sides);
            prop_assert!(!has_marks(&decided.text));
        }
    }
}
