import CastProtocol
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText

/// Why castq has nothing on a screen, in the words that every face draws.
extension ScreenState {
  /// Why no entry is on the screen, in words; nil if nothing prevents it.
  /// - Parameter hasCommands: whether it is for a person who types commands.
  package func reason(hasCommands: Bool = true) -> String? {
    if seen.isRefused { return "the device answers, and does not prove that it is the right one" }
    let waiting = waiting
    switch waiting.reason {
    case nil, .notYet, .nothingDue, .failed:
      if lacksDaemon, !isOfQueue {
        return hasCommands ? Self.noDaemon.typed : Self.noDaemon.paged
      }
    default: break
    }
    // A list that nobody can play is why nothing is due.
    if [.nothingDue, .failed].contains(waiting.reason), let list = listLines.first {
      return TerminalText.sanitized(list)
    }
    // Where a face draws it beside other things, there is room for a time, and none for seconds.
    return waiting.words(
      application: application?.displayName, hasCommands: hasCommands, hasWork: rows.hasWork
    ) {
      hasCommands ? rows.clock.text($0) : rows.clock.minute($0)
    }
  }

  private static let noDaemon = FaceWords(
    typed: "no daemon runs, which plays the rules; 'castq daemon' starts it",
    paged: "no daemon runs, which plays the rules")

  /// What was not taken up of the lists, in words.
  package var listLines: [String] {
    rows.lists.map { list in
      let name = list.source.hasPrefix("/") ? list.source.split(separator: "/").last.map(String.init) : nil
      let since = rows.clock.text(list.since)
      return "list \(name ?? AddressText.withoutSecrets(list.source)) not taken up since \(since): "
        + list.problem.words
    }
  }
}
