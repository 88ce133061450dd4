/// The languages whose letters castq knows, and the sets of old files that they are written in.
enum Writing: CaseIterable {
  case english, german, french, spanish, catalan, portuguese, italian, dutch, swedish, danish, finnish,
    icelandic
  case afrikaans, welsh
  case polish, czech, slovak, hungarian, croatian, slovenian, romanian, albanian
  case russian, ukrainian, bulgarian, serbian, macedonian
  case greek, turkish, hebrew, arabic, persian, lithuanian, latvian, estonian, vietnamese, thai
  case japanese, simplified, traditional, korean

  /// RFC 5646 codes of the languages that look so, those without a table of their own beside the one that is nearest to them.
  var languages: Set<String> {
    switch self {
    case .english: ["en", "ga", "id", "ms", "sw", "tl"]
    case .german: ["de", "lb"]
    case .french: ["fr", "oc", "br"]
    case .spanish: ["es", "gl", "eu"]
    case .catalan: ["ca", "oc"]
    case .portuguese: ["pt", "gl"]
    case .italian: ["it"]
    case .dutch: ["nl", "fy"]
    case .swedish: ["sv"]
    case .danish: ["da", "nb", "nn", "no", "fo"]
    case .finnish: ["fi"]
    case .icelandic: ["is", "fo"]
    case .afrikaans: ["af"]
    case .welsh: ["cy"]
    case .polish: ["pl"]
    case .czech: ["cs", "sk"]
    case .slovak: ["sk", "cs"]
    case .hungarian: ["hu"]
    case .croatian: ["hr", "bs", "sr", "sh", "sl"]
    case .slovenian: ["sl", "hr", "bs"]
    case .romanian: ["ro"]
    case .albanian: ["sq"]
    case .russian: ["ru", "be", "bg"]
    case .ukrainian: ["uk", "be"]
    case .bulgarian: ["bg"]
    case .serbian: ["sr", "mk", "sh"]
    case .macedonian: ["mk"]
    case .greek: ["el"]
    case .turkish: ["tr", "az"]
    case .hebrew: ["he", "yi"]
    case .arabic: ["ar", "ur"]
    case .persian: ["fa", "ur"]
    case .lithuanian: ["lt"]
    case .latvian: ["lv"]
    case .estonian: ["et"]
    case .vietnamese: ["vi"]
    case .thai: ["th"]
    case .japanese: ["ja"]
    case .simplified, .traditional: ["zh"]
    case .korean: ["ko"]
    }
  }

  /// Whether a language is written much as this one, and has no table of its own.
  func isNearest(to language: String) -> Bool {
    languages.contains(language) && !Self.tabled.contains(language)
  }

  /// Languages with a table of their own that is not exact, but has their letters.
  static let lettered: Set<String> = ["af", "cy", "et", "sq", "th"]

  /// Languages with a table of their own that is exact: those of Afrikaans, Albanian, Estonian, Thai and Welsh know pairs of letters of an
  /// encyclopaedia alone, and dialogue costs more.
  private static let tabled: Set<String> = [
    "en", "de", "fr", "es", "ca", "pt", "it", "nl", "sv", "da", "nb", "no", "fi", "is", "pl", "cs",
    "sk", "hu",
    "hr", "sl", "ro", "ru", "uk", "bg", "sr", "mk", "el", "tr", "he", "ar", "fa", "lt", "lv",
    "vi",
    "ja", "zh", "ko",
  ]

  /// Languages from which English takes words and names. Letters of other languages hardly occur in English texts.
  static let neighbors: [Writing] = [
    .german, .french, .spanish, .catalan, .portuguese, .italian, .dutch, .swedish, .danish, .finnish,
  ]

  /// What a text costs in this language, in quarters of -ln(p).
  func cost(of text: [Unicode.Scalar]) -> Int {
    if let characters { return characters.cost(of: text) }
    return letters?.cost(of: text) ?? 0
  }

  /// What a letter of a text in this language costs at most, measured: in the words of ten subtitles 11 to 15, and 22 to 30 a character
  /// of East Asia.
  var usualCost: Int { characters == nil ? 16 : 33 }

