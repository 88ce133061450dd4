/// The exit codes that scripts may rely on.
package enum ExitStatus: Int32, Sendable, Hashable {
  case done = 0
  /// The answer is no: nothing is playing, nothing is queued.
  case no = 1
  case usage = 64
  case badData = 65
  case inputMissing = 66
  case deviceUnknown = 68
  case unreachable = 69
  case bug = 70
  case cannotCreate = 73
  case inputOutput = 74
  case tryAgain = 75
  /// The receiver refused, or entries failed after their retries.
  case refused = 76
  case notPermitted = 77
  case configuration = 78
  case timeout = 124
  case interrupted = 130
  case terminated = 143
}
