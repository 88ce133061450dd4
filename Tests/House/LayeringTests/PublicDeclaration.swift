/// A function, initializer or property that users of the SDK see, with what is said about it.
struct PublicDeclaration {
  /// Counted from 1.
  let line: Int
  /// Its code up to its body, and the first words of a property's.
  let code: String
  /// Its doc comment.
  let words: String
  /// The doc comment of the type it stands in; empty when it stands in an extension.
  let typeWords: String
}

extension SourceFile {
  /// The public functions, initializers, subscripts and properties of the file.
  var publicDeclarations: [PublicDeclaration] {
    let form =
      /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:[a-z]+\s+)*(?:public|open)\s(?:[a-z]+(?:\(set\))?\s+)*(?:func|init|let|subscript|var)\b/
    return lines(of: text.code, mentioning: ["public", "open"]) {
      $0.contains(form.wordBoundaryKind(.simple))
    }.map {
      PublicDeclaration(
        line: $0 + 1, code: declaration(at: $0), words: words(above: $0), typeWords: typeWords(around: $0))
    }
  }

  /// From the first line of a declaration to where its body begins. Of a property's body the first line belongs to it: an accessor
  /// that throws says so there.
  private func declaration(at index: Int) -> String {
    let isProperty = text.code[index].contains(/\s(?:let|var)\s/)
    var code = ""
    for line in index..<min(index + 12, text.code.count) {
      code += text.code[line] + "\n"
      if isProperty {
        let opens = text.code[line].contains("{") && line + 1 < text.code.count
        return opens ? code + text.code[line + 1] : code
      }
      if text.code[line].contains("{") { return code }
    }
    return code
  }

  /// The doc comment that ends above a line, attributes in between aside.
  private func words(above index: Int) -> String {
    var lines: [String] = []
    var line = index - 1
    while line >= 0, text.code[line].contains(/^\s*(@\w+(\([^)]*\))?\s*)+$/) { line -= 1 }
    while line >= 0, text.code[line].allSatisfy(\.isWhitespace), text.comments[line].contains("///") {
      lines.append(text.comments[line])
      line -= 1
    }
    return lines.reversed().joined(separator: "\n")
  }

  private func typeWords(around index: Int) -> String {
    let depth = indentation(index)
    guard depth > 0 else { return "" }
    for line in stride(from: index - 1, through: 0, by: -1) {
      let code = text.code[line]
      guard !code.allSatisfy(\.isWhitespace), indentation(line) < depth else { continue }
      if code.contains(/\b(?:struct|class|enum|actor|extension)\s/) { return words(above: line) }
    }
    return ""
  }

  private func indentation(_ index: Int) -> Int { text.code[index].prefix { $0 == " " }.count }
}
