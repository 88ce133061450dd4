package import CastqPlaylists
package import CastqText

extension SubtitleConversion {
  /// Converts the bytes of a file, whose character set is found out.
  /// - Parameters:
  ///   - bytes: at most `SubtitleLimits.fileBytes` are accepted.
  ///   - file: its name, for messages and where the text does not show its format.
  ///   - language: RFC 5646 code of its language; nil when it is unknown.
  ///   - hint: the language that the viewers prefer.
  ///   - declared: the character set that its server named.
  ///   - offset: seconds by which every subtitle comes later.
  package init(
    bytes: [UInt8], file: String, language: String?, hint: String? = nil, declared: CharacterSet? = nil,
    offset: Double = 0, limits: SubtitleLimits = SubtitleLimits()
  ) throws(TextError) {
    guard bytes.count <= limits.fileBytes else {
      throw TextError("the subtitle file is larger than \(limits.fileBytes) bytes")
    }
    let decoded = SubtitleDecoding(bytes, language: language, hint: hint, declared: declared) {
      SystemCharacterSets.text($0, in: $1)
    }
    try self.init(decoded.text, file: file, offset: offset, limits: limits)
    (set, confidence) = (decoded.set, decoded.confidence)
  }
}
