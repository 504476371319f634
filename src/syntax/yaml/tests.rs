use super::*;

/// Each node as a line: the key around, the key, how the text is written, the text.
fn shown(text: &str) -> Vec<String> {
    let of = |range: TextRange| String::from_utf8_lossy(range.of(text.as_bytes())).into_owned();
    let name = |key: Option<TextRange>| key.map_or("-".to_owned(), of);
    let found = nodes(text.as_bytes(), TextRange::new(0, text.len())).into_iter();
    found
        .map(|one| {
            let (parent, key, value) = (name(one.parent), name(one.key), of(one.value));
            let item = if one.is_item { "*" } else { "" };
            format!("{parent} {key}{item} {:?} {value}", one.form)
        })
        .collect()
}

#[test]
fn each_text_has_its_nearest_key() {
    let text = "a: x # no: y\nb:\n  - 'c: d'\n  - e: {f: g, h: [i, \"j,k\"]}\n    l: m:n\ns: !!str t\nu:\n- v\n- w\n\"x y\": &z ''\n<<: *z\n- *z # no\n";
    assert_eq!(
        shown(text),
        [
            "- a Plain x",
            "- b Open ",
            "- b* Quoted c: d",
            "e f Plain g",
            "e h* Plain i",
            "e h* Quoted j,k",
            "b l Plain m:n",
            "- s Plain t",
            "- u Open ",
            "- u* Plain v",
            "- u* Plain w",
            "- x y Quoted ",
        ]
    );
}

#[test]
fn a_text_may_have_several_lines() {
    let text = "a: |\n  b: c\n\n  # d\ne:\n  - >-\n    f\n  - g\n    h\ni: 'j\n  k' # l\nm: >=1\nn:\n  o\n";
    assert_eq!(
        shown(text),
        [
            "- a Block   b: c\n\n  # d",
            "- e Open ",
            "- e* Block     f",
            "- e* Plain g\n    h",
            "- i Quoted j\n  k",
            "- m Plain >=1",
            "- n Open ",
            "- n* Plain o",
        ]
    );
}

#[test]
fn json_is_yaml() {
    let text = "{\n  \"a\": \"x\\\"\",\n  \"b\":{\"c\": [\"y\", 1, {\"d\" : \"z\"}], \"e\":null},\n  \"f\":\n    \"w\"\n}\n";
    assert_eq!(
        shown(text),
        [
            "- a Quoted x\\\"",
            "b c* Quoted y",
            "b c* Plain 1",
            "c d Quoted z",
            "b e Plain null",
            "- f Quoted w",
        ]
    );
}

#[test]
fn a_template_is_text() {
    let text = "{% set v = \"1: 2\" %}\na: {{ v }}-x\nb: ${{ m['c: d'] }} # e\nf: [g, ${{ m.h }}, {{ i }}]\nj:\n  - {{ compiler('cuda') }}  # [linux]\n{% if x %}\n  - k {{ v }}\n{% endif %}\nl: m\n";
    assert_eq!(
        shown(text),
        [
            "- -* Plain {% set v = \"1: 2\" %}",
            "- a Plain {{ v }}-x",
            "- b Plain ${{ m['c: d'] }}",
            "- f* Plain g",
            "- f* Plain ${{ m.h }}",
            "- f* Plain {{ i }}",
            "- j Open ",
            "- j* Plain {{ compiler('cuda') }}",
            "- j* Plain {% if x %}",
            "- j* Plain k {{ v }}",
            "- j* Plain {% endif %}",
            "- l Plain m",
        ]
    );
}

#[test]
fn what_is_broken_ends_with_its_line() {
    assert_eq!(
        shown("a: \"x\nb: 'y' z\nc: [d, {e: f\ng: h\n  i: }\nj: k\n"),
        [
            "- a Plain \"x",
            "- b Plain 'y' z",
            "- c* Plain d",
            "c e Plain f",
            "- g Plain h",
            "g i Plain }",
            "- j Plain k",
        ]
    );
    // Far more brackets, dashes and quotes than anybody writes.
    for part in ["[", "{a: ", "- ", "\"\\\"", "a: '", "{{", "a:\n ", "&a "] {
        shown(&part.repeat(20_000));
    }
}
