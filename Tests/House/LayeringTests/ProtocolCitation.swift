/// The number of a section of `docs/protocol`, such as `7.5`, or of a chapter, such as `7`.
struct SectionNumber: Hashable, Comparable, CustomStringConvertible {
  let parts: [Int]

  init(_ parts: [Int]) { self.parts = parts }

  /// Nil when the text is no number with dots.
  init?(_ text: Substring) {
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    parts = words.compactMap { Int($0) }
    guard parts.count == words.count else { return nil }
  }

  var description: String { parts.map(String.init).joined(separator: ".") }

  /// Whether the other one is a part of it.
  func contains(_ other: SectionNumber) -> Bool {
    other.parts.count > parts.count && other.parts.starts(with: parts)
  }

  /// The sections after this one up to another one beside it; just that one when the two are no range.
  func following(to end: SectionNumber) -> [SectionNumber] {
    guard let first = parts.last, let last = end.parts.last, parts.dropLast() == end.parts.dropLast(),
      first < last, last - first < 100
    else { return [end] }
    return (first + 1...last).map { SectionNumber(parts.dropLast() + [$0]) }
  }

  static func < (left: SectionNumber, right: SectionNumber) -> Bool {
    left.parts.lexicographicallyPrecedes(right.parts)
  }
}

extension SectionNumber {
  /// The sections that a text names from its beginning on, ranges written out.
  ///
  /// It reads lists (`6.5, 7.3`), ranges (`5.4–5.6`, `21.22 to 21.27`), and words for the sections of a chapter: `18, quirks 7
  /// and 10` are 18, 18.7 and 18.10. The checks of a section are rows of its table, and no sections.
  static func list(in text: Substring) -> [SectionNumber] {
    let form =
      #/
      (\s*[,;–]\s*(?:and\s+)?|\s+(?:and|to)\s+)?
      (?:(check|point|quirk|row)s?\s+)?
      ([0-9]{1,2}(?:\.[0-9]+)*)(?![0-9])
      /#
    var rest = text
    var found: [SectionNumber] = []
    var last: SectionNumber?
    var chapter: SectionNumber?
    while let match = rest.prefixMatch(of: form), var number = SectionNumber(match.output.3) {
      let separator = match.output.1 ?? ""
      guard found.isEmpty == separator.isEmpty, match.output.2 != "check" else { break }
      if number.parts.count > 1 || separator.contains(";") || found.isEmpty {
        chapter = nil
      } else if match.output.2 != nil {
        chapter = chapter ?? last
      }
      if let chapter { number = SectionNumber(chapter.parts + number.parts) }
      let isRange = separator.contains("–") || separator.contains("to")
      found += isRange ? last?.following(to: number) ?? [number] : [number]
      last = number
      rest = rest[match.range.upperBound...]
    }
    return found
  }
}

/// A place that names a section of `docs/protocol`.
struct SectionCitation: Hashable {
  /// `path:line`.
  let place: String
  let section: SectionNumber

  /// The citations of a file: in words, and in the column `section` of a table.
  static func all(in source: String, at path: String) -> [SectionCitation] {
    named("rotocol", in: source, at: path) + (path.hasSuffix(".md") ? inTables(of: source, at: path) : [])
  }

  /// What the pages of the protocol cite of each other.
  static func references(in source: String, at path: String) -> [SectionCitation] {
    named("ection", in: source, at: path) + named("hapter", in: source, at: path)
  }

  /// - Parameter word: the word before the numbers, without its first letter, which may be a capital.
  private static func named(_ word: String, in source: String, at path: String) -> [SectionCitation] {
    guard source.mentions(word) else { return [] }
    let lines = lines(of: source)
    return lines.indices.filter { lines[$0].mentions(word) }.flatMap { index in
      var pieces = lines[index].split(separator: word, omittingEmptySubsequences: false)
      if let last = pieces.popLast() { pieces.append("\(last) \(continuation(of: index, in: lines))") }
      return zip(pieces, pieces.dropFirst()).flatMap { before, after in
        guard before.last?.isLetter == true, before.dropLast().last?.isLetter != true,
          let space = after.prefixMatch(of: /s?\s+(?=[0-9])/)
        else { return [SectionCitation]() }
        return SectionNumber.list(in: after[space.range.upperBound...])
          .map { SectionCitation(place: "\(path):\(index + 1)", section: $0) }
      }
    }
  }

