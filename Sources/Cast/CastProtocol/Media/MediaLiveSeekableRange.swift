/// The seekable range of a live stream (protocol 12.5). `range(after:)` extrapolates it.
public struct MediaLiveSeekableRange: Sendable, Hashable {
  /// Earliest time.
  public var startTime: MediaTime
  /// Latest time: the live edge.
  public var endTime: MediaTime
  /// Whether both ends advance with time; false when the start is fixed and the range grows.
  public var isMovingWindow: Bool
  /// Whether the live stream has ended.
  public var isLiveDone: Bool
  /// Members unknown to this version.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A range; by default it grows.
  public init(
    startTime: MediaTime, endTime: MediaTime, isMovingWindow: Bool = false, isLiveDone: Bool = false
  ) {
    self.startTime = startTime
    self.endTime = endTime
    self.isMovingWindow = isMovingWindow
    self.isLiveDone = isLiveDone
  }

  /// Nil unless both ends are present.
  package init?(json: JSONValue?) {
    guard var members = JSONMembers(json), let start = MediaTime(members.take("start"), .position),
      let end = MediaTime(members.take("end"), .position)
    else { return nil }
    self.init(
      startTime: start, endTime: end, isMovingWindow: members.take("isMovingWindow")?.bool ?? false,
      isLiveDone: members.take("isLiveDone")?.bool ?? false)
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members([
      "start": startTime.json, "end": endTime.json, "isMovingWindow": .bool(isMovingWindow),
      "isLiveDone": .bool(isLiveDone),
    ]).keeping(unknownMembers)
  }

  /// Whether a seek to this time is allowed, both ends included.
  public func contains(_ time: MediaTime) -> Bool { startTime <= time && time <= endTime }
}
