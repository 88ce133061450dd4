/// The bytes of a list as UTF-8, whatever it was written in.
///
/// UTF-16 shows itself. Otherwise each line that is UTF-8 stays: files edited by several programs have lines in several encodings. The
/// other lines are in one character set, which is found out as that of subtitles is (`SubtitleDecoding`).
struct PlaylistText {
  /// UTF-8; a line that is damaged stays as it is where that was asked for.
  private(set) var bytes: [UInt8]
  /// The set of what was not UTF-8; nil when all of it was.
  private(set) var foreign: CharacterSet?

  /// Converts bytes; nil for a set that the system does not know.
  typealias Conversion = (_ bytes: ArraySlice<UInt8>, CharacterSet) -> String?

  /// - Parameters:
  ///   - declared: the set that the list or its server names; believed if the list can be decoded so.
  ///   - keepsDamage: whether few lines that are not UTF-8 among many that are stay as they are.
  init(
    _ raw: [UInt8], declared: CharacterSet? = nil, keepsDamage: Bool = false, conversion: @escaping Conversion
  ) {
    let decode: Conversion = { conversion($0, $1) ?? ($1 == .western ? Windows1252.decode($0) : nil) }
    if let wide = WideText(raw), let text = wide.text(raw, decode) {
      (bytes, foreign) = (Array(text.utf8), wide.set)
      return
    }
    bytes = raw
    if SubtitleDecoding.hasJapaneseEscapes(raw), let text = decode(raw[...], .iso2022JP) {
      (bytes, foreign) = (Array(text.utf8), .iso2022JP)
      return
    }
    guard String(validating: raw, as: UTF8.self) == nil else { return }
    let lines = Lines(raw)
    if keepsDamage, lines.valid.count > lines.invalid.count { return }
    // A line may begin with what elsewhere is a byte order mark.
    let sample = [0x0A] + lines.joined(Array(lines.invalid.prefix(500)), of: raw)
    let set = SubtitleDecoding(sample, language: nil, declared: declared, decode: decode).set
    // Two bytes of such a set may look like UTF-8 by chance, hardly ever those of the others.
    let isWhole = set.hasDoubleBytes && lines.invalid.count > lines.valid.count
    let chosen =
      isWhole ? (lines.invalid + lines.valid).sorted { $0.lowerBound < $1.lowerBound } : lines.invalid
    bytes = lines.converted(chosen, of: raw) { decode($0, set) }
    foreign = set
  }

  /// The set that `#EXTENC:` names in one of the first lines; nil when none does.
  static func declared(in bytes: [UInt8]) -> CharacterSet? {
    let tag = Array("#EXTENC:".utf8)
    for line in bytes.prefix(1024).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(8) {
      guard line.starts(with: tag) else { continue }
      let label = String(decoding: line.dropFirst(tag.count), as: UTF8.self)
      return CharacterSet(label: label.filter { $0 != " " && $0 != "\t" })
    }
    return nil
  }

  /// The lines that are not ASCII, without their ends.
  private struct Lines {
    private(set) var valid: [Range<Int>] = []
    private(set) var invalid: [Range<Int>] = []

    init(_ bytes: [UInt8]) {
      var start = 0
      while start < bytes.count {
        var (end, isASCII) = (start, true)
        while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D {
          if bytes[end] >= 0x80 { isASCII = false }
          end += 1
        }
        if !isASCII {
          let isValid = String(validating: bytes[start..<end], as: UTF8.self) != nil
          if isValid { valid.append(start..<end) } else { invalid.append(start..<end) }
        }
        start = end + 1
      }
    }

    func joined(_ lines: [Range<Int>], of bytes: [UInt8]) -> [UInt8] {
      Array(lines.map { bytes[$0] }.joined(separator: [0x0A]))
    }

    /// All bytes, with these lines converted. Converting them together costs less than each alone.
    func converted(_ lines: [Range<Int>], of bytes: [UInt8], _ decode: (ArraySlice<UInt8>) -> String?)
      -> [UInt8]
    {
      let whole = decode(joined(lines, of: bytes)[...]).map { Array($0.utf8) } ?? []
      var parts = whole.split(separator: 0x0A, omittingEmptySubsequences: false)
      if parts.count != lines.count {
        parts = lines.map {
          ArraySlice((decode(bytes[$0]) ?? String(decoding: bytes[$0], as: UTF8.self)).utf8)
        }
      }
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count + whole.count)
      var start = 0
      for (line, part) in zip(lines, parts) {
        result += bytes[start..<line.lowerBound]
        result += part
        start = line.upperBound
      }
      return result + bytes[start...]
    }
  }
}

extension CharacterSet {
  /// Whether it is an encoding of Unicode, which is found out without doubt.
  var isUnicode: Bool {
    switch self {
    case .utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian: true
    default: false
    }
  }

  /// Whether it writes most letters with two bytes.
  fileprivate var hasDoubleBytes: Bool {
    switch self {
    case .shiftJIS, .eucJP, .chinese, .big5, .korean: true
    default: false
    }
  }
}
