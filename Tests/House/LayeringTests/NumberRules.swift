// Numbers that come from outside: one table says which are believed, and one file turns them into whole numbers and durations.

extension Rule {
  static let peerNumbers = Rule("a number of a peer is read through its field of the table") { file in
    let isDoor = ["JSON", "Numbers"].contains { file.path.hasPrefix("Sources/Cast/CastProtocol/\($0)/") }
    guard !file.isTest, file.target == "CastProtocol", !isDoor else { return [] }
    let form = /\.(?:int|double)\b/.wordBoundaryKind(.simple)
    return file.places(in: file.text.code, mentioning: [".int", ".double"]) { $0.contains(form) }
      .map { "\($0): say which field of NumberField it is" }
  }

  static let conversions = Rule("no conversion from a number with a fraction can end the process") { file in
    guard !file.isTest, file.path != "Sources/Cast/CastProtocol/Numbers/BoundedNumbers.swift" else {
      return []
    }
    let code = file.text.code
    let whole = file.places(in: code, mentioning: ["Int"]) { line in
      guard fractions.contains(where: { line.mentions($0) }) else { return false }
      return arguments(of: /\bU?Int(?:8|16|32|64)?\(/.wordBoundaryKind(.simple), in: line)
        .contains(where: hasFraction)
    }
    let lengths = file.places(in: code, mentioning: ["seconds("]) { line in
      arguments(of: /(?:^|[^\w.)\]>$])(?:Duration)?\.(?:milli)?seconds\(/, in: line)
        .contains { !isWholeLength($0) }
    }
    return whole.map { "\($0): traps for NaN and what does not fit; write init(bounded:)" }
      + lengths.map { "\($0): traps for NaN and what does not fit; write bounded(seconds:)" }
  }

  /// One of these is on each line that `hasFraction` can object to; looking for them is cheap.
  private static let fractions = [
    ".seconds", ".rounded(", "Double", ".0", ".5", "e3", "e6", "e9", "000", "level", "rate", "played",
    "elapsed",
  ]

  /// What stands between the parentheses that the form opens.
  private static func arguments(of form: Regex<Substring>, in line: String) -> [Substring] {
    line.matches(of: form).map { match in
      var depth = 1
      return line[match.range.upperBound...].prefix { letter in
        depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
        return depth > 0
      }
    }
  }

  /// Whether an argument without a label is written like a number with a fraction.
  private static func hasFraction(_ argument: Substring) -> Bool {
    guard !argument.contains(/^\s*[a-z]+:/) else { return false }
    let signs =
      /\.seconds\b(?!\()|\.rounded\(|\bDouble\b|\d\.\d|\d[eE]\d|\*\s*1(?:_?000)+\b(?!_)|\b(?:level|rate|played|elapsed)\b/
    return argument.contains(signs.wordBoundaryKind(.simple))
  }

  /// Whether an argument is a whole number for certain: a literal, a conversion that is judged itself, an element of a list of such.
  private static func isWholeLength(_ argument: Substring) -> Bool {
    argument.contains(/^(?:[\d_]+(?:\.\d+)?|\$0|1 << .*|U?Int(?:8|16|32|64)?\(.*\)|[\w.]+: .*|)$/)
  }
}

extension Proof {
  static let numbers: [Proof] = [
    .bad(.peerNumbers, "Sources/Cast/CastProtocol/Media/A.swift", "rate = json[key]?.double ?? 1"),
    .bad(.peerNumbers, "Sources/Cast/CastProtocol/Media/A.swift", "ids = json.list(\\.int)"),
    .good(.peerNumbers, "Sources/Cast/CastProtocol/Media/A.swift", "rate = json?.number(.rate) ?? 1"),
    .good(.peerNumbers, "Sources/Cast/CastProtocol/JSON/A.swift", "let a = value.double"),
    .good(.peerNumbers, "Sources/Rules/CastqFeeding/A.swift", "let a = node.scalar?.int"),

    .bad(.conversions, "Sources/Faces/castq/A.swift", "let a = Int64(seconds * 1000)"),
    .bad(.conversions, "Sources/Faces/castq/A.swift", "let a = Int(limit.seconds)"),
    .bad(.conversions, "Sources/Faces/castq/A.swift", "let a = \"\\(Int((a / 3).rounded()))\""),
    .bad(.conversions, "Sources/Faces/castq/A.swift", "let a = UInt32(Double(b))"),
    .bad(.conversions, "Sources/Faces/castq/A.swift", "sleep(.seconds(limit))"),
    .bad(.conversions, "Sources/Faces/castq/A.swift", "let a: Duration = .seconds(value * scale)"),
    .bad(.conversions, "Sources/Faces/castq/A.swift", "let a = Duration.milliseconds(pause)"),
    .good(.conversions, "Sources/Faces/castq/A.swift", "let a = Int64(bounded: seconds * 1000)"),
    .good(.conversions, "Sources/Faces/castq/A.swift", "let a = Int(exactly: value.rounded())"),
    .good(.conversions, "Sources/Faces/castq/A.swift", "let a = Int64(id) * 1000 + Int64(byte >> 4)"),
    .good(
      .conversions, "Sources/Faces/castq/A.swift",
      "let a = Duration.seconds(1_000), b: Duration = .seconds(0.5)"),
    .good(
      .conversions, "Sources/Faces/castq/A.swift",
      "let a = [1, 2].map { .seconds($0) }, b = Self.seconds(a * b)"),
    .good(.conversions, "Sources/Faces/castq/A.swift", "let a = Duration.seconds(Int64(count))"),
    .good(.conversions, "Sources/Cast/CastProtocol/Numbers/BoundedNumbers.swift", "return .seconds(seconds)"),
    .good(.conversions, "Tests/Rules/CastqRulesTests/A.swift", "let a = Int(x.rounded())"),
  ]
}
