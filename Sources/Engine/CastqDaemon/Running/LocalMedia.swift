import CastSender
import CastqFeeding
import CastqMediaServer
import Synchronization

/// The local files of one device: its share of the media server, and the address at which it reaches this machine.
///
/// A server that cannot be started, for instance because another program has its port, is looked for again. Until then entries with local
/// files fail.
final class LocalMedia: Sendable {
  private enum State {
    case missing(MediaResolver.Problem)
    case served(SharedMedia.Share, DeviceReach)
  }

  /// How long to wait before the server is looked for again.
  private static let pause = Duration.seconds(5)

  private let host: FeederHost
  private let advertised: AdvertisedAddress?
  private let state = Mutex(
    (media: State.missing(MediaResolver.Problem(message: "local files are not served yet")), device: ""))

  /// - Parameter device: an IP address, or a name, of which nothing is known before it is connected to.
  init(_ device: String, on host: FeederHost, advertised: AdvertisedAddress?) {
    self.host = host
    self.advertised = advertised
    state.withLock { $0.device = device }
  }

  /// What serves, and this machine's address for the device; or why nothing does.
  var server: Result<(SharedMedia.Share, host: String), MediaResolver.Problem> {
    switch state.withLock(\.media) {
    case .missing(let problem): .failure(problem)
    case .served(let share, let reach): reach.host.map { (share, host: $0) }
    }
  }

  /// The device is connected, at this IP address.
  /// - Returns: whether files were served at another address before.
  func follow(_ device: String) -> Bool {
    let media = state.withLock { state in
      state.device = device
      return state.media
    }
    guard case .served(_, let reach) = media else { return false }
    return reach.follow(device)
  }

  /// Looks for the server once.
  /// - Returns: why there is none; nil when there is.
  func find() async -> MediaServerError? {
    do throws(MediaServerError) {
      let device = state.withLock(\.device)
      let share = try await host.share(of: device, port: advertised?.port)
      let reach = DeviceReach(share, device: device, advertised: advertised?.host)
      let present = state.withLock { state in
        state.media = .served(share, reach)
        return state.device
      }
      if present != device { _ = reach.follow(present) }
      return nil
    } catch {
      state.withLock {
        $0.media = .missing(MediaResolver.Problem(message: "local files cannot be served: \(error)"))
      }
      return error
    }
  }

  /// Looks for the server until there is one.
  /// - Returns: false when it was cancelled before.
  func findAgain(_ time: TimeSource) async -> Bool {
    repeat {
      do { try await time.sleep(Self.pause) } catch { return false }
    } while await find() != nil
    return true
  }

  /// The device is not fed any more.
  func end() {
    if case .served(let share, _) = state.withLock(\.media) { share.end() }
  }
}
