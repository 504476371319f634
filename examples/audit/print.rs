//! The audit's three forms.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::measure::{Example, Measure, Tally};

/// For people: a line for each measure, with up to `examples` places.
pub(crate) fn text(project: &str, tally: &Tally, examples: usize) -> String {
    let mut out = format!(
        "{project}: {} files, {} kLOC, {} CUDA references, {:.2} % translated\n",
        tally.files,
        tally.lines / 1000,
        tally.references,
        tally.share()
    );
    for measure in Measure::ALL {
        let goal = match (measure.must_be_zero(), tally.of(measure)) {
            (true, 0) if tally.not_made.contains(&measure) => "-",
            (true, 0) => "ok",
            (true, _) => "FAULT",
            (false, _) => "",
        };
        // Writing to a string can't fail.
        let _ = writeln!(
            out,
            "{:>8}  {:<5}  {}",
            tally.of(measure),
            goal,
            measure.title()
        );
        for place in shown(tally, measure, examples) {
            let _ = writeln!(out, "                 {}", place_line(place));
        }
    }
    for (title, reasons) in [
        ("references left", &tally.reasons),
        ("confirmed ones among them", &tally.confirmed),
    ] {
        let parts: Vec<String> = reasons
            .iter()
            .map(|(reason, count)| format!("{reason} {count}"))
            .collect();
        let list = if parts.is_empty() {
            "none".to_owned()
        } else {
            parts.join(", ")
        };
        let _ = writeln!(out, "{title}, by what the report has about them: {list}");
    }
    out
}

/// For programs.
pub(crate) fn json(project: &str, tally: &Tally, examples: usize) -> Value {
    let measures: Vec<Value> = Measure::ALL
        .into_iter()
        .map(|measure| {
            json!({
                "measure": measure,
                "title": measure.title(),
                "count": (!tally.not_made.contains(&measure)).then(|| tally.of(measure)),
                "must_be_zero": measure.must_be_zero(),
                "examples": shown(tally, measure, examples).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "project": project,
        "files": tally.files,
        "lines": tally.lines,
        "references": tally.references,
        "translated": tally.translated,
        "left": tally.reasons,
        "confirmed_left": tally.confirmed,
        "clean": tally.is_clean(),
        "measures": measures,
    })
}

/// The columns of [`row`].
pub(crate) const HEAD: &str = "\
| project | files/kLOC | references | left: reported/silent | confirmed left | own renamed | comments/strings | includes | asm | syntax | withdrawn | second port | outside | translated |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|";

/// For documents: one row of a table.
pub(crate) fn row(project: &str, tally: &Tally) -> String {
    let of = |measure| tally.of(measure);
    let made = |measure| {
        if tally.not_made.contains(&measure) {
            "-".to_owned()
        } else {
            of(measure).to_string()
        }
    };
    let silent = of(Measure::Left) + of(Measure::HeadersLeft);
    let reported = tally.references - tally.translated - silent;
    format!(
        "| {project} | {}/{} | {} | {reported}/{silent} | {} | {} | {}/{} | {} | {} | {} | {} | {} | {} | {:.1} % |",
        tally.files,
        tally.lines / 1000,
        tally.references,
        of(Measure::ConfirmedLeft),
        of(Measure::OwnRenamed),
        of(Measure::Comments),
        of(Measure::Strings),
        of(Measure::Includes),
        of(Measure::Assembly),
        made(Measure::SyntaxErrors),
        of(Measure::Withdrawn),
        made(Measure::SecondPort),
        of(Measure::Outside),
        tally.share()
    )
}

fn shown(tally: &Tally, measure: Measure, examples: usize) -> impl Iterator<Item = &Example> {
    let places = tally.places.get(&measure).map_or(&[][..], Vec::as_slice);
    places.iter().take(examples)
}

fn place_line(place: &Example) -> String {
    if place.line == 0 {
        format!("{}: {}", place.path, place.text)
    } else {
        format!(
            "{}:{}:{}: {}",
            place.path, place.line, place.column, place.text
        )
    }
}
