/// Why a child process gave no answer.
public enum ProgramError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It could not be started.
  case unavailable(program: String, reason: String)
  /// It ran longer than it may.
  case tooSlow(program: String, limit: Duration)
  /// It wrote more than is taken, in bytes.
  case tooMuch(program: String, limit: Int)
  /// It ended with another code than 0. `words` are the last lines of its standard error, at most 2,000 bytes; `output` is what it wrote.
  case failed(program: String, code: Int, words: String, output: [UInt8])
  /// A signal ended it: a crash, a limit of memory or of a file's size, or somebody else.
  case killed(program: String, signal: Int, words: String)

  /// What happened, to which program, with its own last words.
  public var description: String {
    switch self {
    case .unavailable(let program, let reason): "\(program) could not be started: \(reason)"
    case .tooSlow(let program, let limit):
      "\(program) gave no answer within \(limit.components.seconds) s and was ended"
    case .tooMuch(let program, let limit): "\(program) wrote more than \(limit) bytes and was ended"
    case .failed(let program, let code, let words, _):
      "\(program) failed with exit code \(code)" + (words.isEmpty ? "" : ": \(words)")
    case .killed(let program, let signal, let words):
      "\(program) was ended by signal \(signal)" + (words.isEmpty ? "" : ": \(words)")
    }
  }
}
