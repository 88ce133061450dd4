/// A Cast receiver as a sender knows it: from discovery, from a ledger, or from an address alone (protocol 13, 17.5).
public struct Device: Sendable, Hashable {
  /// Where it listens now.
  public var endpoint: DeviceEndpoint
  /// Its friendly name; nil when unknown.
  public var friendlyName: String?
  /// Its permanent identity, 32 lower-case hexadecimal digits; nil while only an address is known (protocol 13.2, `id`).
  public var uniqueID: String?
  /// Model; nil when unknown (protocol 13.2, `md`).
  public var modelName: String?
  /// Version number of the protocol it announces, 2 to 99; nil when unknown (protocol 13.2, `ve`).
  public var protocolVersion: Int?
  /// What it can do; nil when it never said (protocol 13.3).
  public var capabilities: DeviceCapabilities?
  /// Whether an application runs (protocol 13.2, `st`).
  public var status: DeviceStatus
  /// What the running application says of itself; nil when unknown or when none runs (protocol 13.2, `rs`).
  public var statusText: String?
  /// Path of its picture on its setup page, port 8008; nil when unknown (protocol 13.2, `ic`).
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

  /// What kind of device it is, by what it can do.
  public var type: DeviceType { capabilities.map(DeviceType.init) ?? .generic }

  /// Whether it is a group of speakers, whose address and port move with its leader (protocol 5.9, 13.5).
  public var isGroup: Bool { type == .speakerGroup }

  /// The one spelling of an identity: 32 lower-case hexadecimal digits. Takes any spelling of a UUID; nil when it is none.
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
  /// It never said.
  case unknown
  /// Nothing runs but its idle screen.
  case idle
  /// An application runs, and may be joined.
  case busy
}

/// What kind of device it is (protocol 13.3, 17.5).
public enum DeviceType: Sendable, Hashable {
  /// It never said what it can do.
  case generic
  /// It has a screen.
  case tv
  /// It has none.
  case speaker
  /// Several speakers that play as one.
  case speakerGroup

  init(_ capabilities: DeviceCapabilities) {
    if capabilities.contains(.multizoneGroup) {
      self = .speakerGroup
    } else {
      self = capabilities.contains(.videoOut) ? .tv : .speaker
    }
  }
}
