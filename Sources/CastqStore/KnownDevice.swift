package import CastProtocol
package import CastqCore

/// A device as the database knows it.
package struct KnownDevice: Sendable, Hashable {
  package var id: DeviceID
  /// Its name for people, another one for each device: given by a person, or its own.
  package var name: String
  /// Whether a person gave the name; else it follows the device's own.
  package var isNamed = false
  /// A shorter one; nil when there is none.
  package var alias: String?
  /// What it calls itself; nil when it never said.
  package var friendlyName: String?
  /// Where it was reached or heard last, else where a person said it is.
  package var endpoint: DeviceEndpoint
  /// Where a person said it is; nil when nobody did.
  package var staticEndpoint: DeviceEndpoint?
  /// Its lasting identity, 32 lower-case hexadecimal digits; nil while only an address is known.
  package var uuid: String?
  package var model: String?
  package var isGroup = false
  package var isDefault = false
  /// Whether somebody named, chose or used it; a row that only a scan has made may be dropped for a newer one.
  package var isPicked = false
  /// What it can do; nil when it never said.
  package var capabilities: DeviceCapabilities?
  /// What the application on it said of itself when the device was heard last; nil when nothing.
  package var statusText: String?
  package var lastSeenAt: WallTime?
  /// How it was seen last; nil when it never was.
  package var seenBy: DeviceSighting?
  package var trust = TrustRule.pin
  /// SHA-256 of the key it proved itself with, hexadecimal; nil while none is pinned.
  package var pinnedKey: String?
  package var pinnedAt: WallTime?
  /// Whether it passed its last challenge; nil before the first answer.
  package var canProve: Bool?
  /// When it last left a challenge unanswered; nil when it has answered since, or was never challenged.
  package var silentAt: WallTime?
  /// The name that was last announced with its UUID, when that differs from the one it has proved.
  package var announcedName: String?

  /// What commands print for it.
  package var label: String { alias ?? name }

  package var isPinned: Bool { pinnedKey != nil }

  /// Whether it has to authenticate itself. An announcement, which is not authenticated, does not change its identity then.
  package var hasProof: Bool {
    switch trust {
    case .off: false
    case .pin: isPinned
    case .roots: true
    }
  }

  /// What names it for another process, also after it has got another name.
  package var handle: String { uuid ?? name }

  /// What the sender has to know of it.
  package var castDevice: Device {
    Device(
      endpoint: endpoint, friendlyName: name, uniqueID: uuid, modelName: model, capabilities: capabilities)
  }
}

/// How a device was seen.
package enum DeviceSighting: String, Sendable, Hashable {
  /// It announced itself.
  case mdns
  /// A connection to it stood.
  case connect
}

/// How a device has to prove who it is.
package enum TrustRule: Sendable, Hashable {
  /// Not at all.
  case off
  /// By the key that it proved at first contact.
  case pin
  /// By a chain to one of the certificates in this file.
  case roots(file: String)

  /// What the database and programs call it.
  package var word: String {
    switch self {
    case .off: "off"
    case .pin: "pin"
    case .roots: "roots"
    }
  }
}

extension KnownDevice {
  /// A device of which only the address is known, and no row: it has no queue and no history.
  package init(unknown endpoint: DeviceEndpoint) {
    self.init(id: DeviceID(0), name: "\(endpoint)", endpoint: endpoint, staticEndpoint: endpoint)
  }
}