  private static func inTables(of source: String, at path: String) -> [SectionCitation] {
    guard source.mentions("| section |") else { return [] }
    let lines = lines(of: source)
    var column: Int?
    return lines.indices.flatMap { index in
      guard lines[index].hasPrefix("|") else {
        column = nil
        return [SectionCitation]()
      }
      let cells = lines[index].split(separator: "|").map { $0.drop { $0 == " " } }
      guard let column, cells.indices.contains(column) else {
        column = column ?? cells.firstIndex { $0.hasPrefix("section") }
        return []
      }
      return SectionNumber.list(in: cells[column])
        .map { SectionCitation(place: "\(path):\(index + 1)", section: $0) }
    }
  }

  private static func lines(of source: String) -> [String] {
    source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The continuation of a sentence in the next line, without the marks of a comment.
  private static func continuation(of index: Int, in lines: [String]) -> Substring {
    index + 1 < lines.count ? lines[index + 1].drop { " \t/#*".contains($0) } : ""
  }
}

/// The sections of `docs/protocol`, and what is wrong between them and their citations.
struct ProtocolSections {
  /// Where each heading stands, as `path:line`.
  private(set) var places: [SectionNumber: String] = [:]
  /// Headings whose number another one has.
  private(set) var repeated: [String] = []

  /// Adds the sections of a page: `## 6 Media`, `### 6.5 MEDIA_STATUS`.
  mutating func add(_ source: String, at path: String) {
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let match = line.prefixMatch(of: /(?:##|###)\s([0-9]+(?:\.[0-9]+)*)\s/),
        let number = SectionNumber(match.output.1)
      else { continue }
      let place = "\(path):\(index + 1)"
      if let first = places[number] { repeated.append("\(place): \(number) is at \(first), too") }
      places[number] = place
    }
  }

  /// The citations that find no section.
  func broken(_ citations: [SectionCitation]) -> [String] {
    citations.filter { places[$0.section] == nil }.map {
      "\($0.place): protocol \($0.section) has no section"
    }
  }

  /// The sections without a citation of themselves or of a part of theirs.
  func uncited(_ citations: [SectionCitation]) -> [String] {
    let cited = Set(citations.map(\.section))
    return places.sorted { $0.key < $1.key }
      .filter { section, _ in !cited.contains(section) && !cited.contains { section.contains($0) } }
      .map { "\($0.value): nothing cites protocol \($0.key)" }
  }
}

extension SourceTree {
  static let protocolPages = "docs/protocol"

  static func protocolSections() throws -> ProtocolSections {
    var sections = ProtocolSections()
    for path in try paths(under: [protocolPages], endingIn: ".md") {
      sections.add(try contents(of: path), at: path)
    }
    return sections
  }

  /// Every citation outside of the pages of the protocol.
  static func protocolCitations() throws -> [SectionCitation] {
    let scripts = try paths(under: ["scripts"], endingIn: "").filter { !$0.contains("__pycache__") }
    let texts =
      try paths(endingIn: ".md") + paths(endingIn: ".py") + paths(endingIn: ".sh")
      + paths(endingIn: ".txt").filter { $0.contains("/Transcripts/") }
      + paths(under: ["docs"], endingIn: ".md").filter { !$0.hasPrefix("\(protocolPages)/") }
      + scripts.filter { path in !scripts.contains { $0.hasPrefix("\(path)/") } }
      + ["Package.swift", "Makefile", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    return try swiftFiles.get().flatMap { SectionCitation.all(in: $0.source, at: $0.path) }
      + texts.flatMap { SectionCitation.all(in: try contents(of: $0), at: $0) }
  }
}
