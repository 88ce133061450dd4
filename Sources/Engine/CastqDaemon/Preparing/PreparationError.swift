package import CastqPrograms
import CastqText

/// Why a file was not converted.
package enum PreparationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The folder of converted files cannot be used.
  case folder(path: String, words: String)
  /// `ffmpeg` is not installed, or switched off.
  case noProgram
  /// The configuration allows less.
  case notAllowed(needed: String, allowed: String)
  /// Nothing helps; the reason.
  case impossible(String)
  /// Another process is converting it.
  case inProgress
  /// There is no room; free bytes and budget.
  case noRoom(free: Int, budget: Int)
  /// The program failed.
  case program(ProgramError)
  /// Preparing was stopped.
  case cancelled
  /// The file is gone or has changed meanwhile.
  case changed
  /// The result could not be kept; the system's words.
  case notKept(String)

  /// What happened, and what to do.
  package var description: String {
    switch self {
    case .folder(let path, let words): "the folder of prepared files \(path) cannot be used: \(words)"
    case .noProgram: "ffmpeg is not installed; install it, or name it in the configuration"
    case .notAllowed(let needed, let allowed):
      "the configuration does not allow it: it \(needed), and `prepare.allow` is \(allowed)"
    case .impossible(let reason): reason
    case .inProgress: "another castq is preparing it"
    case .noRoom(let free, let budget):
      "it needs more than the \(ByteSizeText.words(free)) that are left of \(ByteSizeText.words(budget)); raise `prepare.budget` "
        + "in the configuration, or free the disk"
    case .program(let error): "\(error)"
    case .cancelled: "it was stopped"
    case .changed: "the file changed while it was prepared; prepare it again"
    case .notKept(let words): "the prepared file could not be kept: \(words)"
    }
  }
}
