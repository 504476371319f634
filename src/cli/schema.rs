//! The JSON schema of a configuration file, from the list of its keys: editors complete and check with it.

use serde_json::{Map, Value, json};

use super::{InlinePtx, OnConflict, words};
use crate::mapping::configuration::{ConfigurationKeys, Holds, Key, Words};
use crate::mapping::{Dialect, Evidence, Rename, Vendored};

/// What the tables are made of: the fields of `mapping::loader`.
const DEFINITIONS: &str = include_str!("schema_definitions.json");

/// The schema, with a line end.
pub fn schema() -> Vec<u8> {
    let mut properties = Map::new();
    for key in ConfigurationKeys::builtin().all() {
        properties.insert(key.name.clone(), property(key));
    }
    let definitions: Value = serde_json::from_str(DEFINITIONS).unwrap_or_default();
    let document = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$comment": "Made by `torchada generate schema`.",
        "title": "torchada.toml",
        "description": "How torchada translates a tree from CUDA to MUSA.",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
        "definitions": definitions,
    });
    // Strings, numbers, lists and maps of strings always serialize.
    let mut bytes = serde_json::to_vec_pretty(&document).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

fn property(key: &Key) -> Value {
    let mut value = match &key.holds {
        Holds::Strings => strings(),
        Holds::Identifiers => {
            json!({ "type": "array", "items": { "type": "string", "pattern": "^[\\w$]+$" } })
        }
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
