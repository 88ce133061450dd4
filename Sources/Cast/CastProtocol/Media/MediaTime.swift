/// A position or duration on a media timeline, in seconds. Not a time of day and not a time-out.
public struct MediaTime: Sendable, Hashable, Comparable, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral
{
  /// Seconds; 0 is the start of the content.
  public var seconds: Double

  /// A time in seconds.
  public init(seconds: Double) { self.seconds = seconds }
  /// `1.5` means one and a half seconds.
  public init(floatLiteral value: Double) { seconds = value }
  /// `2` means two seconds.
  public init(integerLiteral value: Int) { seconds = Double(value) }

  /// The start of the content.
  public static let zero = MediaTime(seconds: 0)
  /// Earlier first.
  public static func < (left: MediaTime, right: MediaTime) -> Bool { left.seconds < right.seconds }
  /// The sum of both.
  public static func + (left: MediaTime, right: MediaTime) -> MediaTime {
    MediaTime(seconds: left.seconds + right.seconds)
  }
  /// The difference of both; negative when the right one is later.
  public static func - (left: MediaTime, right: MediaTime) -> MediaTime {
    MediaTime(seconds: left.seconds - right.seconds)
  }

  /// Nil unless the value is a number that the field accepts.
  package init?(_ json: JSONValue?, _ field: NumberField) {
    guard let seconds = json?.number(field) else { return nil }
    self.seconds = seconds
  }

  /// The seconds as a JSON number.
  package var json: JSONValue { JSONValue(seconds) ?? .null }
}
