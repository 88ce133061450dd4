package import CastProtocol
package import CastqCore

/// A name that one device announces and another one has. Announcements are not authenticated: a person has to check.
package struct NameClaim: Sendable, Hashable, CustomStringConvertible {
  /// The device that is announced with the name.
  package var device: DeviceID
  package var name: String
  package var description: String

  /// The claims among these devices: announced names that an authenticated device has not proved, and names of such a device, or of
  /// a picked one, that another device uses as well.
  package static func all(in devices: [KnownDevice]) -> [NameClaim] {
    devices.flatMap { device -> [NameClaim] in
      var claims: [NameClaim] = []
      if let name = device.announcedName {
        claims.append(
          NameClaim(
            device: device.id, name: name,
            description: "announced as ‘\(name)’, which it has not proved to be its name"))
      }
      guard !device.hasProof, let name = device.friendlyName?.lowercased(),
        let owner = devices.first(where: { $0.id != device.id && $0.owns(name) }), !device.isNamed
      else { return claims }
      claims.append(
        NameClaim(
          device: device.id, name: device.friendlyName ?? name,
          description: "calls itself ‘\(device.friendlyName ?? name)’, as \(owner.label) does"))
      return claims
    }
  }
}

extension KnownDevice {
  fileprivate func owns(_ name: String) -> Bool {
    (hasProof || isPicked) && [self.name, friendlyName].contains { $0?.lowercased() == name }
  }
}

extension DeviceStore {
  /// Stores what discovery finds, as `found(_:adding:at:)` does, and returns the claims that are new.
  package func heard(
    _ devices: [Device], adding: Bool = false, at now: WallTime
  ) throws(StoreError) -> (rows: [KnownDevice], claims: [NameClaim]) {
    let before = NameClaim.all(in: try all())
    let rows = try found(devices, adding: adding, at: now)
    return (rows, NameClaim.all(in: try all()).filter { !before.contains($0) })
  }
}
