import CastqFeeding
import CastqPlaylists
import Testing
@testable import CastqStore

/// Feeders that follow each other while the database does not work.
extension FeederRowsTests {
  @Test("a feeder that begins in an outage goes on where the one before was, whose writes still wait")
  func successors() throws {
    let outage = FullDisk()
    let fixture = try loop(["a", "b", "c", "d", "e"], .off)
    #expect(try fixture.database.openPending(for: nil).isEmpty)
    var player = Player(fixture)
    try player.playNext()
    try outage.begin(fixture)
    try player.playNext()
    for _ in 0..<2 {
      let finished = player.rows.finish(at: player.now)
      let end = try #require(finished)
      #expect(end.isKept && end.isWhole && end.missing > 0, "\(end)")
      #expect("\(end)".contains("writes are kept until it does"))
      player = Player(fixture)
      try player.playNext()
      #expect(player.news.count == 1, "it has an outage of its own")
    }
    #expect(try plays(fixture).count < 4)
    try outage.end(fixture)
    let caughtUp = player.catchUp()
    #expect(caughtUp?.isWhole == true)
    #expect(!fixture.database.hasPending)
    try player.playNext()
    #expect(player.shown == ["d", "e"])
    #expect(try plays(fixture) == ["a", "b", "c", "d", "e"].map { "\($0) finished" })
    #expect(fixture.database.closePending() == nil)
  }
}
