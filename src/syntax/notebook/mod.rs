//! Notebooks of Jupyter: the code of their cells as one text, with a map back to the file.
//!
//! The cells of a notebook share one namespace, so their code is one module. What is no Python in
//! them (`%magics`, `!commands`) becomes a statement and a comment of the same length: what stands
//! at a place of a cell stands at the same place of the text.

mod json;
mod magics;

use std::sync::Arc;

pub use json::json_escaped;
pub use magics::Magics;

use torchada_text::{Fragment, TextRange};

/// A code cell.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its 1-based place among all cells of the notebook.
    pub number: usize,
    /// Where its code begins in the text of all cells.
    pub start: usize,
    /// Its code as people see it.
    pub source: Arc<[u8]>,
    /// Whether the file keeps it line by line.
    pub is_list: bool,
    /// Whether its first line hands it to another program.
    pub is_foreign: bool,
}

/// A line that is no Python, or that is so from a mark on.
#[derive(Clone, Copy, Debug)]
pub struct ForeignLine {
    /// Its place in the code.
    pub range: TextRange,
    /// Where in the code its mark stands: `!` in `files = !ls`; of a cell in another language, where the line begins.
    pub mark: usize,
}

/// The code of a notebook.
#[derive(Clone, Debug)]
pub struct Notebook {
    /// The code of all cells, one behind the other.
    pub code: Fragment,
    /// The code cells.
    pub cells: Vec<Cell>,
    /// Lines in the code that are no Python.
    pub foreign: Vec<ForeignLine>,
    /// The language that the notebook names, if it does.
    pub language: Option<String>,
}

impl Notebook {
    /// Read a notebook.
    ///
    /// # Errors
    /// What is wrong with the file, where it is no notebook.
    pub fn read(text: &[u8], magics: Magics<'_>) -> Result<Self, String> {
        let text = std::str::from_utf8(text).map_err(|fault| fault.to_string())?;
        let file = json::file(text)?;
        let mut notebook = Self {
            code: Fragment::default(),
            cells: Vec::new(),
            foreign: Vec::new(),
            language: file.language(),
        };
        for (number, source) in file.code() {
            let (source, is_list) = json::decoded(text, source)?;
            let start = notebook.code.text().len();
            let is_foreign = notebook.push_code(&source, magics);
            notebook.cells.push(Cell {
                number,
                start,
                source: source.text().into(),
                is_list,
                is_foreign,
            });
            notebook.code.push_decoded(b"\n");
        }
        Ok(notebook)
    }

    /// The code of all cells as people see it: each byte stands where it stands in `code`.
    pub fn sources(&self) -> Vec<u8> {
        let mut all = Vec::with_capacity(self.code.text().len());
        for cell in &self.cells {
            all.extend_from_slice(&cell.source);
            all.push(b'\n');
        }
        all
    }

    /// The cell that holds an offset of the code.
    pub fn cell_at(&self, offset: usize) -> Option<&Cell> {
        let behind = self.cells.partition_point(|cell| cell.start <= offset);
        self.cells.get(behind.checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(cells: &str) -> (String, Vec<String>) {
        let (line, cell) = (["time".to_owned()], ["capture".to_owned()]);
        let (writing, endings) = (["writefile".to_owned()], [".py".to_owned()]);
        let magics = Magics {
            line: &line,
            cell: &cell,
            writing: &writing,
            endings: &endings,
        };
        let text = format!("{{\"cells\": [{cells}], \"metadata\": {{}}}}");
        let notebook = Notebook::read(text.as_bytes(), magics).expect("a notebook");
        assert_eq!(notebook.sources().len(), notebook.code.text().len());
        let shown = |line: &ForeignLine| {
            String::from_utf8_lossy(line.range.of(notebook.code.text())).into_owned()
        };
        let foreign = notebook.foreign.iter().map(shown).collect();
        (
            String::from_utf8_lossy(notebook.code.text()).into_owned(),
            foreign,
        )
    }

    #[test]
    fn only_code_is_read_and_magics_keep_their_length() {
        let (text, foreign) = code(
            r#"{"cell_type": "markdown", "source": "x"},
               {"cell_type": "code", "source": ["%time a = \"\\n\"\n", "!ls\n", "b = (1\n", "% c)\n", "d = %pwd\n", "if d:\n", "  !pwd\n", "%time !ls"]},
               {"cell_type": "code", "source": "%%bash\nls \u00e9"},
               {"cell_type": "code", "source": "%%writefile -a a.py\ne = 1"},
               {"cell_type": "code", "source": "%%writefile a.sh\nls"}"#,
        );
        assert_eq!(
            text,
            "0;    a = \"\\n\"\n#ls\nb = (1\n% c)\nd = 0#wd\nif d:\n  0#wd\n0;    0#s\n#%bash\n#s \u{e9}\n#%writefile -a a.py\ne = 1\n#%writefile a.sh\n#s\n"
        );
        let commands = [
            "#ls",
            "d = 0#wd",
            "0#wd",
            "0;    0#s",
            "#%bash",
            "#s \u{e9}",
        ];
        let written = ["#%writefile -a a.py", "#%writefile a.sh", "#s"];
        assert_eq!(foreign, [&commands[..], &written].concat());
    }
}
