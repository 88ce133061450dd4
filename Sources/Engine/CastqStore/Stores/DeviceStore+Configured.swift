package import CastqFeeding
package import CastqText

/// Devices that the configuration names with an address.
extension DeviceStore {
  /// What was done with one of them.
  package enum Addition {
    case added(KnownDevice)
    case refused(name: String, StoreError)
  }

  /// Adds the devices that have an address in the configuration and are not in the ledger yet.
  /// - Returns: what was done, in the order of the configuration; nothing for devices that are there.
  @discardableResult
  package func add(
    _ configured: [DaemonConfiguration.Named], at now: WallTime
  ) throws(StoreError) -> [Addition] {
    let configured = configured.filter { $0.rules.address != nil }
    guard !configured.isEmpty, !isReadOnly else { return [] }
    var known = try all()
    var additions: [Addition] = []
    for named in configured where !known.contains(where: { $0.isAdded(as: named) }) {
      guard let address = named.rules.address else { continue }
      do throws(StoreError) {
        additions.append(.added(try add(name: named.name, endpoint: address, at: now)))
        known = try all()
      } catch {
        additions.append(.refused(name: named.name, error))
      }
    }
    return additions
  }
}

extension KnownDevice {
  /// Whether it is the device of the configuration already. One that only a scan has shown calls itself what
  /// it likes: it is not, by its name alone.
  fileprivate func isAdded(as named: DaemonConfiguration.Named) -> Bool {
    named.isMeant(by: names) && (isPicked || !named.isMeant(by: [name]))
  }
}
