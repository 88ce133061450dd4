import Foundation
import Testing

/// No method of the library is there that no test ever calls, or hears.
@Suite struct PublicMethodTests {
  /// What tells methods of one name apart: listeners' methods differ in what follows their first argument.
  private static func words(_ name: String, _ parameters: String) -> [String] {
    [name]
      + parameters.matches(of: /(\w+)(?: \w+)?:/).map { String($0.1) }
      .filter { label in ["did", "will", "wants"].contains { label.hasPrefix($0) } }
  }

  private static var method: Regex<(Substring, Substring, Substring)> {
    /public (?:(?:nonisolated|static|mutating|final) )*func (\w+)[^(\n]*\(([^)]*)/
  }

  @Test(
    "every public method of a library is named in a test of it",
    arguments: [("CastSender", 100), ("CastPresentation", 15)])
  func allAreNamed(target: String, leastCount: Int) throws {
    let tests = try ["Tests/Cast/\(target)Tests", "Tests/House/DocumentationTests"].flatMap {
      try Files.under($0, endingIn: ".swift")
    }
    var known: Set<Substring> = []
    for file in tests { known.formUnion(file.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }) }
    var unnamed: Set<String> = []
    var count = 0
    for file in try Files.under("Sources/Cast/\(target)", endingIn: ".swift") {
      for match in file.text.matches(of: Self.method) {
        count += 1
        for word in Self.words(String(match.1), String(match.2)) where !known.contains(word[...]) {
          unnamed.insert("\(file.path): \(word)")
        }
      }
    }
    #expect(count > leastCount)
    #expect(unnamed.sorted() == [])
  }

  @Test("a listener's method is told by what follows its first argument")
  func readsMethods() throws {
    let source = "  public nonisolated func hear(\n    _ a: A, didHear word: String\n  ) {}"
    let match = try #require(source.firstMatch(of: Self.method))
    #expect(Self.words(String(match.1), String(match.2)) == ["hear", "didHear"])
  }
}
