import CastProtocol

/// A call to a device in a virtual world: TCP asks again after one and after three seconds, and gives up after five.
struct VirtualCall: Sendable, Hashable {
  let began: Tick
  /// When the device's side is asked next.
  private(set) var due: Tick

  init(began: Tick, due: Tick) {
    self.began = began
    self.due = due
  }

  /// The same call when nobody has answered yet; nil when it is given up.
  func later(than now: Tick) -> VirtualCall? {
    let moments = [1, 3, 5].map { began + .seconds($0) }
    guard let next = moments.first(where: { $0 > now }) else { return nil }
    var call = self
    call.due = next
    return call
  }
}
