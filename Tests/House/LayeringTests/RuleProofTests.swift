import Testing

/// One small file and whether a rule must object to it: the proof that the rule can fail, and that it need not.
struct Proof: CustomTestStringConvertible {
  let rule: Rule
  let path: String
  let source: String
  let isBroken: Bool

  var testDescription: String { "\(rule.name): \(isBroken ? "not" : "but") \(source)" }

  static func bad(_ rule: Rule, _ path: String, _ source: String) -> Proof {
    Proof(rule: rule, path: path, source: source, isBroken: true)
  }

  static func good(_ rule: Rule, _ path: String, _ source: String) -> Proof {
    Proof(rule: rule, path: path, source: source, isBroken: false)
  }

  static let all: [Proof] =
    [
      .bad(.imports, "Sources/Cast/CastProtocol/A.swift", "import Foundation"),
      .bad(.imports, "Sources/Cast/CastProtocol/A.swift", "import NIOCore"),
      .bad(.imports, "Sources/Rules/CastqFeeding/A.swift", "package import CastSender"),
      .bad(.imports, "Sources/Rules/CastqFeeding/A.swift", "@preconcurrency import struct Foundation.Date"),
      .bad(.imports, "Sources/Cast/CastSender/A.swift", "let a = 1; import CastqFeeding"),
      .bad(.imports, "Sources/Faces/Newcomer/A.swift", ""),
      .good(.imports, "Sources/Rules/CastqFeeding/A.swift", "public import CastProtocol"),
      .good(
        .imports, "Sources/Cast/CastProtocol/A.swift",
        "// import Foundation\nlet important = \"import NIOCore\""),
      .good(.imports, "Tests/Cast/CastProtocolTests/A.swift", "import Foundation"),

      .bad(.owners, "Sources/Faces/castq/A.swift", "import GRDB"),
      .bad(.owners, "Tests/Cast/CastSenderTests/A.swift", "import COpenSSL"),
      .good(.owners, "Sources/Engine/CastqStore/A.swift", "import GRDB"),

      .bad(.purity, "Sources/Cast/CastProtocol/A.swift", "let now = Date()"),
      .bad(.purity, "Sources/Rules/CastqFeeding/A.swift", "try await Task.sleep(for: .seconds(1))"),
      .bad(.purity, "Sources/Rules/CastqFeeding/A.swift", "let clock = ContinuousClock()"),
      .bad(.purity, "Sources/Rules/CastqFeeding/A.swift", #"let text = "at \(Date())""#),
      .bad(.purity, "Sources/Rules/CastqFeeding/A.swift", "let now = FoundationEssentials.Date()"),
      .good(
        .purity, "Sources/Rules/CastqFeeding/A.swift", "/* never Date() /* nor */ Task.sleep */ let a = 1"),
      .good(.purity, "Sources/Rules/CastqFeeding/A.swift", "let when = Date(timeIntervalSince1970: 0)"),
      .bad(.purity, "Sources/Engine/CastqStore/A.swift", "let begin = ContinuousClock.now"),
      .good(.purity, "Sources/Cast/CastSender/Time/TimeSource.swift", "let clock = ContinuousClock()"),

      .bad(
        .hints, "Sources/Engine/CastqDaemon/A.swift",
        "throw Failure(\n  \"a\", \"none: 'castq queue' lists them\")"),
      .bad(.hints, "Sources/Engine/CastqStore/A.swift", "ScheduleRefusal(\"a\", \"b; 'castq c' does\")"),
      .good(
        .hints, "Sources/Faces/CastqCommands/A.swift",
        "throw Failure(\"a\", \"none: 'castq queue' lists them\")"),
      .bad(.hints, "Sources/Rules/CastqFeeding/A.swift", "let advice = \"run 'castq queue'\""),
      .good(
        .hints, "Sources/Rules/CastqFeeding/A.swift",
        "FaceWords(\n  typed: \"run 'castq queue'\", paged: nil)"),

      .bad(.sql, "Sources/Faces/castq/A.swift", #"let text = "SELECT 1""#),
      .bad(.sql, "Sources/Engine/CastqDaemon/A.swift", "let text = \"\"\"\n  INSERT INTO play\n  \"\"\""),
      .good(.sql, "Sources/Faces/castq/A.swift", "// SELECT * FROM play\nlet text = \"select a device\""),
      .good(.sql, "Sources/Engine/CastqStore/A.swift", #"let text = "SELECT 1""#),

      .bad(.columns, "Sources/Engine/CastqStore/A.swift", #"let a: Int = row["turn"]"#),
      .bad(.columns, "Sources/Engine/CastqStore/A.swift", #"rows.map { $0["turn"] as Int }"#),
      .bad(.columns, "Sources/Engine/CastqStore/A.swift", "let a: Int64 = row[0]"),
      .bad(.columns, "Sources/Engine/CastqStore/A.swift", #"try Int.fetchOne(db, sql: "SELECT 1")"#),
      .bad(.columns, "Sources/Engine/CastqStore/A.swift", #"try row.decode(Int.self, forColumn: "a")"#),
      .good(.columns, "Sources/Engine/CastqStore/A.swift", #"members["title"] = nil; try row.value("row")"#),
      .good(
        .columns, "Sources/Engine/CastqStore/A.swift", #"let rows = try Row.fetchAll(db, sql: "SELECT 1")"#),
      .good(.columns, "Sources/Engine/CastqStore/Rows/StoredRow.swift", "row.decode(A.self, forColumn: b)"),
      .good(.columns, "Sources/Faces/castq/A.swift", #"let a = row["turn"]"#),

      .bad(.documentation, "Sources/Cast/CastSender/A.swift", "public struct A {}"),
      .bad(.documentation, "Sources/Cast/CastSender/A.swift", "// a note\npublic static func a() {}"),
      .bad(.documentation, "Sources/Cast/CastSender/A.swift", "/// a\n\npublic private(set) var a = 1"),
      .bad(
        .documentation, "Sources/Cast/CastSender/A.swift", "  @discardableResult public func a() -> Int { 1 }"
      ),
      .good(.documentation, "Sources/Cast/CastSender/A.swift", "/// a\n@frozen\npublic struct A {}"),
      .good(.documentation, "Sources/Cast/CastSender/A.swift", "/** a\n    b */\npublic struct A {}"),
      .good(
        .documentation, "Sources/Cast/CastSender/A.swift", "public import CastProtocol\npackage struct A {}"),
      .bad(.documentation, "Sources/Cast/CastSender/A.swift", "open class A {}"),
      .good(
        .documentation, "Sources/Cast/CastSender/A.swift",
        "private var open: Int?\nmutating func open(a: Int) {}"),

      .bad(.failures, "Sources/Cast/CastSender/A.swift", "/// Asks.\npublic func a() throws {"),
      .bad(
        .failures, "Sources/Cast/CastSender/A.swift",
        "/// Asks.\npublic func a(\n  b: Int\n) async throws(E) -> Int {"),
      .bad(
        .failures, "Sources/Cast/CastSender/A.swift",
        "/// It.\npublic static var a: Int {\n  get throws(E) { 1 }"),
      .good(
        .failures, "Sources/Cast/CastSender/A.swift",
        "/// Asks.\n/// - Throws: `timeout`.\n@discardableResult\npublic func a() throws {"),
      .good(.failures, "Sources/Cast/CastSender/A.swift", "/// As `b`; see `b`.\npublic func a() throws {"),
      .good(.failures, "Sources/Cast/CastSender/A.swift", "func a() throws {\n}\n/// b\npublic func b() {"),
      .good(.failures, "Sources/Cast/CastTLS/A.swift", "/// Asks.\npublic func a() throws {"),

      .bad(.units, "Sources/Cast/CastProtocol/A.swift", "/// The width.\npublic var width: Int"),
      .bad(.units, "Sources/Cast/CastProtocol/A.swift", "/// The limit.\npublic static let limit = 0.5"),
      .bad(.units, "Sources/Cast/CastProtocol/A.swift", "/// The wait.\npublic let wait: Duration?"),
      .good(.units, "Sources/Cast/CastProtocol/A.swift", "/// Width in pixels.\npublic var width: Int?"),
      .good(.units, "Sources/Cast/CastProtocol/A.swift", "/// Title.\npublic var title: String"),
      .good(
        .units, "Sources/Cast/CastProtocol/A.swift", "/// 0 to 1.\npublic private(set) var level: Double = 1"),

      .bad(.absence, "Sources/Cast/CastProtocol/A.swift", "/// The title.\npublic var title: String?"),
      .bad(
        .absence, "Sources/Cast/CastProtocol/A.swift", "/// Finds.\npublic func a(b: Int) -> [Int: String]? {"
      ),
      .bad(.absence, "Sources/Cast/CastProtocol/A.swift", "/// Reads.\npublic init?(a: Int) {"),
      .good(
        .absence, "Sources/Cast/CastProtocol/A.swift",
        "/// The title; nil when absent.\npublic var title: String?"
      ),
      .good(
        .absence, "Sources/Cast/CastProtocol/A.swift",
        "/// Nil is left out.\npublic struct A {\n  /// a\n  public init() {\n    b()\n  }\n  /// b\n  public var b: Int?"
      ),
      .good(.absence, "Sources/Cast/CastProtocol/A.swift", "/// Adds.\npublic func a(b: Int?) -> Int {"),

      .bad(.size, "Sources/Faces/castq/A.swift", String(repeating: "\n", count: 451)),
      .good(.size, "Sources/Faces/castq/A.swift", String(repeating: "\n", count: 450)),
      .bad(
        .driver, "Sources/Engine/CastqDaemon/Running/QueueRunner.swift", String(repeating: "\n", count: 251)),
      .bad(
        .driver, "Sources/Engine/CastqDaemon/Running/QueueRunner.swift",
        String(repeating: "  private var a = 1\n", count: 13)),
      .good(
        .driver, "Sources/Engine/CastqDaemon/Running/QueueRunner.swift",
        String(repeating: "  private let a: A\n", count: 12) + "  var b: Int { 1 }\n    let c = 1\n"),

      .bad(.fileNames, "Sources/Faces/castq/StringUtils.swift", ""),
      .bad(.fileNames, "Sources/Faces/castq/Common/A.swift", ""),
      .bad(.typeNames, "Sources/Faces/castq/A.swift", "enum QueueHelper {}"),
      .good(.typeNames, "Sources/Faces/castq/A.swift", "struct CommonName {}  // no Helper"),
      .good(.fileNames, "Sources/Faces/castq/CommonName.swift", ""),

      .bad(.unchecked, "Sources/Faces/castq/A.swift", "final class A: @unchecked Sendable {}"),
      .bad(.unchecked, "Sources/Faces/castq/A.swift", "\nnonisolated(unsafe) var a = 1"),
      .good(
        .unchecked, "Sources/Faces/castq/A.swift",
        "// Only the loop's thread gets here.\nclass A: @unchecked Sendable {}"),
      .good(.unchecked, "Sources/Faces/castq/A.swift", "// not nonisolated(unsafe)"),

      .bad(
        .socketOptions, "Sources/Cast/CastSender/A.swift",
        ".channelOption(.socketOption(.tcp_nodelay), value: 1)"),
      .bad(
        .socketOptions, "Tests/Cast/CastTLSTests/A.swift",
        ".childChannelOption(.socketOption(.so_debug), value: 1)"),
      .bad(
        .socketOptions, "Sources/Cast/CastHTTP/A.swift", ".channelOption(.tcpOption(.so_keepalive), value: 1)"
      ),
      .bad(
        .socketOptions, "Sources/Cast/CastMulticast/A.swift",
        "options.unsafeSetSocketOption(level: .ip, name: .ipv6_multicast_if, value: 1)"),
      .bad(
        .socketOptions, "Sources/Cast/CastMulticast/A.swift",
        "setsockopt(socket, SOL_SOCKET, SO_MARK, &one, 4)"),
      .good(
        .socketOptions, "Sources/Cast/CastSender/A.swift",
        ".channelOption(.tcpOption(.tcp_nodelay), value: 1)"),
      .good(
        .socketOptions, "Sources/Engine/CastqMediaServer/A.swift",
        ".childChannelOption(.socketOption(.so_keepalive), value: 1)"),
      .good(
        .socketOptions, "Sources/Cast/CastMulticast/A.swift",
        "options.unsafeSetSocketOption(level: .ipv6, name: .ipv6_join_group, value: 1)"),

      .bad(.sleep, "Tests/Cast/CastSenderTests/A.swift", "try await Task.sleep(for: .seconds(1))"),
      .bad(.sleep, "Tests/Cast/CastSenderTests/A.swift", "usleep (10)"),
      .good(.sleep, "Tests/Cast/CastSenderTests/A.swift", "let asleep = \"sleep(1)\"  // sleep(1)"),
      .good(.sleep, "Sources/Cast/CastSender/A.swift", "try await Task.sleep(for: .seconds(1))"),
    ] + numbers
}

@Suite("Each rule can fail, and fails for nothing else")
struct RuleProofTests {
  @Test("a rule objects to what breaks it and to nothing else", arguments: Proof.all)
  func ruleJudges(_ proof: Proof) {
    let violations = proof.rule.violations(SourceFile(path: proof.path, source: proof.source))
    #expect(violations.isEmpty != proof.isBroken, "\(violations)")
  }

  @Test("every rule has been seen to fail and to pass")
  func everyRuleIsProved() {
    for rule in Rule.all {
      let verdicts = Set(Proof.all.filter { $0.rule.name == rule.name }.map(\.isBroken))
      #expect(verdicts == [true, false], "\(rule.name)")
    }
  }

  @Test("code, comments and strings are told apart")
  func textIsToldApart() {
    let text = SwiftText(###"a("b\(c("d"))e") // f "g"\###n##"h"i\##(j)k"## /* l */ m"###)
    func words(_ lines: [String]) -> [String] { lines.map { $0.filter { $0.isLetter } } }
    #expect(words(text.code) == ["ac", "jm"])
    #expect(words(text.strings) == ["bde", "hik"])
    #expect(words(text.comments) == ["fg", "l"])
  }
}