  /// What makes a word none of the language: see `LetterTable`.
  func flaw(of word: [Unicode.Scalar]) -> WordFlaw? {
    if let letters { return letters.flaw(of: word) }
    // Words of ASCII beside characters of East Asia are names, and mostly capitals.
    let isMixed = zip(word, word.dropFirst()).contains { one, next in
      one.isASCII != next.isASCII && (one.isASCII ? one : next).properties.isLowercase
    }
    return isMixed || word.contains { ForeignCharacter($0) == .damage } ? .torn : nil
  }

  private var characters: IdeographTable? {
    switch self {
    case .japanese: .japanese
    case .simplified: .simplified
    case .traditional: .traditional
    case .korean: .korean
    default: nil
    }
  }

  private var letters: LetterTable? {
    switch self {
    case .english: .english
    case .german: .german
    case .french: .french
    case .spanish: .spanish
    case .catalan: .catalan
    case .portuguese: .portuguese
    case .italian: .italian
    case .dutch: .dutch
    case .swedish: .swedish
    case .danish: .danish
    case .finnish: .finnish
    case .icelandic: .icelandic
    case .afrikaans: .afrikaans
    case .welsh: .welsh
    case .polish: .polish
    case .czech: .czech
    case .slovak: .slovak
    case .hungarian: .hungarian
    case .croatian: .croatian
    case .slovenian: .slovenian
    case .romanian: .romanian
    case .albanian: .albanian
    case .russian: .russian
    case .ukrainian: .ukrainian
    case .bulgarian: .bulgarian
    case .serbian: .serbian
    case .macedonian: .macedonian
    case .greek: .greek
    case .turkish: .turkish
    case .hebrew: .hebrew
    case .arabic: .arabic
    case .persian: .persian
    case .lithuanian: .lithuanian
    case .latvian: .latvian
    case .estonian: .estonian
    case .vietnamese: .vietnamese
    case .thai: .thai
    case .japanese, .simplified, .traditional, .korean: nil
    }
  }
}

extension CharacterSet {
  /// The languages that files in this set are written in, and how rare such files are, in quarters of -ln(p), estimated.
  var writings: (rarity: Int, [Writing]) {
    let western: [Writing] = [
      .english, .german, .french, .spanish, .catalan, .portuguese, .italian, .dutch, .swedish, .danish,
      .finnish,
      .icelandic, .albanian, .estonian, .afrikaans, .welsh,
    ]
    let central: [Writing] = [
      .polish, .czech, .slovak, .hungarian, .croatian, .slovenian, .romanian, .albanian,
    ]
    let cyrillic: [Writing] = [.russian, .ukrainian, .bulgarian, .serbian, .macedonian]
    return switch self {
    case .western: (0, western)
    case .latin9: (12, western)
    case .dosWestern: (40, western)
    case .centralEuropean: (2, central)
    case .latin2: (8, central)
    case .dosCentralEuropean: (32, central)
    case .cyrillic: (2, cyrillic)
    case .koi8: (8, [.russian, .ukrainian])
    case .dosCyrillic: (10, [.russian, .ukrainian, .bulgarian])
    case .isoCyrillic: (20, cyrillic)
    case .greek: (2, [.greek])
    case .isoGreek: (8, [.greek])
    case .turkish: (2, [.turkish])
    case .hebrew: (2, [.hebrew])
    case .arabic: (2, [.arabic, .persian])
    case .isoArabic: (12, [.arabic])
    case .baltic: (4, [.lithuanian, .latvian, .estonian])
    case .isoBaltic: (14, [.lithuanian, .latvian, .estonian])
    case .vietnamese: (6, [.vietnamese])
    case .thai: (2, [.thai])
    case .shiftJIS: (2, [.japanese])
    case .eucJP: (6, [.japanese])
    case .chinese: (2, [.simplified, .traditional])
    case .big5: (2, [.traditional])
    case .korean: (2, [.korean])
    case .utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, .iso2022JP: (0, [])
    }
  }
}
