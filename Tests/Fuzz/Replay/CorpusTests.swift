import Foundation
import Testing

/// An input that once did harm, or that an engine began with.
struct FuzzInput: CustomTestStringConvertible, Sendable {
  let parser: Parser
  let path: String

  var testDescription: String { "\(parser.rawValue)/\(URL(filePath: path).lastPathComponent)" }

  static let all: [FuzzInput] = Parser.allCases.flatMap { parser in
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Corpus/\(parser.rawValue)").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { FuzzInput(parser: parser, path: "\(folder)/\($0)") }
  }
}

@Suite("What fuzzing found stays found")
struct CorpusTests {
  @Test("no input of the corpus stops a parser, whole or cut", arguments: FuzzInput.all)
  func replays(_ input: FuzzInput) throws {
    let bytes = Array(try Data(contentsOf: URL(filePath: input.path)))
    for count in Set([bytes.count, bytes.count - 1, bytes.count / 2]) where count >= 0 {
      input.parser.parse(Array(bytes.prefix(count)))
    }
  }

  @Test("every parser has inputs to begin with", arguments: Parser.allCases)
  func hasSeeds(parser: Parser) {
    #expect(FuzzInput.all.contains { $0.parser == parser })
  }
}
