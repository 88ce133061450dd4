import Testing

@Suite("The facts of the protocol stand where they are cited")
struct ProtocolCitationTests {
  @Test("every citation of the protocol finds its section")
  func citationsFindTheirSections() throws {
    let citations = try SourceTree.protocolCitations()
    #expect(citations.count > 700, "the citations were not found")
    let broken = try SourceTree.protocolSections().broken(citations)
    #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
  }

  @Test("every section of the protocol is cited, or a part of it is")
  func sectionsAreCited() throws {
    let sections = try SourceTree.protocolSections()
    #expect(sections.repeated.isEmpty, "\(sections.repeated.joined(separator: "\n"))")
    let uncited = sections.uncited(try SourceTree.protocolCitations())
    #expect(uncited.isEmpty, "\(uncited.joined(separator: "\n"))")
  }

  @Test("every reference between the pages of the protocol finds its section")
  func referencesFindTheirSections() throws {
    let references = try SourceTree.paths(under: [SourceTree.protocolPages], endingIn: ".md")
      .flatMap { SectionCitation.references(in: try SourceTree.contents(of: $0), at: $0) }
    #expect(references.count > 50, "the references were not found")
    let broken = try SourceTree.protocolSections().broken(references)
    #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
  }
}

/// A place that cites, and the sections it names. `§` stands for the word that begins a citation, so that these are none of this file.
struct CitationSample: CustomTestStringConvertible {
  let text: String
  let sections: String
  var path = "A.swift"

  var testDescription: String { text.replacing("\n", with: " ⏎ ") }

  static let all = [
    CitationSample(text: "/// A frame (§ 1.2).", sections: "1.2"),
    CitationSample(text: "/// Frames of § 1.3, byte for byte.", sections: "1.3"),
    CitationSample(text: "let a = 1  // § 9", sections: "9"),
    CitationSample(text: "# once (§ 6.5, 7.3) and again (§ 10)", sections: "6.5 7.3 10"),
    CitationSample(text: "(§ 21.12 and 21.15)", sections: "21.12 21.15"),
    CitationSample(text: "(§ 5.4–5.6, 14)", sections: "5.4 5.5 5.6 14"),
    CitationSample(text: "(§ 21.9 to 21.11)", sections: "21.9 21.10 21.11"),
    CitationSample(text: "(§ 6–8, 21)", sections: "6 7 8 21"),
    CitationSample(text: "(§ 6.5; 18, quirks 7 and 10)", sections: "6.5 18 18.7 18.10"),
    CitationSample(text: "(§ 18, row 29; 21, points 6 and 17)", sections: "18 18.29 21 21.6 21.17"),
    CitationSample(text: "(§ 2.3, checks 2 to 10; the first is the reader's)", sections: "2.3"),
    CitationSample(text: "(§ 6.6, 901), (§ 5.7: 100 to 200 ms), (§ 13.2, `id`)", sections: "6.6 5.7 13.2"),
    CitationSample(text: "  /// opinions (§ 6.3,\n  /// 6.9).", sections: "6.3 6.9"),
    CitationSample(text: "  // before they connect (§\n  // 13.6).", sections: "13.6"),
    CitationSample(text: "(§ 6.5.1)", sections: "6.5.1"),
    CitationSample(text: "import Cast§\n7", sections: ""),
    CitationSample(text: "version 2 of the §", sections: ""),
    CitationSample(
      text: "| a | section |\n|---|---|\n| 7.1 | 5.1, 5.2 |\n\n| a | b |\n|---|---|\n| 1 | 2 |",
      sections: "5.1 5.2", path: "A.md"),
  ]
}

@Suite("The search for citations can fail, and fails for nothing else")
struct ProtocolCitationProofTests {
  private static let word = "protocol"

  private func citations(_ sample: CitationSample) -> [SectionCitation] {
    let source = sample.text.split(separator: "§", omittingEmptySubsequences: false)
    return SectionCitation.all(in: source.joined(separator: Self.word), at: sample.path)
  }

  @Test("a citation is read in each of its forms", arguments: CitationSample.all)
  func readsCitations(_ sample: CitationSample) {
    #expect(citations(sample).map { "\($0.section)" }.joined(separator: " ") == sample.sections)
  }

  @Test("a citation without a section is named by its place, and a section without a citation too")
  func complains() {
    var sections = ProtocolSections()
    sections.add("# Media\n\n## 6 Media\n\n### 6.5 Status\n\n### Notes\n", at: "docs/a.md")
    sections.add("## 7 Queues\n### 7.1 Loading\n### 7.10 Sizes\n## 6 Again\n", at: "docs/b.md")
    let citations = citations(CitationSample(text: "a\n// (§ 6.5, 6.6)\n// (§ 7.1)", sections: ""))
    #expect(sections.broken(citations) == ["A.swift:2: \(Self.word) 6.6 has no section"])
    #expect(sections.uncited(citations) == ["docs/b.md:3: nothing cites \(Self.word) 7.10"])
    #expect(sections.repeated == ["docs/b.md:4: 6 is at docs/a.md:3, too"])
  }

  @Test("a reference between pages is read after the words section and chapter")
  func readsReferences() {
    let text = "As Section 1.2 has it, chapters 2 to 4 and sections 5.1\nand 5.2 say; intersection 9."
    let references = SectionCitation.references(in: text, at: "A.md").map { "\($0.section)" }
    #expect(Set(references) == ["1.2", "2", "3", "4", "5.1", "5.2"])
  }
}
