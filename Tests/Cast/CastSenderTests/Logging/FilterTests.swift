import Testing

@testable import CastSender

@Suite("What a log filter lets pass")
struct FilterTests {
  struct Match: Sendable, CustomTestStringConvertible {
    var pattern: String
    var text: String
    var isMatch: Bool
    init(_ pattern: String, _ text: String, _ isMatch: Bool) {
      (self.pattern, self.text, self.isMatch) = (pattern, text, isMatch)
    }
    var testDescription: String { "\(pattern.prefix(20)) \(text.prefix(20))" }
  }

  @Test(
    "a star is any run of characters, a question mark exactly one, and the whole name counts",
    arguments: [
      Match("Session", "Session", true), Match("Session", "Sessions", false),
      Match("Session", "ASession", false),
      Match("CastUI*", "CastUIController", true), Match("CastUI*", "CastU", false),
      Match("Cast*Session", "CastMediaSession", true), Match("Cast*Session", "CastSession", true),
      Match("Cast*Session", "CastSessionManager", false), Match("T?S", "TLS", true),
      Match("T?S", "TS", false),
      Match("*", "", true), Match("?", "", false), Match("", "", true), Match("", "x", false),
      Match("a*b*c", "aXbYbZc", true), Match("a*b*c", "aXbYbZ", false), Match("*?*", "é", true),
      Match("session", "Session", false), Match("a.c", "abc", false), Match("[ab]", "a", false),
    ])
  func globs(match: Match) {
    #expect(GlobPattern(match.pattern).matches(match.text) == match.isMatch)
  }

  @Test(
    "no pattern takes long, however it is built",
    arguments: [
      (String(repeating: "a*", count: 64), String(repeating: "a", count: 100_000) + "b"),
      (String(repeating: "*", count: 100_000) + "x", String(repeating: "y", count: 100_000)),
      (String(repeating: "?*", count: 50_000), ""),
    ])
  func hostilePatterns(pattern: String, text: String) {
    let duration = ContinuousClock().measure {
      for _ in 0..<20 { _ = GlobPattern(pattern).matches(text) }
    }
    #expect(duration < .seconds(60))
  }

  @Test("functions outrank classes, classes outrank the rest, and the last word counts")
  func precedence() {
    var filter = CastLoggerFilter(minimumLevel: .warning)
    filter.setLevel(.debug, forClasses: ["Cast*"])
    filter.setLevel(.none, forClasses: ["CastUI*", "TLS*"])
    filter.setLevel(.verbose, forFunctions: ["end", "CastUIView.draw*"])
    func level(_ name: String, _ function: String) -> CastLogLevel {
      filter.level(forClass: name, function: function)
    }
    #expect(level("Other", "start()") == .warning)
    #expect(level("CastContext", "start()") == .debug)
    #expect(level("CastUIView", "start()") == .none)
    #expect(level("CastUIView", "draw(_:)") == .verbose)
    #expect(level("OtherView", "draw(_:)") == .warning)
    #expect(level("TLSTransport", "end(_:)") == .verbose, "known without its arguments, too")
    #expect(!filter.allows(.assert, class: "TLSTransport", function: "open", message: ""))
    filter.setLevel(.error, forClasses: ["Cast*"])
    #expect(level("CastUIView", "start()") == .error, "set again, it is the last")
    #expect(filter.lowestLevel == .verbose)
    filter.reset()
    #expect(filter == CastLoggerFilter())
    #expect(filter.minimumLevel == .info)
  }

  @Test("with message patterns, only messages that match one of them pass")
  func messages() {
    var filter = CastLoggerFilter(minimumLevel: .verbose)
    filter.addMessagePatterns(["send*"])
    filter.addMessagePatterns(["*lost*"])
    let passing = ["sending", "device lost, trying again", "received"].filter {
      filter.allows(.error, class: "Session", function: "run()", message: $0)
    }
    #expect(passing == ["sending", "device lost, trying again"])
  }

  @Test(
    "a filter is read from a line",
    arguments: [
      ("debug", ["Session": CastLogLevel.debug, "TLSTransport": .debug]),
      ("debug,TLS*=none", ["Session": .debug, "TLSTransport": .none]),
      ("TLS*=trace", ["Session": .none, "TLSTransport": .verbose]),
      ("*=warn,Session=info", ["Session": .info, "TLSTransport": .warning]),
      ("Session=info,*=error,none", ["Session": .error, "TLSTransport": .error]),
    ])
  func text(line: String, levels: [String: CastLogLevel]) throws {
    let filter = try CastLoggerFilter(line)
    for (name, level) in levels { #expect(filter.level(forClass: name, function: "f()") == level) }
  }

  @Test(
    "what cannot be read as a filter is refused with the part that is wrong",
    arguments: [
      ("", ""), ("loud", "loud"), ("Debug", "Debug"), ("debug,", ""), ("debug,info", "info"),
      ("=debug", "=debug"),
      ("A B=debug", "A B=debug"), ("Session=", "Session="), ("Session=loud", "Session=loud"),
      ("debug;info", "debug;info"), ("a=b=debug", "a=b=debug"), (" debug", " debug"),
      ("[a]=debug", "[a]=debug"),
      (String(repeating: "A=debug,", count: 65) + "info", "…"),
    ])
  func refusals(line: String, part: String) {
    let error = #expect(throws: CastLoggerFilter.TextError.self) { try CastLoggerFilter(line) }
    #expect(error?.part == part)
    #expect(error?.reason.isEmpty == false)
  }
}
