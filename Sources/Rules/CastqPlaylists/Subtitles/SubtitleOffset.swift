package import CastProtocol
import CastqText

/// How much later than written the subtitles of a track are shown. It is castq's own, and stands in the track's custom data under the
/// key `castq`, as the tag of an entry does; devices do not get it.
extension MediaTrack {
  /// Most seconds in either direction: a day.
  static let largestOffset = 86_400.0

  /// Seconds; negative ones come earlier.
  package var subtitleOffset: Double {
    guard let seconds = customData?["castq"]?["offset_s"]?.double, abs(seconds) <= Self.largestOffset else {
      return 0
    }
    return seconds
  }

  /// The custom data without what castq put there.
  package var ownCustomData: JSONValue? {
    guard var members = customData?.object, members["castq"]?["offset_s"] != nil else { return customData }
    members["castq"] = nil
    return members.isEmpty ? nil : .object(members)
  }

  /// - Returns: false when its custom data are no mapping, and hold nothing else.
  mutating func setSubtitleOffset(_ seconds: Double) -> Bool {
    guard seconds != 0 else { return true }
    let mark = JSONValue.members(["castq": .members(["offset_s": JSONValue(Optional(seconds))])])
    guard let customData else {
      self.customData = mark
      return true
    }
    guard let members = customData.object else { return false }
    self.customData = mark.keeping(members)
    return true
  }

  /// `2.5`, `+2.5`, `-1m30s`: seconds.
  static func subtitleOffset(_ text: String) throws(TextError) -> Double {
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let hasSign = isNegative || text.utf8.first == UInt8(ascii: "+")
    let seconds = try DurationText.seconds(hasSign ? String(text.dropFirst()) : text)
    guard seconds <= largestOffset else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is more than a day", hint: "write seconds, such as -1.5")
    }
    return isNegative ? -seconds : seconds
  }
}
