/// The language of subtitles as file names and playlists write it: `en`, `pt-BR`, `ger`, `english`.
package enum SubtitleLanguage {
  /// English names of the languages that subtitles have most often.
  private static let names: [String: String] = [
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German",
    "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian", "fa": "Persian", "fi": "Finnish",
    "fr": "French", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian",
    "it": "Italian", "ja": "Japanese", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian",
    "mk": "Macedonian",
    "nb": "Norwegian", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish", "th": "Thai",
    "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
  ]

  private static let codes = Dictionary(names.map { ($0.value.lowercased(), $0.key) }) { min($0, $1) }

  /// The name of a language for people; the code itself when it has no name here.
  package static func name(_ code: String) -> String {
    guard let name = names[base(code)] else { return code }
    let rest = code.dropFirst(base(code).count + 1)
    return rest.isEmpty ? name : "\(name) (\(rest))"
  }

  /// Codes of three letters and other usual ones, and the codes of two letters that they stand for.
  private static let short: [String: String] = [
    "ara": "ar", "bul": "bg", "cat": "ca", "ces": "cs", "cze": "cs", "chi": "zh", "zho": "zh", "dan": "da",
    "deu": "de", "ger": "de", "dut": "nl", "nld": "nl", "ell": "el", "gre": "el", "eng": "en", "est": "et",
    "fas": "fa", "per": "fa", "fin": "fi", "fra": "fr", "fre": "fr", "heb": "he", "hin": "hi", "hrv": "hr",
    "hun": "hu", "ind": "id", "ita": "it", "jpn": "ja", "kor": "ko", "lav": "lv", "lit": "lt", "mac": "mk",
    "mkd": "mk", "may": "ms", "msa": "ms", "nob": "nb", "nor": "no", "pol": "pl", "por": "pt", "pob": "pt-BR",
    "ron": "ro", "rum": "ro", "rus": "ru", "slk": "sk", "slo": "sk", "slv": "sl", "spa": "es", "srp": "sr",
    "swe": "sv", "tha": "th", "tur": "tr", "ukr": "uk", "vie": "vi",
    "iw": "he", "in": "id", "gr": "el", "jp": "ja",
    "cn": "zh-CN", "tw": "zh-TW", "chs": "zh-Hans", "cht": "zh-Hant", "sc": "zh-Hans", "tc": "zh-Hant",
  ]

  /// Codes of two letters that subtitles have; other pairs of letters in a name are words.
  private static let known: Set = [
    "af", "ar", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "eo", "es", "et",
    "eu",
    "fa", "fi", "fr", "ga", "gl", "he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja", "ka", "kk", "km",
    "kn",
    "ko", "lt", "lv", "mk", "ml", "mn", "mr", "ms", "my", "nb", "nl", "nn", "no", "pa", "pl", "pt", "ro",
    "ru",
    "si", "sk", "sl", "sq", "sr", "sv", "sw", "ta", "te", "th", "tl", "tr", "uk", "ur", "uz", "vi", "zh",
  ]

  /// The RFC 5646 code for a part of a file name; nil when that is no language.
  package static func code(_ text: some StringProtocol) -> String? {
    let text = String(text.map { $0 == "_" ? "-" : $0 })
    let lower = text.lowercased()
    if let code = short[lower] ?? codes[lower] { return code }
    let parts = lower.split(separator: "-", maxSplits: 1)
    guard let first = parts.first.map(String.init), TrackText.isLanguage(String(text)) else { return nil }
    let language = short[first] ?? first
    guard known.contains(language) else { return nil }
    guard parts.count == 2 else { return language }
    let rest = text.split(separator: "-", maxSplits: 1)[1]
    return "\(language)-\(rest.utf8.count == 2 ? rest.uppercased() : String(rest))"
  }

  /// The language in the name of a subtitle file, such as `film.en.forced.srt`; nil when it names none.
  package static func marked(inName name: String) -> String? {
    let parts = name.split(separator: ".").dropFirst().dropLast()
    return parts.suffix(2).reversed().lazy.compactMap { code($0) }.first
  }

  /// Whether two codes mean the same language where one of them may say more: `pt` and `pt-BR`.
  package static func matches(_ one: String, _ other: String) -> Bool {
    let (one, other) = (code(one) ?? one, code(other) ?? other)
    let (a, b) = (one.lowercased(), other.lowercased())
    return a == b || a.hasPrefix(b + "-") || b.hasPrefix(a + "-")
  }

  /// The language without script and region, in lower case.
  static func base(_ code: String) -> String {
    String(code.lowercased().prefix { $0 != "-" })
  }
}
