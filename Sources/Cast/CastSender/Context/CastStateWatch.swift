import CastProtocol
import Synchronization

/// Publishes the changes of a context's `castState`. It hears of every change that may cause one, and reads the state then.
final class CastStateWatch: DiscoveryManagerListener {
  private struct State {
    /// Reads the present state; nil once the managers are gone.
    var read: (@Sendable () -> CastState?)?
    var last: CastState?
  }
  private let state = Mutex(State())
  private let streams = UpdateStreams<CastState>()

  deinit { streams.finish() }

  /// Sets where the state is read; must be called once, before the first change.
  func begin(_ read: @escaping @Sendable () -> CastState?) { state.withLock { $0.read = read } }

  /// Publishes the present state if it is another one.
  func refresh() { state.withLock { refresh(&$0) } }

  /// The present state, then each change. A slow reader gets the newest state.
  func states() -> AsyncStream<CastState> {
    // Under the lock, so that no newer state can precede this one.
    state.withLock { state in
      refresh(&state)
      return streams.add(first: state.last)
    }
  }

  /// Ends all sequences.
  func end() { streams.finish() }

  private func refresh(_ state: inout State) {
    guard let new = state.read?(), new != state.last else { return }
    state.last = new
    streams.yield(new)
  }

  func discoveryManager(_ manager: DiscoveryManager, didInsert device: Device) { refresh() }
  func discoveryManager(_ manager: DiscoveryManager, didRemove device: Device) { refresh() }
}
