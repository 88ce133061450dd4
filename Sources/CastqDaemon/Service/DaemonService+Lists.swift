import CastProtocol
import CastqCore
import CastqStore

/// What was not taken up of lists, for those who ask whether the daemon is ready: a typo in a list restarts nothing.
extension DaemonService {
  func listWords() -> [String] {
    let stored = (try? ListProblemStore(database).stored()) ?? []
    var words: [String] = []
    for one in stored {
      let name = TerminalText.sanitized(AddressText.withoutSecrets(one.source))
      let line = "list \(name) not taken up since \(RFC3339.text(one.since)): \(one.problem.words)"
      if !words.contains(line) { words.append(line) }
    }
    return words
  }
}
