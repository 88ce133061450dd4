import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText
import Testing

@Suite("Dark screens")
struct DarkWatchTests {
  private let lobby = DeviceID(1)
  private let hall = DeviceID(2)

  private func tick(_ seconds: Double) -> Tick { Tick(.bounded(seconds: seconds)) }

  private func seconds(_ watch: DarkWatch, _ id: DeviceID, at now: Double) -> [DarkReason: Double] {
    watch.seconds(at: tick(now))[id] ?? [:]
  }

  @Test("a screen is dark from the moment when it is fed until something is shown, and between two plays")
  func loading() {
    var watch = DarkWatch()
    _ = watch.handle(.fed(lobby), at: tick(0))
    #expect(seconds(watch, lobby, at: 1) == [.loading: 1])
    _ = watch.handle(.connected(lobby), at: tick(1))
    _ = watch.handle(.shown(lobby), at: tick(3))
    #expect(seconds(watch, lobby, at: 100) == [.loading: 3])
    _ = watch.handle(.ended(lobby, isFailure: false), at: tick(100))
    _ = watch.handle(.shown(lobby), at: tick(101))
    #expect(seconds(watch, lobby, at: 200) == [.loading: 4])
  }

  @Test("seconds go to the cause of their time")
  func causes() {
    var watch = DarkWatch()
    _ = watch.handle(.fed(lobby), at: tick(0))
    _ = watch.handle(.shown(lobby), at: tick(0))
    _ = watch.handle(.lost(lobby), at: tick(10))
    _ = watch.handle(
      .over(lobby, .unreachable(Failure("x", "x", exit: .unreachable)), hasShown: true), at: tick(15))
    _ = watch.handle(.fed(lobby), at: tick(17))
    #expect(
      seconds(watch, lobby, at: 20) == [.unreachable: 10, .loading: 0], "it is called, and has not answered")
    _ = watch.handle(.connected(lobby), at: tick(20))
    _ = watch.handle(.ended(lobby, isFailure: true), at: tick(22))
    _ = watch.handle(.ended(lobby, isFailure: false), at: tick(23))
    #expect(seconds(watch, lobby, at: 30) == [.unreachable: 10, .loading: 2, .failed: 8])
  }

  @Test(
    "nothing due, a guest and a person are not darkness",
    arguments: [
      RunEnd.drained(failed: 0), .drained(failed: 2), .takenOver("x"), .stoppedElsewhere, .stopped, .halted,
      .busy,
    ])
  func off(_ end: RunEnd) {
    var watch = DarkWatch()
    _ = watch.handle(.fed(lobby), at: tick(0))
    _ = watch.handle(.over(lobby, end, hasShown: true), at: tick(1))
    #expect(seconds(watch, lobby, at: 100) == [.loading: 1])
  }

  @Test("a device that waits without anything due any more is not dark; one that is fed is")
  func due() {
    var watch = DarkWatch()
    for id in [lobby, hall] { _ = watch.handle(.fed(id), at: tick(0)) }
    _ = watch.handle(
      .over(hall, .unreachable(Failure("x", "x", exit: .unreachable)), hasShown: false), at: tick(0))
    _ = watch.handle(.due([hall]), at: tick(5))
    #expect(seconds(watch, lobby, at: 5) == [.loading: 5])
    _ = watch.handle(.due([]), at: tick(6))
    #expect(seconds(watch, hall, at: 50).values.reduce(0, +) == 6)
    #expect(seconds(watch, lobby, at: 50) == [.loading: 50])
  }

  @Test("a threshold is reached once for each time that a screen is dark, whatever its causes")
  func thresholds() {
    var watch = DarkWatch(thresholds: [.seconds(60), .seconds(10)])
    #expect(watch.handle(.fed(lobby), at: tick(0)) == [.wake(at: tick(10))])
    #expect(watch.handle(.lost(lobby), at: tick(4)) == [.wake(at: tick(10))])
    #expect(
      watch.handle(.timer, at: tick(10)) == [
        .dark(lobby, over: .seconds(10), .unreachable, since: tick(0)), .wake(at: tick(60)),
      ])
    #expect(
      watch.handle(.timer, at: tick(61)) == [.dark(lobby, over: .seconds(60), .unreachable, since: tick(0))])
    #expect(watch.handle(.timer, at: tick(1000)) == [])
    #expect(watch.handle(.shown(lobby), at: tick(1001)) == [])
    #expect(watch.handle(.lost(lobby), at: tick(1002)) == [.wake(at: tick(1012))])
    #expect(watch.handle(.rests(lobby), at: tick(1003)) == [])
    #expect(watch.handle(.timer, at: tick(2000)) == [])
  }
}
