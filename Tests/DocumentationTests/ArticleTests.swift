import Foundation
import Testing

/// The articles show code that is compiled and run, and no other.
@Suite struct ArticleTests {
  @Test("every Swift block of an article is a sample of these tests, and every sample is shown")
  func articlesShowSamples() throws {
    let samples = try Sample.all()
    var shown: Set<String> = []
    for (article, blocks) in try Article.all() {
      for block in blocks {
        guard let sample = samples.first(where: { $0.text == block }) else {
          Issue.record("\(article) shows code that is no sample:\n\(block)")
          continue
        }
        shown.insert(sample.name)
      }
    }
    #expect(samples.map(\.name).filter { !shown.contains($0) } == [], "no article shows these")
    #expect(Set(samples.map(\.name)).count == samples.count)
  }

  @Test("a block is read without the indentation it stands in")
  func readsBlocks() {
    let text = "- a list:\n\n  ```swift\n  if a {\n    b()\n  }\n  ```\n\n```\nno Swift\n```\n"
    #expect(Article.blocks(in: text) == ["if a {\n  b()\n}"])
    let source = "x\n  // sample: one\n  if a {\n\n    b()\n  }\n  // end sample\ny\n"
    #expect(Sample.read(source) == [Sample(name: "one", text: "if a {\n\n  b()\n}")])
  }
}

/// A piece of code between markers in these tests.
struct Sample: Equatable {
  let name: String
  let text: String

  static func all() throws -> [Sample] {
    try Files.under("Tests/DocumentationTests/Samples", endingIn: ".swift").flatMap { read($0.text) }
  }

  static func read(_ source: String) -> [Sample] {
    var samples: [Sample] = []
    var current: (name: String, lines: [Substring])?
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let trimmed = line.trimmingPrefix { $0 == " " }
      if trimmed.hasPrefix("// sample: ") {
        current = (String(trimmed.dropFirst("// sample: ".count)), [])
      } else if trimmed == "// end sample", let done = current {
        samples.append(Sample(name: done.name, text: unindented(done.lines)))
        current = nil
      } else {
        current?.lines.append(line)
      }
    }
    return samples
  }

  /// The lines without the spaces that all of them begin with.
  static func unindented(_ lines: [Substring]) -> String {
    let depth = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { $0.dropFirst(depth) }.joined(separator: "\n")
  }
}

/// A page of the documentation.
enum Article {
  static func all() throws -> [(name: String, blocks: [String])] {
    try Files.under("Sources/CastSender/CastSender.docc", endingIn: ".md").map {
      ($0.path, blocks(in: $0.text))
    }
  }

  /// The contents of the fenced blocks that are called Swift.
  static func blocks(in text: String) -> [String] {
    var blocks: [String] = []
    var current: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let trimmed = line.trimmingPrefix { $0 == " " }
      if let lines = current, trimmed == "```" {
        blocks.append(Sample.unindented(lines))
        current = nil
      } else if current != nil {
        current?.append(line)
      } else if trimmed == "```swift" {
        current = []
      }
    }
    return blocks
  }
}

/// Files of the package these tests were compiled from.
enum Files {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func under(_ folder: String, endingIn suffix: String) throws -> [(path: String, text: String)] {
    let base = root.appending(path: folder)
    return try FileManager.default.subpathsOfDirectory(atPath: base.path).filter { $0.hasSuffix(suffix) }
      .sorted()
      .map { ($0, try String(contentsOf: base.appending(path: $0), encoding: .utf8)) }
  }
}
