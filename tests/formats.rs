//! `torchada check --format …`: what pipelines and hosts of code are given.

use std::collections::BTreeSet;

use crate::common::program::{text, torchada};
use crate::common::trees::write_tree;
use clap::ValueEnum;
use serde_json::Value;
use torchada::cli::Format;

/// An error and a note, in a file whose name has all that has to be escaped, and a finding that a comment hides.
const NAME: &str = "a, b/100%:1.cu";
const KERNEL: &str = "\
#include <cublasXt.h>
int version = CUDART_VERSION;
int other = CUDART_VERSION;  // torchada: ignore[CPP056]
";

fn checked(format: &str, kernel: &str) -> String {
    let place = write_tree(&[(NAME, kernel)]);
    let output = torchada(place.path(), &["check", ".", "--format", format]);
    assert!(text(&output.stderr).contains("checked ."), "the summary");
    text(&output.stdout)
}

fn json(format: &str, kernel: &str) -> Value {
    serde_json::from_str(&checked(format, kernel)).expect("JSON")
}

#[test]
fn the_action_names_each_format() {
    let action = std::fs::read_to_string("action.yml").expect("the action");
    let mut lines = action.lines().skip_while(|line| *line != "  format:");
    let description = lines.nth(1).expect("what the input is");
    for format in Format::value_variants() {
        let value = format.to_possible_value().expect("a name");
        let name = value.get_name();
        assert!(description.contains(name), "action.yml lacks `{name}`");
    }
}

#[test]
fn annotations_for_github_are_escaped() {
    insta::assert_snapshot!(checked("github", KERNEL), @r##"
    ::warning file=a%2C b/100%25%3A1.cu,line=1,endLine=1,col=11,endColumn=21,title=CPP010%3A no MUSA counterpart of this header is known::header `cublasXt.h` has no known MUSA counterpart%0ANo public MUSA code or table names a counterpart: look in the SDK's headers, or guard the code so that the MUSA build leaves it out.
    ::error file=a%2C b/100%25%3A1.cu,line=2,endLine=2,col=15,endColumn=29,title=CPP056%3A a version of CUDA's is used as a value%2C and MUSA has none that means the same::`CUDART_VERSION` is a number of CUDA's, and MUSA has none that means the same%0Awrite what the code needs of it, or name a release with `--cuda-version` to have its number written
    "##);
}

#[test]
fn a_report_for_gitlab_has_a_row_for_each_finding() {
    insta::assert_snapshot!(checked("gitlab", KERNEL), @r##"
    [
      {
        "description": "header `cublasXt.h` has no known MUSA counterpart\nNo public MUSA code or table names a counterpart: look in the SDK's headers, or guard the code so that the MUSA build leaves it out.",
        "check_name": "CPP010",
        "fingerprint": "896869fbca748f2111c1ad93c8f2abfd",
        "severity": "minor",
        "location": {
          "path": "a, b/100%:1.cu",
          "lines": {
            "begin": 1
          }
        }
      },
      {
        "description": "`CUDART_VERSION` is a number of CUDA's, and MUSA has none that means the same\nwrite what the code needs of it, or name a release with `--cuda-version` to have its number written",
        "check_name": "CPP056",
        "fingerprint": "8ff58c9609e84aee81e13bcca229141f",
        "severity": "major",
        "location": {
          "path": "a, b/100%:1.cu",
          "lines": {
            "begin": 2
          }
        }
      }
    ]
    "##);
}

#[test]
fn a_fingerprint_stays_when_lines_move_and_is_nobody_elses() {
    let prints = |kernel: &str| -> BTreeSet<String> {
        let report = json("gitlab", kernel);
        let rows = report.as_array().expect("a list");
        let prints = rows.iter().map(|row| row["fingerprint"].to_string());
        let all: BTreeSet<String> = prints.collect();
        assert_eq!(all.len(), rows.len());
        all
    };
    let twice = format!("{KERNEL}int version = CUDART_VERSION;\n");
    assert_eq!(prints(KERNEL), prints(&format!("\n\n// more\n{KERNEL}")));
    assert!(prints(&twice).is_superset(&prints(KERNEL)));
}

#[test]
fn sarif_has_rules_places_and_what_a_comment_hides() {
    insta::assert_snapshot!(checked("sarif", KERNEL), @r##"
    {
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        {
          "tool": {
            "driver": {
              "name": "torchada",
              "informationUri": "https://pypi.org/project/torchada-port/",
              "semanticVersion": "0.1.0",
              "rules": [
                {
                  "id": "CPP010",
                  "shortDescription": {
                    "text": "no MUSA counterpart of this header is known"
                  },
                  "fullDescription": {
                    "text": "A CUDA header is included for which no counterpart is known. The include stays as it is."
                  },
                  "help": {
                    "text": "Look for the header in the SDK. Where it is there, write a row in a table of your own\n(`[headers]` in torchada.toml); where it is not, keep the code that needs it out of MUSA builds."
                  },
                  "defaultConfiguration": {
                    "level": "warning"
                  }
                },
                {
                  "id": "CPP056",
                  "shortDescription": {
                    "text": "a version of CUDA's is used as a value, and MUSA has none that means the same"
                  },
                  "fullDescription": {
                    "text": "A version of CUDA's or of one of its libraries is used as a value, or by a macro with arguments in a\ncondition. The name stays as it is."
                  },
                  "help": {
                    "text": "Write what the code needs of the number, leave it out, or name a CUDA release with `--cuda-version 12.4` to have its\nnumber written."
                  },
                  "defaultConfiguration": {
                    "level": "error"
                  }
                }
              ]
            }
          },
          "columnKind": "unicodeCodePoints",
          "results": [
            {
              "ruleId": "CPP010",
              "ruleIndex": 0,
              "level": "warning",
              "message": {
                "text": "header `cublasXt.h` has no known MUSA counterpart\nNo public MUSA code or table names a counterpart: look in the SDK's headers, or guard the code so that the MUSA build leaves it out."
              },
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "a%2C%20b/100%25%3A1.cu"
                    },
                    "region": {
                      "startLine": 1,
                      "startColumn": 11,
                      "endLine": 1,
                      "endColumn": 21
                    }
                  }
                }
              ],
              "partialFingerprints": {
                "torchada/v1": "896869fbca748f2111c1ad93c8f2abfd"
              },
              "properties": {
                "cause": "header `cublasXt.h` has no known MUSA counterpart"
              }
            },
            {
              "ruleId": "CPP056",
              "ruleIndex": 1,
              "level": "error",
              "message": {
                "text": "`CUDART_VERSION` is a number of CUDA's, and MUSA has none that means the same\nwrite what the code needs of it, or name a release with `--cuda-version` to have its number written"
              },
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "a%2C%20b/100%25%3A1.cu"
                    },
                    "region": {
                      "startLine": 2,
                      "startColumn": 15,
                      "endLine": 2,
                      "endColumn": 29
                    }
                  }
                }
              ],
              "partialFingerprints": {
                "torchada/v1": "8ff58c9609e84aee81e13bcca229141f"
              },
              "properties": {
                "cause": "`CUDART_VERSION` is a number of CUDA's, and MUSA has none that means the same"
              }
            },
            {
              "ruleId": "CPP056",
              "ruleIndex": 1,
              "level": "error",
              "message": {
                "text": "`CUDART_VERSION` is a number of CUDA's, and MUSA has none that means the same\nwrite what the code needs of it, or name a release with `--cuda-version` to have its number written"
              },
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "a%2C%20b/100%25%3A1.cu"
                    },
                    "region": {
                      "startLine": 3,
                      "startColumn": 13,
                      "endLine": 3,
                      "endColumn": 27
                    }
                  }
                }
              ],
              "partialFingerprints": {
                "torchada/v1": "eacaa41f247092560998000635a955e2"
              },
              "suppressions": [
                {
                  "kind": "inSource"
                }
              ]
            }
          ]
        }
      ]
    }
    "##);
}

