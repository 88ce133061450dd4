/// Loudness: of a stream inside the application, or of a device.
public struct Volume: Sendable, Hashable {
  /// 0 to 1; nil when not told.
  public var level: Double?
  /// Nil when not told.
  public var isMuted: Bool?
  /// Members this version does not know; old receivers tell the steps of the device here (protocol 6.5).
  public var unknownMembers: [String: JSONValue] = [:]

  /// A volume of which either part may be left out.
  public init(level: Double? = nil, isMuted: Bool? = nil) {
    self.level = level
    self.isMuted = isMuted
  }

  package init?(json: JSONValue?) {
    guard var members = JSONMembers(json) else { return nil }
    self.init(level: members.take("level")?.number(.volume), isMuted: members.take("muted")?.bool)
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members(["level": JSONValue(level), "muted": JSONValue(isMuted)]).keeping(unknownMembers)
  }
}
