import CastSender
import CastqFeeding
import CastqPlaylists
import CastqText
import Logging

extension Logger {
  /// Says what is worth a line.
  func log(_ note: SiteNote) {
    switch note {
    case .feeding(let label): notice("feeding", metadata: ["castq.device": "\(label)"])
    case .ended(let label, let words):
      notice("feeding ended", metadata: ["castq.device": "\(label)", "castq.outcome": "\(words)"])
    case .decided(let label, let onAir, let reason):
      notice(
        "on the screen by the schedule",
        metadata: [
          "castq.device": "\(label)", "castq.programme": "\(onAir)", "castq.reason": "\(reason)",
        ])
    case .schedule(let label, let words): warning("\(words)", metadata: ["castq.device": "\(label)"])
    case .waits(let label, .pause(let length, let end)):
      // Repeated failures are logged at debug level only.
      debug(
        "waiting",
        metadata: ["castq.device": "\(label)", "castq.pause": "\(length)", "castq.after": "\(end)"])
    case .waits(let label, .guest(let length, _)):
      notice("yielding to a guest", metadata: ["castq.device": "\(label)", "castq.lease": "\(length)"])
    case .waits(let label, .person): notice("waiting for a start", metadata: ["castq.device": "\(label)"])
    case .clockSet: notice("the system's clock was set")
    case .listTakenUp(let source):
      notice("list is taken up again", metadata: ["castq.list": "\(TerminalText.sanitized(source))"])
    case .listProblem(let problem, let source, let devices):
      var metadata: Metadata = [
        "castq.list": "\(TerminalText.sanitized(AddressText.withoutSecrets(source)))",
        "castq.problem": "\(problem.message)", "castq.devices": "\(devices.joined(separator: ", "))",
      ]
      if let line = problem.line { metadata["castq.line"] = "\(line)" }
      warning(
        problem.line == nil ? "list is not taken up" : "line of a list is not taken up", metadata: metadata)
    case .listIsWhole(let source):
      notice(
        "all of the list is taken up",
        metadata: ["castq.list": "\(TerminalText.sanitized(AddressText.withoutSecrets(source)))"])
    case .rowsUnreadable(let words): error("database cannot be read", metadata: ["error": "\(words)"])
    case .ending(let screens): notice("ending", metadata: ["castq.screens": "\(screens)"])
    case .leaseEnded(let reason): notice("lease ended", metadata: ["castq.reason": "\(reason)"])
    }
  }
}
