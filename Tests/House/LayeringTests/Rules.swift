import Testing

/// A rule of the house as a function over one file: the places that break it, as `path:line`, with what is wrong.
struct Rule: CustomTestStringConvertible {
  let name: String
  let violations: @Sendable (SourceFile) -> [String]

  var testDescription: String { name }

  init(_ name: String, violations: @escaping @Sendable (SourceFile) -> [String]) {
    self.name = name
    self.violations = violations
  }

  /// The rule that no line of one of the texts looks like `form`, unless the file may.
  ///
  /// - Parameter mentioning: what each such line contains literally; it spares most lines the slow look.
  private init(
    _ name: String, no form: @autoclosure @escaping @Sendable () -> Regex<Substring>,
    mentioning words: [String],
    in text: @escaping @Sendable (SwiftText) -> [String], complaint: String,
    where applies: @escaping @Sendable (SourceFile) -> Bool
  ) {
    self.name = name
    self.violations = { file in
      guard applies(file) else { return [] }
      let form = form().wordBoundaryKind(.simple)
      return file.places(in: text(file.text), mentioning: words) { $0.contains(form) }.map {
        "\($0): \(complaint)"
      }
    }
  }

  static let all: [Rule] = [
    imports, owners, purity, sql, columns, sleep, typeNames, fileNames, documentation, failures, units,
    absence, size, driver, unchecked, socketOptions, peerNumbers, conversions, hints,
  ]
}

extension Rule {
  static let imports = Rule("a target imports only what its layer may see") { file in
    guard !file.isTest || file.neighbourhood == "Kit" else { return [] }
    guard let allowed = file.isTest ? LayerTable.kit : LayerTable.allowed[file.target] else {
      return ["\(file.path): the target \(file.target) is not in LayerTable"]
    }
    return file.imports.filter { !allowed.contains($0.module) }
      .map { "\(file.path):\($0.line): \(file.target) may not import \($0.module)" }
  }

  static let owners = Rule("a wrapped library is seen by the target that wraps it alone") { file in
    file.imports.filter { line in
      LayerTable.owners[line.module].map { $0 != file.target && "\($0)Tests" != file.target } ?? false
    }
    .map { "\(file.path):\($0.line): \($0.module) belongs to another target" }
  }

  static let purity = Rule(
    "time enters in one place, and below the purity line it is an argument",
    no:
      /\b(?:Date\s*\(\s*\)|Date\.now|Task\.sleep|ContinuousClock|SuspendingClock|DispatchTime|clock_gettime)/,
    mentioning: ["Date", "sleep", "Clock", "DispatchTime", "clock_gettime"], in: { $0.code },
    complaint: "asks for the time"
  ) { !$0.isTest && !LayerTable.clocks.contains($0.path) }

  static let sql = Rule(
    "SQL is written in the store alone",
    no: /\b(?:SELECT |INSERT (?:INTO|OR) |DELETE FROM |CREATE TABLE |PRAGMA |BEGIN IMMEDIATE)/,
    mentioning: ["SELECT", "INSERT", "DELETE", "CREATE", "PRAGMA", "BEGIN"], in: { $0.strings },
    complaint: "SQL outside the store"
  ) { !$0.isTest && ![LayerTable.sql, LayerTable.centreSQL].contains($0.target) }

