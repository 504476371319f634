//! `torchada report`: a page that is opened, sorted and searched in a real browser.

use std::fs;
use std::path::Path;

use crate::common::browser::{chromium, results};
use crate::common::passed::Suite;
use crate::common::program::{text, torchada, torchada_with};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A path, a name and a line that would do harm in a page that does not escape them.
const HARM: &str = "<img src=x onerror=window.harm=1>";

/// A project whose every word tries to get out of where it is quoted.
fn hostile() -> TempDir {
    let place = TempDir::new().expect("a temporary folder");
    let folder = place.path().join(format!("p/{HARM}'\"&amp;<"));
    let folder = folder.join("script><script>window.harm=2<");
    fs::create_dir_all(&folder).expect("made");
    let harm = format!(
        "// </script><script>window.harm=3</script></title></textarea>-->]]>\u{2028}\u{1b}[31m\u{1}&lt;{HARM}"
    );
    let lines: Vec<String> = (0..150)
        .map(|at| format!("    cudaMadeUp{at:03}(0); {harm}"))
        .collect();
    let lines = lines.join("\n");
    let code = format!(
        "#include <cuda_runtime.h>\nint a = CUDART_VERSION; {harm}\nint b = 7 + CUDART_VERSION;\n\
         void f() {{\n    cudaMalloc(0, 1);\n{lines}\n}}\n"
    );
    fs::write(folder.join("k.cu"), code).expect("written");
    fs::write(
        place.path().join("p/plain.cu"),
        format!(
            "__device__ int f(int x) {{ asm(\"not.b32 %0, %0; // {HARM}\" : \"+r\"(x)); return __ballot_sync(~0u, x); }}\n\
             void g() {{ nvmlInit(); }}\n"
        ),
    )
    .expect("written");
    place
}

/// Run the program in a place, where it is to succeed.
fn run(place: &TempDir, arguments: &[&str]) -> Vec<u8> {
    let output = torchada(place.path(), arguments);
    assert_ne!(output.status.code(), Some(2), "{}", text(&output.stderr));
    output.stdout
}

/// Check what comes of some steps in a browser, unless the check passed with the same page.
fn browse(place: &TempDir, steps: &[Value], check: impl Fn(&[Value])) {
    let own = place.path().to_str().expect("UTF-8");
    let input = serde_json::to_string(steps).expect("JSON");
    let page = fs::read_to_string(place.path().join("page.html")).expect("a page");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let suite = Suite::new("page")
        .with_version(chromium())
        .with_files(&tests.join("browser"))
        .with_files(&tests.join("common/browser.rs"))
        .with_files(&tests.join("page.rs"))
        .with(&input.replace(own, ""))
        .with(&page.replace(own, ""));
    suite.run(|| check(&results(&input)));
}

fn open(place: &TempDir, width: u32) -> Value {
    let page = place.path().join("page.html");
    json!({"open": page.to_str().expect("UTF-8"), "width": width})
}

fn eval(expression: &str) -> Value {
    json!({ "eval": expression })
}

/// The last result.
fn last(results: &[Value]) -> &Value {
    results.last().expect("a result")
}

/// The page of a hostile project.
fn page() -> TempDir {
    let place = hostile();
    run(&place, &["port", "p", "-o", "q", "--quiet"]);
    run(&place, &["report", "q", "-o", "page.html"]);
    place
}

const SHOWN: &str = "[...document.querySelectorAll('#table tbody tr')].filter(row => row.offsetParent !== null).length";

#[test]
fn what_is_quoted_stays_text() {
    let place = page();
    let steps = [
        open(&place, 1200),
        eval("window.harm ?? 'none'"),
        eval("document.images.length + document.scripts.length"),
        eval(
            "document.querySelector('#table').textContent.includes('<img src=x onerror=window.harm=1>')",
        ),
        eval(
            "document.querySelector('#table pre').textContent.includes('</script><script>window.harm=3</script>')",
        ),
        eval(
            "document.querySelector('#table pre').textContent.includes('-->]]>\\u2028\\x1b[31m\\x01&lt;<img')",
        ),
        eval(
            "[...document.querySelectorAll('details.findings pre')].filter(one => one.textContent.includes('<img src=x')).length",
        ),
        eval("document.querySelector('mark').textContent"),
    ];
    browse(&place, &steps, |results| {
        assert_eq!(
            results[1..7],
            [
                json!("none"),
                json!(2),
                json!(true),
                json!(true),
                json!(true),
                json!(2)
            ]
        );
        assert_eq!(results[7], "CUDART_VERSION");
    });
}

