package import CastProtocol
package import CastqPlaylists
package import CastqText

/// A device in the database.
package struct KnownDevice: Sendable, Hashable {
  package var id: DeviceID
  /// Its unique display name, chosen by the user or derived from its own name.
  package var name: String
  /// Whether the user chose the name; otherwise it follows the device's own name.
  package var isNamed = false
  /// A short name; nil if there is none.
  package var alias: String?
  /// The name it reports; nil if it has reported none.
  package var friendlyName: String?
  /// Its last known address, else the configured one.
  package var endpoint: DeviceEndpoint
  /// The address given by the user; nil if none was.
  package var staticEndpoint: DeviceEndpoint?
  /// Its unique ID, 32 lower-case hexadecimal digits; nil while only an address is known.
  package var uuid: String?
  package var model: String?
  package var isGroup = false
  package var isDefault = false
  /// Whether the user named, chose or used it. Other rows, which only a scan has made, may be dropped for newer ones.
  package var isPicked = false
  /// Its capabilities; nil if it has reported none.
  package var capabilities: DeviceCapabilities?
  /// The status text of its application at the last announcement; nil if there was none.
  package var statusText: String?
  package var lastSeenAt: WallTime?
  /// How it was seen last; nil if never.
  package var seenBy: DeviceSighting?
  package var trust = TrustRule.pin
  /// SHA-256 of the pinned key, hexadecimal; nil if none is pinned.
  package var pinnedKey: String?
  package var pinnedAt: WallTime?
  /// Whether it passed its last challenge; nil before the first answer.
  package var canProve: Bool?
  /// When it last left a challenge unanswered; nil if it has answered since or was never challenged.
  package var silentAt: WallTime?
  /// The name last announced with its UUID, if it differs from the proved one; else nil.
  package var announcedName: String?

  /// Its label in output: the alias, else the name.
  package var label: String { alias ?? name }

  /// Its label as it is typed in a command, quoted for a shell where it must be. A device names itself: nothing in its name is run by a
  /// shell into which a message is pasted.
  package var typedLabel: String { ShellWord.typed(label) }

  package var isPinned: Bool { pinnedKey != nil }

  /// Whether it must authenticate itself. Announcements, which are not authenticated, then do not change its identity.
  package var hasProof: Bool {
    switch trust {
    case .off: false
    case .pin: isPinned
    case .roots: true
    }
  }

  /// Whether it is known by an address that a person gave, and by nothing that it has proved: whoever announces itself there may be
  /// another device, so that no announcement gives the row a UUID, by which it would be found elsewhere.
  package var isHeldByAddress: Bool { staticEndpoint != nil && uuid == nil && !hasProof }

  /// Where it is called first, whatever is announced of it: at the address that a person gave, or where it has proved its key last.
  /// Nil if no address was given; then it is called at its last known one.
  package var firstEndpoint: DeviceEndpoint? {
    guard let staticEndpoint else { return nil }
    return hasProof && seenBy == .connect ? endpoint : staticEndpoint
  }

  /// Whether it may have moved, so that it is called at two addresses, one after the other.
  package var hasTwoPlaces: Bool { uuid != nil || staticEndpoint.map { $0 != endpoint } == true }

  /// Its UUID after an announcement at its address.
  func uuid(after announcement: Device) -> String? {
    isHeldByAddress ? nil : announcement.uniqueID ?? uuid
  }

  /// All names by which a configuration may refer to the device. What it calls itself is one of them once a person has named, chosen or
  /// used it, or it has proved its key: any device may announce itself by the name of another. Until then its name in the database is,
  /// which no other device has.
  package var names: [String] {
    let own = friendlyName.flatMap { (isPicked || hasProof) && !AnnouncedName.isMisleading($0) ? $0 : nil }
    return [alias, name, own, uuid, "\(endpoint)", endpoint.host].compactMap { $0 }
  }

  /// A selector for other processes that survives renaming if the UUID is known.
  package var handle: String { uuid ?? name }

  /// The device for the sender SDK.
  package var castDevice: Device {
    Device(
      endpoint: endpoint, friendlyName: name, uniqueID: uuid, modelName: model, capabilities: capabilities)
  }
}

/// How a device was seen.
package enum DeviceSighting: String, Sendable, Hashable {
  /// It announced itself.
  case mdns
  /// It accepted a connection.
  case connect
}

/// How a device must prove its identity.
package enum TrustRule: Sendable, Hashable {
  /// Not at all.
  case off
  /// By the key it proved at first contact.
  case pin
  /// By a chain to one of the certificates in this file.
  case roots(file: String)

  /// The value in the database and in JSON.
  package var word: String {
    switch self {
    case .off: "off"
    case .pin: "pin"
    case .roots: "roots"
    }
  }
}

extension KnownDevice {
  /// A device without a row, known by its address only: it has no queue and no history.
  package init(unknown endpoint: DeviceEndpoint) {
    self.init(id: DeviceID(0), name: "\(endpoint)", endpoint: endpoint, staticEndpoint: endpoint)
  }
}
