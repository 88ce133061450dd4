/// What the doc comments of the SDK have to say, beyond being there.
extension Rule {
  /// The targets that users of the SDK see.
  private static let sdk: Set = ["CastPresentation", "CastProtocol", "CastReceiverSim", "CastSender"]

  private init(
    _ name: String, complaint: String, breaks: @escaping @Sendable (PublicDeclaration) -> Bool
  ) {
    self.init(name) { file in
      guard Self.sdk.contains(file.target), !file.isTest else { return [] }
      return file.publicDeclarations.filter(breaks).map { "\(file.path):\($0.line): \(complaint)" }
    }
  }

  /// Naming means a word in backquotes, be it the error or where it is told.
  static let failures = Rule("what throws names the errors", complaint: "throws, and names no error") {
    $0.code.contains(/\bthrows\b/) && !$0.words.contains(#/(?:Throws:|[Ss]ee )[\s\S]*`\.?\w+|- Throws: as /#)
  }

  static let units = Rule("a number says what it counts", complaint: "a number without a unit or a range") {
    let isNumber = $0.code.contains(
      /\s(?:let|var)\s+\w+\s*(?::\s*(?:Double|Int|Duration)\b|=\s*-?[\d_]+(?:\.\d+)?(?:\s|$))/)
    return isNumber && !$0.words.contains(unitWords)
  }

  static let absence = Rule("what may be absent says what nil means", complaint: "says nothing of nil") {
    let isOptional = $0.code.contains(/\s(?:let|var)\s+\w+\s*:[^={]*\?|->[^{]*\?\s*\{|\binit\?/)
    return isOptional && !($0.words + $0.typeWords).contains(/\b[Nn]il\b/)
  }

  private static var unitWords: Regex<Substring> {
    #/
    \b(?: (?:milli)?seconds? | Seconds | minutes? | hours? | [Hh]ow\ (?:long|many) | [Tt]ime\ (?:limit|since) | [Tt]he\ most
      | [Pp]ixels? | [Bb]ytes? | KiB | [Bb]its? | degrees | \d[\d.]*\ to\ (?: \d+ | the ) | \d\ is
      | [Nn]umber | [Cc]ount(?:s|ed)? | [Ii]ndex | identity | [Uu]nique | factor | [Ss]peed | rate | port
      | version | items? | entries | steps? | at\ (?:least|most) | or\ more | from\ 0 | of\ protocol
    )\b
    /#
  }
}