#[test]
fn the_table_is_searched_and_filtered() {
    let place = page();
    let all = format!("[{SHOWN}, document.querySelector('#shown').textContent]");
    let steps = [
        open(&place, 1200),
        eval(&all),
        eval("document.getElementById('q').focus()"),
        json!({"type": "made 007"}),
        eval("new Promise(done => setTimeout(done, 200))"),
        eval(&all),
        eval("document.getElementById('q').value = ''"),
        eval("document.querySelector('.tools input[value=error]').click()"),
        eval(
            "[...document.querySelectorAll('#table tbody tr')].filter(row => row.offsetParent !== null).every(row => row.dataset.v !== 'error')",
        ),
        eval("document.querySelector('.tools input[value=error]').click()"),
        eval("document.querySelector('#h-rules').parentElement.querySelector('a.filter').click()"),
        eval(&all),
    ];
    browse(&place, &steps, |results| {
        assert_eq!(results[1][0], 100);
        assert_eq!(results[5], json!([1, "1 finding"]));
        assert_eq!(results[8], true);
        // Both places of the version are one row.
        assert_eq!(last(results), &json!([1, "2 findings in 1 row"]));
    });
}

/// A folder finds what is right in it, and a file itself: not whatever speaks of their names.
#[test]
fn a_folder_and_a_file_find_their_own() {
    let place = TempDir::new().expect("a temporary folder");
    let code = "int v = CUDART_VERSION;\n";
    for path in [
        "p/core/k.cu",
        "p/core/sub/k.cu",
        "p/core2/core k.cu",
        "p/other/core.cu",
    ] {
        let path = place.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, code).expect("written");
    }
    let json = run(&place, &["check", "p", "--format", "json"]);
    fs::write(place.path().join("p.json"), json).expect("written");
    run(&place, &["report", "p.json", "-o", "page.html"]);
    let shown = "document.querySelector('#shown').textContent";
    let search = |text: &str| {
        format!(
            "(q => {{ q.value = '{text}'; q.dispatchEvent(new Event('input')); \
             return new Promise(done => setTimeout(() => done({shown}), 200)); }})(document.getElementById('q'))"
        )
    };
    let steps = [
        open(&place, 1200),
        eval(&search("in:p/core/")),
        eval(&search("in:p/core/*")),
        eval(&search("in:p/core")),
        eval(&search("in:p/core2/core%20k.cu")),
        eval(
            "[...document.querySelectorAll('#files a')].find(one => one.textContent.includes('core k')).click()",
        ),
        eval("document.getElementById('q').value + ' ' + decodeURIComponent(location.hash)"),
        eval(shown),
    ];
    browse(&place, &steps, |results| {
        assert_eq!(results[1], "2 findings");
        assert_eq!(results[2], "1 finding");
        assert_eq!(results[3], "2 findings");
        assert_eq!(results[4], "1 finding");
        assert_eq!(
            results[6],
            "in:p/core2/core%20k.cu #q=in:p/core2/core%20k.cu"
        );
        assert_eq!(last(results), "1 finding");
    });
}

/// A cause leads to its findings, what is filtered stands in the address, and the tab key stops once at a long table.
#[test]
fn a_cause_leads_to_its_findings() {
    let place = page();
    let link = "document.querySelector('#h-causes').parentElement.querySelector('a.filter')";
    let steps = [
        open(&place, 1200),
        eval(&format!("Number({link}.textContent)")),
        eval(&format!("{link}.click()")),
        eval("document.querySelector('.tools input[value=note]').click()"),
        eval("[location.hash, parseInt(document.querySelector('#shown').textContent)]"),
        json!({"reload": true}),
        eval(
            "[document.querySelector('#q').value, document.querySelector('.tools input[value=note]').checked]",
        ),
        eval(
            "Math.max(...[...document.querySelectorAll('.tall table')].map(one => [...one.querySelectorAll('tbody a')].filter(link => link.tabIndex >= 0).length))",
        ),
    ];
    browse(&place, &steps, |results| {
        assert_eq!(
            results[4],
            json!(["#q=cause%3A1&show=error+warning", results[1]])
        );
        assert_eq!(results[6], json!(["cause:1", false]));
        assert_eq!(last(results), &json!(1));
    });
}

#[test]
fn the_port_stands_beside_the_original() {
    let place = page();
    let steps = [
        open(&place, 1200),
        eval("[...document.querySelectorAll('.sides del')].map(one => one.textContent).join()"),
        eval("[...document.querySelectorAll('.sides ins')].map(one => one.textContent).join()"),
        eval(
            "[...document.querySelectorAll('.sides tr')].find(row => row.textContent.includes('cudaMalloc')).textContent",
        ),
    ];
    browse(&place, &steps, |results| {
        let of = |at: usize| results[at].as_str().expect("text").to_owned();
        assert!(
            of(1).contains("cuda_runtime") && of(1).contains("cudaMalloc"),
            "{}",
            of(1)
        );
        assert!(
            of(2).contains("musa_runtime") && of(2).contains("musaMalloc"),
            "{}",
            of(2)
        );
        assert_eq!(of(3), "5    cudaMalloc(0, 1);5    musaMalloc(0, 1);");
    });
}

