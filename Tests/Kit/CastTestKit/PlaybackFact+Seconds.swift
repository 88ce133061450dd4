import CastProtocol
package import CastqFeeding

extension PlaybackFact {
  /// Every number of seconds that history would store.
  package var seconds: [Double] {
    switch self {
    case .started(_, let play): [play.position.seconds, play.duration?.seconds ?? 0, play.gapBefore ?? 0]
    case .progressed(_, let play): [play.position.seconds, play.played, play.duration?.seconds ?? 0]
    case .ended(_, let play): [play.position?.seconds ?? 0, play.played, play.duration?.seconds ?? 0]
    case .adEnded(_, let play): [play.played]
    }
  }
}
