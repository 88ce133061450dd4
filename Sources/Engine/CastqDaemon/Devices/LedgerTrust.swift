import CastProtocol
package import CastSender
import CastqPlaylists
package import CastqStore
package import CastqText
import Glibc
package import Logging

/// Applies the ledger's trust rules to devices, and stores what they proved.
///
/// The first key a device proves is pinned. A device that answers that it cannot prove its identity is accepted, and challenged at
/// every connection, because the answer is fast. A device that does not answer the challenge is accepted, too; as that wait is
/// long, it is challenged again only at each start of a feeder and once a day.
package struct LedgerTrust: Sendable {
  private let store: DeviceStore
  private let places: ProvedPlaces
  private let logger: Logger
  private let start: WallTime?
  private let now: @Sendable () -> WallTime

  /// Seconds before a silent device is challenged again.
  private static let silenceLasts = 86_400.0
  /// How long to wait for a device that was silent before.
  private static let patience = Duration.seconds(3)

  /// - Parameters:
  ///   - places: hears where devices prove their keys, and where they do not.
  ///   - start: when the feeder started; nil for commands, which do not challenge a silent device for a day.
  package init(
    store: DeviceStore, places: ProvedPlaces = ProvedPlaces(), logger: Logger, start: WallTime? = nil,
    now: @escaping @Sendable () -> WallTime
  ) {
    self.places = places
    self.store = store
    self.logger = logger
    self.start = start
    self.now = now
  }

  /// What a device must prove on its next connection; the result is stored in the ledger. If the ledger is unreadable, any key is
  /// accepted.
  /// - Throws: if its file of root certificates cannot be used.
  package func trust(in device: KnownDevice) throws(TrustFileError) -> DeviceTrust {
    let row = current(device)
    var trust = DeviceTrust(try policy(of: row)) { [self] device, result in
      await store.executor.run { keep(result, of: device, row) }
    }
    if row.silentAt != nil, !row.hasProof { trust.patience = Self.patience }
    // Under a name that it has not proved it may be another device.
    trust.launchesEarly = row.announcedName == nil
    trust.pinOfOther = { [self] other in Self.pin(ownRow(other)) }
    return trust
  }

  private func policy(of row: KnownDevice) throws(TrustFileError) -> DeviceTrustPolicy {
    // A device without a row has no place to store the result.
    guard row.id != DeviceID(0) else { return .off }
    switch row.trust {
    case .off: return .off
    case .pin:
      if !row.isPinned, let silentAt = row.silentAt, !isDue(silentAt) { return .off }
      return .pin(Self.pin(row))
    case .roots(let file): return .roots(try RootsFile.roots(file))
    }
  }

  /// Whether to challenge a silent device again. A time in the future stems from a wrong clock and counts as due.
  private func isDue(_ silentAt: WallTime) -> Bool {
    if let start, silentAt < start { return true }
    return !(0..<Self.silenceLasts).contains(now() - silentAt)
  }

  private static func pin(_ row: KnownDevice?) -> DevicePin? { row?.pinnedKey.flatMap { DevicePin($0) } }

  private func keep(_ result: DeviceVerdict, of device: Device, _ known: KnownDevice) {
    switch result {
    case .proved: places.proved(device)
    case .refused: places.refused(device.endpoint, at: now())
    case .unproved: break
    }
    guard let row = ownRow(device) ?? (device.uniqueID == nil ? known : nil), row.id != DeviceID(0) else {
      return
    }
    // Known again at the next call of somebody who may write.
    if store.isReadOnly { return }
    do throws(StoreError) {
      switch result {
      case .proved(let identity):
        _ = try store.setCanProve(true, of: row.id)
        try store.setProvedPlace(device.endpoint, of: row.id)
        // A group proves the key of its current leader.
        guard case .pin = row.trust, !row.isPinned, !row.isGroup, !device.isGroup else { return }
        try store.pin(identity.keyHash, of: row.id, at: now())
        logger.notice(
          "device pinned at first contact",
          metadata: ["castq.device": "\(row.label)", "cast.key": "\(identity.keyHash)"])
      case .unproved(let error) where error.code == .deviceAuthenticationTimeoutFailure:
        guard try store.setSilent(row.id, at: now()) else { return }
        logger.notice(
          "device has not proved who it is: no answer to the challenge; accepted, next challenge in a day",
          metadata: ["castq.device": "\(row.label)"])
      case .unproved(let error):
        guard try store.setCanProve(false, of: row.id) else { return }
        logger.notice(
          "device cannot prove who it is; accepted",
          metadata: ["castq.device": "\(row.label)", "cast.error": "\(error)"])
      case .refused: break
      }
    } catch {
      logger.warning("result of device authentication was not saved", metadata: ["error": "\(error)"])
    }
  }

  private func current(_ device: KnownDevice) -> KnownDevice {
    guard device.id != DeviceID(0) else { return device }
    do throws(StoreError) {
      return try store.device(device.id) ?? device
    } catch {
      logger.warning("ledger of devices cannot be read", metadata: ["error": "\(error)"])
      return device
    }
  }

  private func ownRow(_ device: Device) -> KnownDevice? {
    do throws(StoreError) {
      let all = try store.all()
      if let id = device.uniqueID { return all.first { $0.uuid == id } }
      // An announcement may give another row this address.
      return all.first { $0.uuid == nil && $0.endpoint.isSame(as: device.endpoint) }
        ?? all.first { $0.endpoint.isSame(as: device.endpoint) }
    } catch {
      logger.warning("ledger of devices cannot be read", metadata: ["error": "\(error)"])
      return nil
    }
  }
}
