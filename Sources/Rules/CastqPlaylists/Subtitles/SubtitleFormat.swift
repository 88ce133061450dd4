import CastqText

/// The formats of subtitle files.
package enum SubtitleFormat: Sendable, Hashable, CaseIterable {
  /// `.srt`
  case subRip
  /// `.ass`, `.ssa`
  case subStation
  /// `.vtt`
  case webVTT
  /// `.ttml`, `.dfxp`
  case timedText

  /// Endings of file names, in lower case.
  package static let endings: [String: SubtitleFormat] = [
    "srt": .subRip, "ass": .subStation, "ssa": .subStation, "vtt": .webVTT, "webvtt": .webVTT,
    "ttml": .timedText, "dfxp": .timedText, "ttml2": .timedText,
  ]

  /// The endings of file names, for messages.
  package static let endingsInWords = ".srt, .ass, .ssa, .ttml, .dfxp and .vtt"

  /// The content type of a track in a queue; receivers show only WebVTT (protocol 10.1).
  package var contentType: String {
    switch self {
    case .subRip: "text/srt"
    case .subStation: "text/x-ssa"
    case .webVTT: "text/vtt"
    case .timedText: "application/ttml+xml"
    }
  }

  /// Other content types of these formats, in lower case.
  private static let otherTypes: Set = [
    "application/x-subrip", "text/x-ass", "application/x-ass", "application/x-ssa",
  ]

  /// Whether castq converts a track of this type, or of this name when it has no type.
  package static func isRead(contentType: String?, path: String) -> Bool {
    guard let contentType else { return endings[FilePath.fileExtension(of: path).lowercased()] != nil }
    let type = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
    return otherTypes.contains(type) || allCases.contains { $0.contentType == type }
  }

  /// The format by the first lines of a file; a wrong ending is common. Throws for what is known, and no text that can be shown.
  /// - Parameter text: UTF-8.
  /// - Returns: nil when the first lines are of no known format.
  static func found(in text: [UInt8]) throws(TextError) -> SubtitleFormat? {
    var lines = LineReader(Array(text.prefix(8 << 10)), encoding: .utf8OrWindows1252, limit: 8 << 10)
    var (isFirst, other): (Bool, String?) = (true, nil)
    while case .text(let line)? = lines.next() {
      let trimmed = line.text.drop { $0 == " " || $0 == "\t" }
      if trimmed.isEmpty { continue }
      let lower = trimmed.lowercased()
      if isFirst {
        if trimmed.hasPrefix("WEBVTT") { return .webVTT }
        // The namespace, of which there are drafts, stands at the root.
        if trimmed.hasPrefix("<"), isTimedText(text) { return .timedText }
        if isMicroDVD(lower) {
          throw TextError(
            "MicroDVD subtitles count frames, and the file does not say how many there are in a second",
            hint: "convert it to .srt with the film's frame rate")
        }
        if lower.hasPrefix("<sami") {
          throw TextError("SAMI subtitles are not supported", hint: "convert them to .srt or .vtt")
        }
        if lower.hasPrefix("# vobsub") {
          throw TextError(
            "VobSub subtitles are pictures, and receivers show text",
            hint: "make text of them with a program for character recognition")
        }
        other = otherFormat(lower)
      }
      isFirst = false
      if ["[script info]", "[v4+ styles]", "[v4 styles]", "[events]"].contains(where: lower.hasPrefix) {
        return .subStation
      }
      if case .times = TimingLine(line.text) { return .subRip }
    }
    if let other {
      throw TextError("\(other) subtitles are not supported", hint: "convert them to .srt or .vtt")
    }
    return nil
  }

  /// A format that castq does not read, by its first line with text.
  private static func otherFormat(_ line: String) -> String? {
    // Numbers of any length count as one digit.
    var shape = ""
    for byte in line.utf8.prefix(64) {
      let isDigit = (0x30...0x39).contains(byte)
      if !isDigit || shape.utf8.last != 0x30 {
        shape.unicodeScalars.append(Unicode.Scalar(isDigit ? 0x30 : byte))
      }
    }
    if shape.hasPrefix("[0][0]") { return "MPL2" }
    if shape.hasPrefix("0:0:0.0,0:0:0.0") { return "SBV" }
    if ["[0:0.0]", "[0:0:0]", "[0:0]"].contains(where: shape.hasPrefix)
      || ["ar", "ti", "al", "au", "by", "re", "ve", "length", "offset"].contains(where: {
        shape.hasPrefix("[\($0):")
      })
    {
      return "LRC"
    }
    // `00:00:01:Text`, with `=` for the last colon, or a line's number within the subtitle.
    return ["0:0:0:", "0:0:0=", "0:0:0,0="].contains(where: shape.hasPrefix) ? "TMPlayer" : nil
  }

  private static func isTimedText(_ text: [UInt8]) -> Bool {
    let start = String(decoding: text.prefix(8 << 10), as: UTF8.self)
    return start.contains("http://www.w3.org/ns/ttml") || start.contains("http://www.w3.org/2006/")
  }

  /// `{25}{75}Text`
  private static func isMicroDVD(_ line: String) -> Bool {
    let parts = line.utf8.split(separator: UInt8(ascii: "}"), maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3
      && parts[0..<2].allSatisfy { part in
        part.first == UInt8(ascii: "{") && part.count > 1
          && part.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
      }
  }
}
