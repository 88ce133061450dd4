package import CastXML

// What is wrong with an XML document, as lists and subtitles tell it.

extension XMLPlace {
  package var document: DocumentPlace { DocumentPlace(line: line, column: column) }
}

extension XMLIssue {
  /// An error when something of the document may be missing.
  package var severity: PlaylistIssue.Severity {
    switch mistake {
    case .noEnd, .notClosed, .noTag, .tooDeep: .error
    case .strayEnd, .endsBefore, .malformedTag, .longText, .noReference, .unknownReference: .warning
    }
  }

  package var error: TextError {
    switch mistake {
    case .noEnd(let name):
      TextError("`\(TerminalText.excerpt(name))` has no end; the rest of the file may be missing")
    case .notClosed(let part): TextError("the \(part.rawValue) is not closed")
    case .strayEnd: TextError("an end tag that ends nothing, so it was left out")
    case .endsBefore(let name, let inner):
      TextError(
        "`\(TerminalText.excerpt(name))` ends before `\(TerminalText.excerpt(inner))`",
        hint: "write </\(TerminalText.excerpt(inner))> before it")
    case .noTag: TextError("a `<` that begins no tag", hint: "write &lt;")
    case .malformedTag(let name):
      TextError("the tag `\(TerminalText.excerpt(name))` is malformed", hint: "write name=\"value\"")
    case .tooDeep(let depth): TextError("elements are nested more than \(depth) deep; the rest was left out")
    case .longText(let bytes): TextError("the text is longer than \(bytes) bytes; it was cut")
    case .noReference: TextError("a `&` that begins no reference", hint: "write &amp;")
    case .unknownReference(let word):
      TextError("`&\(TerminalText.excerpt(word));` is unknown", hint: "write the character itself")
    }
  }
}
