import CastqText

/// The language of subtitles as file names and playlists write it: `en`, `pt-BR`, `ger`, `english`, `deutsch`.
package enum SubtitleLanguage {
  /// A row of the table of languages with a code of two letters.
  private struct Row {
    let code: String
    let otherCodes: [String]
    let name: String
    let ownName: String?
  }

  private static let rows = LanguageTable.short.split(separator: "|").compactMap { row -> Row? in
    let fields = row.split(separator: ";").map(String.init)
    let codes = fields.first?.split(separator: " ").map(String.init) ?? []
    guard let code = codes.first, fields.count >= 2 else { return nil }
    return Row(
      code: code, otherCodes: Array(codes.dropFirst()), name: fields[1],
      ownName: fields.count > 2 ? fields[2] : nil)
  }

  /// Languages without a code of two letters.
  private static let long = LanguageTable.long.split(separator: "|").map { row in
    (code: String(row.prefix(3)), name: String(row.dropFirst(4)))
  }

  /// English names by codes.
  private static let names = Dictionary(
    rows.map { ($0.code, $0.name) } + long.map { ($0.code, $0.name) } + [("nb", "Norwegian")]
  ) { $1 }

  /// Codes by names in lower case, English ones before others.
  private static let codes = Dictionary(
    (otherNames.map { ($0.key, $0.value) } + rows.map { ($0.name, $0.code) } + long.map { ($0.name, $0.code) }
      + rows.compactMap { row in row.ownName.map { ($0, row.code) } })
      .map { ($0.0.lowercased(), $0.1) }
  ) { first, _ in first }

  /// Names that languages have in file names, too.
  private static let otherNames = [
    "brazilian": "pt-BR", "brasileiro": "pt-BR", "castellano": "es", "castilian": "es", "farsi": "fa",
    "mandarin": "zh", "bengali": "bn", "flemish": "nl", "srpski": "sr-Latn", "norsk": "nb",
    "简体中文": "zh-Hans", "繁體中文": "zh-Hant", "繁体中文": "zh-Hant", "简体": "zh-Hans", "繁體": "zh-Hant",
    "日本語": "ja", "magyarul": "hu", "polskie": "pl", "slovene": "sl", "chs": "zh-Hans", "cht": "zh-Hant",
  ]

  /// The name of a language for people; the code itself when it has no name here.
  package static func name(_ code: String) -> String {
    guard let name = names[LanguageCode.base(code)] else { return code }
    let rest = code.dropFirst(LanguageCode.base(code).count + 1)
    return rest.isEmpty ? name : "\(name) (\(rest))"
  }

  /// Other usual codes, and the ones that they stand for.
  private static let usual: [String: String] = [
    "pob": "pt-BR", "pb": "pt-BR", "zht": "zh-Hant", "iw": "he", "in": "id", "ji": "yi", "gr": "el",
    "jp": "ja", "cn": "zh-CN", "tw": "zh-TW",
    "chs": "zh-Hans", "cht": "zh-Hant", "sc": "zh-Hans", "tc": "zh-Hant",
  ]

  /// All other codes, and the ones that they stand for.
  private static let short = Dictionary(
    usual.map { ($0.key, $0.value) } + LanguageTable.individual.map { ($0.key, $0.value) }
      + rows.flatMap { row in row.otherCodes.map { ($0, row.code) } }
  ) { first, _ in first }

  /// The RFC 5646 code for a part of a file name; nil when that is no language.
  package static func code(_ text: some StringProtocol) -> String? {
    let text = String(text.map { $0 == "_" ? "-" : $0 })
    let lower = text.lowercased()
    if let code = short[lower] ?? codes[lower] { return code }
    let parts = lower.split(separator: "-", maxSplits: 1)
    guard let first = parts.first.map(String.init), TrackText.isLanguage(String(text)) else { return nil }
    let language = short[first] ?? first
    guard language != first || names[language] != nil else { return nil }
    guard parts.count == 2 else { return language }
    let rest = text.split(separator: "-", maxSplits: 1)[1]
    // A region or a script: a word behind a code is none.
    guard [2, 3, 4].contains(rest.utf8.count) || rest.contains("-") else { return nil }
    return "\(language)-\(rest.utf8.count == 2 ? rest.uppercased() : String(rest))"
  }

  /// The language in the name of a subtitle file, such as `film.en.forced.srt`; nil when it names none.
  package static func marked(inName name: String) -> String? {
    let parts = name.split(separator: ".").dropFirst().dropLast().map(String.init)
    for part in parts.reversed() {
      let marks = SubtitleMarks([part])
      guard marks.language == nil else { return marks.language }
      // Marks stand behind the language, words of the title before it.
      guard marks.words.isEmpty else { return nil }
    }
    return nil
  }

  /// Whether two codes mean the same language where one of them may say more: `pt` and `pt-BR`.
  package static func matches(_ one: String, _ other: String) -> Bool {
    let (one, other) = (code(one) ?? one, code(other) ?? other)
    let (a, b) = (one.lowercased(), other.lowercased())
    return a == b || a.hasPrefix(b + "-") || b.hasPrefix(a + "-")
  }
}
