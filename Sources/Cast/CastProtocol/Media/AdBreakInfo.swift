/// Position of an ad break on the timeline of the content (protocol 9).
public enum AdBreakPosition: Sendable, Hashable {
  /// At this time; 0 is a pre-roll.
  case at(MediaTime)
  /// After the content.
  case postroll

  /// The wire's number: −1 is a post-roll.
  package init(seconds: Double) { self = seconds < 0 ? .postroll : .at(MediaTime(seconds: seconds)) }
  /// The wire's number.
  package var seconds: Double {
    switch self {
    case .at(let time): time.seconds
    case .postroll: -1
    }
  }
}

/// One ad break: its position and its clips (protocol 9).
public struct AdBreakInfo: Sendable, Hashable {
  /// Unique within one `MediaInformation`.
  public var identifier: String
  /// The clips in the order they play.
  public var clipIdentifiers: [String]
  /// Its position.
  public var position: AdBreakPosition
  /// Whole length; nil when unknown.
  public var duration: MediaTime?
  /// True once played completely; watched breaks are skipped.
  public var isWatched: Bool
  /// True when the ad is part of the main stream.
  public var isEmbedded: Bool
  /// True when an embedded break is included in the length of the content.
  public var isExpanded: Bool
  /// Members unknown to this version.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A break that has not been watched.
  public init(
    identifier: String, clipIdentifiers: [String], position: AdBreakPosition, duration: MediaTime? = nil,
    isWatched: Bool = false, isEmbedded: Bool = false, isExpanded: Bool = false
  ) {
    self.identifier = identifier
    self.clipIdentifiers = clipIdentifiers
    self.position = position
    self.duration = duration
    self.isWatched = isWatched
    self.isEmbedded = isEmbedded
    self.isExpanded = isExpanded
  }

  package init?(json: JSONValue) {
    guard var members = JSONMembers(json), let identifier = members.take("id")?.string else { return nil }
    self.init(
      identifier: identifier, clipIdentifiers: members.take("breakClipIds").list(\.string) ?? [],
      position: AdBreakPosition(seconds: members.take("position")?.number(.breakPosition) ?? 0),
      duration: MediaTime(members.take("duration"), .length),
      isWatched: members.take("isWatched")?.bool ?? false,
      isEmbedded: members.take("isEmbedded")?.bool ?? false,
      isExpanded: members.take("expanded")?.bool ?? false)
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members([
      "id": .string(identifier), "breakClipIds": .array(clipIdentifiers.map(JSONValue.string)),
      "position": JSONValue(position.seconds), "duration": JSONValue(duration?.seconds),
      "isWatched": .bool(isWatched),
      "isEmbedded": isEmbedded ? true : nil, "expanded": isExpanded ? true : nil,
    ]).keeping(unknownMembers)
  }
}