  static let columns = Rule(
    "columns leave the database by one door, which expects damage",
    no:
      /(?:\brow|\blast|\$0)\??\[\s+\]|\brow\[\w|\b(?:Int|Int64|Double|String|Bool|Data|Date)\.fetch(?:One|All|Set|Cursor)|\.decode\(/,
    mentioning: ["row", "$0", "last", "fetch", "decode"], in: { $0.code },
    complaint: "reads a column past StoredRow, which ends the program where the file is damaged"
  ) { $0.target == LayerTable.sql && !$0.path.hasSuffix("/StoredRow.swift") }

  static let sleep = Rule(
    "no test sleeps",
    no: /\b(?:sleep|usleep|nanosleep)\s*\(/, mentioning: ["sleep"], in: { $0.code },
    complaint: "sleeps; wait for a value instead"
      // A sample is what a program does, and this one waits between two questions, for as long as it is told.
  ) { $0.isTest && !$0.path.hasSuffix("/Samples/AdSamples.swift") }

  /// An option of one level is another option on another: `tcp_nodelay` of the socket's level is SO_DEBUG, for root alone.
  static let socketOptions = Rule(
    "a socket option is set on its own level and needs no privilege",
    no:
      #/
      socketOption\(\s*\.(?!so_(?:error|keepalive|linger|rcvbuf|reuseaddr|reuseport|sndbuf)\b)
      | tcpOption\(\s*\.(?!tcp_)
      | level:\s*\.socket,\s*name:\s*\.(?!so_)
      | level:\s*\.tcp,\s*name:\s*\.(?!tcp_)
      | level:\s*\.ip,\s*name:\s*\.(?!ip_)
      | level:\s*\.ipv6,\s*name:\s*\.(?!ipv6_)
      | \bSO_(?:BUSY_POLL|DEBUG|MARK|PRIORITY|RCVBUFFORCE|SNDBUFFORCE)\b
      | \b(?:IP_TRANSPARENT|SOCK_RAW|TCP_REPAIR)\b
      /#,
    mentioning: ["Option(", "SO_", "IP_TRANSPARENT", "TCP_REPAIR", "SOCK_RAW"], in: { $0.code },
    complaint: "an option of another level, or one for root alone"
  ) { $0.target != "LayeringTests" }

  static let typeNames = Rule(
    "no type is called Utils, Helper or Common",
    no: /\b(?:struct|class|enum|actor|protocol|extension)\s+\w*(?:Utils?|Utilities|Helpers?|Common)\b/,
    mentioning: ["Util", "Helper", "Common"], in: { $0.code }, complaint: "the name says nothing"
  ) { _ in true }

  static let fileNames = Rule("no file or folder is called Utils, Helpers or Common") { file in
    let forbidden = /(?:Utils?|Utilities|Helpers?|Common)(?:\+\w+)?(?:\.swift)?$/
    let hit = file.path.split(separator: "/").contains { $0.contains(forbidden) }
    return hit ? ["\(file.path): the name says nothing"] : []
  }

  static let documentation = Rule("every public declaration says what it is") { file in
    guard !file.isTest else { return [] }
    return file.undocumentedPublicLines.map { "\(file.path):\($0): public without a doc comment" }
  }

  static let size = Rule("no file is longer than 450 lines") { file in
    let lines = file.text.code.count - 1  // what follows the last line feed is not a line
    return lines > 450 ? ["\(file.path): \(lines) lines"] : []
  }

  /// Its machine decides: what drives it must not grow decisions of its own.
  static let driver = Rule("what drives a runner has at most 250 lines and 12 stored properties") { file in
    guard file.path == "Sources/Engine/CastqDaemon/Running/QueueRunner.swift" else { return [] }
    let lines = file.text.code.count - 1
    let stored = file.lines(of: file.text.code, mentioning: ["let", "var"]) {
      $0.contains(/^  ([a-z]+ )*(let|var) \w+[^{]*$/)
    }.count
    return lines > 250 || stored > 12 ? ["\(file.path): \(lines) lines, \(stored) stored properties"] : []
  }

  /// A page and a client of MPD show it to people who have no terminal before them.
  static let hints = Rule("a command is named where only a terminal shows it") { file in
    guard !file.isTest, !["CastqCommands", "CastqTerminal", "CastqLink", "castq-link"].contains(file.target)
    else {
      return []
    }
    let code = file.text.code
    return file.lines(of: file.text.strings, mentioning: ["castq "]) { $0.contains(/['`]castq\s/) }
      .filter { line in
        !code[max(line - 3, 0)...line].contains { $0.contains(/typed:|command:|\bWords\(/) }
      }
      .map { "\(file.path):\($0 + 1): a command outside of the words for a terminal" }
  }

  static let unchecked = Rule("what switches the compiler's checks off is proved in a comment above") {
    file in
    let comments = file.text.comments
    return file.lines(of: file.text.code, mentioning: ["unchecked", "unsafe"]) {
      $0.contains(/@unchecked\s+Sendable|nonisolated\s*\(\s*unsafe\s*\)/)
    }
    .filter { $0 == 0 || comments[$0 - 1].allSatisfy(\.isWhitespace) }
    .map { "\(file.path):\($0 + 1): unchecked without a comment line above" }
  }
}
