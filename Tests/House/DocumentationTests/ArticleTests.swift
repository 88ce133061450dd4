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
        guard let sample = samples.first(where: { $0.text == block.text }) else {
          Issue.record("\(article) shows code that is no sample:\n\(block.text)")
          continue
        }
        #expect(block.imports == Self.imports(of: block.text), "\(article), sample \(sample.name)")
        shown.insert(sample.name)
      }
    }
    #expect(samples.map(\.name).filter { !shown.contains($0) } == [], "no article shows these")
    #expect(Set(samples.map(\.name)).count == samples.count)
  }

  /// The modules a sample needs beside `CastSender`, by the names of theirs that it uses.
  private static func imports(of text: String) -> [String] {
    [("Logger", "Logging"), ("Mutex", "Synchronization")].filter { name, _ in
      text.split { !$0.isLetter && !$0.isNumber }.contains { $0 == name }
    }.map(\.1)
  }

  @Test("a block is read without the indentation it stands in")
  func readsBlocks() {
    let text = "- a list:\n\n  ```swift\n  if a {\n    b()\n  }\n  ```\n\n```\nno Swift\n```\n"
    #expect(Article.blocks(in: text) == [Article.Block("if a {\n  b()\n}")])
    #expect(Article.Block("import B\nimport C\n\nf()") == Article.Block(imports: ["B", "C"], text: "f()"))
    let source = "x\n  // sample: one\n  if a {\n\n    b()\n  }\n  // end sample\ny\n"
    #expect(Sample.read(source) == [Sample(name: "one", text: "if a {\n\n  b()\n}")])
  }
}

/// A piece of code between markers in these tests.
struct Sample: Equatable {
  let name: String
  let text: String

  static func all() throws -> [Sample] {
    try Files.under("Tests/House/DocumentationTests/Samples", endingIn: ".swift").flatMap { read($0.text) }
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
  /// A piece of code, and the modules that it imports by name.
  struct Block: Equatable {
    var imports: [String]
    var text: String

    init(imports: [String], text: String) {
      self.imports = imports
      self.text = text
    }

    init(_ code: String) {
      let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
      imports = lines.prefix { $0.hasPrefix("import ") }.map { String($0.dropFirst("import ".count)) }
      text = lines.dropFirst(imports.count).drop { $0.isEmpty }.joined(separator: "\n")
    }
  }

  static func all() throws -> [(name: String, blocks: [Block])] {
    try ["CastSender", "CastPresentation"].flatMap { target in
      try Files.under("Sources/Cast/\(target)/\(target).docc", endingIn: ".md").map {
        ($0.path, blocks(in: $0.text))
      }
    }
  }

  /// The contents of the fenced blocks that are called Swift.
  static func blocks(in text: String) -> [Block] {
    var blocks: [Block] = []
    var current: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let trimmed = line.trimmingPrefix { $0 == " " }
      if let lines = current, trimmed == "```" {
        blocks.append(Block(Sample.unindented(lines)))
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
    .deletingLastPathComponent().deletingLastPathComponent()

  static func under(_ folder: String, endingIn suffix: String) throws -> [(path: String, text: String)] {
    let base = root.appending(path: folder)
    return try FileManager.default.subpathsOfDirectory(atPath: base.path).filter { $0.hasSuffix(suffix) }
      .sorted()
      .map { ($0, try String(contentsOf: base.appending(path: $0), encoding: .utf8)) }
  }
}
