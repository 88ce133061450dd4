import CastqMediaServer
import Synchronization

/// The address at which one device reaches this machine. It follows the device, whose own address may be known only when it is connected.
final class DeviceReach: Sendable {
  private struct State {
    /// This machine's address; or why there is none.
    var host: Result<String, MediaResolver.Problem>
    /// The device's.
    var device: String
  }

  private let share: SharedMedia.Share
  private let isFixed: Bool
  private let state: Mutex<State>

  /// - Parameters:
  ///   - device: an IP address, or a name, of which nothing is known before it is connected to.
  ///   - advertised: what holds wherever the device is; nil looks for the interface that leads there.
  init(_ share: SharedMedia.Share, device: String, advertised: String?) {
    self.share = share
    isFixed = advertised != nil
    state = Mutex(State(host: advertised.map { .success($0) } ?? Self.host(towards: device), device: device))
  }

  var host: Result<String, MediaResolver.Problem> { state.withLock(\.host) }

  /// The device is connected, at this IP address.
  /// - Returns: whether this machine was at another address before.
  func follow(_ device: String) -> Bool {
    let host = isFixed ? nil : Self.host(towards: device)
    let before = state.withLock { state in
      defer {
        if let host { state.host = host }
        state.device = device
      }
      return state
    }
    if before.device != device { share.move(to: device) }
    guard case .success(let old) = before.host, case .success(let new)? = host else { return false }
    return old != new
  }

  private static func host(towards device: String) -> Result<String, MediaResolver.Problem> {
    do throws(LocalAddressError) { return .success(try LocalAddress.reaching(device).literal) } catch {
      return .failure(MediaResolver.Problem(message: "local files cannot be served: \(error)"))
    }
  }
}
