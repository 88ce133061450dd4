import CastProtocol
import CastqPlaylists
package import CastqStore
package import CastqText

/// What people change of the devices that castq knows.
extension Workspace {
  /// A device of the ledger. One found on the network is added; a bare address is an unknown device.
  /// - Parameter name: nil is the default device.
  package func known(_ name: String?) async throws(Failure) -> KnownDevice {
    let device = try await device(name, adding: false)
    try requireQueue(of: device)
    return device
  }

  /// Refuses a bare address: only a device of the ledger has a queue, which can be read or changed.
  package func requireQueue(of device: KnownDevice) throws(Failure) {
    guard device.id == DeviceID(0) else { return }
    throw Failure(
      .unknownDevice(
        device.label, known: try ask { (here) throws(StoreError) in try here.devices.all().map(\.label) }),
      database: database.path)
  }

  /// Adds a device at an address, or moves it there.
  /// - Parameter address: `HOST`, `HOST:PORT` or `[V6]:PORT`.
  package func addDevice(named name: String, at address: String) throws(Failure) -> KnownDevice {
    let name = try ScheduleName.device(name, "a device")
    guard let endpoint = DeviceEndpoint(address) else {
      throw Failure("usage", "'\(address)' is no address: write HOST, HOST:PORT or [V6]:PORT", exit: .usage)
    }
    return try ask { (here) throws(StoreError) in
      try here.devices.add(name: name, endpoint: endpoint, at: .now)
    }
  }

  /// Forgets a device, its queue and the rules for it alone. Only the ledger is searched, never the network.
  package func removeDevice(_ name: String) throws(Failure) {
    try ask { (here) throws(StoreError) in
      try here.devices.remove(try here.devices.device(matching: name).id, at: .now)
    }
  }

  /// Gives a device a short name.
  /// - Parameter alias: nil is none.
  package func setAlias(_ alias: String?, of name: String) async throws(Failure) {
    let alias = try alias.map { (alias) throws(Failure) in try ScheduleName.device(alias, "an alias") }
    let device = try await known(name)
    try ask { (here) throws(StoreError) in try here.devices.setAlias(alias, of: device.id) }
  }

  /// Chooses the device that is meant where none is named.
  package func setDefault(_ name: String) async throws(Failure) {
    let device = try await known(name)
    try ask { (here) throws(StoreError) in try here.devices.setDefault(device.id) }
  }

  /// Forgets the key of a device; the next key that it proves is pinned.
  package func unpin(_ name: String) async throws(Failure) {
    let device = try await known(name)
    try ask { (here) throws(StoreError) in try here.devices.unpin(device.id) }
  }
}
