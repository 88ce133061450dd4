import CastProtocol

/// A connection attempt in virtual time: TCP retries after one and three seconds, and aborts after five.
struct VirtualCall: Sendable, Hashable {
  let began: Tick
  /// When the device is tried next.
  private(set) var due: Tick

  init(began: Tick, due: Tick) {
    self.began = began
    self.due = due
  }

  /// The attempt with its next retry; nil when it is aborted.
  func later(than now: Tick) -> VirtualCall? {
    let moments = [1, 3, 5].map { began + .seconds($0) }
    guard let next = moments.first(where: { $0 > now }) else { return nil }
    var call = self
    call.due = next
    return call
  }
}
