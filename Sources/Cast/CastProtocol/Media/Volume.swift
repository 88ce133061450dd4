/// The volume of a stream or of a device.
public struct Volume: Sendable, Hashable {
  /// 0 to 1; nil when not reported.
  public var level: Double?
  /// Whether it is muted; nil when not reported.
  public var isMuted: Bool?
  /// Members unknown to this version; old receivers report the steps of the device here (protocol 6.5).
  public var unknownMembers: [String: JSONValue] = [:]

  /// A volume; both parts are optional.
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
