/// A Cast receiver known from discovery, from a database, or by its address (protocol 13, 17.5).
public struct Device: Sendable, Hashable {
  /// Its current endpoint.
  public var endpoint: DeviceEndpoint
  /// Its friendly name; nil when unknown.
  public var friendlyName: String?
  /// Its permanent identity, 32 lower-case hexadecimal digits; nil while only an address is known (protocol 13.2, `id`).
  public var uniqueID: String?
  /// Model; nil when unknown (protocol 13.2, `md`).
  public var modelName: String?
  /// Version number of the protocol it announces, 2 to 99; nil when unknown (protocol 13.2, `ve`).
  public var protocolVersion: Int?
  /// Its capabilities; nil when it has not announced them (protocol 13.3).
  public var capabilities: DeviceCapabilities?
  /// Whether an application runs (protocol 13.2, `st`).
  public var status: DeviceStatus
  /// The status text of the running application; nil when unknown or when none runs (protocol 13.2, `rs`).
  public var statusText: String?
  /// Path of its icon on its setup page, port 8008; nil when unknown (protocol 13.2, `ic`).
  public var iconPath: String?

  /// A device at an address.
  public init(
    endpoint: DeviceEndpoint, friendlyName: String? = nil, uniqueID: String? = nil, modelName: String? = nil,
    protocolVersion: Int? = nil, capabilities: DeviceCapabilities? = nil, status: DeviceStatus = .unknown,
    statusText: String? = nil, iconPath: String? = nil
  ) {
    self.endpoint = endpoint
    self.friendlyName = friendlyName
    self.uniqueID = uniqueID
    self.modelName = modelName
    self.protocolVersion = protocolVersion
    self.capabilities = capabilities
    self.status = status
    self.statusText = statusText
    self.iconPath = iconPath
  }

  /// The category of the device, from its capabilities.
  public var type: DeviceType { capabilities.map(DeviceType.init) ?? .generic }

  /// Whether it is a group of speakers, whose address and port move with its leader (protocol 5.9, 13.5).
  public var isGroup: Bool { type == .speakerGroup }

  /// The normalized identity: 32 lower-case hexadecimal digits. Accepts any spelling of a UUID; nil for any other text.
  public static func normalizedID(_ text: String) -> String? {
    let digits = text.filter { $0 != "-" }.lowercased()
    guard digits.utf8.count == 32,
      digits.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { return nil }
    return digits
  }
}

/// Whether an application runs on a device (protocol 13.2, `st`).
public enum DeviceStatus: Sendable, Hashable {
  /// Not announced.
  case unknown
  /// Only the idle screen runs.
  case idle
  /// An application runs, and may be joined.
  case busy
}

/// The category of a device (protocol 13.3, 17.5).
public enum DeviceType: Sendable, Hashable {
  /// It has not announced its capabilities.
  case generic
  /// It has a display.
  case tv
  /// It has no display.
  case speaker
  /// A group of speakers.
  case speakerGroup

  init(_ capabilities: DeviceCapabilities) {
    if capabilities.contains(.multizoneGroup) {
      self = .speakerGroup
    } else {
      self = capabilities.contains(.videoOut) ? .tv : .speaker
    }
  }
}
