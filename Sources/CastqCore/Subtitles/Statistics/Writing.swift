/// The languages whose letters castq knows, and the sets of old files that they are written in.
enum Writing: CaseIterable {
  case english, german, french, spanish, portuguese, italian, dutch, swedish, danish, finnish, icelandic
  case polish, czech, slovak, hungarian, croatian, slovenian, romanian, albanian
  case russian, ukrainian, bulgarian, serbian, macedonian
  case greek, turkish, hebrew, arabic, persian, lithuanian, latvian, estonian, vietnamese, thai
  case japanese, simplified, traditional, korean

  /// RFC 5646 codes of the languages that look so, those without a table of their own beside the one that is nearest to them.
  var languages: Set<String> {
    switch self {
    case .english: ["en", "ga", "cy", "id", "ms", "sw", "tl"]
    case .german: ["de", "lb"]
    case .french: ["fr", "ca", "oc", "br"]
    case .spanish: ["es", "ca", "gl", "eu"]
    case .portuguese: ["pt", "gl"]
    case .italian: ["it"]
    case .dutch: ["nl", "af"]
    case .swedish: ["sv"]
    case .danish: ["da", "nb", "nn", "no", "fo"]
    case .finnish: ["fi"]
    case .icelandic: ["is", "fo"]
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

  /// What a text costs in this language, in quarters of -ln(p).
  func cost(of text: [Unicode.Scalar]) -> Int {
    if let characters { return characters.cost(of: text) }
    return letters?.cost(of: text) ?? 0
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
    case .portuguese: .portuguese
    case .italian: .italian
    case .dutch: .dutch
    case .swedish: .swedish
    case .danish: .danish
    case .finnish: .finnish
    case .icelandic: .icelandic
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
      .english, .german, .french, .spanish, .portuguese, .italian, .dutch, .swedish, .danish, .finnish,
      .icelandic, .albanian,
    ]
    let central: [Writing] = [
      .polish, .czech, .slovak, .hungarian, .croatian, .slovenian, .romanian, .albanian,
    ]
    let cyrillic: [Writing] = [.russian, .ukrainian, .bulgarian, .serbian, .macedonian]
    return switch self {
    case .western: (0, western)
    case .latin9: (12, western + [.estonian])
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
