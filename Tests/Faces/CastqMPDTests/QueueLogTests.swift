import CastqPlaylists
import Testing
@testable import CastqMPD

@Suite("Versions of a queue")
struct QueueLogTests {
  private func ids(_ numbers: Int...) -> [EntryID] { numbers.map { EntryID(Int64($0)) } }

  @Test("what has changed since a version is what stands elsewhere or is new")
  func changes() {
    var log = QueueLog()
    let isNew = log.adopt(ids(1, 2, 3, 4))
    let first = log.version
    let isNewAgain = log.adopt(ids(1, 2, 3, 4))
    #expect(isNew && !isNewAgain && log.version == first)
    log.adopt(ids(1, 3, 2, 4, 5))
    #expect(log.changes(since: first, in: 0..<5) == [1, 2, 4])
    let second = log.version
    log.adopt(ids(1, 3))
    #expect(log.changes(since: second, in: 0..<2).isEmpty)
    #expect(log.changes(since: first, in: 0..<2) == [1])
    #expect(log.changes(since: first, in: 0..<100) == [1])
    log.adopt(ids(1, 3), altered: Set(ids(1)))
    #expect(log.changes(since: second + 1, in: 0..<2) == [0])
    #expect(log.position(of: EntryID(3)) == 1 && log.position(of: EntryID(2)) == nil)
  }

  @Test("of a version that never was, everything has changed", arguments: [0, -1, 7, Int.max, Int.min])
  func unknownVersions(version: Int) {
    var log = QueueLog()
    log.adopt(ids(1, 2))
    #expect(log.changes(since: version, in: 0..<2) == [0, 1])
  }

  @Test("a client that follows the changes has the queue, whatever happens")
  func follows() {
    var generator = SystemRandomNumberGenerator()
    var (log, mirror, next) = (QueueLog(), [EntryID](), Int64(1))
    var seen = log.version
    for _ in 0..<2000 {
      var songs = log.songs
      switch Int.random(in: 0..<5, using: &generator) {
      case 0, 1:
        songs.insert(EntryID(next), at: .random(in: 0...songs.count))
        next += 1
      case 2: if !songs.isEmpty { songs.remove(at: .random(in: 0..<songs.count)) }
      case 3: songs.shuffle()
      default: if songs.count > 20 { songs = [] }
      }
      log.adopt(songs)
      guard Bool.random() else { continue }
      for place in log.changes(since: seen, in: 0..<songs.count) {
        if place < mirror.count { mirror[place] = songs[place] } else { mirror.append(songs[place]) }
      }
      mirror = Array(mirror.prefix(songs.count))
      seen = log.version
      #expect(mirror == songs)
    }
  }
}
