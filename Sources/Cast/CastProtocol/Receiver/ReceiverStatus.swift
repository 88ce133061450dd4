/// How a device's volume can be changed (protocol 5.7).
public enum VolumeControlType: WireWord {
  /// The device scales its own output.
  case attenuation
  /// The volume cannot be changed; requests are ignored.
  case fixed
  /// The amplifier's volume is changed.
  case master
  /// A value unknown to this version.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("attenuation", .attenuation), ("fixed", .fixed), ("master", .master),
  ]
}

/// The volume of a device and how it can be changed (protocol 5.7).
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

/// An application running on a receiver (protocol 5.2).
public struct ApplicationMetadata: Sendable, Hashable {
  /// Application id, usually eight hexadecimal digits.
  public var applicationID: String
  /// The id to compare when a native application runs instead of a web application; nil when not reported.
  public var universalApplicationID: String?
  /// The displayed name; nil when not reported.
  public var displayName: String?
  /// Its status text, such as "Now casting: …"; may be empty, and nil when not reported.
  public var statusText: String?
  /// Namespaces it supports; grows during its start.
  public var namespaces: Set<String>
  /// For STOP (protocol 5.6).
  package var sessionID: ApplicationSessionID
  /// Destination of messages to it; nil during its start.
  package var transportID: EndpointID?
  /// Whether it is the idle screen.
  public var isIdleScreen: Bool
  /// Its icon; nil when it has none.
  public var iconURL: String?

  package init?(json: JSONValue) {
    guard let id = json["appId"]?.string, let session = json["sessionId"]?.string else { return nil }
    applicationID = id
    universalApplicationID = json["universalAppId"]?.string
    displayName = json["displayName"]?.string?.shortened
    statusText = json["statusText"]?.string
    namespaces = Set(json["namespaces"].list { $0["name"]?.string } ?? [])
    sessionID = ApplicationSessionID(session)
    transportID = json["transportId"]?.string.map { EndpointID($0) }
    isIdleScreen = json["isIdleScreen"]?.bool ?? false
    iconURL = json["iconUrl"]?.string
  }

  /// Whether this is the application with that id, under either of its ids. Case does not matter (protocol 15).
  public func isApplication(_ id: String) -> Bool {
    [applicationID, universalApplicationID].contains { $0.map { ApplicationID.isSame($0, id) } ?? false }
  }
}

/// One running instance of an application, as identified by the platform; for STOP. Not a transport id (protocol 0).
package struct ApplicationSessionID: Sendable, Hashable {
  package let rawValue: String
  package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The status of a device's platform, always complete (protocol 5.2, 5.8).
public struct ReceiverStatus: Sendable, Hashable {
  /// Running applications; at most one in practice, the idle screen included.
  public var applications: [ApplicationMetadata]
  /// The device's volume; nil when not reported.
  public var volume: DeviceVolume?
  /// Whether the display shows this device; nil when unknown.
  public var isActiveInput: Bool?
  /// Whether the display is in standby; nil when unknown.
  public var isStandBy: Bool?

  /// The application that is not the idle screen; nil when the device is idle.
  public var application: ApplicationMetadata? { applications.first { !$0.isIdleScreen } }

  /// Reads the `status` member.
  package init(json: JSONValue) {
    applications = json["applications"].list(ApplicationMetadata.init(json:)) ?? []
    volume = DeviceVolume(json: json["volume"])
    isActiveInput = json["isActiveInput"]?.bool
    isStandBy = json["isStandBy"]?.bool
  }
}
