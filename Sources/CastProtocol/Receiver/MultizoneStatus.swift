/// One speaker of a group (protocol 5.9).
public struct MultizoneDevice: Sendable, Hashable {
  /// Its permanent identity.
  public var deviceID: String
  /// Its friendly name; nil when not reported.
  public var name: String?
  /// Capability bits (protocol 13.3); nil when not reported.
  public var capabilities: Int?
  /// Its own volume; nil when not reported.
  public var volume: DeviceVolume?

  package init?(json: JSONValue?) {
    guard let json, let id = json["deviceId"]?.string else { return nil }
    deviceID = id
    name = json["name"]?.string
    capabilities = json["capabilities"]?.integer(.bits)
    volume = DeviceVolume(json: json["volume"])
  }
}

/// The members of a group, as the group's own device tells them (protocol 5.9).
public struct MultizoneStatus: Sendable, Hashable {
  /// The members, in the device's order.
  public var devices: [MultizoneDevice]
  /// Whether the members play one channel each, as a stereo pair does.
  public var isMultichannel: Bool

  package init?(json: JSONValue?) {
    guard let json, json.object != nil else { return nil }
    devices = json["devices"].list(MultizoneDevice.init(json:)) ?? []
    isMultichannel = json["isMultichannel"]?.bool ?? false
  }
}

/// A change of a group (protocol 5.9).
public enum MultizoneEvent: Sendable, Hashable {
  /// The whole picture, asked for or not.
  case status(MultizoneStatus)
  /// A member joined.
  case deviceAdded(MultizoneDevice)
  /// A member changed, its volume for one.
  case deviceUpdated(MultizoneDevice)
  /// The member with this identity left.
  case deviceRemoved(deviceID: String)
  /// A passing group formed or changed; what it says is not published (protocol 5.9).
  case playbackSessionUpdated(JSONValue)
}

/// What a device tells of itself when it is asked over Cast (protocol 5.10).
public struct DeviceInformation: Sendable, Hashable {
  /// Its permanent identity; nil when not reported.
  public var deviceID: String?
  /// Its friendly name; nil when not reported.
  public var friendlyName: String?
  /// Model; nil when not reported.
  public var modelName: String?
  /// Capability bits (protocol 13.3); nil when not reported.
  public var capabilities: Int?

  package init(json: JSONValue) {
    deviceID = json["deviceId"]?.string
    friendlyName = json["friendlyName"]?.string
    modelName = json["deviceModel"]?.string
    // The specification and its code disagree about this name (protocol 5.10).
    capabilities = json["deviceCapabilities"]?.integer(.bits) ?? json["capabilities"]?.integer(.bits)
  }
}

/// What the set-up service of a device tells when it is asked over Cast; the members vary by firmware (protocol 5.10, 13.6).
public struct SetupInformation: Sendable, Hashable {
  /// Its friendly name; nil when not reported.
  public var name: String?
  /// Maker; nil when not reported.
  public var manufacturer: String?
  /// Product; nil when not reported.
  public var productName: String?
  /// Revision of the Cast software; nil when not reported.
  public var castBuildRevision: String?
  /// Everything as it came.
  public var data: JSONValue

  package init(data: JSONValue) {
    self.data = data
    name = data["name"]?.string
    manufacturer = data["device_info"]?["manufacturer"]?.string
    productName = data["device_info"]?["product_name"]?.string
    castBuildRevision = data["build_info"]?["cast_build_revision"]?.string
  }
}
