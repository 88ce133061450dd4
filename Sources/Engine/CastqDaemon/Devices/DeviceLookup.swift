import CastProtocol
package import CastqStore
package import CastqText

/// Looks up a device on the network and adds it to the ledger.
package struct DeviceLookup: Sendable {
  private let store: DeviceStore
  private let finder: any DeviceFinder
  private let now: @Sendable () -> WallTime

  package init(store: DeviceStore, finder: any DeviceFinder, now: @escaping @Sendable () -> WallTime) {
    self.store = store
    self.finder = finder
    self.now = now
  }

  /// Why no device was found.
  package struct Miss: Error {
    package var error: StoreError
    /// Problems that kept the network from being searched; empty if it was.
    package var problems: [DeviceScan.Problem]
  }

  /// Finds a device by name or UUID on the network and adds it to the ledger.
  ///
  /// A full name or a UUID ends the search at once. A prefix of a name matches if it is unique when the time is up.
  package func find(_ selector: String, within limit: Duration) async throws(Miss) -> KnownDevice {
    let scan = await finder.scan(for: limit) { devices in Self.exact(selector, in: devices).count == 1 }
    var matches = Self.exact(selector, in: scan.devices)
    // Nobody gets a UUID by calling himself so.
    if matches.isEmpty, Device.normalizedID(selector) == nil {
      let wanted = selector.lowercased()
      matches = scan.devices.filter { $0.friendlyName?.lowercased().hasPrefix(wanted) == true }
    }
    do throws(StoreError) {
      if matches.count > 1 {
        throw .ambiguousDevice(
          selector, candidates: matches.map { "\($0.friendlyName ?? "") (\($0.endpoint))" })
      }
      guard let row = try store.found(matches, adding: true, at: now()).first else {
        throw .unknownDevice(selector, known: try store.all().map(\.label))
      }
      try store.pick(row)
      return try store.device(row.id) ?? row
    } catch {
      throw Miss(error: error, problems: scan.problems)
    }
  }

  private static func exact(_ selector: String, in devices: [Device]) -> [Device] {
    if let id = Device.normalizedID(selector) { return devices.filter { $0.uniqueID == id } }
    let wanted = selector.lowercased()
    return devices.filter { $0.friendlyName?.lowercased() == wanted }
  }
}
