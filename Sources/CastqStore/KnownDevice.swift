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
