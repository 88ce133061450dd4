import CastqText
import Testing

/// Which character set a subtitle file is in.
@Suite struct CharacterSetGuessTests {
  private static func decoding(
    _ sample: CharacterSetSample, in set: CharacterSet, count: Int, language: String?
  ) throws -> (SubtitleDecoding, text: String) {
    let text = sample.file(cues: count)
    let bytes = try #require(TestCharacterSets.bytes(text, in: set))
    return (SubtitleDecoding(bytes, language: language, decode: TestCharacterSets.text), text)
  }

  /// One of the languages that a file may be called in, another one for the next file; in full all of them.
  private static func some(_ languages: [String?], _ number: Int) -> [String?] {
    scheduleRuns(0, 1) == 1 ? languages : [languages[number % languages.count]]
  }

  @Test("there are three texts for every set that is found by its letters")
  func texts() {
    // ISO 8859-1, -9 and -11 are read as the sets of Windows that contain them; what is Unicode says so itself.
    let unicode: [CharacterSet] = [
      .utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
    ]
    for set in CharacterSet.allCases where !unicode.contains(set) {
      #expect(CharacterSetSample.all.count { $0.sets.contains(set) } >= 3, "\(set)")
    }
  }

  @Test(
    "a file of a thousand subtitles is read in its set, with and without a language",
    arguments: CharacterSetSample.all)
  func long(sample: CharacterSetSample) throws {
    for (number, set) in sample.sets.enumerated() {
      for language in Self.some([nil, sample.language], sample.turn + number) {
        let (found, text) = try Self.decoding(sample, in: set, count: 1000, language: language)
        #expect(
          found.text == text && (language == nil || found.confidence != .uncertain),
          "\(set) as \(found.set), \(found.confidence)")
      }
    }
  }

  @Test(
    "a file of ten subtitles is read in its set, or the guess is called uncertain",
    arguments: CharacterSetSample.all)
  func short(sample: CharacterSetSample) throws {
    for (number, set) in sample.sets.enumerated() {
      for language in Self.some([nil, "und", sample.language], sample.turn + number) {
        let (found, text) = try Self.decoding(sample, in: set, count: 10, language: language)
        #expect(
          found.text == text || found.confidence == .uncertain,
          "\(set) as \(found.set), \(found.confidence)")
      }
    }
  }

  /// Sets of Macs and of DOS, and of other regions, that castq does not read.
  private static let otherSets = [
    "MACINTOSH", "MAC-CYRILLIC", "MAC-CENTRALEUROPE", "CP437", "CP737", "CP775", "CP855", "CP857", "CP858",
    "CP860",
    "CP861", "CP862", "CP863", "CP865", "CP869", "ISO-8859-3", "ISO-8859-4", "ISO-8859-10", "ISO-8859-16",
    "JOHAB",
  ]

  @Test(
    "a wrong guess is never called sure, in sets that are not read, too, and whatever its name says of the language",
    arguments: CharacterSetSample.all)
  func wrong(sample: CharacterSetSample) {
    let text = sample.file(cues: 10)
    let files = otherSets(of: text).map {
      ($0.name, $0.bytes, [nil, sample.language, "en"])
    }
    let own = sample.sets.compactMap { set in
      TestCharacterSets.bytes(text, in: set).map { (set.rawValue, $0, ["en", "pl"] as [String?]) }
    }
    for (number, (name, bytes, languages)) in (files + own).enumerated() {
      for language in Self.some(languages, sample.turn + number) {
        let found = SubtitleDecoding(bytes, language: language, decode: TestCharacterSets.text)
        #expect(
          found.text == text || found.confidence != .sure, "\(name) as \(found.set), \(language ?? "-")")
      }
    }
  }

  @Test(
    "a set that differs in one letter from one that is read is not sure, however long the file is",
    arguments: [
      ("CP857", "it", "Così non è, perché sarà più tardi.\nSì, è già lunedì.\nDov'è papà?"),
      ("CP857", "en", "She said “così”, and the café was closed, Señor.\nZoë left.\nHe ate jalapeños."),
      ("CP857", "es", "Es la 1.ª vez, señor.\nEl n.º 5 está aquí.\nMañana será otro día, según él."),
      ("CP858", "de", "Das kostet 5 €, natürlich.\nSchöne Grüße aus Köln.\nÜbrigens hört er nichts."),
    ])
  func oneLetter(set: String, language: String, lines: String) throws {
    let sample = CharacterSetSample([], language, lines.replacing("“", with: "\"").replacing("”", with: "\""))
    for count in [10, 1000] {
      let text = sample.file(cues: count)
      let bytes = try #require(TestCharacterSets.bytes(text, inSetCalled: set))
      for language in [nil, language, "en"] {
        let found = SubtitleDecoding(bytes, language: language, decode: TestCharacterSets.text)
        #expect(found.text != text && found.confidence != .sure, "\(found.set), \(language ?? "-")")
      }
    }
  }

  private func otherSets(of text: String) -> [(name: String, bytes: [UInt8])] {
    Self.otherSets.compactMap { name in
      TestCharacterSets.bytes(text, inSetCalled: name).map { (name, $0) }
    }.filter { $0.1.contains { $0 >= 0x80 } }
  }

  @Test(
    "an English film with quotation marks and names of other languages is read by the language in its name",
    arguments: [
      ("Don\u{2019}t \u{201C}stop\u{201D} \u{2013} not now.", SetConfidence.likely),
      ("The café is closed, Señor.\nGive Renée my résumé.\nIt was déjà vu, Zoë.", .sure),
    ])
  func english(text: String, confidence: SetConfidence) throws {
    let bytes = try #require(TestCharacterSets.bytes(text, in: .western))
    let found = SubtitleDecoding(bytes, language: "en", decode: TestCharacterSets.text)
    #expect(found.text == text && found.confidence == confidence)
  }

  @Test("the language that viewers prefer decides between readings that are equally probable")
  func hint() throws {
    // Three letters, which are words in several sets.
    let bytes: [UInt8] = [0xE4, 0xE0, 0x0A]
    let plain = SubtitleDecoding(bytes, language: nil, decode: TestCharacterSets.text)
    #expect(plain.confidence == .uncertain)
    let hinted = SubtitleDecoding(bytes, language: nil, hint: "ru", decode: TestCharacterSets.text)
    #expect(hinted.text == "да\n" && hinted.confidence != .sure)
  }

  @Test("UTF-8 with a few damaged bytes stays UTF-8, and is not sure")
  func damaged() {
    let line = Array("Schöne Grüße aus Köln, für alle Zuhörer in den Häusern.\n".utf8)
    let bytes = Array((0..<10).map { _ in line }.joined()) + [0xC3, 0x0A]
    let found = SubtitleDecoding(bytes, language: nil, decode: TestCharacterSets.text)
    #expect(found.set == .utf8 && found.confidence == .likely && found.text.hasSuffix("\u{FFFD}\n"))
  }
}

extension CharacterSetSample {
  /// So that samples of different languages begin at different ones of a list.
  fileprivate var turn: Int { language.utf8.reduce(0) { $0 + Int($1) } }
}
