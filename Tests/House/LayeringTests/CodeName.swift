/// A name of the code in a page: a file, a target, a type, or a member of a type.
struct CodeName: Hashable {
  enum Kind: Hashable {
    /// From the package's root, or the name of the file alone.
    case file(String)
    /// A type with those it is nested in, outermost first, and a member of the last one; nil names the type.
    case type([String], member: String?)
  }

  let kind: Kind
  /// `path:line`.
  let place: String
  /// As it is written.
  let text: String

  /// The names in a page: in code spans, and in text diagrams, where a word with two capitals is a type.
  static func all(in page: String, at path: String) -> [CodeName] {
    var isInBlock = false
    var names: [CodeName] = []
    for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("```") {
        isInBlock.toggle()
        continue
      }
      let words =
        isInBlock
        ? line.matches(of: /\b[A-Z][a-z0-9]+[A-Z]\w*(?:\.\w+)*/).map(\.output)
        : line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
      for word in words {
        guard let kind = Kind(word) else { continue }
        names.append(CodeName(kind: kind, place: "\(path):\(index + 1)", text: String(word)))
      }
    }
    return names
  }
}

extension CodeName.Kind {
  /// Nil for what is no name of this project's code: commands, words of the wire, SQL, and all else with spaces, in lower case
  /// or in capitals alone.
  init?(_ span: Substring) {
    if span.wholeMatch(of: /[\w.+\-\/]+\.(?:swift|md|sql)|(?:Sources|Tests|docs)\/[\w.+\-\/]*/) != nil {
      self = .file(String(span))
      return
    }
    // What is in parentheses names parameters.
    let parts = span.prefix { $0 != "(" }.split(separator: ".", omittingEmptySubsequences: false)
    let types = parts.prefix { $0.wholeMatch(of: /[A-Z]\w*[a-z]\w*/) != nil }.map(String.init)
    let members = parts.dropFirst(types.count)
    guard !types.isEmpty, members.count < 2,
      members.allSatisfy({ $0.wholeMatch(of: /[a-z]\w*/) != nil })
    else { return nil }
    self = .type(types, member: members.first.map(String.init))
  }
}

/// What the names of a page are looked up in.
struct CodeIndex {
  /// Swift files, in which types and members are declared.
  let files: [SourceFile]
  /// Every path there is.
  let paths: Set<String>
  /// The folders of `Sources`: a target has a name, too.
  let targets: Set<String>

  /// A complaint about each name that nothing has, in the page's order.
  func missing(_ names: [CodeName]) -> [String] {
    var known: [CodeName.Kind: Bool] = [:]
    return names.filter { name in
      let isThere = known[name.kind] ?? has(name.kind)
      known[name.kind] = isThere
      return !isThere
    }.map { "\($0.place): there is no \($0.text)" }
  }

  private func has(_ kind: CodeName.Kind) -> Bool {
    switch kind {
    case .file(let path):
      let path = path.hasSuffix("/") ? String(path.dropLast()) : path
      return paths.contains(path) || (!path.contains("/") && paths.contains { $0.hasSuffix("/\(path)") })
    case .type(let types, let member):
      if let target = types.first, types.count == 1, member == nil, targets.contains(target) { return true }
      var candidates = files
      for (index, type) in types.enumerated() {
        // A nested type may be declared in an extension of the outer one, and extended in files of its own.
        let isOuter = index < types.count - 1 || member != nil
        guard candidates.contains(where: { $0.declares(type) }) else { return false }
        candidates = (index == 0 ? files : candidates).filter {
          $0.declares(type) || (isOuter && $0.extends(type))
        }
      }
      guard let member else { return true }
      return candidates.contains { $0.declares(member: member) }
    }
  }
}

extension SourceFile {
  fileprivate func declares(_ type: String) -> Bool {
    contains(type, after: #"(?:struct|class|enum|actor|protocol|typealias|associatedtype)\s+"#)
  }

  fileprivate func extends(_ type: String) -> Bool { contains(type, after: #"extension\s+(?:\w+\.)*"#) }

  fileprivate func declares(member: String) -> Bool {
    // Patterns have dots, declarations of cases have none.
    member == "init"
      ? contains(member, after: "") : contains(member, after: #"(?:func|var|let)\s+|case\s(?:[^.]*,)?\s*"#)
  }

  /// Whether a line of code has the word, as a whole, after this pattern.
  private func contains(_ word: String, after pattern: String) -> Bool {
    guard source.mentions(word), let form = try? Regex(#"\b(?:\#(pattern))`?\#(word)\b"#) else {
      return false
    }
    let boundary = form.wordBoundaryKind(.simple)
    return !lines(of: text.code, mentioning: [word]) { $0.contains(boundary) }.isEmpty
  }
}

extension SourceTree {
  static func codeIndex() throws -> CodeIndex {
    CodeIndex(
      files: try swiftFiles.get(),
      paths: Set(try paths(under: ["Sources", "Tests", "docs"], endingIn: "")),
      targets: Set(try targets(of: "Sources").keys).union(try targets(of: "Tests").keys))
  }
}
