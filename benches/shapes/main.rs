//! How the cost of a run grows with the size of its input: `cargo bench --bench shapes [-- OPTIONS NAME…]`, where a NAME
//! is a part of a shape's name.
//!
//! Each shape is one thing repeated until a run takes half a second of processor time (`--seconds=S`), or until the
//! limits of `mappings/files.toml` are reached. The exponent is the slope of the time over the last three sizes, on
//! logarithmic scales: 1 is linear, 2 is quadratic. The exit code is 1 if one is above 1.2 or a run did not end.
//! `--write=DIR` keeps the last input of each shape, to be profiled. `TORCHADA_BENCH_PROGRAM` names another program to
//! measure, such as an older build.

mod build;
mod cpp;
mod directives;
mod measure;
mod python;
mod shape;
mod trees;

use std::path::PathBuf;
use std::process::ExitCode;

use measure::{Bench, Growth};
use shape::Shape;

/// What still counts as linear: sorting, caches and page faults take a share.
const MOST: f64 = 1.2;

/// Below this many seconds the noise is larger than the growth.
const LEAST_SECONDS: f64 = 0.05;

#[expect(clippy::print_stdout, reason = "a bench says what it measured")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seconds = arguments
        .iter()
        .find_map(|one| one.strip_prefix("--seconds=")?.parse().ok())
        .unwrap_or(0.5);
    let write = arguments
        .iter()
        .find_map(|one| one.strip_prefix("--write="));
    let names: Vec<&String> = arguments
        .iter()
        .filter(|one| !one.starts_with('-'))
        .collect();
    let all = [
        cpp::ALL,
        directives::ALL,
        python::ALL,
        build::ALL,
        trees::ALL,
    ];
    let shapes: Vec<&Shape> = all
        .into_iter()
        .flatten()
        .filter(|shape| names.is_empty() || names.iter().any(|name| shape.name.contains(*name)))
        .collect();
    let bench = Bench::new(seconds, write.map(PathBuf::from));
    println!("| shape | command | kB | s at a quarter | s at a half | s | exponent | left |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut failed = Vec::new();
    for shape in &shapes {
        for command in ["check", "port"] {
            let growth = bench.growth(shape, command);
            let exponent = exponent(&growth);
            println!("{}", row(shape.name, command, &growth, exponent));
            if growth.stopped || exponent.is_some_and(|exponent| exponent > MOST) {
                failed.push(format!("{} ({command})", shape.name));
            }
        }
    }
    if failed.is_empty() {
        println!("\n{} shapes, none above {MOST}", shapes.len());
        return ExitCode::SUCCESS;
    }
    println!(
        "\n{} shapes, above {MOST}: {}",
        shapes.len(),
        failed.join(", ")
    );
    ExitCode::FAILURE
}

/// The smaller slope of the last two doublings, where they take long enough to stand out from noise. Input that grows
/// past the point where another reader takes over has one steep doubling; what is not linear has none that is flat.
fn exponent(growth: &Growth) -> Option<f64> {
    let [first, second, last] = growth.sizes;
    (second.seconds >= LEAST_SECONDS).then(|| second.slope(last).min(first.slope(second)))
}

fn row(name: &str, command: &str, growth: &Growth, exponent: Option<f64>) -> String {
    let [first, second, last] = growth.sizes;
    let exponent = exponent.map_or_else(|| "-".to_owned(), |exponent| format!("{exponent:.2}"));
    let ended = if growth.stopped { ", did not end" } else { "" };
    format!(
        "| {name} | {command} | {:.0} | {:.2} | {:.2} | {:.2}{ended} | {exponent} | {} |",
        last.bytes / 1000.0,
        first.seconds,
        second.seconds,
        last.seconds,
        growth.left.as_deref().unwrap_or_default(),
    )
}
