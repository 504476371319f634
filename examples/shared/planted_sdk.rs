//! Plants an SDK of MUSA's in a folder: CUDA's public headers under MUSA's names, without some of the names.

// Each user takes what it needs.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use torchada::mapping::names::stems::by_rule;
use torchada::mapping::{Section, Tables};
use torchada::syntax::{LexOptions, TokenKind, lex};
use walkdir::WalkDir;

/// What the SDK has.
pub struct PlantedSdk<'a> {
    /// Its version.
    pub version: &'a str,
    /// Of a hundred names that have a counterpart, so many are not there.
    pub gaps: u8,
    /// CUDA names that are not there besides.
    pub lacks: &'a [&'a str],
    /// Headers by CUDA's names; none for all but those of CCCL.
    pub headers: &'a [&'a str],
}

/// Whether a name is one of the gaps.
pub fn is_gap(name: &str, gaps: u8) -> bool {
    let [first, second, ..] = *blake3::hash(name.as_bytes()).as_bytes();
    u16::from_le_bytes([first, second]) % 100 < u16::from(gaps)
}

/// Write the SDK. Returns the CUDA names that its headers would have and do not.
///
/// # Errors
/// A file that can't be read or written.
pub fn plant(include: &Path, folder: &Path, sdk: &PlantedSdk<'_>) -> Result<Vec<String>> {
    let tables = Tables::builtin();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut gaps = Vec::new();
    // Several headers of CUDA's may be one of MUSA's: cublas.h, cublas_v2.h and cublas_api.h.
    let mut headers: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for entry in WalkDir::new(include).sort_by_file_name() {
        let entry = entry?;
        let below = entry.path().strip_prefix(include)?.to_string_lossy();
        let is_wanted = if sdk.headers.is_empty() {
            !below.starts_with("cccl")
        } else {
            sdk.headers.contains(&&*below)
        };
        if !entry.file_type().is_file() || !is_wanted {
            continue;
        }
        let text = std::fs::read(entry.path())?;
        let mut renamed: Vec<u8> = Vec::with_capacity(text.len());
        let mut from = 0;
        for token in lex(&text, LexOptions::default()).tokens {
            let range = token.range();
            let word = String::from_utf8_lossy(token.text(&text)).into_owned();
            let new = match token.kind {
                TokenKind::Identifier => names.entry(word.clone()).or_insert_with(|| {
                    let new = counterpart(tables, &word);
                    let is_lost = is_gap(&word, sdk.gaps) || sdk.lacks.contains(&&*word);
                    if is_lost && new != word {
                        gaps.push(word.clone());
                        return format!("planted_gap_{}", gaps.len());
                    }
                    new
                }),
                TokenKind::HeaderName => &mut by_rule(tables.stems(), &word),
                _ => continue,
            };
            renamed.extend(text.get(from..range.start).unwrap_or_default());
            renamed.extend(new.as_bytes());
            from = range.end;
        }
        renamed.extend(text.get(from..).unwrap_or_default());
        let row = tables
            .header(&below)
            .and_then(|row| row.header_target(&below));
        let path = row.unwrap_or_else(|| by_rule(tables.stems(), &below));
        headers.entry(path).or_default().append(&mut renamed);
    }
    for (path, text) in &headers {
        write(&folder.join("include").join(path), text)?;
    }
    let version = format!(
        "{{\"musa_toolkits\": {{\"version\": \"{}\"}}}}\n",
        sdk.version
    );
    write(&folder.join("version.json"), version.as_bytes())?;
    let builtins = "struct dim3;\nextern const dim3 threadIdx;\n";
    let own = "lib/clang/14/include/__clang_musa_builtin_vars.h";
    write(&folder.join(own), builtins.as_bytes())?;
    compiler(folder, sdk.version)?;
    gaps.sort();
    Ok(gaps)
}

fn counterpart(tables: &Tables, name: &str) -> String {
    let row = tables.get(Section::Names, name.as_bytes());
    match row.map(|row| (&row.to, row.relation)) {
        Some((Some(to), _)) => to.to_string(),
        Some((None, torchada::mapping::Relation::Same)) => name.to_owned(),
        _ => by_rule(tables.stems(), name),
    }
}

/// A script in the compiler's place.
fn compiler(folder: &Path, version: &str) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let script = format!(
        "#!/bin/sh\ncase $1 in\n--version) echo 'mcc version {version} (planted)' ;;\n--help)\n\
         echo '  --offload-arch=<value>  GPU: mp_21, mp_22, mp_31'\necho '  -fopenmp  Use OpenMP' ;;\nesac\n"
    );
    let path = folder.join("bin/mcc");
    write(&path, script.as_bytes())?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let above = path.parent().context("a folder")?;
    std::fs::create_dir_all(above)?;
    std::fs::write(path, bytes).with_context(|| format!("can't write {}", path.display()))
}
