//! The layers of a run's tables: the user's rows over what was seen of the SDK, and these over the built-in rows.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::Tables;
use crate::loader::{self, MappingError, Placed, Relation, Row, Section, Table, image};
use crate::names::facts::FactTable;
use crate::names::overlay::{Library, Overlay};
use crate::names::versions::{Versions, not_yet};

impl Tables {
    /// The tables of a run: the built-in ones, the facts and then the user's laid over them, of which a later one wins, and
    /// of all their rows those that hold for `versions`. A row whose counterpart came later says that MUSA lacks it, unless it is a
    /// fact: what was seen is there.
    ///
    /// # Errors
    /// The first fault of a table, with its file and line.
    pub fn for_run(
        facts: Option<FactTable>,
        overlays: &[Overlay],
        versions: &Versions,
    ) -> Result<Cow<'static, Self>, MappingError> {
        if facts.is_none() && overlays.is_empty() && versions.is_empty() {
            return Ok(Cow::Borrowed(Self::builtin()));
        }
        let mut tables = Self::layered(facts, overlays)?;
        tables.hold_for(versions);
        Ok(Cow::Owned(tables))
    }

    fn hold_for(&mut self, versions: &Versions) {
        self.torch_musa.clone_from(&versions.torch_musa);
        if versions.is_empty() {
            return;
        }
        for section in Section::ALL {
            let later: Vec<Row> = self
                .rows(section)
                .filter_map(|row| not_yet(row, versions))
                .collect();
            if let Some(own) = self.own.get_mut(section as usize) {
                own.extend(
                    later
                        .into_iter()
                        .map(|row| (row.cuda.as_bytes().into(), row)),
                );
            }
        }
    }

    fn layered(facts: Option<FactTable>, overlays: &[Overlay]) -> Result<Self, MappingError> {
        let base = Self::builtin();
        let mut tables = Self {
            facts,
            own: Section::ALL.iter().map(|_| FxHashMap::default()).collect(),
            // What the built-in tables have made of their rows does not hold for other rows.
            calls: OnceLock::new(),
            parts: OnceLock::new(),
            ..base.clone()
        };
        let parsed: Vec<Table> = overlays
            .iter()
            .map(|overlay| loader::parse_overlay(&overlay.file, &overlay.text))
            .collect::<Result<_, _>>()?;
        for table in &parsed {
            tables.lay(table);
        }
        for table in &parsed {
            tables.check(table)?;
        }
        Ok(tables)
    }

    fn lay(&mut self, table: &Table) {
        for Placed { section, row, .. } in &table.rows {
            if let Some(own) = self.own.get_mut(*section as usize) {
                own.insert(row.cuda.as_bytes().into(), row.clone());
            }
        }
        self.forbidden.extend(
            table
                .forbidden
                .iter()
                .map(|forbidden| forbidden.name.clone()),
        );
        self.forbidden.sort();
        self.forbidden.dedup();
        if !self
            .libraries
            .iter()
            .any(|library| library.id == table.info.id)
        {
            self.libraries.push(Library {
                id: Cow::Owned(table.info.id.clone()),
                title: Cow::Owned(table.info.title.clone()),
                proven: table.info.proven,
            });
        }
        self.stems.extend(table.stems.iter().cloned());
        self.stems
            .sort_by(|a, b| image::stem_order((&a.cuda, &a.musa), (&b.cuda, &b.musa)));
        self.stems.dedup();
        self.architectures
            .extend(table.architectures.iter().cloned());
        self.targets.extend(table.targets.iter().cloned());
        self.hazards.extend(table.hazards.iter().cloned());
    }

    /// The checks of a user's table that need all the others.
    fn check(&self, table: &Table) -> Result<(), MappingError> {
        let fault = |line, fault| {
            Err(MappingError {
                file: table.file.clone(),
                line,
                fault,
            })
        };
        for Placed { section, line, row } in &table.rows {
            if let Some(to) = &row.to
                && let Some(next) = self.get(*section, to.as_bytes())
                && next.relation != Relation::Same
            {
                return fault(
                    *line,
                    format!(
                        "`{}` goes to `{to}`, which is a CUDA name itself: porting a port would \
                         change it again",
                        row.cuda
                    ),
                );
            }
        }
        for forbidden in &table.forbidden {
            let name = &forbidden.name;
            if !Section::ALL
                .iter()
                .any(|section| self.get(*section, name.as_bytes()).is_some())
            {
                return fault(
                    forbidden.line,
                    format!("`forbid` names `{name}`, which no table has: it has no effect"),
                );
            }
        }
        Ok(())
    }
}
