/// The exit codes that scripts may rely on.
package enum ExitStatus: Int32, Sendable, Hashable, CaseIterable {
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

  /// What help and manual pages write about it.
  package var words: String {
    switch self {
    case .done: "done"
    case .no: "the answer is no, such as: nothing is playing, nothing is queued"
    case .usage: "a mistake in the arguments"
    case .badData: "a bad playlist or bad data"
    case .inputMissing: "an input is missing"
    case .deviceUnknown: "the device is unknown"
    case .unreachable: "the device or the daemon cannot be reached"
    case .bug: "a bug in castq"
    case .cannotCreate: "the database or a file cannot be created"
    case .inputOutput: "an input or output error"
    case .tryAgain: "try again later: the device is busy, or another list took the place of this one"
    case .refused: "the receiver refused, or entries could not be played"
    case .notPermitted: "the device is not authentic, or the signature is by another key"
    case .configuration: "the configuration is wrong"
    case .timeout: "the time of --timeout has passed"
    case .interrupted: "interrupted"
    case .terminated: "terminated"
    }
  }
}
