//! `torchada rules` and `torchada explain`: their arguments.

use clap::Args;

use super::help;

/// The arguments of `torchada rules`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::RULES_EXAMPLES)]
pub struct RulesArgs {
    /// Answer as JSON
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `torchada explain`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::EXPLAIN_EXAMPLES)]
pub struct ExplainArgs {
    /// Codes of findings and of checks, such as CPP002 and DOC020
    #[arg(value_name = "CODE", required = true)]
    pub codes: Vec<String>,
}
