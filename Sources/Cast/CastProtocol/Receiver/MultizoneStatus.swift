/// One member of a group (protocol 5.9).
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

/// The members of a group, as reported by the group (protocol 5.9).
public struct MultizoneStatus: Sendable, Hashable {
  /// The members, in the device's order.
  public var devices: [MultizoneDevice]
  /// Whether each member plays one channel, as in a stereo pair.
  public var isMultichannel: Bool

  package init?(json: JSONValue?) {
    guard let json, json.object != nil else { return nil }
    devices = json["devices"].list(MultizoneDevice.init(json:)) ?? []
    isMultichannel = json["isMultichannel"]?.bool ?? false
  }
}

/// A change of a group (protocol 5.9).
public enum MultizoneEvent: Sendable, Hashable {
  /// The full status, requested or not.
  case status(MultizoneStatus)
  /// A member joined.
  case deviceAdded(MultizoneDevice)
  /// A member changed, such as its volume.
  case deviceUpdated(MultizoneDevice)
  /// The member with this identity left.
  case deviceRemoved(deviceID: String)
  /// A dynamic group formed or changed; its contents are not published (protocol 5.9).
  case playbackSessionUpdated(JSONValue)
}

/// Information of a device about itself (protocol 5.10).
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

/// Information of a device's set-up service; the members vary by firmware (protocol 5.10, 13.6).
public struct SetupInformation: Sendable, Hashable {
  /// Its friendly name; nil when not reported.
  public var name: String?
  /// Maker; nil when not reported.
  public var manufacturer: String?
  /// Product; nil when not reported.
  public var productName: String?
  /// Revision of the Cast software; nil when not reported.
  public var castBuildRevision: String?
  /// All members as received.
  public var data: JSONValue

  package init(data: JSONValue) {
    self.data = data
    name = data["name"]?.string
    manufacturer = data["device_info"]?["manufacturer"]?.string
    productName = data["device_info"]?["product_name"]?.string
    castBuildRevision = data["build_info"]?["cast_build_revision"]?.string
  }
}
