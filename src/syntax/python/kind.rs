//! The kinds of nodes and fields of the grammar that rules look for.

use std::sync::LazyLock;

use tree_sitter::Language;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum $name {
            $(#[doc = concat!("`", $word, "`")] $variant,)*
            /// A kind that nobody looks for.
            Other,
        }

        impl $name {
            fn of(word: &str) -> Self {
                match word {
                    $($word => Self::$variant,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

words! {
    /// The kind of a node.
    Kind {
        Module = "module",
        Error = "ERROR",
        Operator = "operator",
        Comment = "comment",
        Continuation = "line_continuation",
        Identifier = "identifier",
        Attribute = "attribute",
        Call = "call",
        ArgumentList = "argument_list",
        KeywordArgument = "keyword_argument",
        Subscript = "subscript",
        Slice = "slice",
        Str = "string",
        StringStart = "string_start",
        StringContent = "string_content",
        StringEnd = "string_end",
        Escape = "escape_sequence",
        EscapeInterpolation = "escape_interpolation",
        Interpolation = "interpolation",
        FormatSpecifier = "format_specifier",
        ConcatenatedString = "concatenated_string",
        Integer = "integer",
        Float = "float",
        True = "true",
        False = "false",
        None = "none",
        List = "list",
        Tuple = "tuple",
        Set = "set",
        Dictionary = "dictionary",
        Pair = "pair",
        ExpressionList = "expression_list",
        ListComprehension = "list_comprehension",
        SetComprehension = "set_comprehension",
        DictionaryComprehension = "dictionary_comprehension",
        Generator = "generator_expression",
        ForIn = "for_in_clause",
        IfClause = "if_clause",
        Parenthesized = "parenthesized_expression",
        Conditional = "conditional_expression",
        Boolean = "boolean_operator",
        Not = "not_operator",
        Binary = "binary_operator",
        Unary = "unary_operator",
        Comparison = "comparison_operator",
        Lambda = "lambda",
        LambdaParameters = "lambda_parameters",
        Await = "await",
        Yield = "yield",
        Named = "named_expression",
        ListSplat = "list_splat",
        DictionarySplat = "dictionary_splat",
        ExpressionStatement = "expression_statement",
        Assignment = "assignment",
        Augmented = "augmented_assignment",
        Return = "return_statement",
        Delete = "delete_statement",
        Raise = "raise_statement",
        Assert = "assert_statement",
        Print = "print_statement",
        Global = "global_statement",
        Nonlocal = "nonlocal_statement",
        Import = "import_statement",
        ImportFrom = "import_from_statement",
        ImportFuture = "future_import_statement",
        AliasedImport = "aliased_import",
        WildcardImport = "wildcard_import",
        RelativeImport = "relative_import",
        DottedName = "dotted_name",
        If = "if_statement",
        Elif = "elif_clause",
        Else = "else_clause",
        For = "for_statement",
        While = "while_statement",
        Try = "try_statement",
        Except = "except_clause",
        With = "with_statement",
        WithItem = "with_item",
        AsPattern = "as_pattern",
        AsPatternTarget = "as_pattern_target",
        Match = "match_statement",
        Case = "case_clause",
        CasePattern = "case_pattern",
        UnionPattern = "union_pattern",
        ListPattern = "list_pattern",
        TuplePattern = "tuple_pattern",
        PatternList = "pattern_list",
        DictPattern = "dict_pattern",
        ClassPattern = "class_pattern",
        KeywordPattern = "keyword_pattern",
        SplatPattern = "splat_pattern",
        ListSplatPattern = "list_splat_pattern",
        DictionarySplatPattern = "dictionary_splat_pattern",
        Function = "function_definition",
        Class = "class_definition",
        Decorated = "decorated_definition",
        Decorator = "decorator",
        Parameters = "parameters",
        DefaultParameter = "default_parameter",
        TypedParameter = "typed_parameter",
        TypedDefaultParameter = "typed_default_parameter",
        Type = "type",
        GenericType = "generic_type",
        TypeParameter = "type_parameter",
        UnionType = "union_type",
        MemberType = "member_type",
        TypeAlias = "type_alias_statement",
        Block = "block",
    }
}

words! {
    /// The part that a node has in its parent.
    Field {
        Alias = "alias",
        Alternative = "alternative",
        Argument = "argument",
        Arguments = "arguments",
        Attribute = "attribute",
        Body = "body",
        Condition = "condition",
        Consequence = "consequence",
        Expression = "expression",
        Function = "function",
        Key = "key",
        Left = "left",
        ModuleName = "module_name",
        Name = "name",
        Object = "object",
        Operator = "operator",
        Operators = "operators",
        Parameters = "parameters",
        ReturnType = "return_type",
        Right = "right",
        Subject = "subject",
        Subscript = "subscript",
        Superclasses = "superclasses",
        Type = "type",
        Value = "value",
    }
}

/// Kinds and fields by the grammar's own numbers.
pub(super) struct GrammarNumbers {
    kinds: Vec<Kind>,
    fields: Vec<Field>,
}

/// The numbers of the grammar that is built in.
pub(super) static WORDS: LazyLock<GrammarNumbers> = LazyLock::new(|| {
    let language: Language = tree_sitter_python::LANGUAGE.into();
    let kinds = 0..u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX);
    let fields = 0..=u16::try_from(language.field_count()).unwrap_or(u16::MAX);
    GrammarNumbers {
        kinds: kinds
            .map(|id| match language.node_kind_for_id(id) {
                Some(word) if language.node_kind_is_named(id) => Kind::of(word),
                _ => Kind::Other,
            })
            .collect(),
        fields: fields
            .map(|id| {
                language
                    .field_name_for_id(id)
                    .map_or(Field::Other, Field::of)
            })
            .collect(),
    }
});

impl GrammarNumbers {
    pub(super) fn kind(&self, id: u16) -> Kind {
        self.kinds
            .get(usize::from(id))
            .copied()
            .unwrap_or(Kind::Other)
    }

    pub(super) fn field(&self, id: Option<std::num::NonZeroU16>) -> Field {
        id.and_then(|id| self.fields.get(usize::from(id.get())))
            .copied()
            .unwrap_or(Field::Other)
    }
}
