/// What libyaml says of a mistake, in words for people who write lists.
struct YAMLProblem {
  /// Its words for what is wrong.
  let problem: String
  /// Its words for what it was reading; nil where it names nothing.
  let context: String?
  /// The line in which that began, from 1; nil where it names nothing.
  let line: Int?
  /// The character at the mistake; nil at the end of the file.
  let character: Unicode.Scalar?

  init(_ problem: String, while context: String? = nil, from line: Int? = nil, at character: Unicode.Scalar?)
  {
    (self.problem, self.context) = (problem, context)
    self.line = line
    self.character = character
  }

  /// Plain words; those of libyaml, without what a terminal would obey, where they are not known.
  var error: TextError {
    let (words, hint) = known ?? (TerminalText.excerpt(unknown, limit: 200), nil)
    return TextError("not YAML: \(words)", hint: hint.map { FaceWords($0) })
  }

  /// The words of libyaml.
  private var unknown: String { context.map { "\(problem) \($0)" } ?? problem }

  /// Where that began, behind a noun.
  private var beginning: String { line.map { " from line \($0)" } ?? "" }

  /// Plain words, and what to write instead; nil for words that are not known.
  private var known: (words: String, hint: String?)? {
    if let context, context.hasSuffix("directive") { return Self.directive }
    return collections ?? texts ?? marks
  }

  /// What begins with `%` in the first column.
  private static let directive = (
    words: "`%` begins a directive, which is not understood",
    hint: Optional("write a text with `%` in quotes")
  )

  /// Mistakes in lists and mappings.
  private var collections: (words: String, hint: String?)? {
    switch problem {
    case "did not find expected ',' or ']'":
      (
        "a comma or `]` is missing in the list\(beginning)",
        "write commas between the values and `]` behind the last"
      )
    case "did not find expected ',' or '}'":
      (
        "a comma or `}` is missing in the mapping\(beginning)",
        "write commas between the members and `}` behind the last"
      )
    case "did not find expected '-' indicator":
      ("this is no value of the list\(beginning)", "indent it as the others, and write `- ` before it")
    case "did not find expected key":
      (
        "this is no member of the mapping\(beginning)",
        "indent it as the others and write key: value; a text with quotes in it needs others around it"
      )
    case "did not find expected node content":
      ("a value is missing before this", "write one, or remove the comma or the bracket")
    case "could not find expected ':'":
      ("the text\(beginning) has no `: `", "write key: value, or `- ` before a value of a list")
    case "block sequence entries are not allowed in this context":
      ("a list cannot begin here", "begin it in a line of its own")
    case "mapping keys are not allowed in this context":
      ("a key cannot stand here", "write it in a line of its own")
    case "mapping values are not allowed in this context":
      ("`: ` cannot stand here", "write a text with `: ` in quotes, or the key in a line of its own")
    case "did not find expected <document start>":
      ("text behind the end of the document", "indent it as what stands before it, or remove it")
    case _ where problem.hasPrefix("Maximum nesting level reached"): ("it is nested too deep", nil)
    default: nil
    }
  }

  /// Mistakes in texts.
  private var texts: (words: String, hint: String?)? {
    switch problem {
    case "found character that cannot start any token":
      switch character {
      case "\t": Self.tab
      case let character?:
        (
          "a text cannot begin with `\(TerminalText.sanitized(String(Character(character))))`",
          "write it in quotes"
        )
      case nil: nil
      }
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      Self.tab
    case "found unexpected end of stream", "found unexpected document indicator":
      ("the text in quotes\(beginning) has no end", "write the quote that ends it")
    case "found unknown escape character":
      ("an escape that YAML does not have", #"write \\ for a backslash, or the text in single quotes"#)
    case "did not find expected hexdecimal number":
      ("an escape without its hexadecimal digits", #"write \\ for a backslash, or the text in single quotes"#)
    case "found invalid Unicode character escape code": ("an escape that is no character", nil)
    case "found unexpected ':'": ("`:` in a text between brackets", "write the text in quotes")
    case "did not find expected comment or line break":
      ("text behind `|` or `>`", "begin it in the next line, or write it in quotes")
    case "found an indentation indicator equal to 0":
      ("0 behind `|` or `>`", "write how many blanks indent the text, from 1 to 9, or nothing")
    default: nil
    }
  }

  /// A tab where only blanks count.
  private static let tab = (words: "a tab cannot indent", hint: Optional("write blanks"))

  /// Mistakes at characters with a meaning of their own.
  private var marks: (words: String, hint: String?)? {
    switch problem {
    case "did not find expected alphabetic or numeric character":
      ("`&` and `*` begin the name of an anchor", "write a text that begins with one of them in quotes")
    case "found undefined tag handle", "did not find expected tag URI", "did not find expected '!'",
      "did not find the expected '>'", "did not find expected whitespace or line break",
      "did not find URI escaped octet", "found an incorrect leading UTF-8 octet",
      "found an incorrect trailing UTF-8 octet":
      ("`!` begins a tag, which is not understood", "write a text that begins with it in quotes")
    case "found duplicate %YAML directive", "found duplicate %TAG directive": Self.directive
    case "found incompatible YAML document":
      ("another version of YAML", "leave out the line that begins with `%YAML`")
    default: nil
    }
  }
}