#[test]
fn a_column_is_sorted_by_the_keyboard() {
    let place = page();
    let first = "document.querySelector('#files tbody tr').cells[0].textContent";
    let head = "document.querySelectorAll('#files th')[0]";
    let steps = [
        open(&place, 1200),
        eval(&format!("{head}.querySelector('button').focus()")),
        json!({"key": "Enter"}),
        eval(first),
        eval(&format!("{head}.ariaSort")),
        json!({"key": "Enter"}),
        eval(first),
        eval(&format!("{head}.ariaSort")),
    ];
    browse(&place, &steps, |results| {
        assert_eq!(results[4], "ascending");
        assert_eq!(results[7], "descending");
        assert_ne!(results[3], results[6]);
        assert!(
            [&results[3], &results[6]].contains(&&json!("plain.cu")),
            "{results:?}"
        );
    });
}

#[test]
fn it_fits_a_phone_and_the_dark() {
    let place = page();
    let colours = "getComputedStyle(document.body).backgroundColor";
    let fits = "document.documentElement.scrollWidth <= innerWidth && innerWidth";
    let mut dark = open(&place, 360);
    dark["dark"] = json!(true);
    let steps = [
        open(&place, 1200),
        eval(colours),
        eval(fits),
        dark,
        eval(colours),
        eval(fits),
    ];
    browse(&place, &steps, |results| {
        assert_eq!(results[1], "rgb(255, 255, 255)");
        assert_eq!(results[2], 1200);
        assert_eq!(results[4], "rgb(20, 24, 27)");
        assert_eq!(results[5], 360);
    });
}

#[test]
fn without_scripts_it_is_plain_tables() {
    let place = page();
    let mut plain = open(&place, 1000);
    plain["script"] = json!(false);
    let steps = [
        plain,
        // Asked from outside of the page's own scripts.
        eval(SHOWN),
        eval("document.querySelectorAll('#table tbody tr').length"),
        eval("document.querySelector('#q').offsetParent === null"),
    ];
    browse(&place, &steps, |results| {
        assert_eq!(results[1], results[2]);
        assert!(results[2].as_u64() > Some(100), "{results:?}");
        assert_eq!(results[3], true);
    });
}

#[test]
fn a_big_table_is_shown_in_parts() {
    let place = page();
    let steps = [
        open(&place, 1200),
        eval(SHOWN),
        eval("document.getElementById('more').click()"),
        eval(SHOWN),
    ];
    browse(&place, &steps, |results| {
        assert_eq!(results[1], 100);
        assert!(results[3].as_u64() > Some(100), "{results:?}");
    });
}

#[test]
fn the_trend_says_what_is_new_and_what_is_gone() {
    let place = TempDir::new().expect("a temporary folder");
    fs::create_dir(place.path().join("p")).expect("made");
    let write = |code: &str| fs::write(place.path().join("p/k.cu"), code).expect("written");
    let report = |name: &str| {
        let json = run(&place, &["check", "p", "--format", "json"]);
        fs::write(place.path().join(name), json).expect("written");
    };
    write("void f() { nvmlInit(); }\nint a = CUDART_VERSION;\n");
    report("old.json");
    // Lines move, one finding goes, one comes.
    write("// a line more\nvoid f() { nvmlInit(); }\nvoid g() { nvmlShutdown(); }\n");
    report("new.json");
    run(
        &place,
        &[
            "report",
            "new.json",
            "--since",
            "old.json",
            "-o",
            "page.html",
        ],
    );
    let steps = [
        open(&place, 1000),
        eval("document.querySelector('.trend').textContent"),
        eval(
            "[...document.querySelectorAll('#table tr[data-new]')].map(row => row.textContent).join()",
        ),
        eval("document.querySelector('details').textContent"),
    ];
    browse(&place, &steps, |results| {
        assert_eq!(results[1], "1 new 1 gone 1 the same");
        assert!(
            results[2]
                .as_str()
                .is_some_and(|row| row.contains("nvmlShutdown")),
            "{results:?}"
        );
        assert!(
            last(results)
                .as_str()
                .is_some_and(|row| row.contains("CUDART_VERSION")),
            "{results:?}"
        );
    });
}

#[test]
fn a_page_takes_the_place_of_pages_only() {
    let place = page();
    let again = torchada(place.path(), &["report", "q", "-o", "page.html"]);
    assert!(again.status.success(), "{}", text(&again.stderr));
    fs::write(place.path().join("mine.html"), "<p>mine</p>").expect("written");
    let refused = torchada(place.path(), &["report", "q", "-o", "mine.html"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("no page of `report`'s"));
}

#[test]
fn a_report_comes_through_standard_input() {
    let place = page();
    let report = fs::read_to_string(place.path().join("q/.torchada/report.json")).expect("there");
    let piped = torchada_with(place.path(), &["report", "-"], &report);
    assert!(piped.status.success(), "{}", text(&piped.stderr));
    assert!(text(&piped.stdout).contains("<html"));
}

#[test]
fn what_is_no_report_is_refused() {
    let place = TempDir::new().expect("a temporary folder");
    fs::write(place.path().join("a.json"), "{\"schema_version\": 1}").expect("written");
    for (name, part) in [("a.json", "it is no report"), ("b.json", "can't read")] {
        let output = torchada(place.path(), &["report", name]);
        assert_eq!(output.status.code(), Some(2));
        let printed = text(&output.stderr);
        assert!(
            printed.contains(part) && printed.contains("torchada port"),
            "{printed}"
        );
    }
}
