/// The bytes of a list as UTF-8, whatever it was written in.
///
/// UTF-16 shows itself. Otherwise each line that is UTF-8 stays: files edited by several programs have lines in several encodings. The
/// other lines are in one character set, which is found out as that of subtitles is (`SubtitleDecoding`), and by the files that are there.
package struct PlaylistText {
  /// UTF-8; a line that is damaged stays as it is where that was asked for.
  package private(set) var bytes: [UInt8]
  /// The set of what was not UTF-8; nil when all of it was.
  package private(set) var foreign: CharacterSet?

  /// Converts bytes; nil for a set that the system does not know.
  package typealias Conversion = (_ bytes: ArraySlice<UInt8>, CharacterSet) -> String?

  /// The set in which most of the files are found that bytes name; the likeliest one where that says nothing.
  package typealias FileSearch = (_ likeliest: CharacterSet, _ bytes: [UInt8]) -> CharacterSet

  /// - Parameters:
  ///   - declared: the set that the list or its server names; believed if the list can be decoded so.
  ///   - keepsDamage: whether few lines that are not UTF-8 among many that are stay as they are.
  ///   - files: looks for what the list names on this machine; nil for what names nothing here.
  package init(
    _ raw: [UInt8], declared: CharacterSet? = nil, keepsDamage: Bool = false, files: FileSearch? = nil,
    conversion: @escaping Conversion
  ) {
    let decode: Conversion = { conversion($0, $1) ?? ($1 == .western ? Windows1252.decode($0) : nil) }
    if let wide = WideText(raw), let text = wide.text(raw, decode) {
      (bytes, foreign) = (Array(text.utf8), wide.set)
      return
    }
    bytes = raw
    // An editor that was told to save as UTF-8 may have put the mark before what it did not convert. In another set it would be letters.
    let body = raw.starts(with: Self.mark) ? Array(raw.dropFirst(Self.mark.count)) : raw
    if SubtitleDecoding.hasJapaneseEscapes(body), let text = decode(body[...], .iso2022JP) {
      (bytes, foreign) = (Array(text.utf8), .iso2022JP)
      return
    }
    guard String(validating: body, as: UTF8.self) == nil else { return }
    let lines = Lines(body)
    if keepsDamage, lines.valid > lines.invalid { return }
    // A line may begin with what elsewhere is a byte order mark.
    let sample = [0x0A] + lines.sample
    var set = SubtitleDecoding(sample, language: nil, declared: declared, decode: decode).set
    if set != declared, let files { set = files(set, lines.sample) }
    // Two bytes of such a set may look like UTF-8 by chance, hardly ever those of the others.
    let isWhole = set.hasDoubleBytes && lines.invalid > lines.valid
    bytes = Lines.converted(body, isWhole: isWhole) { decode($0, set) }
    foreign = set
  }

  /// The byte order mark of UTF-8.
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The set that `#EXTENC:` names in one of the first lines; nil when none does.
  package static func declared(in bytes: [UInt8]) -> CharacterSet? {
    let tag = Array("#EXTENC:".utf8)
    let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    for line in text.prefix(1024).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(8) {
      guard line.starts(with: tag) else { continue }
      let label = String(decoding: line.dropFirst(tag.count), as: UTF8.self)
      return CharacterSet(label: label.filter { $0 != " " && $0 != "\t" })
    }
    return nil
  }

  /// The lines that are not ASCII.
  private struct Lines {
    private(set) var (valid, invalid) = (0, 0)
    /// The first ones that are not UTF-8.
    private(set) var sample: [UInt8] = []

    /// Bytes of the sample, and lines that are converted together: one by one they would take longer.
    private static let (most, atOnce) = (64 << 10, 1024)

    init(_ bytes: [UInt8]) {
      Self.walk(bytes) { line, isValid in
        if isValid {
          valid += 1
        } else {
          invalid += 1
          if sample.count < Self.most { sample += bytes[line] + [0x0A] }
        }
      }
    }

    /// All bytes, with the lines converted that are not UTF-8.
    /// - Parameter isWhole: whether those that are UTF-8, but not ASCII, are converted, too.
    static func converted(_ bytes: [UInt8], isWhole: Bool, _ decode: (ArraySlice<UInt8>) -> String?)
      -> [UInt8]
    {
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count)
      var (waiting, start): ([Range<Int>], Int) = ([], 0)
      func convert() {
        for (line, part) in zip(waiting, parts(waiting, of: bytes, decode)) {
          result += bytes[start..<line.lowerBound]
          result += part
          start = line.upperBound
        }
        waiting = []
      }
      walk(bytes) { line, isValid in
        guard isWhole || !isValid else { return }
        waiting.append(line)
        if waiting.count == atOnce { convert() }
      }
      convert()
      return result + bytes[start...]
    }

    private static func parts(
      _ lines: [Range<Int>], of bytes: [UInt8], _ decode: (ArraySlice<UInt8>) -> String?
    ) -> [ArraySlice<UInt8>] {
      let joined = Array(lines.map { bytes[$0] }.joined(separator: [0x0A]))
      let whole = Array((decode(joined[...]) ?? "").utf8)
      let parts = whole.split(separator: 0x0A, omittingEmptySubsequences: false)
      if parts.count == lines.count { return parts }
      return lines.map { line in
        ArraySlice((decode(bytes[line]) ?? String(decoding: bytes[line], as: UTF8.self)).utf8)
      }
    }

    /// Visits the lines that are not ASCII, without their ends.
    private static func walk(_ bytes: [UInt8], _ visit: (_ line: Range<Int>, _ isValid: Bool) -> Void) {
      var start = 0
      while start < bytes.count {
        var (end, isASCII) = (start, true)
        while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D {
          if bytes[end] >= 0x80 { isASCII = false }
          end += 1
        }
        if !isASCII { visit(start..<end, String(validating: bytes[start..<end], as: UTF8.self) != nil) }
        start = end + 1
      }
    }
  }
}

extension CharacterSet {
  /// Whether it is an encoding of Unicode, which is found out without doubt.
  package var isUnicode: Bool {
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
