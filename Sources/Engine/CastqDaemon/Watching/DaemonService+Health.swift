import CastProtocol
import CastSender
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Logging

/// Whether the daemon is well, for those who watch it.
extension DaemonService {
  /// A commit within this time proves that rows can be written.
  private static let proof = Duration.seconds(300)
  /// Less is a full disk: the next transaction may need it.
  private static let leastSpace: UInt64 = 64 << 10

  /// What keeps the daemon from recording what it does; empty when nothing does.
  func ailments() -> [Ailment] {
    var found: [Ailment] = []
    if let lock, !lock.isHeld {
      found.append(
        Ailment(words: "the lock file of the daemon was removed; restart it", isMendedByRestart: true))
    }
    for device in runners.fed.values.sorted(by: { $0.device.id < $1.device.id })
    where !device.feeder.holdsLock {
      let label = TerminalText.sanitized(device.device.label)
      found.append(
        Ailment(words: "the lock file of \(label) was removed; restart castq", isMendedByRestart: true))
    }
    do throws(StoreError) {
      try database.checkWriting(provenWithin: Self.proof)
      if let space = FreeSpace.beside(file: database.path, and: "/").file, space < Self.leastSpace {
        found.append(
          Ailment(words: "no space is left for the database; free some", isMendedByRestart: false))
      }
    } catch {
      // What comes from the file or its disk meets the next process, too; anything else is this one's.
      found.append(
        Ailment(words: TerminalText.sanitized("\(error)"), isMendedByRestart: !error.isOutage))
    }
    return found
  }

  /// The same in words.
  func problems() -> [String] { ailments().map(\.words) }

  /// What does not run and what is wrong, as a document.
  nonisolated func healthDocument() async -> JSONValue {
    let late = await loops.late(.all)
    // Who does not run cannot say what else is wrong.
    let problems = late.isEmpty ? await problems() : late.map(\.words)
    return [
      "late": .array(late.map { .string($0.name) }), "problems": .array(problems.map(JSONValue.string)),
      "silent_s": late.map(\.time.seconds).max().map(JSONValue.number) ?? .null,
    ]
  }
}
