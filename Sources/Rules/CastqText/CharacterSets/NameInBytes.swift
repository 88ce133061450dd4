import CastqPaths

/// Names of files that are not UTF-8, as a person reads them. A name says nothing of its character set: it is read in Cyrillic or Greek where
/// it looks like that, as the lists beside it are, else as Latin-1.
enum NameInBytes {
  static func readable(_ name: String) -> String {
    let latin = PathText.readable(name)
    guard latin != name else { return name }
    let bytes = PathText.bytes(name)
    // The letters of Latin names that are not ASCII stand alone, or in pairs.
    guard longestRun(bytes) >= 3 else { return latin }
    let decoding = SubtitleDecoding(bytes, language: nil, decode: decode)
    return decoding.set == .western || decoding.text.contains("\u{FFFD}") ? latin : decoding.text
  }

  /// Bytes beyond ASCII that follow each other.
  private static func longestRun(_ bytes: [UInt8]) -> Int {
    var (run, longest) = (0, 0)
    for byte in bytes {
      run = byte < 0x80 ? 0 : run + 1
      longest = max(longest, run)
    }
    return longest
  }

  private static func decode(_ bytes: ArraySlice<UInt8>, _ set: CharacterSet) -> String? {
    let table: [Unicode.Scalar]
    switch set {
    case .western: return Windows1252.decode(bytes)
    case .cyrillic: table = cyrillic
    case .koi8: table = koi8
    case .greek: table = greek
    default: return nil
    }
    return String(
      String.UnicodeScalarView(
        bytes.map { $0 < 0x80 ? Unicode.Scalar($0) : table[Int($0) - 0x80] }))
  }

  /// The characters of the bytes from 0x80 on.
  private static let cyrillic = Array(
    """
    ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{FFFD}™љ›њќћџ\u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕїАБВГДЕЖ\
    ЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя
    """.unicodeScalars)
  private static let koi8 = Array(
    """
    ─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{A0}⌡°²·÷═║╒ёє╔ії╗╘╙╚╛ґ╝╞╟╠╡ЁЄ╣ІЇ╦╧╨╩╪Ґ╬©юабцдефгхийклмнопяр\
    стужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ
    """.unicodeScalars)
  private static let greek = Array(
    """
    €\u{FFFD}‚ƒ„…†‡\u{FFFD}‰\u{FFFD}‹\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}‘’“”•–—\u{FFFD}\
    ™\u{FFFD}›\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{A0}΅Ά£¤¥¦§¨©\u{FFFD}«¬\u{AD}®―°±²³΄µ¶·ΈΉΊ»Ό\
    ½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ\u{FFFD}ΣΤΥΦΧΨΩΪΫάέήίΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ\u{FFFD}
    """.unicodeScalars)
}
