import CSystemClock
package import CastqFeeding

extension ClockFinding.State {
  /// That of this computer's clock, as its kernel knows it.
  package static var ofSystem: Self {
    var microseconds: Int64 = 0
    return switch castq_clock_is_synchronised(&microseconds) {
    case 1: .synchronised(error: Double(microseconds) / 1_000_000)
    case 0: .unsynchronised
    default: .unknown
    }
  }
}
