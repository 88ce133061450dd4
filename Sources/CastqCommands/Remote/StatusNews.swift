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
    var rate: Double
    var at: Tick
  }

  private let time: TimeSource
  private let last = Mutex<Printed?>(nil)

  /// Seconds by which a position may differ from what was to be expected.
  private static let tolerance = 1.0

  init(time: TimeSource) { self.time = time }

  /// Whether a status says anything that does not follow from the one before it; then it is the last one from now on.
  func isNews(_ document: StatusDocument) -> Bool {
    let position = document.media?.streamPosition?.seconds
    let isMoving = document.media?.playerState == .playing && document.media?.adBreakStatus == nil
    var plain = document.json.object ?? [:]
    plain["position_s"] = nil
    if case .object(var ad)? = plain["ad"] {
      ad["position_s"] = nil
      ad["skippable_in_s"] = nil
      plain["ad"] = .object(ad)
    }
    let now = Printed(
      document: .object(plain), position: position,
      rate: isMoving ? document.media?.playbackRate ?? 1 : 0, at: time.now())
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
    return abs(before + (now.at - last.at).seconds * last.rate - position) < tolerance
  }
}
