import CastProtocol
import CastSender
import CastqOperations
import Synchronization

/// The status printed last: what only lets time pass is no change.
final class StatusNews: Sendable {
  private struct Printed {
    var document: JSONValue
    /// Seconds; nil when unknown.
    var position: Double?
    /// That of the position.
    var speed: Double
    var at: Tick
  }

  private let time: TimeSource
  private let last = Mutex<Printed?>(nil)

  /// Seconds by which a position may differ from what was to be expected.
  private static let tolerance = 1.0

  init(time: TimeSource) { self.time = time }

  /// Whether a status says anything that does not follow from the one before it; then it is the last one from now on.
  func isNews(_ state: ScreenState) -> Bool {
    var plain = state.json.object ?? [:]
    plain["position_s"] = nil
    if case .object(var ad)? = plain["ad"] {
      ad["position_s"] = nil
      ad["remaining_s"] = nil
      ad["skippable_in_s"] = nil
      plain["ad"] = .object(ad)
    }
    let now = Printed(
      document: .object(plain), position: state.media?.streamPosition?.seconds, speed: state.speed,
      at: time.now())
    return last.withLock { last in
      if let last, last.document == now.document, Self.follows(now, from: last) { return false }
      last = now
      return true
    }
  }

  private static func follows(_ now: Printed, from last: Printed) -> Bool {
    guard let before = last.position, let position = now.position else {
      return last.position == now.position
    }
    return abs(before + (now.at - last.at).seconds * last.speed - position) < tolerance
  }
}
