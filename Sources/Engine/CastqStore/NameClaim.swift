package import CastProtocol
package import CastqPlaylists
package import CastqText

/// A name that a device announces without proof, or that another device has. Announcements are not authenticated, so the user must
/// check.
package struct NameClaim: Sendable, Hashable, CustomStringConvertible {
  /// The device announced with the name.
  package var device: DeviceID
  package var name: String
  package var description: String

  /// The claims among these devices: unproved announced names of authenticated devices, and names of authenticated or picked
  /// devices that another device uses, too.
  package static func all(in devices: [KnownDevice]) -> [NameClaim] {
    devices.flatMap { device -> [NameClaim] in
      var claims: [NameClaim] = []
      if let name = device.announcedName {
        claims.append(
          NameClaim(
            device: device.id, name: name,
            description: "announced as ‘\(name)’, a name it has not proved"))
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
  /// Stores discovered devices, as `found(_:adding:at:)` does, and returns new claims.
  package func heard(
    _ devices: [Device], adding: Bool = false, at now: WallTime
  ) throws(StoreError) -> (rows: [KnownDevice], claims: [NameClaim]) {
    let before = NameClaim.all(in: try all())
    let rows = try found(devices, adding: adding, at: now)
    return (rows, NameClaim.all(in: try all()).filter { !before.contains($0) })
  }
}
