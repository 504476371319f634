//! What a run asks of translations: the table, and the weakest evidence that it acts upon.

use super::statement::translate::translate;
use super::{Fault, Platform, Reason, SourceFile, Translation};
use torchada_mapping::Evidence;
use torchada_mapping::ptx::{Intrinsic, Ptx};
use torchada_syntax::ptx::AsmStatement;
use torchada_syntax::{Outline, Tokens};

/// Translates statements as a run wants it.
#[derive(Clone, Copy, Debug)]
pub struct Translator<'a> {
    /// The weakest evidence that counts.
    pub weakest: Evidence,
    /// Whether instructions are translated that MUSA only emulates.
    pub emulates: bool,
    /// Whether the header is written with the result.
    pub writes_header: bool,
    /// What the port is for.
    pub platform: Platform<'a>,
}

impl<'a> Translator<'a> {
    /// What instructions become. A run that meets none does not read the table.
    pub fn table(&self) -> &'static Ptx {
        Ptx::builtin()
    }

    /// The function of the header that does the work of a function of CUDA's.
    pub fn intrinsic(&self, name: &[u8]) -> Option<&'a Intrinsic> {
        let name = std::str::from_utf8(name).ok()?;
        let found = self.table().intrinsics().get(name)?;
        (self.writes_header && found.evidence <= self.weakest).then_some(found)
    }

    /// A file whose statements are translated.
    pub fn file<'s>(
        &self,
        source: &'s [u8],
        tokens: &'s Tokens,
        outline: &'s Outline,
    ) -> SourceFile<'s> {
        SourceFile::new(self.table().limits(), source, tokens, outline)
    }

    /// What a statement of a file becomes.
    ///
    /// # Errors
    /// Why it stays as it is.
    pub fn translate(
        &self,
        file: &SourceFile<'_>,
        statement: &AsmStatement,
    ) -> Result<Translation<'a>, Fault> {
        let translation = translate((self.table(), self.platform), file, statement)?;
        if let Some(opcode) = translation.emulated.as_deref().filter(|_| !self.emulates) {
            let reason = Reason::None {
                advice: "Use `--ptx=emulate` to have it translated.".to_owned(),
            };
            let text = format!("`{opcode}` takes much more work, which `--ptx=emulate` asks for");
            return Err(Fault::new(reason, text).of(opcode));
        }
        if translation.evidence > self.weakest {
            return Err(Fault::new(
                Reason::None {
                    advice: "Lower `min-evidence` to have it translated.".to_owned(),
                },
                format!(
                    "the evidence of its translation is `{}`, which is below `min-evidence`",
                    translation.evidence.as_str()
                ),
            ));
        }
        if !self.writes_header && !translation.needs.is_empty() {
            return Err(Fault::new(
                Reason::None {
                    advice: "Port the whole tree.".to_owned(),
                },
                format!(
                    "its translation needs {}, which only the port of a whole tree writes",
                    super::FILE
                ),
            ));
        }
        Ok(translation)
    }
}
