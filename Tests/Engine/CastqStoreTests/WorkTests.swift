import CastqFeeding
import CastqPlaylists
import CastqStore
import Testing

/// Which devices a daemon has to feed.
@Suite struct WorkTests {
  @Test("a device has work while an entry is due, and while a list repeats that has any")
  func work() throws {
    let fixture = try StoreFixture()
    #expect(try fixture.queue.devicesWithWork().isEmpty)
    let entries = try fixture.enqueue(["a", "b"])
    #expect(try fixture.queue.devicesWithWork() == [fixture.id])
    try fixture.play(entries[0])
    #expect(try fixture.queue.devicesWithWork() == [fixture.id], "the second one is due")
    try fixture.queue.remove([entries[1]], from: fixture.id)
    #expect(try fixture.queue.devicesWithWork().isEmpty)
    try fixture.queue.setRepeat(.all, for: fixture.id)
    #expect(try fixture.queue.devicesWithWork() == [fixture.id])
    try fixture.queue.clear(for: fixture.id)
    #expect(try fixture.queue.devicesWithWork().isEmpty)
  }

  @Test("an entry whose time is over is no work, unless the clock is set back")
  func expired() throws {
    let fixture = try StoreFixture()
    var draft = draft("early")
    draft.notAfter = moment(10)
    _ = try fixture.queue.enqueue([draft], for: fixture.id, placement: .end, at: moment(0))
    #expect(try fixture.queue.advance(fixture.id, limit: 1, besides: nil, at: moment(20)).list.places.isEmpty)
    #expect(try fixture.queue.devicesWithWork(at: moment(20)).isEmpty)
    #expect(try fixture.queue.devicesWithWork().isEmpty)
    #expect(try fixture.queue.devicesWithWork(at: moment(5)) == [fixture.id])
  }

  @Test("a list opens when the first of its entries is due, unless one is due now or plays")
  func opening() throws {
    let fixture = try StoreFixture()
    #expect(try fixture.queue.opening(of: fixture.id, at: moment(0)) == nil)
    var (soon, late) = (draft("soon"), draft("late"))
    (soon.notBefore, late.notBefore) = (moment(60), moment(600))
    _ = try fixture.queue.enqueue([late, soon], for: fixture.id, placement: .end, at: moment(0))
    #expect(try fixture.queue.opening(of: fixture.id, at: moment(0)) == moment(60))
    #expect(try fixture.queue.opening(of: fixture.id, at: moment(60)) == nil)
    let now = try fixture.enqueue(["now"])
    #expect(try fixture.queue.opening(of: fixture.id, at: moment(0)) == nil)
    try fixture.play(now[0])
    #expect(try fixture.queue.opening(of: fixture.id, at: moment(20)) == moment(60))
  }

  @Test("what is shown while nothing can be is no work of its own")
  func fallback() throws {
    let fixture = try StoreFixture()
    try fixture.queue.replace(
      with: Playlist(drafts: [draft("a")], fallback: [draft("x")]), for: fixture.id, seed: 1, at: moment(0))
    #expect(try fixture.queue.devicesWithWork() == [fixture.id])
    try fixture.play(try fixture.queue.entries(for: fixture.id)[0].id)
    #expect(try fixture.queue.devicesWithWork().isEmpty)
  }

  @Test("one daemon a database: the second is told who holds it, and may begin when that one is gone")
  func oneDaemon() throws {
    let fixture = try StoreFixture()
    let first = try DatabaseLock(.daemon, of: fixture.database)
    first.announce(socket: "/run/castq.sock")
    #expect(DatabaseLock.holder(.daemon, of: fixture.database)?.socket == "/run/castq.sock")
    let error = #expect(throws: StoreError.self) { _ = try DatabaseLock(.daemon, of: fixture.database) }
    #expect(error?.description.contains("another castq daemon") == true)
    // A daemon is no feeder: those have locks of their own.
    _ = try DatabaseLock(.feeder(fixture.id), of: fixture.database)
    first.release()
    #expect(DatabaseLock.holder(.daemon, of: fixture.database) == nil)
    _ = try DatabaseLock(.daemon, of: fixture.database)
  }
}
