package import CastProtocol
package import CastqCore

/// A name that is announced for another device than the one that has it. Nobody proves an announcement: a person has to look.
package struct NameClaim: Sendable, Hashable, CustomStringConvertible {
  /// The one that is announced so.
  package var device: DeviceID
  package var name: String
  package var description: String

  /// The claims among these devices: names under which a device that has to prove who it is was announced and which it has
  /// not proved, and names of such a device, or of one that somebody chose, that are another one's, too.
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
  /// Takes in what discovery sees, as `found(_:adding:at:)` does, and says which names are claimed now that were not before.
  package func heard(
    _ devices: [Device], adding: Bool = false, at now: WallTime
  ) throws(StoreError) -> (rows: [KnownDevice], claims: [NameClaim]) {
    let before = NameClaim.all(in: try all())
    let rows = try found(devices, adding: adding, at: now)
    return (rows, NameClaim.all(in: try all()).filter { !before.contains($0) })
  }
}
