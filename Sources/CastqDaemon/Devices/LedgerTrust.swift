import CastProtocol
package import CastSender
package import CastqCore
package import CastqStore
import Glibc
package import Logging

/// How the ledger's devices have to prove who they are, and what they proved.
///
/// The first key that a device proves is pinned. A device that once could not prove anything is not asked again until somebody
/// says so: asking costs time on each connection, and it is believed on its word anyway.
package struct LedgerTrust: Sendable {
  private let store: DeviceStore
  private let logger: Logger
  private let now: @Sendable () -> WallTime

  package init(store: DeviceStore, logger: Logger, now: @escaping @Sendable () -> WallTime) {
    self.store = store
    self.logger = logger
    self.now = now
  }

  /// What a device has to prove on its next connection, as the ledger says now; what comes of it is kept there.
  /// - Throws: when its file of roots cannot be used. Without a ledger nothing is known of it, and any key will do.
  package func trust(in device: KnownDevice) throws(TrustFileError) -> DeviceTrust {
    let row = current(device)
    var trust = DeviceTrust(try policy(of: row)) { [self] device, result in keep(result, of: device, row) }
    trust.pinOfOther = { [self] other in Self.pin(ownRow(other)) }
    return trust
  }

  private func policy(of row: KnownDevice) throws(TrustFileError) -> DeviceTrustPolicy {
    // Of what has no row nothing would be kept.
    guard row.id != DeviceID(0) else { return .off }
    switch row.trust {
    case .off: return .off
    case .pin:
      if row.canProve == false, !row.isPinned { return .off }
      return .pin(Self.pin(row))
    case .roots(let file): return .roots(try RootsFile.roots(file))
    }
  }

  private static func pin(_ row: KnownDevice?) -> DevicePin? { row?.pinnedKey.flatMap { DevicePin($0) } }

  /// Told on any thread, before the session goes on.
  private func keep(_ result: DeviceVerdict, of device: Device, _ known: KnownDevice) {
    guard let row = ownRow(device) ?? (device.uniqueID == nil ? known : nil), row.id != DeviceID(0) else {
      return
    }
    do throws(StoreError) {
      switch result {
      case .proved(let identity):
        _ = try store.setCanProve(true, of: row.id)
        // A group answers with the key of whichever speaker leads it.
        guard case .pin = row.trust, !row.isPinned, device.type != .speakerGroup else { return }
        try store.pin(identity.keyHash, of: row.id, at: now())
        logger.notice(
          "device pinned at first contact",
          metadata: ["castq.device": "\(row.label)", "cast.key": "\(identity.keyHash)"])
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
