extension SourceFile {
  struct Import: Equatable {
    let module: String
    let line: Int
  }

  /// Every module the file imports, whatever stands around the word: attributes, access level, a single declaration.
  var imports: [Import] {
    let form =
      /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:\w+\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?(\w+)/
    return lines(of: text.code, mentioning: ["import"]) { _ in true }.flatMap { index in
      text.code[index].split(separator: ";").compactMap { statement in
        statement.firstMatch(of: form).map { Import(module: String($0.1), line: index + 1) }
      }
    }
  }

  /// The lines where a public declaration begins that no doc comment precedes.
  var undocumentedPublicLines: [Int] {
    // `open` is a name as well: it is an access level only before a declaration.
    let access =
      /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:[a-z]+\s+)*(?:public\b|open\s+(?:class|func|subscript|var)\b)/
    let keyword =
      /\b(?:actor|associatedtype|class|enum|func|init|let|macro|protocol|struct|subscript|typealias|var)\b/
    return lines(of: text.code, mentioning: ["public", "open"]) {
      $0.contains(access) && $0.contains(keyword.wordBoundaryKind(.simple)) && !$0.mentions("override ")
    }
    .filter { !isDocumented(above: $0) }.map { $0 + 1 }
  }

  /// Whether the comment that ends above `index`, attributes in between aside, is a doc comment.
  private func isDocumented(above index: Int) -> Bool {
    var line = index - 1
    while line >= 0, text.code[line].contains(/^\s*(@\w+(\([^)]*\))?\s*)+$|^\s*#(if|else|endif)/) {
      line -= 1
    }
    guard line >= 0, text.code[line].allSatisfy(\.isWhitespace) else { return false }
    return text.comments[line].contains(/^\s*(\/\/\/|\/\*\*)|\*\/\s*$/)
  }
}
