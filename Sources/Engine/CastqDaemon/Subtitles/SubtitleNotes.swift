import CastProtocol
import CastqPlaylists
import CastqText
package import Logging
import Synchronization

/// Logs what of a subtitle file its viewers do not get, because a device shows the rest without a word.
///
/// A file is logged once for each state of it: a device fetches it each time that its film is loaded.
package final class SubtitleNotes: Sendable {
  /// Files that are remembered; more of them are forgotten, and logged again.
  private static let most = 256

  private let logger: Logger
  /// What was logged of each file.
  private let logged = Mutex<[String: String]>([:])

  package init(_ logger: Logger) { self.logger = logger }

  /// - Parameter file: a path or an address.
  func note(_ result: Result<SubtitleConversion, TextError>, of file: String) {
    let name = TerminalText.sanitized(AddressText.withoutSecrets(file))
    switch result {
    case .failure(let error):
      let words = error.hint.map { "\(error.message); \($0.typed)" } ?? error.message
      guard isNew(words, of: name) else { return }
      logger.warning(
        "subtitles are not shown", metadata: ["castq.file": "\(name)", "castq.problem": "\(words)"])
    case .success(let converted):
      let first = converted.issues.first
      guard isNew(first.map { "\(converted.problems) \($0)" }, of: name), let first else { return }
      logger.warning(
        "subtitles are not shown in full",
        metadata: [
          "castq.file": "\(name)", "castq.count": "\(converted.problems)", "castq.line": "\(first.line)",
          "castq.column": "\(first.column)", "castq.problem": "\(first.message)",
        ])
    }
  }

  private func isNew(_ words: String?, of file: String) -> Bool {
    logged.withLock { logged in
      guard logged[file] != words else { return false }
      if logged.count >= Self.most { logged = [:] }
      logged[file] = words
      return true
    }
  }
}
