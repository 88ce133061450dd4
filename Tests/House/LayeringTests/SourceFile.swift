import FoundationEssentials
import Glibc

/// One file of the project as the rules see it: where it lies and what it says.
struct SourceFile {
  /// From the package's root, with `/`.
  let path: String
  let text: SwiftText
  let source: String

  init(path: String, source: String) {
    self.path = path
    self.source = source
    self.text = SwiftText(source)
  }

  /// The folder below `Sources/` or `Tests/`.
  var neighbourhood: String { folder(1) }

  /// The folder below that.
  var target: String { folder(2) }

  private func folder(_ place: Int) -> String {
    let parts = path.split(separator: "/")
    return parts.count > place + 1 ? String(parts[place]) : ""
  }

  var isTest: Bool { path.hasPrefix("Tests/") }

  /// The indices of the lines that contain one of `words` and match.
  func lines(of text: [String], mentioning words: [String], where matches: (String) -> Bool) -> [Int] {
    let words = words.filter { source.mentions($0) }
    guard !words.isEmpty else { return [] }
    return text.indices.filter { index in
      words.contains { text[index].mentions($0) } && matches(text[index])
    }
  }

  /// The same lines as `path:line`.
  func places(in text: [String], mentioning words: [String], where matches: (String) -> Bool) -> [String] {
    lines(of: text, mentioning: words, where: matches).map { "\(path):\($0 + 1)" }
  }
}

extension String {
  /// Whether the bytes of `word` occur: a hundred times faster than a regular expression in a debug build.
  func mentions(_ word: String) -> Bool {
    strstr(self, word) != nil
  }
}

/// The package this test was compiled from.
enum SourceTree {
  /// Found from this file's own path: `<root>/Tests/House/LayeringTests/SourceFile.swift`.
  static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    .joined(separator: "/")

  /// Every Swift file under `Sources/` and `Tests/`, read once for all rules.
  static let swiftFiles = Result<[SourceFile], any Error> {
    try paths(endingIn: ".swift").map { SourceFile(path: $0, source: try contents(of: $0)) }
  }

  static func paths(
    under folders: [String] = ["Sources", "Tests"], endingIn suffix: String
  ) throws -> [String] {
    try folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")
        .filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
    }
  }

  /// The folders of targets below `folder`, with the neighbourhood of each.
  static func targets(of folder: String) throws -> [String: String] {
    try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)").reduce(into: [:]) { all, path in
      let parts = path.split(separator: "/").map(String.init)
      if parts.count > 2 { all[parts[1]] = parts[0] }
    }
  }

  static func contents(of path: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }
}
