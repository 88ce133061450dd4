import CastProtocol
package import CastqText

/// The state of this computer's clock: certificates, time windows and history depend on it.
package struct ClockFinding: Sendable, Hashable {
  package enum State: Sendable, Hashable {
    /// Kept in step by a time service, with its estimate of the largest error, in seconds.
    case synchronised(error: Double)
    case unsynchronised
    /// The system does not say, as in some containers.
    case unknown
  }

  package var now: WallTime
  package var state: State
  /// Why the device's certificate is not valid at this time, which is mostly the clock's fault; nil when it is.
  package var certificateProblem: String?

  package init(now: WallTime, state: State, certificateProblem: String? = nil) {
    self.now = now
    self.state = state
    self.certificateProblem = certificateProblem
  }

  /// 2025-01-01: castq is younger, so an earlier time is wrong.
  private static let earliest = WallTime(milliseconds: 1_735_689_600_000)

  package var verdict: DoctorVerdict {
    let set = "'timedatectl set-ntp true', or install chrony"
    guard now >= Self.earliest else {
      return .fail(
        .clock, "this computer's clock says \(RFC3339.text(now))", advice: "set it: \(set)",
        exit: .configuration)
    }
    if let certificateProblem {
      return .warn(
        .clock, "the device's certificate is not valid at this time: \(certificateProblem)",
        advice: "compare this computer's clock with another one")
    }
    return switch state {
    case .synchronised(let error) where error < 1:
      .ok(.clock, "synchronised, to less than a second")
    case .synchronised(let error):
      .ok(.clock, "synchronised, to \(Int(bounded: error.rounded(.up))) s")
    case .unsynchronised:
      .warn(
        .clock, "nothing keeps this computer's clock in step, by which history and time windows go",
        advice: FaceWords(set))
    case .unknown: .skipped(.clock, "the system does not say whether its clock is synchronised")
    }
  }
}

extension ClockFinding.State {
  /// Whether a time service keeps the clock in step; nil when the system does not say.
  package var isSynchronised: Bool? {
    switch self {
    case .synchronised: true
    case .unsynchronised: false
    case .unknown: nil
    }
  }
}
