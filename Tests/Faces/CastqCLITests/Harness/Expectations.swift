import Testing

/// What every failure of castq looks like: one line that says who speaks, nothing on stdout, the contracted code.
func expectOneLine(
  _ ending: Ending, exit: Int32, saying words: String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(ending.exit == exit, "\(ending.stderr)", sourceLocation: sourceLocation)
  #expect(ending.stdout.isEmpty, sourceLocation: sourceLocation)
  #expect(ending.errorLines.count == 1, "\(ending.stderr)", sourceLocation: sourceLocation)
  #expect(ending.stderr.hasPrefix("castq: "), "\(ending.stderr)", sourceLocation: sourceLocation)
  #expect(ending.stderr.hasSuffix("\n"), sourceLocation: sourceLocation)
  if !words.isEmpty {
    #expect(ending.stderr.contains(words), "\(ending.stderr)", sourceLocation: sourceLocation)
  }
}

/// Done, and no word about it: what cron likes.
func expectSilence(_ ending: Ending, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(ending.exit == 0, sourceLocation: sourceLocation)
  #expect(ending.stdout.isEmpty, "\(ending.stdout)", sourceLocation: sourceLocation)
  #expect(ending.stderr.isEmpty, "\(ending.stderr)", sourceLocation: sourceLocation)
}

/// Whether nothing in the text can move a cursor, ring a bell, reorder what stands beside it or hide in it.
func isHarmless(_ text: String) -> Bool {
  text.unicodeScalars.allSatisfy { scalar in
    switch scalar.value {
    case 0x0A: true
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: false
    default: !scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}
