package import CastProtocol
package import CastqStore
package import CastqText
import Synchronization

/// Where devices have proved their keys, and where something else answered in their names, as this process has met them.
///
/// Announcements are not authenticated: a stranger who announces a device's id must not keep castq from the device. What failed to prove
/// its key is left alone for a minute, and twice as long each time that it fails again.
package final class ProvedPlaces: Sendable {
  private struct Refusal {
    var since: WallTime
    var seconds: Double
  }

  private struct State {
    var proved: [String: DeviceEndpoint] = [:]
    var refused: [DeviceEndpoint: Refusal] = [:]
  }

  private static let (first, longest) = (60.0, 3600.0)
  /// Strangers choose how many addresses there are.
  private static let most = 256

  private let state = Mutex(State())

  package init() {}

  /// Where devices have proved their keys before this process began. Announcements may have led their rows to strangers since.
  package func remember(_ store: DeviceStore) throws(StoreError) {
    for row in try store.all() where row.hasProof {
      guard let id = row.uuid, let place = try store.provedPlace(of: row.id) else { continue }
      state.withLock { $0.proved[id] = $0.proved[id] ?? place }
    }
  }

  /// A device has proved its key at its endpoint.
  package func proved(_ device: Device) {
    state.withLock { state in
      state.refused[device.endpoint] = nil
      if let id = device.uniqueID { state.proved[id] = device.endpoint }
    }
  }

  /// What answered at an endpoint did not prove the key that it had to.
  package func refused(_ endpoint: DeviceEndpoint, at now: WallTime) {
    state.withLock { state in
      let before = state.refused[endpoint]?.seconds
      state.refused[endpoint] = Refusal(
        since: now, seconds: before.map { min($0 * 2, Self.longest) } ?? Self.first)
      while state.refused.count > Self.most,
        let oldest = state.refused.min(by: { $0.value.since < $1.value.since })
      {
        state.refused[oldest.key] = nil
      }
    }
  }

  /// Where the device has proved its key last; nil when it has not.
  package func provedEndpoint(of device: Device) -> DeviceEndpoint? {
    device.uniqueID.flatMap { id in state.withLock { $0.proved[id] } }
  }

  /// Whether an endpoint is left alone now. A clock that was set back ends it.
  package func isLeftAlone(_ endpoint: DeviceEndpoint, at now: WallTime) -> Bool {
    guard let refusal = state.withLock({ $0.refused[endpoint] }) else { return false }
    return (0..<refusal.seconds).contains(now - refusal.since)
  }
}
