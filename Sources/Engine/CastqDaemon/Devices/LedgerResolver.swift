package import CastProtocol
import CastSender
package import CastqStore
package import CastqText
package import Logging

/// Locates devices by the network and the ledger, and updates the ledger.
///
/// A device is called first at the address that a person gave. When it is not at its known address, the network is searched for its
/// unique ID. Without an answer, such as where multicast is blocked, its last good address and the given one are tried in turn. What
/// did not prove the device's key is left alone for a while, whatever is announced.
package struct LedgerResolver: DeviceResolver {
  private let store: DeviceStore
  private let finder: (any DeviceFinder)?
  private let places: ProvedPlaces
  private let logger: Logger
  private let now: @Sendable () -> WallTime

  /// - Parameters:
  ///   - finder: searches the network; nil uses the ledger alone.
  ///   - places: where devices have proved their keys; shared with the trust rules of the process.
  ///   - now: the calendar's time, for the ledger.
  package init(
    store: DeviceStore, finder: (any DeviceFinder)?, places: ProvedPlaces = ProvedPlaces(), logger: Logger,
    now: @escaping @Sendable () -> WallTime
  ) {
    self.store = store
    self.finder = finder
    self.places = places
    self.logger = logger
    self.now = now
  }

  package func firstEndpoint(of device: Device) async -> DeviceEndpoint? {
    do throws(StoreError) {
      let known = try await store.executor.run { () throws(StoreError) in try row(of: device) }
      if let known, known.hasProof, places.isLeftAlone(device.endpoint, at: now()) {
        return knownPlaces(of: device, known).first
      }
      return known?.firstEndpoint
    } catch {
      // A ledger error must not end the session.
      logger.warning("device ledger is unavailable", metadata: ["error": "\(error)"])
      return nil
    }
  }

  package func locate(_ device: Device) async -> Device {
    do throws(StoreError) {
      guard let row = try await store.executor.run({ () throws(StoreError) in try row(of: device) })
      else { return await heard(device) ?? device }
      var device = device
      device.uniqueID = row.uuid ?? device.uniqueID
      // Announcements lead nobody away from an address that is all that is known of a device.
      if !row.isHeldByAddress, let heard = await heard(device),
        !row.hasProof || !places.isLeftAlone(heard.endpoint, at: now())
      {
        let unproved = try await store.executor.run { () throws(StoreError) in
          try claims(of: heard)
        }
        for (device, claim) in unproved {
          logger.warning(
            "device announced under an unproved name",
            metadata: ["castq.device": "\(device)", "castq.claim": "\(claim)"])
        }
        // Where it was called in vain, another device may announce itself.
        let isElsewhere = heard.endpoint != device.endpoint
        if isElsewhere || row.staticEndpoint.map({ $0 == device.endpoint }) ?? true {
          return place(heard, as: device, row)
        }
      }
      // Another process may have updated the address meanwhile.
      let known = try await store.executor.run { () throws(StoreError) in try store.device(row.id) }
      device.endpoint =
        knownPlaces(of: device, known ?? row).first { $0 != device.endpoint } ?? device.endpoint
      return device
    } catch {
      // A ledger error must not end the session.
      logger.warning("device ledger is unavailable", metadata: ["error": "\(error)"])
      return await heard(device) ?? device
    }
  }

  /// Where the device may be by what is known of it, best first: without those that are left alone.
  private func knownPlaces(of device: Device, _ row: KnownDevice) -> [DeviceEndpoint] {
    let known = [places.provedEndpoint(of: device), row.endpoint, row.staticEndpoint].compactMap { $0 }
    guard row.hasProof else { return known }
    return known.filter { !places.isLeftAlone($0, at: now()) }
  }

  /// Stores the sighting and returns the announced names that are not proved, each with its device.
  private func claims(of heard: Device) throws(StoreError) -> [(device: String, claim: NameClaim)] {
    var claims: [(device: String, claim: NameClaim)] = []
    for claim in try store.heard([heard], at: now()).claims {
      claims.append((try store.device(claim.device)?.label ?? "\(claim.device)", claim))
    }
    return claims
  }

  private func heard(_ device: Device) async -> Device? {
    guard let id = device.uniqueID, let finder else { return nil }
    let scan = await finder.scan(for: .seconds(2)) { [places, now] devices in
      devices.contains { $0.uniqueID == id && !places.isLeftAlone($0.endpoint, at: now()) }
    }
    let heard = scan.devices.filter { $0.uniqueID == id }
    return heard.first { !places.isLeftAlone($0.endpoint, at: now()) } ?? heard.first
  }

  /// Keeps the ledger's name for messages; a device that must prove its identity also keeps capabilities and model.
  private func place(_ heard: Device, as device: Device, _ row: KnownDevice) -> Device {
    var heard = heard
    heard.friendlyName = device.friendlyName ?? heard.friendlyName
    if row.hasProof {
      heard.capabilities = device.capabilities
      heard.modelName = device.modelName
    }
    return heard
  }

  private func row(of device: Device) throws(StoreError) -> KnownDevice? {
    let all = try store.all()
    if let id = device.uniqueID, let row = all.first(where: { $0.uuid == id }) { return row }
    return all.first { $0.isHeldByAddress && $0.staticEndpoint?.isSame(as: device.endpoint) == true }
      ?? all.first { $0.endpoint.isSame(as: device.endpoint) }
      ?? all.first { $0.staticEndpoint?.isSame(as: device.endpoint) == true }
  }
}