#[test]
fn a_report_as_of_tests_fails_what_fails_the_check() {
    insta::assert_snapshot!(checked("junit", KERNEL), @r##"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="torchada" tests="2" skipped="1" failures="1" errors="0">
        <testsuite name="a, b/100%:1.cu" tests="2" skipped="1" errors="0" failures="1">
            <testcase name="a, b/100%:1.cu:1:11: CPP010" classname="a, b/100%:1.cu">
                <skipped message="header `cublasXt.h` has no known MUSA counterpart" type="warning"/>
            </testcase>
            <testcase name="a, b/100%:1.cu:2:15: CPP056" classname="a, b/100%:1.cu">
                <failure message="`CUDART_VERSION` is a number of CUDA&apos;s, and MUSA has none that means the same" type="error">`CUDART_VERSION` is a number of CUDA&apos;s, and MUSA has none that means the same
    write what the code needs of it, or name a release with `--cuda-version` to have its number written</failure>
            </testcase>
        </testsuite>
    </testsuites>
    "##);
    insta::assert_snapshot!(checked("junit", "int a;\n"), @r##"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="torchada" tests="1" skipped="0" failures="0" errors="0">
        <testsuite name="torchada" tests="1" skipped="0" errors="0" failures="0">
            <testcase name="no findings"/>
        </testsuite>
    </testsuites>
    "##);
}

#[test]
fn a_finding_in_a_notebook_is_about_its_file() {
    let notebook = r#"{"cells": [{"cell_type": "code", "source": ["import torch\n", "x = torch.version.cuda"],
 "metadata": {}, "outputs": [], "execution_count": null}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"#;
    let place = write_tree(&[("a.ipynb", notebook)]);
    let output = torchada(place.path(), &["check", ".", "--format", "github"]);
    insta::assert_snapshot!(text(&output.stdout), @r##"::warning file=a.ipynb,title=PY020%3A tells the platform%2C and answers otherwise on MUSA::`torch.version.cuda` stays: projects tell the platform by it%0AOn MUSA it is None: ask for what the code needs, or for the platform with `torchada.is_musa_platform()`."##);
}
