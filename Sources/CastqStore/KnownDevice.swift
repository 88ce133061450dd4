package import CastProtocol
package import CastqCore

/// A device as the database knows it.
package struct KnownDevice: Sendable, Hashable {
  package var id: DeviceID
  /// Its name for people: given by the user, or its own.
  package var name: String
  /// A shorter one; nil when there is none.
  package var alias: String?
  package var endpoint: DeviceEndpoint
  package var uuid: String?
  package var model: String?
  /// `static` or `mdns`.
  package var origin: String
  package var isGroup: Bool
  package var isDefault: Bool
  package var isPinned: Bool
  package var capabilities: Int?
  package var lastSeenAt: WallTime?

  /// What commands print for it.
  package var label: String { alias ?? name }
}

extension KnownDevice {
  /// A device of which only the address is known, and no row: it has no queue and no history.
  package init(unknown endpoint: DeviceEndpoint) {
    id = DeviceID(0)
    name = "\(endpoint)"
    self.endpoint = endpoint
    origin = "static"
    isGroup = false
    isDefault = false
    isPinned = false
  }
}
