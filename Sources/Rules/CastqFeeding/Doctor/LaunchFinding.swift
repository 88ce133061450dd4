import CastqText

/// Whether an application was started on the device. The doctor takes no screen away: it launches only where nothing runs.
package enum LaunchFinding: Sendable, Hashable {
  case notReached
  /// An application runs, with this name.
  case busy(String)
  /// castq feeds the device, or a daemon of the database may begin to at any time.
  case fed
  /// The configuration has quiet hours now.
  case quietHours
  /// `--no-launch`.
  case notWanted
  /// The device could not be reserved, with the reason.
  case notReserved(String)
  /// Another sender's application, with this name, was there first.
  case overtaken(String)
  /// The application's id, and the seconds it took.
  case launched(String, seconds: Double)
  case failed(CastErrorSummary)

  package var verdict: DoctorVerdict {
    switch self {
    case .notReached: .skipped(.launch, ConnectionFinding.unreached)
    case .busy(let name):
      .skipped(
        .launch, "\(TerminalText.excerpt(name)) runs and keeps the screen",
        advice: "run it again when that has ended, to try a launch")
    case .fed:
      .skipped(
        .launch, "a castq feeds this device or may begin to, and is not disturbed",
        advice: FaceWords(typed: "'castq doctor --launch' tries one, if nothing plays", paged: nil))
    case .quietHours:
      .skipped(
        .launch, "the configuration has quiet hours now",
        advice: FaceWords(typed: "'castq doctor --launch' launches anyway", paged: nil))
    case .notWanted: .skipped(.launch, FaceWords(typed: "--no-launch was given", paged: "not tried"))
    case .notReserved(let words): .skipped(.launch, "nothing was launched: \(words)")
    case .overtaken(let name):
      .skipped(.launch, "\(TerminalText.excerpt(name)) came first and keeps the screen")
    case .launched(let id, let seconds):
      .ok(.launch, "\(id) was launched within \((seconds * 10).rounded() / 10) s, and closed again")
    case .failed(let error): .fail(.launch, message: error.message, exit: error.exit)
    }
  }
}
