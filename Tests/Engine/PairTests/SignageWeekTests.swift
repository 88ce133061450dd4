import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText
import Testing

/// Seven days of one screen under the machine of the daemon: nights of quiet hours, in one of which the daemon is restarted; a list
/// that somebody edits twice and that has a bad line; a television that is off at seven; an announcement each noon; and a guest.
@Suite("A week of signage")
struct SignageWeekTests {
  private static let source = "/srv/lobby.m3u"
  private static let day = 86_400.0
  private static let lobby = DeviceID(1)
  private static let bad = ListProblem(line: 3, message: "no such file: menu.mp4")

  /// The second of the run at which the clocks show a time of a day, from 0 on. It begins at 00:16:40.
  private static func second(_ day: Int, _ hour: Double) -> Double {
    Double(day) * Self.day + hour * 3600 - 1000
  }

  private static func list(_ names: String..., problems: [ListProblem] = []) -> ProgrammeList {
    .list(Playlist(repeatMode: .all, drafts: names.map { FeedFixture.draft($0) }), problems: problems)
  }

  private static func site() throws -> VirtualSite {
    var feeding = FeederConfiguration()
    feeding.statusInterval = .seconds(120)
    var feed = VirtualFeed(
      rows: VirtualRows(),
      receiver: VirtualReceiver(configuration: ReceiverConfiguration(), fetching: FeedFixture.fetching),
      configuration: feeding, isOfSite: true)
    var noon = ScheduledRunTests.announcement(1, "call", at: 0)
    noon.form = .calendar(try CalendarExpression("*-*-* 12:00"))
    feed.book = ScheduleBook(rules: [noon])
    feed.rows.setProgramme("call", [FeedFixture.draft("k20.mp4")])
    var configuration = DaemonConfiguration()
    configuration.standard.list = source
    configuration.standard.quietHours = [try QuietHours("22:00-07:00")]
    configuration.standard.quietShow = .black
    return VirtualSite([feed], configuration)
  }

  @Test("plays its list by day, is dark by night, and the rows of the week say what was on the screen")
  func week() throws {
    var site = try Self.site()
    func run(until second: Double) { site.run(for: .bounded(seconds: second - site.now.sinceStart.seconds)) }
    site.write(Self.list("v2700.mp4", "w2000.mp4"), to: Self.source)

    // The first night: the daemon is killed in it.
    run(until: Self.second(0, 23.5))
    site.crash(for: .seconds(90))
    // On Tuesday somebody writes a line that cannot be played, and mends another one.
    run(until: Self.second(1, 10))
    site.write(Self.list("v2700.mp4", "x1800.mp4", problems: [Self.bad]), to: Self.source)
    run(until: Self.second(1, 10.5))
    site.write(Self.list("v2700.mp4", "x1800.mp4", "y1500.mp4", problems: [Self.bad]), to: Self.source)
    // The television is off from seven in the evening to half past.
    run(until: Self.second(2, 19))
    let before = site.feeds[0].watch.all.last
    site.control(Self.lobby, .reboot(downFor: .seconds(1800)))
    // A guest on Thursday, who quits after ten minutes.
    run(until: Self.second(3, 15))
    site.control(Self.lobby, .takeover(appID: "YouTube"))
    run(until: Self.second(3, 15) + 600)
    site.control(Self.lobby, .exit)
    run(until: 7 * Self.day)

    var truth = ScreenTruth()
    truth.compare(site, Self.lobby)
    #expect(truth.complaints.isEmpty, "\(truth.complaints.prefix(10))")
    #expect(truth.seen > 500 && truth.unseen < truth.seen / 100, "\(truth.seen), \(truth.unseen)")
    #expect(site.complaints.isEmpty)

    let stretches = site.feeds[0].watch.all
    expectNights(stretches)
    // What the television showed when it went off goes on at its second.
    let off = try #require(before)
    let back = try #require(
      stretches.first {
        ScreenTruth.wall($0.since) > ScreenTruth.wall(off.until).adding(seconds: 1700) && $0.shown != .dark
      })
    guard case .turn(let cut) = off.shown, case .turn(let next) = back.shown else { throw Missing() }
    #expect(cut.entry == next.entry && abs(back.position - off.position - off.seconds) < 3)
    #expect(back.since.sinceStart.seconds < Self.second(2, 19.5) + 60)
    // The announcement of each noon, and the guest is gone within a quarter of an hour after he left.
    let calls = stretches.filter { $0.shown.isTurn && abs($0.seconds - 20) < 1 }
    #expect(calls.count == 7, "\(calls.count)")
    let left = Self.second(3, 15) + 600
    #expect(
      stretches.contains { $0.shown.isTurn && (left...(left + 900)).contains($0.since.sinceStart.seconds) })
    // The bad line was told once, though the list was read twice with it; what was added is played.
    #expect(site.log.filter { $0.contains("listProblem") }.count == 1)
    #expect(stretches.contains { $0.shown.isTurn && abs($0.seconds - 1500) < 1 })
  }

  private struct Missing: Error {}

  /// The screen is dark from ten to seven each night, also where the daemon was killed, and lit a minute later.
  private func expectNights(_ stretches: [ScreenWatch.Stretch]) {
    for day in 0..<6 {
      let night = (Self.second(day, 22) + 5)...(Self.second(day + 1, 7) - 5)
      let wrong = stretches.filter {
        $0.shown.isTurn && $0.since.sinceStart.seconds < night.upperBound
          && $0.until.sinceStart.seconds > night.lowerBound
      }
      #expect(wrong.isEmpty, "night \(day): \(wrong.prefix(3))")
      let morning = Self.second(day + 1, 7)
      #expect(
        stretches.contains {
          $0.shown.isTurn && (morning...(morning + 60)).contains($0.since.sinceStart.seconds)
        },
        "morning \(day + 1)")
    }
  }
}

extension ScreenWatch.Shown {
  fileprivate var isTurn: Bool { if case .turn = self { true } else { false } }
}
