//! The checks that need all tables: one row per name, and a port of a port changes nothing.

use std::collections::BTreeMap;

use super::error::MappingError;
use super::parse::{Placed, Table};
use super::schema::{Relation, Section};

/// Checks tables that will answer together.
///
/// # Errors
/// A name with two rows, or a counterpart that would be translated or reported in its turn.
pub fn check_together(tables: &[Table]) -> Result<(), MappingError> {
    let mut seen: BTreeMap<(Section, &str), (&Table, &Placed)> = BTreeMap::new();
    for table in tables {
        for placed in &table.rows {
            let key = (placed.section, &*placed.row.cuda);
            if let Some((other, first)) = seen.insert(key, (table, placed)) {
                let fault = format!(
                    "`{}` has a row already, in {}:{}",
                    placed.row.cuda, other.file, first.line
                );
                return Err(fault_at(table, placed, fault));
            }
        }
    }
    for table in tables {
        for placed in &table.rows {
            let Some(to) = &placed.row.to else { continue };
            if let Some((other, next)) = seen.get(&(placed.section, to))
                && next.row.relation != Relation::Same
            {
                let fault = format!(
                    "`{}` goes to `{to}`, which is a CUDA name itself, in {}:{}: porting a port \
                     would change it again",
                    placed.row.cuda, other.file, next.line
                );
                return Err(fault_at(table, placed, fault));
            }
        }
    }
    Ok(())
}

fn fault_at(table: &Table, placed: &Placed, fault: String) -> MappingError {
    MappingError {
        file: table.file.clone(),
        line: placed.line,
        fault,
    }
}
