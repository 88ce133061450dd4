import CastProtocol
package import CastSender
package import CastqCore
package import CastqStore
import Glibc
package import Logging

/// How the ledger's devices have to prove who they are, and what they proved.
///
/// The first key that a device proves is pinned. One that says that it cannot prove anything is believed, and asked again each time:
/// it answers at once. One that says nothing at all has not said that it cannot; waiting for it takes long, so it is asked again
/// at each start of a feeder and once a day.
package struct LedgerTrust: Sendable {
  private let store: DeviceStore
  private let logger: Logger
  private let start: WallTime?
  private let now: @Sendable () -> WallTime

  /// How long nobody waits again for a device that was silent.
  private static let silenceLasts = 86_400.0
  /// How long one is waited for that was silent before.
  private static let patience = Duration.seconds(3)

  /// - Parameter start: when the feeder was started that asks; nil for commands, which leave a silent device alone for a day.
  package init(
    store: DeviceStore, logger: Logger, start: WallTime? = nil, now: @escaping @Sendable () -> WallTime
  ) {
    self.store = store
    self.logger = logger
    self.start = start
    self.now = now
  }

  /// What a device has to prove on its next connection, as the ledger says now; what comes of it is kept there.
  /// - Throws: when its file of roots cannot be used. Without a ledger nothing is known of it, and any key will do.
  package func trust(in device: KnownDevice) throws(TrustFileError) -> DeviceTrust {
    let row = current(device)
    var trust = DeviceTrust(try policy(of: row)) { [self] device, result in
      await store.executor.run { keep(result, of: device, row) }
    }
    if row.silentAt != nil, !row.hasProof { trust.patience = Self.patience }
    trust.pinOfOther = { [self] other in Self.pin(ownRow(other)) }
    return trust
  }

  private func policy(of row: KnownDevice) throws(TrustFileError) -> DeviceTrustPolicy {
    // Of what has no row nothing would be kept.
    guard row.id != DeviceID(0) else { return .off }
    switch row.trust {
    case .off: return .off
    case .pin:
      if !row.isPinned, let silentAt = row.silentAt, !isDue(silentAt) { return .off }
      return .pin(Self.pin(row))
    case .roots(let file): return .roots(try RootsFile.roots(file))
    }
  }

  /// Whether a device that was silent then is to be asked again. A time to come is a clock that was wrong.
  private func isDue(_ silentAt: WallTime) -> Bool {
    if let start, silentAt < start { return true }
    return !(0..<Self.silenceLasts).contains(now() - silentAt)
  }

  private static func pin(_ row: KnownDevice?) -> DevicePin? { row?.pinnedKey.flatMap { DevicePin($0) } }

  private func keep(_ result: DeviceVerdict, of device: Device, _ known: KnownDevice) {
    guard let row = ownRow(device) ?? (device.uniqueID == nil ? known : nil), row.id != DeviceID(0) else {
      return
    }
    do throws(StoreError) {
      switch result {
      case .proved(let identity):
        _ = try store.setCanProve(true, of: row.id)
        // A group answers with the key of whichever speaker leads it.
        guard case .pin = row.trust, !row.isPinned, !row.isGroup, !device.isGroup else { return }
        try store.pin(identity.keyHash, of: row.id, at: now())
        logger.notice(
          "device pinned at first contact",
          metadata: ["castq.device": "\(row.label)", "cast.key": "\(identity.keyHash)"])
      case .unproved(let error) where error.code == .deviceAuthenticationTimeoutFailure:
        guard try store.setSilent(row.id, at: now()) else { return }
        logger.notice(
          "device has not proved who it is: it says nothing when it is asked; it is used, and asked again tomorrow",
          metadata: ["castq.device": "\(row.label)"])
      case .unproved(let error):
        guard try store.setCanProve(false, of: row.id) else { return }
        logger.notice(
          "device cannot prove who it is, and is believed",
          metadata: ["castq.device": "\(row.label)", "cast.error": "\(error)"])
      case .refused: break
      }
    } catch {
      logger.warning("what a device proved is not kept", metadata: ["error": "\(error)"])
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
      return all.first { $0.endpoint.isSame(as: device.endpoint) }
    } catch {
      logger.warning("ledger of devices cannot be read", metadata: ["error": "\(error)"])
      return nil
    }
  }
}
