//! The JSON schema of a configuration file, from the list of its keys: editors complete and check with it.

use serde_json::{Map, Value, json};

use super::{InlinePtx, OnConflict, words};
use crate::mapping::configuration::{ConfigurationKeys, Holds, Key, Words};
use crate::mapping::{Dialect, Evidence, Rename, Vendored};

/// The schema, with a line end.
pub fn schema() -> Vec<u8> {
    let mut properties = Map::new();
    for key in ConfigurationKeys::builtin().all() {
        properties.insert(key.name.clone(), property(key));
    }
    let document = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$comment": "Made by `torchada generate schema`.",
        "title": "torchada.toml",
        "description": "How torchada translates a tree from CUDA to MUSA.",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
        "definitions": definitions(),
    });
    // Strings, numbers, lists and maps of strings always serialize.
    let mut bytes = serde_json::to_vec_pretty(&document).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

fn property(key: &Key) -> Value {
    let mut value = match &key.holds {
        Holds::Strings => strings(),
        Holds::Codes => json!({ "$ref": "#/definitions/codes" }),
        Holds::Boolean => json!({ "type": "boolean" }),
        Holds::Version => json!({ "type": "string", "pattern": "^[0-9]+(\\.[0-9]+)*$" }),
        Holds::VersionOr(word) => {
            json!({ "type": "string", "pattern": format!("^([0-9]+(\\.[0-9]+)*|{word})$") })
        }
        Holds::PathOr(_) => json!({ "anyOf": [{ "type": "string" }, { "const": false }] }),
        Holds::Choice(choice) => json!({ "enum": words_of(*choice) }),
        Holds::Folders | Holds::Texts => {
            json!({ "type": "object", "additionalProperties": { "type": "string" } })
        }
        Holds::CodesByGlob => {
            json!({ "type": "object", "additionalProperties": { "$ref": "#/definitions/codes" } })
        }
        Holds::Rows => {
            json!({ "type": "object", "additionalProperties": { "$ref": "#/definitions/row" } })
        }
        Holds::Headers => json!({ "type": "object", "additionalProperties": strings() }),
        Holds::Records(kind) => {
            json!({ "type": "array", "items": { "$ref": format!("#/definitions/{kind}") } })
        }
    };
    let about = json!(key.what);
    match value.as_object_mut() {
        // What stands beside a reference is not read.
        Some(object) if object.contains_key("$ref") => {
            json!({ "description": about, "allOf": [value] })
        }
        Some(object) => {
            object.insert("description".to_owned(), about);
            value
        }
        None => value,
    }
}

fn words_of(choice: Words) -> Vec<String> {
    match choice {
        Words::Dialect => words::<Dialect>(),
        Words::Evidence => words::<Evidence>(),
        Words::InlinePtx => words::<InlinePtx>(),
        Words::OnConflict => words::<OnConflict>(),
        Words::Rename => words::<Rename>(),
        Words::Vendored => words::<Vendored>(),
    }
}

fn strings() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}

/// What the tables are made of: the fields of `mapping::loader`.
fn definitions() -> Value {
    let text = json!({ "type": "string" });
    let number = json!({ "type": "integer", "minimum": 0 });
    let evidence = json!({ "enum": ["sdk", "confirmed", "table", "rule", "contested"] });
    let object = |required: &[&str], properties: Value| {
        json!({
            "type": "object",
            "additionalProperties": false,
            "required": required,
            "properties": properties,
        })
    };
    let row = object(
        &[],
        json!({
            "to": { "type": "string", "description": "the MUSA name" },
            "relation": { "enum": ["renamed", "same", "absent", "unknown"] },
            "evidence": evidence,
            "source": { "type": "string", "description": "where that comes from" },
            "differs": { "type": "string", "description": "how the counterpart is declared otherwise" },
            "note": text,
            "advice": { "type": "string", "description": "what to do about it" },
            "family": text,
            "since": object(&[], json!({ "sdk": text, "torch_musa": text })),
            "needs": { "anyOf": [text, strings()] },
            "std": { "type": "boolean" },
            "primary": { "type": "boolean" },
            "runtime": { "enum": ["forward", "keep", "silent", "missing", "own", "field"] },
        }),
    );
    json!({
        "codes": {
            "type": "array",
            "items": { "type": "string", "pattern": "^[A-Z]+[0-9]*$" },
        },
        "row": { "anyOf": [text, row] },
        "architecture": object(
            &["feature", "sm", "evidence", "source"],
            json!({
                "feature": text, "sm": number, "mp": number, "find": strings(), "words": strings(),
                "evidence": evidence, "source": text, "note": text,
            }),
        ),
        "target": object(
            &["name", "arch", "source"],
            json!({ "name": text, "arch": number, "warp_size": number, "source": text }),
        ),
        "hazard": object(
            &["id", "title", "severity", "find", "why", "advice", "evidence", "source"],
            json!({
                "id": text, "code": text, "title": text,
                "severity": { "enum": ["note", "warning", "error"] },
                "find": strings(), "targets": strings(), "once": { "type": "boolean" },
                "why": text, "advice": text, "evidence": evidence, "source": text,
            }),
        ),
    })
}
