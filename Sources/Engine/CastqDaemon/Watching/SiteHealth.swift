import CastProtocol
import CastSender
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText

/// Whether a daemon is well.
struct SiteHealth: Sendable {
  /// A commit within this time proves that rows can be written.
  private static let proof = Duration.seconds(300)
  /// Less is a full disk: the next transaction may need it.
  private static let leastSpace: UInt64 = 64 << 10

  let database: Database
  let locks: SiteLocks
  /// Asked whether everything runs.
  let loops = LoopProbe()

  init(_ database: Database, _ locks: SiteLocks) {
    (self.database, self.locks) = (database, locks)
    loops.addFeeder(database.executor.perform)
  }

  /// What keeps the daemon from recording what it does; empty when nothing does.
  func ailments() async -> [Ailment] {
    await database.executor.run { locks.ailments + rowAilments() }
  }

  private func rowAilments() -> [Ailment] {
    do throws(StoreError) {
      try database.checkWriting(provenWithin: Self.proof)
      guard let space = FreeSpace.beside(file: database.path, and: "/").file, space < Self.leastSpace else {
        return []
      }
      return [Ailment(words: "no space is left for the database; free some", isMendedByRestart: false)]
    } catch {
      // What comes from the file or its disk meets the next process, too; anything else is this one's.
      return [Ailment(words: TerminalText.sanitized("\(error)"), isMendedByRestart: !error.isOutage)]
    }
  }

  /// The same in words.
  func problems() async -> [String] { await ailments().map(\.words) }

  /// What was not taken up of lists, for those who ask whether the daemon is ready: a typo in a list restarts nothing.
  func listWords() async -> [String] {
    let stored = await database.executor.run { (try? ListProblemStore(database).stored()) ?? [] }
    var words: [String] = []
    for one in stored {
      let name = TerminalText.sanitized(AddressText.withoutSecrets(one.source))
      let line = "list \(name) not taken up since \(RFC3339.text(one.since)): \(one.problem.words)"
      if !words.contains(line) { words.append(line) }
    }
    return words
  }

  /// What does not run and what is wrong, as a document.
  func document() async -> JSONValue {
    let late = await loops.late(.all)
    // Who does not run cannot say what else is wrong.
    let problems = late.isEmpty ? await problems() : late.map(\.words)
    return [
      "late": .array(late.map { .string($0.name) }), "problems": .array(problems.map(JSONValue.string)),
      "silent_s": late.map(\.time.seconds).max().map(JSONValue.number) ?? .null,
    ]
  }
}
