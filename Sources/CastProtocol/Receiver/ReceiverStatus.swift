/// How a device's volume can be changed (protocol 5.7).
public enum VolumeControlType: WireWord {
  /// The device scales its own output.
  case attenuation
  /// The volume cannot be changed; requests are ignored.
  case fixed
  /// The real amplifier is changed.
  case master
  /// A value unknown to this version.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("attenuation", .attenuation), ("fixed", .fixed), ("master", .master),
  ]
}

/// The loudness of a device and how it can be changed (protocol 5.7).
public struct DeviceVolume: Sendable, Hashable {
  /// 0 to 1; receivers add single-precision noise, so compare with a tolerance of 0.01.
  public var level: Double
  /// Whether it is muted.
  public var isMuted: Bool
  /// How it can be changed; nil when not reported.
  public var controlType: VolumeControlType?
  /// Suggested step, 0 to 1; nil when not reported.
  public var stepInterval: Double?

  package init?(json: JSONValue?) {
    guard let json, let level = json["level"]?.number(.volume) else { return nil }
    self.level = level
    isMuted = json["muted"]?.bool ?? false
    controlType = VolumeControlType(json["controlType"])
    stepInterval = json["stepInterval"]?.number(.volumeStep) ?? json["increment"]?.number(.volumeStep)
  }
}

/// A program running on a receiver (protocol 5.2).
public struct ApplicationMetadata: Sendable, Hashable {
  /// Application id, usually eight hexadecimal digits.
  public var applicationID: String
  /// The id to compare when a native application stands in for a web one; nil when not reported.
  public var universalApplicationID: String?
  /// The displayed name; nil when not reported.
  public var displayName: String?
  /// What it says of itself, such as "Now casting: …"; may be empty, and nil when not reported.
  public var statusText: String?
  /// Namespaces it listens to; grows while it boots.
  public var namespaces: Set<String>
  /// For STOP (protocol 5.6).
  package var sessionID: ApplicationSessionID
  /// Where its messages go; nil while it boots.
  package var transportID: EndpointID?
  /// True for the screen a device shows at rest.
  public var isIdleScreen: Bool
  /// Its picture; nil when it has none.
  public var iconURL: String?

  package init?(json: JSONValue) {
    guard let id = json["appId"]?.string, let session = json["sessionId"]?.string else { return nil }
    applicationID = id
    universalApplicationID = json["universalAppId"]?.string
    displayName = json["displayName"]?.string
    statusText = json["statusText"]?.string
    namespaces = Set(json["namespaces"].list { $0["name"]?.string } ?? [])
    sessionID = ApplicationSessionID(session)
    transportID = json["transportId"]?.string.map { EndpointID($0) }
    isIdleScreen = json["isIdleScreen"]?.bool ?? false
    iconURL = json["iconUrl"]?.string
  }

  /// Whether this is the application with that id, under either of its ids.
  public func isApplication(_ id: String) -> Bool { applicationID == id || universalApplicationID == id }
}

/// One running instance of an application, as the platform names it; for STOP. Not a transport id (protocol 0).
package struct ApplicationSessionID: Sendable, Hashable {
  package let rawValue: String
  package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// What the platform of a device says of itself; always a full picture (protocol 5.2, 5.8).
public struct ReceiverStatus: Sendable, Hashable {
  /// Running applications; at most one in practice, the idle screen included.
  public var applications: [ApplicationMetadata]
  /// Loudness; nil when not reported.
  public var volume: DeviceVolume?
  /// Whether the attached screen shows this device; nil when unknown.
  public var isActiveInput: Bool?
  /// Whether the attached screen sleeps; nil when unknown.
  public var isStandBy: Bool?

  /// The application that is not the idle screen; nil when the device is at rest.
  public var application: ApplicationMetadata? { applications.first { !$0.isIdleScreen } }

  /// Reads the `status` member.
  package init(json: JSONValue) {
    applications = json["applications"].list(ApplicationMetadata.init(json:)) ?? []
    volume = DeviceVolume(json: json["volume"])
    isActiveInput = json["isActiveInput"]?.bool
    isStandBy = json["isStandBy"]?.bool
  }
}
